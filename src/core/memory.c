/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"
#include "guard_internal.h"

#include "heap/heap.h"
#include "sync/sync.h"

#include <stdio.h>
#include <string.h>

/* Which calls go together. */
enum memory_call { CALL_TAKE = 1, CALL_TAKE_ZEROED, CALL_GIVE, CALL_RESIZE };

#define OFFSET_OF_NULL UINT64_MAX /* no block was passed in */

/* What a PE passed to a call. */
struct agreement {
    uint64_t kind;
    uint64_t count; /* of elements of so many bytes */
    uint64_t bytes;
    uint64_t alignment;
    uint64_t offset; /* of the block passed in */
    char call[SHM_ACTIVITY_NAME_BYTES];
};

/* ---- comparing the calls of all PEs, under SHMEM_DEBUG ---- */

static void describe_pointer(const struct shm_instance *instance, uint64_t offset, char *text,
                             size_t text_bytes)
{
    if (offset == OFFSET_OF_NULL)
        snprintf(text, text_bytes, "NULL");
    else if (offset >= instance->reach.heap_bytes)
        snprintf(text, text_bytes, "an address outside the heap");
    else
        snprintf(text, text_bytes, "heap + %llu", (unsigned long long)offset);
}

static enum shm_status numbers_differ(int pe, const char *item, uint64_t other, uint64_t first)
{
    return shm_fail(SHM_MISMATCH, "PE %d differs from PE 0 in the %s: %llu instead of %llu", pe,
                    item, (unsigned long long)other, (unsigned long long)first);
}

static enum shm_status pointers_differ(const struct shm_instance *instance, int pe, uint64_t other,
                                       uint64_t first)
{
    char other_text[40];
    char first_text[40];

    describe_pointer(instance, other, other_text, sizeof other_text);
    describe_pointer(instance, first, first_text, sizeof first_text);
    return shm_fail(SHM_MISMATCH, "PE %d differs from PE 0 in the ptr: %s instead of %s", pe,
                    other_text, first_text);
}

/* Arguments decide what shmem_realloc does: then these are the difference, not the call. */
static enum shm_status compare(const struct shm_instance *instance, int pe)
{
    const struct agreement *first = shm_exchange_of(instance, &instance->memory, 0);
    const struct agreement *other = shm_exchange_of(instance, &instance->memory, pe);

    if (first->kind != other->kind && strcmp(first->call, other->call) != 0)
        return shm_fail(SHM_MISMATCH, "PE %d called %s, PE 0 called %s", pe, other->call,
                        first->call);
    if (first->offset != other->offset)
        return pointers_differ(instance, pe, other->offset, first->offset);
    if (first->count != other->count)
        return numbers_differ(pe, "count", other->count, first->count);
    if (first->bytes != other->bytes)
        return numbers_differ(pe, "size", other->bytes, first->bytes);
    if (first->alignment != other->alignment)
        return numbers_differ(pe, "alignment", other->alignment, first->alignment);
    return SHM_OK;
}

/* Under SHMEM_DEBUG: all PEs must have made the same call with the same arguments. */
static enum shm_status agree(struct shm_instance *instance, const char *call,
                             const struct agreement *wanted)
{
    struct agreement *mine;
    enum shm_status status;

    _Static_assert(sizeof *mine <= SHM_EXCHANGE_BYTES, "must fit into an exchange buffer");
    if (!instance->options.debug)
        return SHM_OK;
    shm_memory_history_count(instance);
    mine = shm_exchange_buffer(instance, &instance->memory);
    *mine = *wanted;
    snprintf(mine->call, sizeof mine->call, "%s", call);
    status = shm_barrier(instance, &instance->memory, call);
    for (int pe = 1; status == SHM_OK && pe < instance->reach.n_pes; pe++)
        status = compare(instance, pe);
    return status;
}

/* ---- taking ---- */

static char *heap_begin(const struct shm_instance *instance)
{
    return (char *)instance->reach.heap_begin;
}

static enum shm_status take(struct shm_instance *instance, uint64_t bytes, uint64_t alignment,
                            void **out_block)
{
    uint64_t taken_bytes = shm_guard_taken_bytes(instance, bytes);
    uint64_t offset = 0;
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = shm_allocator_take(instance->allocator, taken_bytes, alignment, &offset);
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status != SHM_OK && taken_bytes != bytes)
        return shm_fail(status, "%s; %llu of the bytes are a guard (SHMEM_DEBUG)",
                        shm_error_detail(), (unsigned long long)(taken_bytes - bytes));
    if (status != SHM_OK)
        return status;
    shm_guard_fill(instance, offset, bytes);
    *out_block = heap_begin(instance) + offset;
    return SHM_OK;
}

static enum shm_status take_and_meet(struct shm_instance *instance, const char *call,
                                     const struct agreement *wanted, void **out_block)
{
    uint64_t bytes = 0;
    void *block = NULL;
    enum shm_status status = agree(instance, call, wanted);

    if (status == SHM_OK && __builtin_mul_overflow(wanted->count, wanted->bytes, &bytes))
        status = shm_fail(SHM_MALLOC_FAILED, "%llu elements of %llu bytes exceed the address space",
                          (unsigned long long)wanted->count, (unsigned long long)wanted->bytes);
    if (status == SHM_OK)
        status = take(instance, bytes, wanted->alignment, &block);
    if (status != SHM_OK) /* on every PE alike, so all skip the barrier */
        return status;
    if (wanted->kind == CALL_TAKE_ZEROED)
        memset(block, 0, bytes);
    status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        *out_block = block;
    return status;
}

