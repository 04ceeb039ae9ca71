/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

#include "rma/rma.h"

enum shm_status shm_alltoall(const struct shm_collective *collective, void *dest,
                             const void *source, size_t bytes)
{
    struct shm_coll_gather gather = {.dest = dest,
                                     .source = source,
                                     .source_bytes = bytes * (size_t)collective->group->size,
                                     .block_bytes = bytes,
                                     .block_step = bytes};
    struct shm_coll_record record = {.kind = SHM_COLL_ALLTOALL,
                                     .count = bytes,
                                     .dest_offset = shm_coll_offset(collective, dest),
                                     .source_offset = shm_coll_offset(collective, source)};
    enum shm_status status = shm_coll_agree(collective, &record);

    if (status != SHM_OK)
        return status;
    return shm_coll_gather(collective, &gather);
}

/* ---- with strides ---- */

/* Between layouts of elements; those that lie side by side in both are one block. */
static void copy_lane(const struct shm_strided *lane)
{
    struct shm_strided whole = *lane;

    if (lane->to_stride == 1 && lane->from_stride == 1) {
        whole.block = lane->count;
        whole.count = 1;
    }
    shm_copy_strided(&whole);
}

/* The buffers hold the elements side by side. */
static enum shm_status alltoalls_shown(const struct shm_collective *collective,
                                       const struct shm_alltoalls *arrays)
{
    struct shm_group *group = collective->group;
    struct shm_strided pack = {.to = shm_exchange_buffer(collective->instance, group),
                               .from = arrays->source,
                               .to_stride = 1,
                               .from_stride = arrays->source_stride,
                               .block = 1,
                               .count = arrays->count * (size_t)group->size,
                               .element_bytes = arrays->element_bytes};
    struct shm_strided unpack = {.to_stride = arrays->dest_stride,
                                 .from_stride = 1,
                                 .block = 1,
                                 .count = arrays->count,
                                 .element_bytes = arrays->element_bytes};
    size_t shown_block = arrays->count * arrays->element_bytes;
    size_t dest_block = shown_block * (size_t)arrays->dest_stride;
    enum shm_status status;

    if (arrays->count != 0)
        copy_lane(&pack);
    status = shm_coll_exchange(collective);
    if (status != SHM_OK || arrays->count == 0)
        return status;
    for (int rank = 0; rank < group->size; rank++) {
        const char *shown = shm_exchange_of(collective->instance, group, rank);

        unpack.from = shown + (size_t)group->rank * shown_block;
        unpack.to = (char *)arrays->dest + (size_t)rank * dest_block;
        copy_lane(&unpack);
    }
    return SHM_OK;
}

/* Into dest of the others, which need not have come yet. */
static enum shm_status alltoalls_directly(const struct shm_collective *collective,
                                          const struct shm_alltoalls *arrays)
{
    const struct shm_group *group = collective->group;
    struct shm_strided lane = {.to_stride = arrays->dest_stride,
                               .from_stride = arrays->source_stride,
                               .block = 1,
                               .count = arrays->count,
                               .element_bytes = arrays->element_bytes};
    size_t source_block = arrays->count * arrays->element_bytes * (size_t)arrays->source_stride;
    size_t dest_block = arrays->count * arrays->element_bytes * (size_t)arrays->dest_stride;
    const char *source = arrays->source;
    char *dest = arrays->dest;

    for (int step = 0; arrays->count != 0 && step < group->size; step++) {
        int rank = (group->rank + step) % group->size;

        lane.from = source + (size_t)rank * source_block;
        lane.to = shm_coll_remote(collective, dest + (size_t)group->rank * dest_block, rank);
        copy_lane(&lane);
    }
    return shm_coll_meet(collective);
}

enum shm_status shm_alltoalls(const struct shm_collective *collective,
                              const struct shm_alltoalls *arrays)
{
    struct shm_coll_record record = {
        .kind = SHM_COLL_ALLTOALLS,
        .count = arrays->count,
        .detail = arrays->element_bytes,
        .dest_offset = shm_coll_offset(collective, arrays->dest),
        .source_offset = shm_coll_offset(collective, arrays->source),
        .dest_stride = (uint64_t)arrays->dest_stride,
        .source_stride = (uint64_t)arrays->source_stride,
    };
    enum shm_status status = shm_coll_agree(collective, &record);
    size_t bytes = arrays->count * arrays->element_bytes * (size_t)collective->group->size;

    if (status != SHM_OK)
        return status;
    return shm_coll_is_small(collective, bytes) ? alltoalls_shown(collective, arrays)
                                                : alltoalls_directly(collective, arrays);
}
