/* SPDX-License-Identifier: BSD-3-Clause */
#include "guard_internal.h"
#include "memory_internal.h"

#include "heap/heap.h"
#include "sync/sync.h"

#include <string.h>

/* ---- taking ---- */

static enum shm_status take(struct shm_instance *instance, enum shm_side kind, uint64_t bytes,
                            uint64_t alignment, void **out_block)
{
    struct shm_memory_side *side = &instance->sides[kind];
    uint64_t taken_bytes = shm_guard_taken_bytes(instance, bytes);
    uint64_t offset = 0;
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = shm_allocator_take(side->allocator, taken_bytes, alignment, &offset);
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status != SHM_OK && taken_bytes != bytes)
        return shm_fail(status, "%s; %llu of the bytes are a guard (SHMEM_DEBUG)",
                        shm_error_detail(), (unsigned long long)(taken_bytes - bytes));
    if (status != SHM_OK)
        return status;
    shm_guard_fill(instance, side->begin + offset, bytes);
    *out_block = side->begin + offset;
    return SHM_OK;
}

static enum shm_status take_and_meet(struct shm_instance *instance, const char *call,
                                     const struct shm_memory_agreement *wanted, void **out_block)
{
    enum shm_side side = (enum shm_side)wanted->side;
    uint64_t bytes = 0;
    void *block = NULL;
    enum shm_status status = shm_memory_agree(instance, call, wanted);

    if (status == SHM_OK && __builtin_mul_overflow(wanted->count, wanted->bytes, &bytes))
        status = shm_fail(SHM_MALLOC_FAILED, "%llu elements of %llu bytes exceed the address space",
                          (unsigned long long)wanted->count, (unsigned long long)wanted->bytes);
    if (status == SHM_OK && side == SHM_SIDE_HOST)
        status = shm_host_heap_create(instance, call);
    if (status == SHM_OK)
        status = take(instance, side, bytes, wanted->alignment, &block);
    /* on every PE alike, so all skip the barrier; a PE without memory to keep book ends the job */
    if (status != SHM_OK)
        return status;
    if (wanted->kind == SHM_MEMORY_TAKE_ZEROED)
        memset(block, 0, bytes);
    status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        *out_block = block;
    return status;
}

enum shm_status shm_memory_take(struct shm_instance *instance, enum shm_side side, const char *call,
                                uint64_t bytes, uint64_t alignment, void **out_block)
{
    struct shm_memory_agreement wanted = {.kind = SHM_MEMORY_TAKE,
                                          .side = side,
                                          .count = 1,
                                          .bytes = bytes,
                                          .alignment = alignment,
                                          .offset = SHM_OFFSET_NULL};

    return take_and_meet(instance, call, &wanted, out_block);
}

enum shm_status shm_memory_take_zeroed(struct shm_instance *instance, enum shm_side side,
                                       const char *call, size_t count, size_t element_bytes,
                                       void **out_block)
{
    struct shm_memory_agreement wanted = {.kind = SHM_MEMORY_TAKE_ZEROED,
                                          .side = side,
                                          .count = count,
                                          .bytes = element_bytes,
                                          .offset = SHM_OFFSET_NULL};

    return take_and_meet(instance, call, &wanted, out_block);
}

/* ---- giving back ---- */

/* Offset of a pointer the program passes in; foreign pointers give an offset that no block has. */
static uint64_t offset_of(const struct shm_memory_side *side, const void *block)
{
    return (uintptr_t)block - (uintptr_t)side->begin;
}

/* What the PEs compare. */
static uint64_t comparable_offset_of(const struct shm_instance *instance, const void *block)
{
    if (!shm_reach_has_heap(&instance->reach, block, 1))
        return SHM_OFFSET_OUTSIDE;
    return (uintptr_t)block - instance->reach.heap_begin;
}

