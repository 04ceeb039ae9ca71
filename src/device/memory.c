/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of memory of the device and of the host, which are the same here, but must not be mixed up
 * by programs that want to run elsewhere as well. */
#include "device_internal.h"

#include <search.h>
#include <stdlib.h>

#define ROUND_BYTES 64u
#define BYTES_MAX ((size_t)1 << 46) /* as much as a process can address, more or less */

struct block {
    void *begin;
    enum shm_device_memory kind;
};

/* The blocks that are there, a tree of <search.h> by their beginning. */
static void *device_blocks;

static int compare(const void *a, const void *b)
{
    uintptr_t left = (uintptr_t)((const struct block *)a)->begin;
    uintptr_t right = (uintptr_t)((const struct block *)b)->begin;

    return (left > right) - (left < right);
}

static enum shm_status remember(struct block *block, size_t bytes)
{
    enum shm_status status;

    shm_device_lock();
    status = shm_device_check_hooks_locked();
    if (status == SHM_OK && tsearch(block, &device_blocks, compare) == NULL)
        status = shm_fail(SHM_MALLOC_FAILED, "no memory to remember a block of %zu bytes", bytes);
    shm_device_unlock();
    return status;
}

enum shm_status shm_device_memory_take(enum shm_device_memory kind, size_t bytes, size_t alignment,
                                       void **out_block)
{
    struct block *block = malloc(sizeof *block);
    void *begin = NULL;
    enum shm_status status;

    if (block == NULL || bytes > BYTES_MAX ||
        posix_memalign(&begin, alignment, (bytes + ROUND_BYTES - 1) / ROUND_BYTES * ROUND_BYTES)) {
        free(block);
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a block of %zu bytes", bytes);
    }
    *block = (struct block){begin, kind};
    status = remember(block, bytes);
    if (status != SHM_OK) {
        free(begin);
        free(block);
        return status;
    }
    *out_block = begin;
    return SHM_OK;
}

enum shm_status shm_device_memory_give(enum shm_device_memory kind, void *begin)
{
    struct block wanted = {begin, kind};
    struct block *block = NULL;
    struct block *const *found;

    shm_device_lock();
    found = tfind(&wanted, &device_blocks, compare);
    if (found != NULL && (*found)->kind == kind) {
        block = *found;
        tdelete(&wanted, &device_blocks, compare);
    }
    shm_device_unlock();
    if (block == NULL)
        return shm_fail(SHM_INVALID_PARAM, "%p is no block of %s memory, or was given back already",
                        begin, kind == SHM_MEMORY_HOST ? "host" : "device");
    free(block->begin);
    free(block);
    return SHM_OK;
}
