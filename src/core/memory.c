/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

#include "base/clock.h"
#include "sync/sync.h"

#include <string.h>

enum memory_call { CALL_TAKE = 1, CALL_GIVE = 2, CALL_RESIZE = 3 };

static const char *agreement_item(const struct shm_agreement *mine,
                                  const struct shm_agreement *other)
{
    if (mine->kind != other->kind)
        return "call";
    if (mine->bytes != other->bytes)
        return "size";
    if (mine->alignment != other->alignment)
        return "alignment";
    if (mine->offset != other->offset)
        return "block";
    return NULL;
}

static uint64_t agreement_value(const struct shm_agreement *agreement, const char *item)
{
    if (strcmp(item, "size") == 0)
        return agreement->bytes;
    if (strcmp(item, "alignment") == 0)
        return agreement->alignment;
    if (strcmp(item, "block") == 0)
        return agreement->offset;
    return agreement->kind;
}

/* Under SHMEM_DEBUG: all PEs must have made the same call with the same arguments. */
static enum shm_status agree(struct shm_instance *instance, const char *call,
                             const struct shm_agreement *mine)
{
    const struct shm_agreement *first = &shm_instance_control(instance, 0)->agreement;
    enum shm_status status;

    if (!instance->options.debug)
        return SHM_OK;
    instance->control->agreement = *mine;
    status = shm_barrier(instance, &instance->memory, call);
    for (int pe = 1; status == SHM_OK && pe < instance->reach.n_pes; pe++) {
        const struct shm_agreement *other = &shm_instance_control(instance, pe)->agreement;
        const char *item = agreement_item(first, other);

        if (item != NULL)
            status =
                shm_fail(SHM_MISMATCH, "PE %d differs from PE 0 in the %s: %llu instead of %llu",
                         pe, item, (unsigned long long)agreement_value(other, item),
                         (unsigned long long)agreement_value(first, item));
    }
    if (status != SHM_OK && status != SHM_MISMATCH)
        return status;
    /* nobody may overwrite its agreement before all have read it */
    if (shm_barrier(instance, &instance->memory, call) != SHM_OK && status == SHM_OK)
        status = shm_fail(SHM_PEER_LOST, "the PEs could not compare their arguments");
    return status;
}

static char *heap_begin(const struct shm_instance *instance)
{
    return (char *)instance->reach.heap_begin;
}

static enum shm_status take(struct shm_instance *instance, uint64_t bytes, uint64_t alignment,
                            void **out_block)
{
    uint64_t offset = 0;
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = shm_allocator_take(instance->allocator, bytes, alignment, &offset);
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status == SHM_OK)
        *out_block = heap_begin(instance) + offset;
    return status;
}

static enum shm_status take_and_meet(struct shm_instance *instance, const char *call,
                                     const struct shm_agreement *wanted, bool is_zeroed,
                                     void **out_block)
{
    void *block = NULL;
    enum shm_status status = agree(instance, call, wanted);
    enum shm_status met;

    if (status == SHM_OK)
        status = take(instance, wanted->bytes, wanted->alignment, &block);
    if (status == SHM_OK && is_zeroed)
        memset(block, 0, wanted->bytes);
    if (status == SHM_MALLOC_FAILED) /* on every PE alike, so all skip the barrier */
        return status;
    if (status != SHM_OK)
        return status;
    met = shm_barrier(instance, &instance->memory, call);
    if (met == SHM_OK)
        *out_block = block;
    return met;
}

enum shm_status shm_memory_take(struct shm_instance *instance, const char *call, uint64_t bytes,
                                uint64_t alignment, void **out_block)
{
    struct shm_agreement wanted = {CALL_TAKE, bytes, alignment, 0};

    return take_and_meet(instance, call, &wanted, false, out_block);
}

enum shm_status shm_memory_take_zeroed(struct shm_instance *instance, const char *call,
                                       size_t count, size_t element_bytes, void **out_block)
{
    struct shm_agreement wanted = {CALL_TAKE, 0, 0, 0};

    if (__builtin_mul_overflow(count, element_bytes, &wanted.bytes))
        return shm_fail(SHM_MALLOC_FAILED, "%zu elements of %zu bytes exceed the address space",
                        count, element_bytes);
    return take_and_meet(instance, call, &wanted, true, out_block);
}

/* Offset of a pointer the program passes in; foreign pointers give an offset that no block has. */
static uint64_t offset_of(const struct shm_instance *instance, const void *block)
{
    return (uintptr_t)block - instance->reach.heap_begin;
}

static enum shm_status give(struct shm_instance *instance, const void *block)
{
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = shm_allocator_give(instance->allocator, offset_of(instance, block));
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status == SHM_NOT_FOUND)
        return shm_fail(status, "ptr = %p is no block: %s", block, shm_error_detail());
    return status;
}

enum shm_status shm_memory_give(struct shm_instance *instance, const char *call, void *block)
{
    struct shm_agreement wanted = {CALL_GIVE, 0, 0, offset_of(instance, block)};
    enum shm_status status = agree(instance, call, &wanted);

    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        status = give(instance, block);
    return status;
}

static enum shm_status move_block(struct shm_instance *instance, void *block, uint64_t old_bytes,
                                  uint64_t bytes, void **out_block)
{
    enum shm_status status = take(instance, bytes, 0, out_block);

    if (status != SHM_OK)
        return status;
    memcpy(*out_block, block, old_bytes < bytes ? old_bytes : bytes);
    return give(instance, block);
}

static enum shm_status resize(struct shm_instance *instance, void *block, uint64_t bytes,
                              void **out_block)
{
    uint64_t offset = offset_of(instance, block);
    uint64_t old_bytes = 0;
    enum shm_status status;

    pthread_mutex_lock(&instance->allocator_lock);
    status = shm_allocator_block(instance->allocator, offset, &old_bytes);
    if (status == SHM_OK)
        status = shm_allocator_resize(instance->allocator, offset, bytes);
    pthread_mutex_unlock(&instance->allocator_lock);
    if (status == SHM_NOT_FOUND)
        return shm_fail(status, "ptr = %p is no block: %s", block, shm_error_detail());
    *out_block = block;
    if (status == SHM_MALLOC_FAILED)
        status = move_block(instance, block, old_bytes, bytes, out_block);
    return status;
}

enum shm_status shm_memory_resize(struct shm_instance *instance, const char *call, void *block,
                                  uint64_t bytes, void **out_block)
{
    struct shm_agreement wanted = {CALL_RESIZE, bytes, 0, offset_of(instance, block)};
    void *moved = NULL;
    enum shm_status status = agree(instance, call, &wanted);

    /* everybody is done with the old block before it moves */
    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        status = resize(instance, block, bytes, &moved);
    if (status == SHM_OK)
        status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        *out_block = moved;
    return status;
}