/* Bytes that the program has at the block; SHM_NOT_FOUND when it is none of this side. */
static enum shm_status measure_locked(const struct shm_instance *instance, enum shm_side kind,
                                      const void *block, uint64_t *out_bytes)
{
    const struct shm_memory_side *side = &instance->sides[kind];
    uint64_t taken_bytes = 0;

    if (side->allocator == NULL ||
        shm_allocator_block(side->allocator, offset_of(side, block), &taken_bytes) != SHM_OK)
        return shm_explain_block_locked(instance, kind, block);
    *out_bytes = shm_guard_own_bytes(instance, taken_bytes);
    return SHM_OK;
}

static enum shm_status give_locked(struct shm_instance *instance, enum shm_side kind,
                                   const char *call, const void *block)
{
    struct shm_memory_side *side = &instance->sides[kind];
    uint64_t bytes = 0;
    enum shm_status status = measure_locked(instance, kind, block, &bytes);
    enum shm_status given;

    if (status != SHM_OK)
        return status;
    /* a damaged guard is no reason to keep the block, which the other PEs give back */
    status = shm_guard_check(instance, "ptr = ", block, bytes);
    shm_memory_history_add_locked(instance, call, block, bytes);
    given = shm_allocator_give(side->allocator, offset_of(side, block));
    return given != SHM_OK ? given : status;
}

static enum shm_status give(struct shm_instance *instance, enum shm_side side, const char *call,
                            const void *block)
{
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = give_locked(instance, side, call, block);
    pthread_mutex_unlock(&instance->allocator_lock);
    return status;
}

enum shm_status shm_memory_give(struct shm_instance *instance, enum shm_side side, const char *call,
                                void *block)
{
    struct shm_memory_agreement wanted = {
        .kind = SHM_MEMORY_GIVE, .side = side, .offset = comparable_offset_of(instance, block)};
    enum shm_status status = shm_memory_agree(instance, call, &wanted);

    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        status = give(instance, side, call, block);
    return status;
}

/* ---- resizing: the device side alone ---- */

static enum shm_status move_block(struct shm_instance *instance, const char *call, void *block,
                                  uint64_t old_bytes, uint64_t bytes, void **out_block)
{
    enum shm_status status = take(instance, SHM_SIDE_DEVICE, bytes, 0, out_block);

    if (status != SHM_OK)
        return status;
    memcpy(*out_block, block, old_bytes < bytes ? old_bytes : bytes);
    return give(instance, SHM_SIDE_DEVICE, call, block);
}

static enum shm_status resize(struct shm_instance *instance, const char *call, void *block,
                              uint64_t bytes, void **out_block)
{
    struct shm_memory_side *side = &instance->sides[SHM_SIDE_DEVICE];
    uint64_t old_bytes = 0;
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = measure_locked(instance, SHM_SIDE_DEVICE, block, &old_bytes);
    if (status == SHM_OK)
        status = shm_guard_check(instance, "ptr = ", block, old_bytes);
    if (status == SHM_OK)
        status = shm_allocator_resize(side->allocator, offset_of(side, block),
                                      shm_guard_taken_bytes(instance, bytes));
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status == SHM_MALLOC_FAILED)
        return move_block(instance, call, block, old_bytes, bytes, out_block);
    if (status != SHM_OK)
        return status;
    shm_guard_fill(instance, block, bytes);
    *out_block = block;
    return SHM_OK;
}

enum shm_status shm_memory_resize(struct shm_instance *instance, const char *call, void *block,
                                  uint64_t bytes, void **out_block)
{
    struct shm_memory_agreement wanted = {.kind = SHM_MEMORY_RESIZE,
                                          .side = SHM_SIDE_DEVICE,
                                          .count = 1,
                                          .bytes = bytes,
                                          .offset = comparable_offset_of(instance, block)};
    void *moved = NULL;
    enum shm_status status = shm_memory_agree(instance, call, &wanted);

    /* everybody is done with the old block before it moves */
    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        status = resize(instance, call, block, bytes, &moved);
    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        *out_block = moved;
    return status;
}
