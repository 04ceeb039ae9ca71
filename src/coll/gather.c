/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

static enum shm_status gather_shown(const struct shm_collective *collective,
                                    const struct shm_coll_gather *gather)
{
    struct shm_group *group = collective->group;
    size_t mine = (size_t)group->rank * gather->block_step;
    enum shm_status status;

    shm_coll_copy(shm_exchange_buffer(collective->instance, group), gather->source,
                  gather->source_bytes);
    status = shm_coll_exchange(collective);
    if (status != SHM_OK || gather->block_bytes == 0)
        return status;
    for (int rank = 0; rank < group->size; rank++) {
        const char *shown = shm_exchange_of(collective->instance, group, rank);

        shm_coll_copy(gather->dest + (size_t)rank * gather->block_bytes, shown + mine,
                      gather->block_bytes);
    }
    return SHM_OK;
}

/* Into dest of the others, which is ready before any member calls: they need not have come yet. */
static enum shm_status gather_directly(const struct shm_collective *collective,
                                       const struct shm_coll_gather *gather)
{
    const struct shm_group *group = collective->group;
    size_t place = (size_t)group->rank * gather->block_bytes;

    /* everybody begins with another member */
    for (int step = 0; gather->block_bytes != 0 && step < group->size; step++) {
        int rank = (group->rank + step) % group->size;

        shm_coll_copy(shm_coll_remote(collective, gather->dest + place, rank),
                      gather->source + (size_t)rank * gather->block_step, gather->block_bytes);
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
