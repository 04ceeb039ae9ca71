/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/coll. */
#ifndef SHM_COLL_INTERNAL_H
#define SHM_COLL_INTERNAL_H

#include "coll/coll.h"
#include "transport/transport.h"

#include <string.h>

/** Words of a group without a slot that are used beside the barrier's. */
enum shm_coll_word {
    SHM_COLL_WORD_COUNT = 16,  /* collect: bytes of this member */
    SHM_COLL_WORD_SOURCE = 17, /* collect, broadcast: where its source is */
    SHM_COLL_WORD_RECORD = 24, /* SHMEM_DEBUG: the record, 8 words */
};

/** What must be equal on all members, compared under SHMEM_DEBUG. */
struct shm_coll_record {
    uint64_t kind;          /* enum shm_collective_kind */
    uint64_t count;         /* bytes or elements, 0 where members may differ */
    uint64_t detail;        /* root, or shm_coll_reduction_detail(), or element size */
    uint64_t dest_offset;   /* shm_coll_offset() */
    uint64_t source_offset; /* the same */
    uint64_t dest_stride;
    uint64_t source_stride;
    uint64_t reserved;
};

/** Offsets that are none in the heap. */
#define SHM_COLL_OFFSET_STATIC ((uint64_t)1 << 62) /* added to offsets in the static data */
#define SHM_COLL_OFFSET_NONE UINT64_MAX            /* not symmetric */

/** Where a symmetric address of this PE lies: equal addresses have equal offsets on all PEs. */
static inline uint64_t shm_coll_offset(const struct shm_collective *collective, const void *address)
{
    const struct shm_reach *reach = &collective->instance->reach;

    if (shm_reach_has_heap(reach, address, 1))
        return (uintptr_t)address - reach->heap_begin;
    if (shm_reach_has_static(reach, address, 1))
        return SHM_COLL_OFFSET_STATIC + ((uintptr_t)address - reach->static_begin);
    return SHM_COLL_OFFSET_NONE;
}

/** What a reduction or scan does, as the `detail` of its record. */
static inline uint64_t shm_coll_reduction_detail(enum shm_reduction reduction,
                                                 enum shm_element element, bool is_inclusive)
{
    return (uint64_t)is_inclusive << 16 | (uint64_t)reduction << 8 | (uint64_t)element;
}

/** Does nothing without SHMEM_DEBUG. With it all members compare their records: SHM_MISMATCH on all
 *  when they differ. Collective over the group. */
SHM_MUST_CHECK enum shm_status shm_coll_agree(const struct shm_collective *collective,
                                              const struct shm_coll_record *mine);

/** Barrier of the collective's group. */
SHM_MUST_CHECK enum shm_status shm_coll_meet(const struct shm_collective *collective);

/** As shm_coll_meet(), where what the members show is all that is wanted of it. */
SHM_MUST_CHECK enum shm_status shm_coll_exchange(const struct shm_collective *collective);

/** Where this process reaches what `address` of this PE is for the member of rank `rank`. */
static inline void *shm_coll_remote(const struct shm_collective *collective, const void *address,
                                    int rank)
{
    return shm_reach_remote(&collective->instance->reach, address, 0,
                            shm_group_pe(collective->group, rank));
}

/** Where this process reaches what lies at a shm_coll_offset() of the member of rank `rank`. */
static inline void *shm_coll_at_offset(const struct shm_collective *collective, uint64_t offset,
                                       int rank)
{
    const struct shm_reach *reach = &collective->instance->reach;
    uintptr_t address = offset >= SHM_COLL_OFFSET_STATIC
                            ? reach->static_begin + (offset - SHM_COLL_OFFSET_STATIC)
                            : reach->heap_begin + offset;

    return shm_coll_remote(collective, (const void *)address, rank);
}

/** True when every member can show `bytes` bytes in its exchange buffer. */
static inline bool shm_coll_is_small(const struct shm_collective *collective, size_t bytes)
{
    return collective->group->slot != SHM_SLOT_NONE && bytes <= SHM_EXCHANGE_BYTES;
}

/** Copies a block that may be empty, with NULL for its addresses, or in its place already. */
static inline void shm_coll_copy(void *to, const void *from, size_t bytes)
{
    if (bytes != 0 && to != from)
        shm_copy_bytes(to, from, bytes);
}

/** Blocks that each member has for all, and dest of all, where they lie by rank. */
struct shm_coll_gather {
    char *dest;
    const char *source;
    size_t source_bytes; /* all of a source: it is shown when that fits */
    size_t block_bytes;
    size_t block_step; /* in a source, from the block for one rank to that for the next */
};

/** Collective over the group; members do not differ. */
SHM_MUST_CHECK enum shm_status shm_coll_gather(const struct shm_collective *collective,
                                               const struct shm_coll_gather *gather);

#endif
