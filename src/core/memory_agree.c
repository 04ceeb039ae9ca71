/* SPDX-License-Identifier: BSD-3-Clause */
#include "guard_internal.h"
#include "memory_internal.h"

#include <stdio.h>
#include <string.h>

static void describe_pointer(const struct shm_instance *instance, uint64_t offset, char *text,
                             size_t text_bytes)
{
    const struct shm_reach *reach = &instance->reach;

    if (offset == SHM_OFFSET_NULL)
        snprintf(text, text_bytes, "NULL");
    else if (offset == SHM_OFFSET_OUTSIDE)
        snprintf(text, text_bytes, "an address outside the heap");
    else if (offset < reach->heap_bytes)
        snprintf(text, text_bytes, "heap + %llu", (unsigned long long)offset);
    else
        snprintf(text, text_bytes, "host heap + %llu",
                 (unsigned long long)(offset - (reach->host_begin - reach->heap_begin)));
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

static const char *side_name(uint64_t side)
{
    return side == SHM_SIDE_HOST ? "HOST_SIDE" : "DEVICE_SIDE";
}

/* Arguments decide what shmem_realloc does: then these are the difference, not the call. */
static enum shm_status compare(const struct shm_instance *instance, int pe)
{
    const struct shm_memory_agreement *first = shm_exchange_of(instance, &instance->memory, 0);
    const struct shm_memory_agreement *other = shm_exchange_of(instance, &instance->memory, pe);

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
    if (first->side != other->side)
        return shm_fail(SHM_MISMATCH, "PE %d differs from PE 0 in the mem_type: %s instead of %s",
                        pe, side_name(other->side), side_name(first->side));
    return SHM_OK;
}

enum shm_status shm_memory_agree(struct shm_instance *instance, const char *call,
                                 const struct shm_memory_agreement *wanted)
{
    struct shm_memory_agreement *mine;
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
