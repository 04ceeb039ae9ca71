/* SPDX-License-Identifier: BSD-3-Clause */
#include "guard_internal.h"

#include "heap/heap.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- history ---- */

enum shm_status shm_memory_history_create(struct shm_instance *instance)
{
    if (!instance->options.debug)
        return SHM_OK;
    instance->memory_history = calloc(1, sizeof *instance->memory_history);
    if (instance->memory_history == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to remember freed blocks (SHMEM_DEBUG)");
    return SHM_OK;
}

void shm_memory_history_count(struct shm_instance *instance)
{
    if (instance->memory_history != NULL)
        instance->memory_history->calls++;
}

void shm_memory_history_add_locked(struct shm_instance *instance, const char *call,
                                   const void *block, uint64_t bytes)
{
    struct shm_memory_history *history = instance->memory_history;

    if (history == NULL)
        return;
    history->freed[history->freed_count++ % SHM_FREED_BLOCKS] =
        (struct shm_freed_block){block, bytes, history->calls, call};
}

/* What was freed last of the blocks that began at `address`. */
static const struct shm_freed_block *find_freed(const struct shm_memory_history *history,
                                                const void *address)
{
    uint64_t count = history == NULL ? 0 : history->freed_count;

    for (uint64_t age = 1; age <= count && age <= SHM_FREED_BLOCKS; age++) {
        const struct shm_freed_block *freed = &history->freed[(count - age) % SHM_FREED_BLOCKS];

        if (freed->block == address)
            return freed;
    }
    return NULL;
}

/* ---- guards ---- */

uint64_t shm_guard_taken_bytes(const struct shm_instance *instance, uint64_t bytes)
{
    bool has_guard = instance->options.debug && bytes != 0 && bytes <= UINT64_MAX - SHM_GUARD_BYTES;

    return has_guard ? bytes + SHM_GUARD_BYTES : bytes;
}

uint64_t shm_guard_own_bytes(const struct shm_instance *instance, uint64_t taken_bytes)
{
    return instance->options.debug ? taken_bytes - SHM_GUARD_BYTES : taken_bytes;
}

/* No two bytes are the same, so that a run of equal bytes leaves at most one as it was. */
static unsigned char guard_byte(unsigned i)
{
    return (unsigned char)(0xc5 + i * 7);
}

void shm_guard_fill(const struct shm_instance *instance, void *block, uint64_t bytes)
{
    unsigned char *guard = (unsigned char *)block + bytes;

    if (!instance->options.debug)
        return;
    for (unsigned i = 0; i < SHM_GUARD_BYTES; i++)
        guard[i] = guard_byte(i);
}

enum shm_status shm_guard_check(const struct shm_instance *instance, const char *what,
                                const void *block, uint64_t bytes)
{
    const unsigned char *guard = (const unsigned char *)block + bytes;
    unsigned damaged = 0;
    unsigned first = 0;

    if (!instance->options.debug)
        return SHM_OK;
    for (unsigned i = SHM_GUARD_BYTES; i-- > 0;) {
        if (guard[i] == guard_byte(i))
            continue;
        damaged++;
        first = i;
    }
    if (damaged == 0)
        return SHM_OK;
    return shm_fail(SHM_INVALID_VALUE,
                    "%s%p: %u byte%s behind the block's %llu bytes %s overwritten (first at "
                    "offset %llu)",
                    what, block, damaged, damaged == 1 ? "" : "s", (unsigned long long)bytes,
                    damaged == 1 ? "was" : "were", (unsigned long long)(bytes + first));
}

static enum shm_status check_side_locked(const struct shm_instance *instance,
                                         const struct shm_memory_side *side)
{
    uint64_t offset = 0;
    uint64_t begin;
    uint64_t taken_bytes;
    enum shm_status status = SHM_OK;

    while (status == SHM_OK && side->allocator != NULL &&
           shm_allocator_find_next(side->allocator, offset, &begin, &taken_bytes)) {
        status = shm_guard_check(instance, "block at ", side->begin + begin,
                                 shm_guard_own_bytes(instance, taken_bytes));
        offset = begin + taken_bytes;
    }
    return status;
}

enum shm_status shm_guard_check_all(struct shm_instance *instance)
{
    enum shm_status status = SHM_OK;

    if (!instance->options.debug)
        return SHM_OK;
    pthread_mutex_lock(&instance->allocator_lock);
    for (int side = SHM_SIDES; status == SHM_OK && side-- > 0;)
        status = check_side_locked(instance, &instance->sides[side]);
    pthread_mutex_unlock(&instance->allocator_lock);
    return status;
}

/* ---- pointers that are no block ---- */

static bool has_address(const struct shm_memory_side *side, const void *address)
{
    return side->allocator != NULL && (uintptr_t)address - (uintptr_t)side->begin < side->bytes;
}

/* Where a pointer into a side lies, as the second half of a sentence. */
static void describe_place(const struct shm_instance *instance, const struct shm_memory_side *side,
                           const void *address, char *text, size_t text_bytes)
{
    uint64_t offset = (uintptr_t)address - (uintptr_t)side->begin;
    uint64_t begin;
    uint64_t bytes;

    if (!shm_allocator_find_next(side->allocator, offset, &begin, &bytes) || begin > offset) {
        snprintf(text, text_bytes, "lies in free space: it was freed before, or was never taken");
        return;
    }
    snprintf(text, text_bytes, "lies %llu bytes behind the start of the block of %llu bytes at %p",
             (unsigned long long)(offset - begin),
             (unsigned long long)shm_guard_own_bytes(instance, bytes),
             (void *)(side->begin + begin));
}

static enum shm_status explain_stranger(const struct shm_instance *instance, enum shm_side kind,
                                        const void *block)
{
    const struct shm_memory_side *side = &instance->sides[kind];
    const struct shm_memory_side *other = &instance->sides[SHM_SIDES - 1 - kind];

    if (has_address(other, block))
        return shm_fail(SHM_NOT_FOUND,
                        "ptr = %p with mem_type = %s is no block there: it lies in the heap of the "
                        "other mem_type",
                        block, kind == SHM_SIDE_HOST ? "HOST_SIDE" : "DEVICE_SIDE");
    return shm_fail(SHM_NOT_FOUND, "ptr = %p is no block: it lies outside the %s heap (%p to %p)",
                    block, kind == SHM_SIDE_HOST ? "host" : "symmetric", (void *)side->begin,
                    (void *)(side->begin + side->bytes));
}

enum shm_status shm_explain_block_locked(const struct shm_instance *instance, enum shm_side kind,
                                         const void *block)
{
    const struct shm_freed_block *freed = find_freed(instance->memory_history, block);
    uint64_t age = freed == NULL ? 0 : instance->memory_history->calls - freed->number;
    char place[120];

    if (!has_address(&instance->sides[kind], block))
        return explain_stranger(instance, kind, block);
    if (freed != NULL)
        return shm_fail(SHM_NOT_FOUND,
                        "ptr = %p was freed already: a block of %llu bytes, by %s, %llu memory "
                        "call%s ago",
                        block, (unsigned long long)freed->bytes, freed->call,
                        (unsigned long long)age, age == 1 ? "" : "s");
    describe_place(instance, &instance->sides[kind], block, place, sizeof place);
    return shm_fail(SHM_NOT_FOUND, "ptr = %p is no block: it %s", block, place);
}
