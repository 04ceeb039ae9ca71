/* SPDX-License-Identifier: BSD-3-Clause */
/** Which processors this process may use. */
#ifndef SHM_BASE_PROCESSORS_H
#define SHM_BASE_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

#define SHM_PROCESSOR_WORDS 16 /* 64 processors each; machines with more count as "many" */

/** One bit per processor. */
struct shm_processor_set {
    uint64_t words[SHM_PROCESSOR_WORDS];
};

/** The processors that the calling thread may run on. */
void shm_processors_allowed(struct shm_processor_set *out_set);

/** Moves the calling thread to another of the processors that it may use; all of them stay allowed.
 *  False when there is no other one. */
bool shm_processors_leave(void);

/** Adds the processors of `other` to `set`, in one step for each word that gains some: several
 *  processes may do so at a time. */
void shm_processors_add(struct shm_processor_set *set, const struct shm_processor_set *other);

/** Number of processors in the set. */
int shm_processors_count(const struct shm_processor_set *set);

/** Whole processors that the control group's quota allows, rounded up; INT_MAX without a quota. */
int shm_processors_quota(void);

/** The same with `root` in front of all paths, so that tests can lay out a machine of their own. */
int shm_processors_quota_under(const char *root);

#endif
