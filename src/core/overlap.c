/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

/* Static data has two addresses in this process: the program's own, and that in the slice, at which
 * other PEs' static data is reached too. Places are compared, names are shown. */
static uintptr_t place_of(const struct shm_reach *reach, const void *address, uint64_t bytes)
{
    bool is_static = shm_reach_has_static(reach, address, bytes);

    return (uintptr_t)address + (is_static ? (uintptr_t)reach->static_shift : 0);
}

static const void *name_of(const struct shm_reach *reach, const void *address)
{
    const void *own = (const void *)((uintptr_t)address - (uintptr_t)reach->static_shift);

    return shm_reach_has_static(reach, own, 1) ? own : address;
}

enum shm_status shm_check_overlap(const struct shm_instance *instance, const void *dest,
                                  uint64_t dest_bytes, const void *source, uint64_t source_bytes,
                                  bool may_be_same)
{
    const struct shm_reach *reach = &instance->reach;
    uintptr_t to = place_of(reach, dest, dest_bytes);
    uintptr_t from = place_of(reach, source, source_bytes);

    if (dest_bytes == 0 || source_bytes == 0 || (may_be_same && to == from) ||
        (to - from >= source_bytes && from - to >= dest_bytes))
        return SHM_OK;
    return shm_fail(SHM_INVALID_VALUE,
                    "source = %p (%llu bytes) and dest = %p (%llu bytes) overlap, expected %sno "
                    "byte in common",
                    name_of(reach, source), (unsigned long long)source_bytes, name_of(reach, dest),
                    (unsigned long long)dest_bytes, may_be_same ? "the same address or " : "");
}

/* Blocks of one side in the order of their places. */
struct blocks {
    uintptr_t at; /* the first */
    uint64_t step;
    uint64_t bytes;
    size_t count;
};

static enum shm_status sort_blocks(const struct shm_reach *reach, const struct shm_strided *copy,
                                   const void *address, ptrdiff_t stride, struct blocks *out_blocks)
{
    uint64_t below = 0;
    uint64_t bytes = 0;
    enum shm_status status =
        shm_strided_extent(stride, copy->block, copy->count, copy->element_bytes, &below, &bytes);
    size_t distance = stride < 0 ? 0 - (size_t)stride : (size_t)stride;

    if (status == SHM_OK)
        *out_blocks = (struct blocks){.at = place_of(reach, (const char *)address - below, bytes),
                                      .step = distance * copy->element_bytes,
                                      .bytes = copy->block * copy->element_bytes,
                                      .count = copy->count};
    return status;
}

/* The blocks of one side are as long as each other: ordered by their starts, they are so by their
 * ends. So the one that ends first can be left behind. */
static bool have_common_byte(struct blocks one, struct blocks other)
{
    while (one.count > 0 && other.count > 0) {
        if (one.at + one.bytes <= other.at) {
            one.at += one.step;
            one.count--;
        } else if (other.at + other.bytes <= one.at) {
            other.at += other.step;
            other.count--;
        } else {
            return true;
        }
    }
    return false;
}

enum shm_status shm_check_strided_overlap(const struct shm_instance *instance,
                                          const struct shm_strided *copy)
{
    const struct shm_reach *reach = &instance->reach;
    struct blocks to = {0};
    struct blocks from = {0};
    enum shm_status status = sort_blocks(reach, copy, copy->to, copy->to_stride, &to);

    if (status == SHM_OK)
        status = sort_blocks(reach, copy, copy->from, copy->from_stride, &from);
    if (status != SHM_OK || !have_common_byte(to, from))
        return status;
    return shm_fail(SHM_INVALID_VALUE,
                    "blocks of source = %p and dest = %p overlap, expected no byte in common",
                    name_of(reach, copy->from), name_of(reach, copy->to));
}
