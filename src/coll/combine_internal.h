/* SPDX-License-Identifier: BSD-3-Clause */
/** What reductions and scans have in common: checks, how members meet and share the work. */
#ifndef SHM_COLL_COMBINE_INTERNAL_H
#define SHM_COLL_COMBINE_INTERNAL_H

#include "coll_internal.h"

#include "coll/reduce_kernel.h"

/** Bytes that a member combines before it goes on to the next elements: what it needs for them
 *  stays in the first cache, and there is room for it on the stack of a thread. */
#define SHM_COMBINE_BLOCK_BYTES 16384

/** A reduction or scan as a member sees it. */
struct shm_combination {
    const struct shm_collective *collective;
    const struct shm_reduce *reduce;
    enum shm_collective_kind kind;
    bool is_inclusive;  /* scan: dest of a rank has the source of that rank in it */
    int ranks;          /* whose sources dest of this member consists of: 0 to ranks - 1 */
    size_t block_bytes; /* the most that combine_block() takes */
    /* combines `count` elements from `begin` on and writes them to all members, large arrays only
     */
    void (*combine_block)(const struct shm_combination *combination, size_t begin, size_t count);
    /* filled by shm_combine() */
    const struct shm_reduce_kernel *kernel;
    size_t element_bytes;
};

/** Does the whole collective. */
SHM_MUST_CHECK enum shm_status shm_combine(struct shm_combination *combination);

/** Where element `index` of an array of this PE is for the member of rank `rank`. */
static inline void *shm_combine_element(const struct shm_combination *combination,
                                        const void *array, int rank, size_t index)
{
    return (unsigned char *)shm_coll_remote(combination->collective, array, rank) +
           index * combination->element_bytes;
}

#endif
