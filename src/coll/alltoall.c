/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

#include "base/inline.h"

static enum shm_status alltoall_shown(const struct shm_collective *collective, char *dest,
                                      const void *source, size_t bytes)
{
    struct shm_group *group = collective->group;
    enum shm_status status;

    shm_coll_copy(shm_exchange_buffer(collective->instance, group), source,
                  bytes * (size_t)group->size);
    status = shm_coll_meet(collective);
    if (status != SHM_OK || bytes == 0)
        return status;
    for (int rank = 0; rank < group->size; rank++) {
        const char *from = shm_exchange_of(collective->instance, group, rank);

        shm_coll_copy(dest + (size_t)rank * bytes, from + (size_t)group->rank * bytes, bytes);
    }
    return SHM_OK;
}

static enum shm_status alltoall_directly(const struct shm_collective *collective, char *dest,
                                         const void *source, size_t bytes)
{
    const struct shm_group *group = collective->group;
    enum shm_status status = shm_coll_meet(collective);

    if (status != SHM_OK)
        return status;
    /* everybody begins with another member */
    for (int step = 0; bytes != 0 && step < group->size; step++) {
        int rank = (group->rank + step) % group->size;
        const char *from = shm_coll_remote(collective, source, rank);

        shm_coll_copy(dest + (size_t)rank * bytes, from + (size_t)group->rank * bytes, bytes);
    }
    return shm_coll_meet(collective);
}

enum shm_status shm_alltoall(const struct shm_collective *collective, void *dest,
                             const void *source, size_t bytes)
{
    struct shm_coll_record record = {.kind = SHM_COLL_ALLTOALL,
                                     .count = bytes,
                                     .dest_offset = shm_coll_offset(collective, dest),
                                     .source_offset = shm_coll_offset(collective, source)};
    enum shm_status status = shm_coll_agree(collective, &record);

    if (status != SHM_OK)
        return status;
    return shm_coll_is_small(collective, bytes * (size_t)collective->group->size)
               ? alltoall_shown(collective, dest, source, bytes)
               : alltoall_directly(collective, dest, source, bytes);
}

/* ---- with strides ---- */

/* Elements that are to be copied, and the bytes from one to the next. */
struct lane {
    char *to;
    const char *from;
    size_t to_step;
    size_t from_step;
    size_t count;
};

/* With a constant size the element moves by loads and stores. */
SHM_ALWAYS_INLINE void copy_elements(const struct lane *lane, size_t element_bytes)
{
    char *to = lane->to;
    const char *from = lane->from;

    for (size_t i = 0; i < lane->count; i++) {
        memcpy(to, from, element_bytes);
        to += lane->to_step;
        from += lane->from_step;
    }
}

static void copy_lane(const struct lane *lane, size_t element_bytes)
{
    if (lane->to_step == element_bytes && lane->from_step == element_bytes) {
        memcpy(lane->to, lane->from, lane->count * element_bytes);
        return;
    }
    switch (element_bytes) {
    case 1:
        copy_elements(lane, 1);
        break;
    case 2:
        copy_elements(lane, 2);
        break;
    case 4:
        copy_elements(lane, 4);
        break;
    case 8:
        copy_elements(lane, 8);
        break;
    case 16:
        copy_elements(lane, 16);
        break;
    default:
        copy_elements(lane, element_bytes);
    }
}

/* Elements of dest and source lie this far from each other, blocks for each member `count` times
 * as far. */
static size_t dest_step(const struct shm_alltoalls *arrays)
{
    return (size_t)arrays->dest_stride * arrays->element_bytes;
}

static size_t source_step(const struct shm_alltoalls *arrays)
{
    return (size_t)arrays->source_stride * arrays->element_bytes;
}

/* The buffers hold the elements side by side. */
static enum shm_status alltoalls_shown(const struct shm_collective *collective,
                                       const struct shm_alltoalls *arrays)
{
    struct shm_group *group = collective->group;
    struct lane pack = {.to = shm_exchange_buffer(collective->instance, group),
                        .from = arrays->source,
                        .to_step = arrays->element_bytes,
                        .from_step = source_step(arrays),
                        .count = arrays->count * (size_t)group->size};
    struct lane unpack = {.to = arrays->dest,
                          .to_step = dest_step(arrays),
                          .from_step = arrays->element_bytes,
                          .count = arrays->count};
    enum shm_status status;

    if (arrays->count != 0)
        copy_lane(&pack, arrays->element_bytes);
    status = shm_coll_meet(collective);
    if (status != SHM_OK || arrays->count == 0)
        return status;
    for (int rank = 0; rank < group->size; rank++) {
        unpack.from = shm_exchange_of(collective->instance, group, rank);
        unpack.from += (size_t)group->rank * arrays->count * arrays->element_bytes;
        copy_lane(&unpack, arrays->element_bytes);
        unpack.to += arrays->count * unpack.to_step;
    }
    return SHM_OK;
}

static enum shm_status alltoalls_directly(const struct shm_collective *collective,
                                          const struct shm_alltoalls *arrays)
{
    const struct shm_group *group = collective->group;
    struct lane lane = {
        .to_step = dest_step(arrays), .from_step = source_step(arrays), .count = arrays->count};
    enum shm_status status = shm_coll_meet(collective);

    if (status != SHM_OK)
        return status;
    for (int step = 0; arrays->count != 0 && step < group->size; step++) {
        int rank = (group->rank + step) % group->size;
        const char *source = shm_coll_remote(collective, arrays->source, rank);

        lane.from = source + (size_t)group->rank * arrays->count * lane.from_step;
        lane.to = (char *)arrays->dest + (size_t)rank * arrays->count * lane.to_step;
        copy_lane(&lane, arrays->element_bytes);
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
