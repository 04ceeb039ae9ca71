/* SPDX-License-Identifier: BSD-3-Clause */
#include "combine_internal.h"

#include <stdalign.h>
#include <string.h>

#define BLOCK_BYTES (SHM_COMBINE_BLOCK_BYTES / 2)

/* Walks the ranks with what has been combined so far. dest of a rank may be its source, so that
 * the source is read first, also where it only counts for the ranks behind. */
static void scan_block(const struct shm_combination *combination, size_t begin, size_t count)
{
    alignas(SHM_CACHE_LINE) unsigned char blocks[2][BLOCK_BYTES];
    const struct shm_reduce *reduce = combination->reduce;
    size_t bytes = count * combination->element_bytes;
    unsigned char *before = blocks[0]; /* without the source of the present rank */
    unsigned char *with = blocks[1];   /* with it */

    memset(before, 0, bytes);
    memcpy(with, shm_combine_element(combination, reduce->source, 0, begin), bytes);
    for (int rank = 0; rank < combination->collective->group->size; rank++) {
        unsigned char *spent = before;

        if (rank > 0)
            combination->kernel->pair(
                with, before, shm_combine_element(combination, reduce->source, rank, begin), count);
        memcpy(shm_combine_element(combination, reduce->dest, rank, begin),
               combination->is_inclusive ? with : before, bytes);
        before = with;
        with = spent;
    }
}

enum shm_status shm_scan(const struct shm_collective *collective, const struct shm_reduce *reduce,
                         bool is_inclusive)
{
    struct shm_combination combination = {.collective = collective,
                                          .reduce = reduce,
                                          .kind = SHM_COLL_SCAN,
                                          .is_inclusive = is_inclusive,
                                          .ranks = collective->group->rank + is_inclusive,
                                          .block_bytes = BLOCK_BYTES,
                                          .combine_block = scan_block};

    return shm_combine(&combination);
}
