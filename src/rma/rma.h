/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One-sided operations, untyped. The addresses of remote objects have been translated already
 * (shm_reach_remote()): these functions move bytes and wake the target's sleepers. Naturally
 * aligned elements of 1, 2, 4 and 8 bytes move with single loads and stores.
 */
#ifndef SHM_RMA_H
#define SHM_RMA_H

#include "instance/instance.h"
#include "sync/sync.h"

#include <stddef.h>
#include <stdint.h>

/** Elements at `stride` elements from each other. */
struct shm_strided {
    void *to;
    const void *from;
    ptrdiff_t to_stride;   /* in elements */
    ptrdiff_t from_stride; /* in elements */
    size_t block;          /* elements that lie side by side, at least 1 */
    size_t count;          /* blocks */
    size_t element_bytes;
};

/** Copies blocks between two strided layouts. */
void shm_copy_strided(const struct shm_strided *copy);

/** Bytes from the lowest to the highest byte that `count` blocks touch, and how far below the
 *  first element the lowest one lies. SHM_INVALID_VALUE when they exceed the address space. */
SHM_MUST_CHECK enum shm_status shm_strided_extent(ptrdiff_t stride, size_t block, size_t count,
                                                  size_t element_bytes, uint64_t *out_below,
                                                  uint64_t *out_bytes);

#include "rma/rma_inline.h"

#endif
