/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small arrays: each member shows its source in its exchange buffer, and combines all for itself
 * behind one barrier. Large ones: each member owns a part of the elements, and combines it for all
 * members between two barriers; nobody else reads or writes it then, so dest may be source. Both
 * combine in the order of ranks, so that the bits are the same.
 */
#include "combine_internal.h"

#include <string.h>

/* Threads may find it out at once: all find the same, and nothing else depends on the word, so that
 * relaxed accesses will do on every processor. */
static enum shm_vector vector_of(struct shm_instance *instance)
{
    enum shm_vector vector =
        (enum shm_vector)atomic_load_explicit(&instance->vector, memory_order_relaxed);

    if (vector != SHM_VECTOR_AUTO)
        return vector;
    if (shm_vector_choose(SHM_VECTOR_AUTO, &vector) != SHM_OK)
        return SHM_VECTOR_BASELINE;
    atomic_store_explicit(&instance->vector, (int)vector, memory_order_relaxed);
    return vector;
}

/* Fills the rest of a combination. */
static enum shm_status check(struct shm_combination *combination)
{
    const struct shm_reduce *reduce = combination->reduce;
    size_t bytes;

    combination->kernel = shm_reduce_kernel(vector_of(combination->collective->instance),
                                            reduce->reduction, reduce->element);
    if (combination->kernel == NULL)
        return shm_fail(SHM_INVALID_VALUE,
                        "reduction = %s of %s, expected one that is defined for these elements",
                        shm_reduction_name(reduce->reduction), shm_element_name(reduce->element));
    combination->element_bytes = shm_element_bytes(reduce->element);
    if (__builtin_mul_overflow(reduce->count, combination->element_bytes, &bytes))
        return shm_fail(SHM_INVALID_VALUE,
                        "nelems = %zu, expected at most %zu elements of %zu bytes", reduce->count,
                        SIZE_MAX / combination->element_bytes, combination->element_bytes);
    return SHM_OK;
}

static enum shm_status agree(const struct shm_combination *combination)
{
    const struct shm_reduce *reduce = combination->reduce;
    struct shm_coll_record record = {
        .kind = combination->kind,
        .count = reduce->count,
        .detail = shm_coll_reduction_detail(reduce->reduction, reduce->element,
                                            combination->is_inclusive),
        .dest_offset = shm_coll_offset(combination->collective, reduce->dest),
        .source_offset = shm_coll_offset(combination->collective, reduce->source)};

    return shm_coll_agree(combination->collective, &record);
}

/* Combines what the members have shown in their exchange buffers. */
static void combine_shown(const struct shm_combination *combination, size_t bytes)
{
    const struct shm_instance *instance = combination->collective->instance;
    const struct shm_group *group = combination->collective->group;
    const struct shm_reduce *reduce = combination->reduce;

    if (combination->ranks == 0)
        memset(reduce->dest, 0, bytes);
    else if (combination->ranks == 1)
        memcpy(reduce->dest, shm_exchange_of(instance, group, 0), bytes);
    else
        combination->kernel->pair(reduce->dest, shm_exchange_of(instance, group, 0),
                                  shm_exchange_of(instance, group, 1), reduce->count);
    for (int rank = 2; rank < combination->ranks; rank++)
        combination->kernel->into(reduce->dest, shm_exchange_of(instance, group, rank),
                                  reduce->count);
}

static enum shm_status combine_small(const struct shm_combination *combination, size_t bytes)
{
    const struct shm_collective *collective = combination->collective;
    enum shm_status status;

    memcpy(shm_exchange_buffer(collective->instance, collective->group),
           combination->reduce->source, bytes);
    status = shm_coll_exchange(collective);
    if (status == SHM_OK)
        combine_shown(combination, bytes);
    return status;
}

/*
 * The first element of the part that belongs to `rank`; that of rank + 1 ends it. Parts consist of
 * whole cache lines of dest, so that no two members write to the same line.
 */
static size_t part_begin(const struct shm_combination *combination, int rank)
{
    size_t count = combination->reduce->count;
    size_t line = SHM_CACHE_LINE / combination->element_bytes;
    /* elements that the first line would have before dest */
    size_t before =
        (uintptr_t)combination->reduce->dest % SHM_CACHE_LINE / combination->element_bytes;
    size_t lines = (before + count + line - 1) / line;
    size_t size = (size_t)combination->collective->group->size;
    size_t begin = (lines / size * (size_t)rank + lines % size * (size_t)rank / size) * line;

    if (begin <= before)
        return 0;
    return begin - before < count ? begin - before : count;
}

static enum shm_status combine_large(const struct shm_combination *combination)
{
    const struct shm_collective *collective = combination->collective;
    size_t begin = part_begin(combination, collective->group->rank);
    size_t end = part_begin(combination, collective->group->rank + 1);
    size_t most = combination->block_bytes / combination->element_bytes;
    enum shm_status status = shm_coll_meet(collective);

    if (status != SHM_OK)
        return status;
    for (size_t count; begin < end; begin += count) {
        count = end - begin < most ? end - begin : most;
        combination->combine_block(combination, begin, count);
    }
    return shm_coll_meet(collective);
}

/* In a group of one PE. */
static void combine_alone(const struct shm_combination *combination, size_t bytes)
{
    const struct shm_reduce *reduce = combination->reduce;

    if (combination->ranks == 0)
        memset(reduce->dest, 0, bytes);
    else if (reduce->dest != reduce->source)
        memcpy(reduce->dest, reduce->source, bytes);
}

enum shm_status shm_combine(struct shm_combination *combination)
{
    const struct shm_collective *collective = combination->collective;
    enum shm_status status = check(combination);
    size_t bytes;

    if (status == SHM_OK)
        status = agree(combination);
    if (status != SHM_OK)
        return status;
    if (combination->reduce->count == 0)
        return shm_coll_meet(collective);
    bytes = combination->reduce->count * combination->element_bytes;
    if (collective->group->size == 1) {
        combine_alone(combination, bytes);
        return SHM_OK;
    }
    if (shm_coll_is_small(collective, bytes))
        return combine_small(combination, bytes);
    return combine_large(combination);
}
