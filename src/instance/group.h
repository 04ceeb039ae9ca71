/* SPDX-License-Identifier: BSD-3-Clause */
/** A set of PEs that act together. Part of instance.h, which includes this. */
#ifndef SHM_INSTANCE_GROUP_H
#define SHM_INSTANCE_GROUP_H

#include "instance/control.h"

/** Words of symmetric memory that a group without a slot needs. */
#define SHM_GROUP_WORDS 64

/**
 * The PEs start, start + stride, ... of the job; each member has a struct of its own. They meet at
 * their areas of one slot or, without one, at words of symmetric memory that are zero whenever no
 * member is in a call with the group.
 */
struct shm_group {
    int start;         /* PE of rank 0 */
    int stride;        /* from the PE of one rank to that of the next; may be negative */
    int size;          /* members, at least 1 */
    int rank;          /* of this PE */
    int slot;          /* enum shm_group_slot */
    long *words;       /* SHM_SLOT_NONE: SHM_GROUP_WORDS words, this PE's address of them */
    uint64_t sequence; /* of the last meeting (barrier or exchange) that this PE has entered */
    uint32_t notices;  /* given by members behind that meeting, as far as this PE has come */
    /* barriers of this PE's streams: they take place in the order of the calls */
    _Atomic uint32_t turns_drawn; /* relaxed: the number alone matters */
    _Atomic uint32_t turns_over;  /* futex */
};

/** Counts the meeting that this PE enters now, and returns its sequence. */
static inline uint64_t shm_group_next_meeting(struct shm_group *group)
{
    group->notices = 0;
    return ++group->sequence;
}

/** PE of a rank, which must be valid. */
static inline int shm_group_pe(const struct shm_group *group, int rank)
{
    return group->start + rank * group->stride;
}

/** Rank of a PE, -1 when it is no member. */
static inline int shm_group_rank(const struct shm_group *group, int pe)
{
    int distance = pe - group->start;
    int rank;

    if (group->stride == 0 || group->size == 1)
        return distance == 0 ? 0 : -1;
    if (distance % group->stride != 0)
        return -1;
    rank = distance / group->stride;
    return rank >= 0 && rank < group->size ? rank : -1;
}

#endif
