/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files that make up collective memory. */
#ifndef SHM_CORE_MEMORY_INTERNAL_H
#define SHM_CORE_MEMORY_INTERNAL_H

#include "core/core.h"

/** Which calls go together. */
enum shm_memory_call {
    SHM_MEMORY_TAKE = 1,
    SHM_MEMORY_TAKE_ZEROED,
    SHM_MEMORY_GIVE,
    SHM_MEMORY_RESIZE
};

/** Offsets that are none in the heap: no block was passed in; an address outside, which may be
 *  another one on each PE, without meaning. */
#define SHM_OFFSET_NULL UINT64_MAX
#define SHM_OFFSET_OUTSIDE (UINT64_MAX - 1)

/** What a PE passed to a call. */
struct shm_memory_agreement {
    uint64_t kind;  /* enum shm_memory_call */
    uint64_t side;  /* enum shm_side */
    uint64_t count; /* of elements of so many bytes */
    uint64_t bytes;
    uint64_t alignment;
    uint64_t offset; /* of the block passed in, from reach.heap_begin on either side */
    char call[SHM_ACTIVITY_NAME_BYTES];
};

/** Under SHMEM_DEBUG: all PEs must have made the same call with the same arguments; SHM_MISMATCH
 *  on all of them otherwise. Collective. */
SHM_MUST_CHECK enum shm_status shm_memory_agree(struct shm_instance *instance, const char *call,
                                                const struct shm_memory_agreement *wanted);

/** What a PE can offer for host heaps. */
struct shm_host_offer {
    uint64_t host_bytes;   /* per PE */
    uint64_t growth_bytes; /* by which the memory of its node may grow, host heaps included */
    uint64_t available;    /* bytes that its machine or container has left */
    int32_t node_count;    /* PEs on its node */
    uint32_t limiter;      /* enum shm_memory_limiter */
    uint32_t is_overcommitted;
    int32_t status; /* why it has no allocator */
};

/** Judges the offer of PE `pe`: SHM_MALLOC_FAILED when it is none. Every PE judges alike. */
SHM_MUST_CHECK enum shm_status shm_host_offer_check(const struct shm_host_offer *offer, int pe,
                                                    bool is_overcommitted);

/** Makes the host side usable at the first call that allocates there. SHM_MALLOC_FAILED on all PEs
 *  when there is no host heap or the memory of some node is too small for it. Collective. */
SHM_MUST_CHECK enum shm_status shm_host_heap_create(struct shm_instance *instance,
                                                    const char *call);

#endif
