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
    struct shm_entry *entry;
    bool is_first; /* the process has no other instance */
    uint64_t deadline_ns;
    int processor_quota;       /* of the first PE of a node; 0 = not looked up */
    uint64_t secret;           /* PE 0 draws it, and all know it after the introductions */
    int listen_fd;             /* until the bootstrap takes it over; -1 = none */
    bool is_failure_shared;    /* all PEs found the same reason to give up */
    bool is_lenient;           /* engines that cannot work are left out */
    bool is_kernel_copy_asked; /* by some PE: engine UDMA */
};

/* ---- the table of instances (registry.c) ---- */

/** Takes a place for a new instance; tells whether the process has no other. SHM_INNER_ERROR when
 *  the id is in use or the table is full. */
SHM_MUST_CHECK enum shm_status shm_registry_reserve(uint64_t id, struct shm_entry **out_entry,
                                                    bool *out_is_first);

/** Notes the instance that a place is for, which a forked child gives up from then on; NULL: it is
 *  about to be taken apart. */
void shm_registry_own(struct shm_entry *entry, struct shm_instance *instance);

/** Notes how far its init has come. */
void shm_registry_set_life(struct shm_entry *entry, enum shm_life life);

/** From now on calls may mean the instance; it becomes the choice of this thread. */
void shm_registry_publish(struct shm_entry *entry, struct shm_instance *instance);

/** Claims an instance that is ready for its finalize, SHM_INNER_ERROR when there is none. */
SHM_MUST_CHECK enum shm_status shm_registry_begin_stop(uint64_t id, struct shm_entry **out_entry);

/** Gives it back: the finalize did not take place. */
void shm_registry_cancel_stop(struct shm_entry *entry);

/** From now on no call can mean the instance; true when it was the last one of the process. */
bool shm_registry_hide(struct shm_entry *entry);

/** Frees the place; the handles of later instances begin at that generation. True when no instance
 *  is left, nor one in init. */
bool shm_registry_release(struct shm_entry *entry, uint64_t handle_generation);
uint64_t shm_registry_handle_generation(void);

/** The lowest id among the instances that are ready, and its PE; false when there is none. */
bool shm_registry_find_lowest(uint64_t *out_id, int *out_pe);

/** Nothing starts or ends between the two. */
void shm_registry_lock(void);
void shm_registry_unlock(void);

/** The instance whose static data are symmetric; NULL when there is none. Under fork_lock, too. */
struct shm_instance *shm_registry_find_sharer_locked(void);

/** In a forked child: empties the table, and gives what was in it to `forget`. */
void shm_registry_forget_locked(void (*forget)(struct shm_instance *instance));

/* ---- init ---- */

/** Loads the options, attaches the log, and sets limits of time and what else an instance takes
 *  from options and request (life_options.c). */
SHM_MUST_CHECK enum shm_status shm_start_load_options(struct shm_start *start);

/** Bootstrap, memory of the node, agreement among all PEs (meet.c). Collective. */
SHM_MUST_CHECK enum shm_status shm_meet(struct shm_start *start);

/** Shows this PE to the others of its node and waits for all; then counts the processors that they
 *  have, and gets the engines ready (life_node.c). Collective. */
SHM_MUST_CHECK enum shm_status shm_start_meet_node(struct shm_start *start);

/* Engines, in the order of the calls (engines.c). */

/** Which ones the instance may take, of those that were asked for. */
SHM_MUST_CHECK enum shm_status shm_engines_choose(struct shm_start *start);

/** Shows others what they need in order to copy memory of this PE. */
SHM_MUST_CHECK enum shm_status shm_engines_show(const struct shm_start *start);

/** Tries them, once all PEs have shown theirs. An error is the same on all PEs. Collective. */
SHM_MUST_CHECK enum shm_status shm_engines_try(struct shm_start *start);

/** Once the node is known: `has_spare_processor` when it has more of them than PEs. */
SHM_MUST_CHECK enum shm_status shm_engines_make_ready(struct shm_instance *instance,
                                                      bool has_spare_processor);

/** Refuses strided blocks that have a byte in common, as shm_check_overlap() does for ranges. */
SHM_MUST_CHECK enum shm_status shm_check_strided_overlap(const struct shm_instance *instance,
                                                         const struct shm_strided *copy);

/** Tells the launcher, if there is one; what cannot be delivered is dropped. */
void shm_launcher_tell(enum shm_launch_message_kind kind, int status);

/** Tells it that init begins, and has it watch over this process if the PEs meet at its board. */
void shm_launcher_tell_init(void);

/** Shows the launcher the records of the node's PEs: of one instance at a time, whose PEs have the
 *  launcher's numbers. */
void shm_launcher_show_records(const struct shm_instance *instance);

/** The records of that instance are no longer kept up. */
void shm_launcher_forget_records(const struct shm_instance *instance);

/** Takes over the descriptors that the launcher passed; once per process. */
void shm_launcher_attach(void);

/** Registers what must happen at exit() and around fork(); once per process. */
SHM_MUST_CHECK enum shm_status shm_hooks_register(void);

/** Prints version and settings if SHMEM_VERSION or SHMEM_INFO asks for it. */
void shm_info_print(const struct shm_instance *instance);

#endif
