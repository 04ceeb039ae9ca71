/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What is known of the blocks of collective memory beyond the allocator: a guard behind each block,
 * and which blocks were freed. Both under SHMEM_DEBUG only; otherwise the functions do nothing.
 *
 * A guard is the last SHM_GUARD_BYTES of what the allocator hands out. Each PE fills and checks
 * those of its own heaps. The caller holds the allocators' lock where a name ends in _locked.
 */
#ifndef SHM_CORE_GUARD_INTERNAL_H
#define SHM_CORE_GUARD_INTERNAL_H

#include "instance/instance.h"

#define SHM_GUARD_BYTES 64
#define SHM_FREED_BLOCKS 256 /* so many are remembered */

struct shm_freed_block {
    const void *block;
    uint64_t bytes;
    uint64_t number; /* of the memory call */
    const char *call;
};

/** Memory calls so far, and the last blocks that they freed. */
struct shm_memory_history {
    struct shm_freed_block freed[SHM_FREED_BLOCKS]; /* a ring */
    uint64_t freed_count;
    uint64_t calls;
};

/** Makes the history of an instance under SHMEM_DEBUG. */
SHM_MUST_CHECK enum shm_status shm_memory_history_create(struct shm_instance *instance);

/** Counts a memory call. */
void shm_memory_history_count(struct shm_instance *instance);

/** Remembers a block of `bytes` that `call`, a text that stays, frees. */
void shm_memory_history_add_locked(struct shm_instance *instance, const char *call,
                                   const void *block, uint64_t bytes);

/** Bytes to take for a block of `bytes`. */
uint64_t shm_guard_taken_bytes(const struct shm_instance *instance, uint64_t bytes);

/** Bytes that the program has of those taken. */
uint64_t shm_guard_own_bytes(const struct shm_instance *instance, uint64_t taken_bytes);

/** Fills the guard of a block of `bytes`. */
void shm_guard_fill(const struct shm_instance *instance, void *block, uint64_t bytes);

/** SHM_INVALID_VALUE when the guard of a block was overwritten; the detail, which begins with
 *  `what`, says how much of it. */
SHM_MUST_CHECK enum shm_status shm_guard_check(const struct shm_instance *instance,
                                               const char *what, const void *block, uint64_t bytes);

/** Checks the guards of all blocks of both sides; the detail is about the first that was
 * overwritten. */
SHM_MUST_CHECK enum shm_status shm_guard_check_all(struct shm_instance *instance);

/** Sets the detail for a pointer that is not the start of a block of this side: SHM_NOT_FOUND. With
 *  or without SHMEM_DEBUG. */
SHM_MUST_CHECK enum shm_status shm_explain_block_locked(const struct shm_instance *instance,
                                                        enum shm_side kind, const void *block);

#endif
