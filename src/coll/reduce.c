/* SPDX-License-Identifier: BSD-3-Clause */
#include "combine_internal.h"

#include <stdalign.h>
#include <string.h>

static void reduce_block(const struct shm_combination *combination, size_t begin, size_t count)
{
    alignas(SHM_CACHE_LINE) unsigned char result[SHM_COMBINE_BLOCK_BYTES];
    const struct shm_reduce *reduce = combination->reduce;

    combination->kernel->pair(result, shm_combine_element(combination, reduce->source, 0, begin),
                              shm_combine_element(combination, reduce->source, 1, begin), count);
    for (int rank = 2; rank < combination->ranks; rank++)
        combination->kernel->into(
            result, shm_combine_element(combination, reduce->source, rank, begin), count);
    for (int rank = 0; rank < combination->ranks; rank++)
        memcpy(shm_combine_element(combination, reduce->dest, rank, begin), result,
               count * combination->element_bytes);
}

enum shm_status shm_reduce(const struct shm_collective *collective, const struct shm_reduce *reduce)
{
    struct shm_combination combination = {.collective = collective,
                                          .reduce = reduce,
                                          .kind = SHM_COLL_REDUCE,
                                          .ranks = collective->group->size,
                                          .block_bytes = SHM_COMBINE_BLOCK_BYTES,
                                          .combine_block = reduce_block};

    return shm_combine(&combination);
}
