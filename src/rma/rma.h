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
#include "transport/transport.h"

#include <stddef.h>
#include <stdint.h>

/** Bytes from the lowest to the highest byte that `count` blocks touch, and how far below the
 *  first element the lowest one lies. SHM_INVALID_VALUE when they exceed the address space. */
SHM_MUST_CHECK enum shm_status shm_strided_extent(ptrdiff_t stride, size_t block, size_t count,
                                                  size_t element_bytes, uint64_t *out_below,
                                                  uint64_t *out_bytes);

#include "rma/rma_inline.h"

/** A transfer of bytes side by side, without a signal. */
static inline struct shm_transfer shm_transfer_of(void *to, const void *from, size_t bytes, int pe,
                                                  bool is_get)
{
    return (struct shm_transfer){.copy = {to, from, 1, 1, 1, 1, bytes}, .pe = pe, .is_get = is_get};
}

/**
 * Moves bytes by the engine that the instance may take to that PE, then updates the signal if there
 * is one, and wakes the PE. A non-blocking transfer may be under way when this returns:
 * shm_quiet() completes it. At least one byte. Errors as for shm_kernel_copy() and
 * shm_copy_worker_try_give(), but for SHM_AGAIN.
 */
SHM_MUST_CHECK enum shm_status shm_transfer(struct shm_instance *instance,
                                            const struct shm_transfer *transfer,
                                            bool is_nonblocking);

/** Process of a PE that showed where its slice is, for copies by the kernel. */
struct shm_kernel_peer shm_kernel_peer_of(const struct shm_instance *instance, int pe);

/** The same by load and store, at once; what the copy worker does with an instance. */
void shm_transfer_by_load_store(void *instance, const struct shm_transfer *transfer);

#endif
