/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

static void take_block(const struct shm_coll_gather *gather, const char *source, int rank)
{
    shm_coll_copy(gather->dest + (size_t)rank * gather->block_bytes, source + gather->block_offset,
                  gather->block_bytes);
}

static enum shm_status gather_shown(const struct shm_collective *collective,
                                    const struct shm_coll_gather *gather)
{
    struct shm_group *group = collective->group;
    enum shm_status status;

    shm_coll_copy(shm_exchange_buffer(collective->instance, group), gather->source,
                  gather->source_bytes);
    status = shm_coll_exchange(collective);
    if (status != SHM_OK || gather->block_bytes == 0)
        return status;
    for (int rank = 0; rank < group->size; rank++)
        take_block(gather, shm_exchange_of(collective->instance, group, rank), rank);
    return SHM_OK;
}

static enum shm_status gather_directly(const struct shm_collective *collective,
                                       const struct shm_coll_gather *gather)
{
    const struct shm_group *group = collective->group;
    enum shm_status status = shm_coll_meet(collective);

    if (status != SHM_OK)
        return status;
    /* everybody begins with another member */
    for (int step = 0; gather->block_bytes != 0 && step < group->size; step++) {
        int rank = (group->rank + step) % group->size;

        take_block(gather, shm_coll_remote(collective, gather->source, rank), rank);
    }
    return shm_coll_meet(collective);
}

enum shm_status shm_coll_gather(const struct shm_collective *collective,
                                const struct shm_coll_gather *gather)
{
    return shm_coll_is_small(collective, gather->source_bytes)
               ? gather_shown(collective, gather)
               : gather_directly(collective, gather);
}
