/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/core. */
#ifndef SHM_CORE_INTERNAL_H
#define SHM_CORE_INTERNAL_H

#include "base/launch.h"
#include "core/core.h"

/** Steps of shm_start() that are under way. */
struct shm_start {
    const struct shm_start_request *request;
    struct shm_instance *instance;
    uint64_t deadline_ns;
    uint64_t job_id;        /* the request's; known to all after the introductions */
    int listen_fd;          /* until the bootstrap takes it over; -1 = none */
    bool is_failure_shared; /* all PEs found the same reason to give up */
};

/** Bootstrap, memory of the node, agreement among all PEs (meet.c). Collective. */
SHM_MUST_CHECK enum shm_status shm_meet(struct shm_start *start);

/** Refuses strided blocks that have a byte in common, as shm_check_overlap() does for ranges. */
SHM_MUST_CHECK enum shm_status shm_check_strided_overlap(const struct shm_instance *instance,
                                                         const struct shm_strided *copy);

/** Tells the launcher, if there is one; what cannot be delivered is dropped. */
void shm_launcher_tell(enum shm_launch_message_kind kind, int status);

/** Shows the launcher the records of the node's PEs. */
void shm_launcher_show_records(const struct shm_instance *instance);

/** Takes over the descriptors that the launcher passed; once per process. */
void shm_launcher_attach(void);

/** Registers what must happen at exit() and around fork(); once per process. */
SHM_MUST_CHECK enum shm_status shm_hooks_register(void);

/** Prints version and settings if SHMEM_VERSION or SHMEM_INFO asks for it. */
void shm_info_print(const struct shm_instance *instance);

#endif
