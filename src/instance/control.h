/* SPDX-License-Identifier: BSD-3-Clause */
/** The control area at the start of each PE's slice: what PEs show each other. All zero at first.
 */
#ifndef SHM_INSTANCE_CONTROL_H
#define SHM_INSTANCE_CONTROL_H

#include "base/launch.h"
#include "base/processors.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#define SHM_CACHE_LINE 64

/** Number of a group of PEs that may have a place of its own to meet at (struct shm_group_area).
 * PEs of different groups never meet: a PE in one is not taken for an arrival at another. */
enum shm_group_slot {
    SHM_SLOT_NONE = -1,
    SHM_SLOT_WORLD = 0,  /* the world team: barrier_all, sync_all */
    SHM_SLOT_MEMORY = 1, /* inside malloc, free and their like */
    SHM_SLOT_LIFE = 2,   /* init and finalize */
    SHM_SLOT_SHARED = 3, /* the shared team */
    SHM_SLOT_NODE = 4,   /* the node team */
    SHM_SLOT_FIRST_FREE = 5,
    /* with the world team as many as ACLSHMEM has numbers for */
    SHM_SLOTS = SHM_SLOT_FIRST_FREE + 2047
};

/** Rounds of a dissemination barrier: enough for 2^16 PEs. */
#define SHM_BARRIER_ROUNDS 16

struct shm_barrier_round {
    alignas(SHM_CACHE_LINE) _Atomic uint64_t sequence; /* written by the one PE that signals here */
};

struct shm_barrier_lines {
    /* counter barrier: used in the area of the group's first PE only */
    alignas(SHM_CACHE_LINE) _Atomic uint32_t arrivals; /* at the present barrier */
    alignas(SHM_CACHE_LINE) _Atomic uint32_t released; /* low bits of the last sequence; futex */
    /* both kinds: sequence of the last barrier that this PE has arrived at */
    alignas(SHM_CACHE_LINE) _Atomic uint64_t arrived;
    struct shm_barrier_round rounds[SHM_BARRIER_ROUNDS];
};

/** Bytes that each member of a group can show the others at one meeting (shm_exchange_buffer()). */
#define SHM_EXCHANGE_BYTES 1024

struct shm_exchange_area {
    /* sequence of the shm_exchange() that the bytes are for; the first of them are in its line */
    alignas(SHM_CACHE_LINE) _Atomic uint64_t shown;
    alignas(16) unsigned char bytes[SHM_EXCHANGE_BYTES];
};

/** Notices that a member can give before the group meets again, and the bytes of one. */
#define SHM_NOTICES 8
#define SHM_NOTICE_BYTES 496

struct shm_notice {
    alignas(SHM_CACHE_LINE) _Atomic uint64_t number; /* of the notice that the bytes are */
    _Atomic uint32_t changes;                        /* futex: grows behind `number` */
    alignas(16) unsigned char bytes[SHM_NOTICE_BYTES];
};

/** What one member of a group needs to meet the others: two pages, not touched before their use.
 *  The sequences in it only grow, also when the slot passes from one group to the next. */
struct shm_group_area {
    alignas(4096) struct shm_barrier_lines barrier;
    struct shm_exchange_area exchange[2]; /* by parity of the sequence */
    struct shm_notice notices[SHM_NOTICES];
};

_Static_assert(sizeof(struct shm_group_area) == 2 * 4096, "two pages");

/** SHMEM_DEBUG: whom a PE waits for, valid while its record of activity says that it waits. */
struct shm_meeting {
    _Atomic int32_t slot; /* of the group; SHM_SLOT_NONE: whom it waits for is not known */
    _Atomic int32_t start, stride, size; /* its members */
};

struct shm_control {
    /* Threads of this PE that sleep until somebody writes to its memory. Writers look here after
     * a store; when it is not 0 they add 1 to `wakes`, the futex that the sleepers wait on. */
    alignas(SHM_CACHE_LINE) _Atomic uint32_t sleepers;
    _Atomic uint32_t wakes;
    /* in the area of the node's first PE: how many of its PEs have slept for some time */
    alignas(SHM_CACHE_LINE) _Atomic uint64_t dozing;
    alignas(SHM_CACHE_LINE) struct shm_activity activity;
    /* the first PE that has a fatal error to tell sets this in the area of PE 0 of the node */
    _Atomic uint32_t is_fatal_told;
    /* in the area of PE 0 of the node: what its PEs may use; its quota, and the processors that
     * each of them adds its own to */
    _Atomic int32_t processor_quota;
    struct shm_processor_set processors;
    alignas(SHM_CACHE_LINE) struct shm_meeting meeting;
    /* engine UDMA: where this PE has its own slice, a number to try copies with, and how they went:
     * the first PE for which the kernel refused, counted from 1, and its errno */
    _Atomic uint64_t slice_address;
    _Atomic uint64_t kernel_copy_word;
    _Atomic int32_t kernel_copy_refused;
    _Atomic int32_t kernel_copy_errno;
    /* slots that groups of this PE have, one bit each; the first PE of a new group sets them */
    alignas(SHM_CACHE_LINE) _Atomic uint64_t taken_slots[(SHM_SLOTS + 63) / 64];
    struct shm_group_area groups[SHM_SLOTS];
};

/** Bytes of the control area: the struct, and room behind it that src/heap uses for its token. */
#define SHM_CONTROL_BYTES (sizeof(struct shm_control) + 64)

#endif