enum shm_status shm_memory_take(struct shm_instance *instance, const char *call, uint64_t bytes,
                                uint64_t alignment, void **out_block)
{
    struct agreement wanted = {.kind = CALL_TAKE,
                               .count = 1,
                               .bytes = bytes,
                               .alignment = alignment,
                               .offset = OFFSET_OF_NULL};

    return take_and_meet(instance, call, &wanted, out_block);
}

enum shm_status shm_memory_take_zeroed(struct shm_instance *instance, const char *call,
                                       size_t count, size_t element_bytes, void **out_block)
{
    struct agreement wanted = {
        .kind = CALL_TAKE_ZEROED, .count = count, .bytes = element_bytes, .offset = OFFSET_OF_NULL};

    return take_and_meet(instance, call, &wanted, out_block);
}

/* ---- giving back ---- */

/* Offset of a pointer the program passes in; foreign pointers give an offset that no block has. */
static uint64_t offset_of(const struct shm_instance *instance, const void *block)
{
    return (uintptr_t)block - instance->reach.heap_begin;
}

/* What the PEs compare. An address outside the heap may be another one on each, without meaning. */
static uint64_t comparable_offset_of(const struct shm_instance *instance, const void *block)
{
    uint64_t offset = offset_of(instance, block);

    return offset < instance->reach.heap_bytes ? offset : instance->reach.heap_bytes;
}

/* Bytes that the program has at the block; SHM_NOT_FOUND when it is none. */
static enum shm_status measure_locked(const struct shm_instance *instance, const void *block,
                                      uint64_t *out_bytes)
{
    uint64_t taken_bytes = 0;

    if (shm_allocator_block(instance->allocator, offset_of(instance, block), &taken_bytes) !=
        SHM_OK)
        return shm_explain_block_locked(instance, block);
    *out_bytes = shm_guard_own_bytes(instance, taken_bytes);
    return SHM_OK;
}

static enum shm_status give_locked(struct shm_instance *instance, const char *call,
                                   const void *block)
{
    uint64_t offset = offset_of(instance, block);
    uint64_t bytes = 0;
    enum shm_status status = measure_locked(instance, block, &bytes);
    enum shm_status given;

    if (status != SHM_OK)
        return status;
    /* a damaged guard is no reason to keep the block, which the other PEs give back */
    status = shm_guard_check(instance, "ptr = ", offset, bytes);
    shm_memory_history_add_locked(instance, call, offset, bytes);
    given = shm_allocator_give(instance->allocator, offset);
    return given != SHM_OK ? given : status;
}

static enum shm_status give(struct shm_instance *instance, const char *call, const void *block)
{
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = give_locked(instance, call, block);
    pthread_mutex_unlock(&instance->allocator_lock);
    return status;
}

enum shm_status shm_memory_give(struct shm_instance *instance, const char *call, void *block)
{
    struct agreement wanted = {.kind = CALL_GIVE, .offset = comparable_offset_of(instance, block)};
    enum shm_status status = agree(instance, call, &wanted);

    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        status = give(instance, call, block);
    return status;
}

/* ---- resizing ---- */

static enum shm_status move_block(struct shm_instance *instance, const char *call, void *block,
                                  uint64_t old_bytes, uint64_t bytes, void **out_block)
{
    enum shm_status status = take(instance, bytes, 0, out_block);

    if (status != SHM_OK)
        return status;
    memcpy(*out_block, block, old_bytes < bytes ? old_bytes : bytes);
    return give(instance, call, block);
}

static enum shm_status resize(struct shm_instance *instance, const char *call, void *block,
                              uint64_t bytes, void **out_block)
{
    uint64_t offset = offset_of(instance, block);
    uint64_t old_bytes = 0;
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = measure_locked(instance, block, &old_bytes);
    if (status == SHM_OK)
        status = shm_guard_check(instance, "ptr = ", offset, old_bytes);
    if (status == SHM_OK)
        status = shm_allocator_resize(instance->allocator, offset,
                                      shm_guard_taken_bytes(instance, bytes));
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status == SHM_MALLOC_FAILED)
        return move_block(instance, call, block, old_bytes, bytes, out_block);
    if (status != SHM_OK)
        return status;
    shm_guard_fill(instance, offset, bytes);
    *out_block = block;
    return SHM_OK;
}

enum shm_status shm_memory_resize(struct shm_instance *instance, const char *call, void *block,
                                  uint64_t bytes, void **out_block)
{
    struct agreement wanted = {.kind = CALL_RESIZE,
                               .count = 1,
                               .bytes = bytes,
                               .offset = comparable_offset_of(instance, block)};
    void *moved = NULL;
    enum shm_status status = agree(instance, call, &wanted);

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
