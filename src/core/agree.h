/* SPDX-License-Identifier: BSD-3-Clause */
/** What PEs tell each other first, and the checks on it. Every PE computes the same result. */
#ifndef SHM_CORE_AGREE_H
#define SHM_CORE_AGREE_H

#include "base/status.h"
#include "heap/heap.h"

#include <stdbool.h>
#include <stdint.h>

#define SHM_INTRODUCTION_BYTE_ORDER 0x01020304u
#define SHM_INTRODUCTION_ABI 4u /* of this struct and of the control area */

/** As short as may be: every PE reads those of all. */
struct shm_introduction {
    uint32_t byte_order;
    uint32_t abi;
    char version[16];
    uint64_t heap_bytes; /* as asked for */
    uint64_t static_bytes;
    uint64_t static_digest;
    uint64_t node_digest;
    uint64_t memory_available; /* of the first PE of a node, filled in when it is known: bytes */
                               /* that its machine or container has left */
    uint8_t limiter;           /* enum shm_memory_limiter: which of the two */
    uint8_t has_own_heap_size;
    uint8_t is_overcommitted;
    uint8_t is_debugging;
    uint8_t waiting;       /* enum shm_waiting_policy; that of PE 0 holds */
    uint8_t engines;       /* that may be taken */
    uint8_t has_host_room; /* this PE wants a host heap and has the addresses for it */
    uint8_t reserved;
    uint64_t secret; /* random; that of PE 0 opens the door to its memory */
    char door[SHM_HEAP_DOOR_NAME_BYTES];
};

/** Checks what must be equal: byte order, ABI, version, heap size, static data. SHM_MISMATCH names
 *  the PEs and the item. Terminates the texts in place. */
SHM_MUST_CHECK enum shm_status shm_agree_on_program(struct shm_introduction *introductions,
                                                    int n_pes);

/**
 * Decides the heap size per PE so that the PEs of each node fit in its memory: a size that somebody
 * asked for is refused with SHM_INVALID_VALUE when it does not fit (unless overcommitted); the
 * default is lowered to `share` of what there is.
 */
SHM_MUST_CHECK enum shm_status shm_agree_on_heap(const struct shm_introduction *introductions,
                                                 int n_pes, double share, uint64_t *out_heap_bytes);

/** True when the PEs have host heaps: all want them and have the addresses for them. */
bool shm_agree_on_host(const struct shm_introduction *introductions, int n_pes);

#endif
