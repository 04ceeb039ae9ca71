/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/coll. */
#ifndef SHM_COLL_INTERNAL_H
#define SHM_COLL_INTERNAL_H

#include "coll/coll.h"

/** Words of a group without a slot that are used beside the barrier's. */
enum shm_coll_word {
    SHM_COLL_WORD_COUNT = 16,  /* collect: bytes of this member */
    SHM_COLL_WORD_RECORD = 24, /* SHMEM_DEBUG: the record, 8 words */
};

/** What must be equal on all members, compared under SHMEM_DEBUG. */
struct shm_coll_record {
    uint64_t kind;          /* enum shm_coll_kind */
    uint64_t count;         /* bytes or elements, 0 where members may differ */
    uint64_t detail;        /* root, or reduction and element, or element size */
    uint64_t dest_offset;   /* address minus the begin of the heap */
    uint64_t source_offset; /* the same */
    uint64_t dest_stride;
    uint64_t source_stride;
    uint64_t reserved;
};

enum shm_coll_kind {
    SHM_COLL_BROADCAST = 1,
    SHM_COLL_FCOLLECT,
    SHM_COLL_COLLECT,
    SHM_COLL_ALLTOALL,
    SHM_COLL_ALLTOALLS,
    SHM_COLL_REDUCE,
    SHM_COLL_SCAN
};

/** Does nothing without SHMEM_DEBUG. With it all members compare their records: SHM_MISMATCH on all
 *  when they differ. Collective over the group. */
SHM_MUST_CHECK enum shm_status shm_coll_agree(const struct shm_collective *collective,
                                              const struct shm_coll_record *mine);

/** Barrier of the collective's group. */
SHM_MUST_CHECK enum shm_status shm_coll_meet(const struct shm_collective *collective);

/** Where this process reaches what `address` of this PE is for the member of rank `rank`. */
static inline void *shm_coll_remote(const struct shm_collective *collective, const void *address,
                                    int rank)
{
    return shm_reach_remote(&collective->instance->reach, address, 0,
                            shm_group_pe(collective->group, rank));
}

/** True when every member can show `bytes` bytes in its exchange buffer. */
static inline bool shm_coll_is_small(const struct shm_collective *collective, size_t bytes)
{
    return collective->group->slot != SHM_SLOT_NONE && bytes <= SHM_EXCHANGE_BYTES;
}

#endif
