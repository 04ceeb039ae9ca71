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

/** Barriers that never meet each other: a PE in one is not taken for an arrival at another. */
enum shm_barrier_slot {
    SHM_BARRIER_WORLD = 0,  /* the program's barrier_all and sync_all */
    SHM_BARRIER_MEMORY = 1, /* inside malloc, free and their like */
    SHM_BARRIER_LIFE = 2,   /* init and finalize */
    SHM_BARRIER_SLOTS
};

/** Rounds of a dissemination barrier: enough for 2^16 PEs. */
#define SHM_BARRIER_ROUNDS 16

struct shm_barrier_round {
    alignas(SHM_CACHE_LINE) _Atomic uint64_t sequence; /* written by the one PE that signals here */
};

struct shm_barrier_lines {
    /* counter barrier: used in the area of the group's first PE only */
    alignas(SHM_CACHE_LINE) _Atomic uint64_t arrivals;
    alignas(SHM_CACHE_LINE) _Atomic uint32_t released; /* low bits of the last sequence; futex */
    /* both kinds: how many barriers this PE has arrived at */
    alignas(SHM_CACHE_LINE) _Atomic uint64_t arrived;
    struct shm_barrier_round rounds[SHM_BARRIER_ROUNDS];
};

/** What a PE passed to a collective memory call, compared under SHMEM_DEBUG. */
struct shm_agreement {
    uint64_t kind;
    uint64_t bytes;
    uint64_t alignment;
    uint64_t offset;
};

struct shm_control {
    /* Threads of this PE that sleep until somebody writes to its memory. Writers look here after
     * a store; when it is not 0 they add 1 to `wakes`, the futex that the sleepers wait on. */
    alignas(SHM_CACHE_LINE) _Atomic uint32_t sleepers;
    _Atomic uint32_t wakes;
    alignas(SHM_CACHE_LINE) struct shm_activity activity;
    /* the first PE that has a fatal error to tell sets this in the area of PE 0 of the node */
    _Atomic uint32_t is_fatal_told;
    int32_t processor_quota;
    struct shm_processor_set processors;
    alignas(SHM_CACHE_LINE) struct shm_agreement agreement;
    struct shm_barrier_lines barriers[SHM_BARRIER_SLOTS];
};

/** Bytes of the control area: the struct, and room behind it that src/heap uses for its token. */
#define SHM_CONTROL_BYTES (sizeof(struct shm_control) + 64)

#endif
