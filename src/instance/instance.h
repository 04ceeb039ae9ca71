/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The instance: everything that one joined job needs in this process. It owns the parts and
 * decides nothing; src/core builds it and takes it apart.
 */
#ifndef SHM_INSTANCE_H
#define SHM_INSTANCE_H

#include "base/status.h"
#include "bootstrap/bootstrap.h"
#include "heap/heap.h"
#include "instance/control.h"
#include "instance/group.h"
#include "instance/options.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** What the hot paths read; first in the instance. */
struct shm_reach {
    uintptr_t heap_begin; /* of this PE */
    uint64_t heap_bytes;
    uintptr_t static_begin; /* of this PE's static data */
    uint64_t static_bytes;
    intptr_t static_shift; /* from a static address to the same byte in this PE's slice */
    uint64_t stride;
    int my_pe;
    int n_pes;
    bool is_crowded;   /* this node has more PEs than processors: sleep instead of spinning */
    bool is_debugging; /* options.debug, the same on all PEs */
};

struct shm_instance {
    struct shm_reach reach;
    struct shm_control *control; /* of this PE */
    struct shm_options options;
    struct shm_bootstrap *bootstrap;
    struct shm_heap heap;
    struct shm_static_data static_data;
    struct shm_allocator *allocator;
    pthread_mutex_t allocator_lock;
    struct shm_memory_history *memory_history; /* of src/core; NULL without SHMEM_DEBUG */
    uint8_t *topology;                         /* engines that reach each PE */
    int *node_pes;                             /* PEs of this node, ascending */
    int node_count;
    struct shm_group world;        /* all PEs, for the program */
    struct shm_group memory;       /* all PEs, inside memory calls */
    struct shm_group life;         /* all PEs, in init and finalize */
    struct shm_team_table *teams;  /* of src/team */
    _Atomic uint64_t words_turn;   /* where the next search for any of several words begins */
    _Atomic uint32_t short_sleeps; /* crowded node: waits for a word in a row that were soon over */
    uint64_t finalize_timeout_ns;  /* for the PEs to arrive; 0 = none */
    uint64_t control_timeout_ns;   /* for their goodbyes */
    int thread_level;
    bool has_log;         /* counts among the users of the log */
    bool has_threads;     /* the program has more threads than one */
    int references;       /* init calls that still need their finalize */
    _Atomic bool is_over; /* the job failed or was told to exit: no more talking to peers */
};

/** Allocates an empty instance; every part is in the state that its destroy accepts. */
SHM_MUST_CHECK enum shm_status shm_instance_create(struct shm_instance **out_instance);

/** Releases every part, in reverse order of how they are built; accepts NULL and half-built. */
void shm_instance_destroy(struct shm_instance *instance);

/** Fills `reach` and `control` once the memory is mapped. */
void shm_instance_set_reach(struct shm_instance *instance);

/** Control area of a PE. */
static inline struct shm_control *shm_instance_control(const struct shm_instance *instance, int pe)
{
    return (struct shm_control *)(void *)shm_heap_slice(&instance->heap, pe);
}

static inline bool shm_instance_has_pe(const struct shm_instance *instance, int pe)
{
    return (unsigned)pe < (unsigned)instance->reach.n_pes;
}

/** True when bytes at `address` lie in this PE's heap. */
static inline bool shm_reach_has_heap(const struct shm_reach *reach, const void *address,
                                      uint64_t bytes)
{
    uint64_t offset = (uintptr_t)address - reach->heap_begin;

    return offset <= reach->heap_bytes && bytes <= reach->heap_bytes - offset;
}

/** True when bytes at `address` lie in this PE's symmetric static data. */
static inline bool shm_reach_has_static(const struct shm_reach *reach, const void *address,
                                        uint64_t bytes)
{
    uint64_t offset = (uintptr_t)address - reach->static_begin;

    return offset <= reach->static_bytes && bytes <= reach->static_bytes - offset;
}

/**
 * Where `bytes` bytes at the symmetric address `address` of this PE lie for PE `pe`, as an address
 * of this process; NULL when they are not symmetric. `pe` must be valid.
 */
static inline void *shm_reach_remote(const struct shm_reach *reach, const void *address,
                                     uint64_t bytes, int pe)
{
    uintptr_t distance = (uintptr_t)((int64_t)(pe - reach->my_pe) * (int64_t)reach->stride);

    if (__builtin_expect(shm_reach_has_heap(reach, address, bytes), 1))
        return (void *)((uintptr_t)address + distance);
    if (shm_reach_has_static(reach, address, bytes))
        return (void *)((uintptr_t)address + (uintptr_t)reach->static_shift + distance);
    return NULL;
}

#endif
