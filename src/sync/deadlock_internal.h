/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Collective calls that do not match, found under SHMEM_DEBUG: every PE of the job waits in a
 * collective, and for a PE that has not come to it and cannot, as it waits itself.
 *
 * Only groups with a slot show who has come, and a thread of a PE that waits could end the wait of
 * another PE: where a PE has no such group or has threads, nothing is found.
 */
#ifndef SHM_SYNC_DEADLOCK_INTERNAL_H
#define SHM_SYNC_DEADLOCK_INTERNAL_H

#include "sync/sync.h"

/** What a waiting PE saw when it looked last; zero at first. */
struct shm_deadlock_look {
    uint64_t looked_ns;
    uint64_t digest; /* of all waits; 0 = somebody can go on */
};

/** Shows the other PEs whom this PE is going to wait for; its activity is recorded behind that. */
void shm_deadlock_show(struct shm_instance *instance, const struct shm_wait *wait);

/** SHM_MISMATCH when nobody can go on, which two looks a second apart must have found. */
SHM_MUST_CHECK enum shm_status shm_deadlock_check(const struct shm_instance *instance,
                                                  struct shm_deadlock_look *look, uint64_t now_ns);

#endif
