/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The instance: everything that one joined job needs in this process. It owns the parts and
 * decides nothing; src/core builds it and takes it apart.
 */
#ifndef SHM_INSTANCE_H
#define SHM_INSTANCE_H

#include "base/status.h"
#include "base/vector.h"
#include "bootstrap/bootstrap.h"
#include "heap/heap.h"
#include "instance/control.h"
#include "instance/group.h"
#include "instance/options.h"
#include "transport/transport.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** The sides of symmetric memory, by the numbers that aclshmem_mem_type_t gives them. */
enum shm_side { SHM_SIDE_HOST = 0, SHM_SIDE_DEVICE = 1, SHM_SIDES = 2 };

/** What the hot paths read; first in the instance. */
struct shm_reach {
    uintptr_t heap_begin; /* of this PE: the symmetric heap, or its device side */
    uint64_t heap_bytes;
    uintptr_t static_begin; /* of this PE's static data */
    uint64_t static_bytes;
    intptr_t static_shift;       /* from a static address to the same byte in this PE's slice */
    uintptr_t host_begin;        /* of this PE's host heap, behind heap_begin */
    _Atomic uint64_t host_bytes; /* 0 until the first call that allocates there */
    uint64_t stride;
    int my_pe;
    int n_pes;

    union {
        struct {
            bool is_crowded; /* this node has more PEs than processors: sleep instead of spinning */
            bool is_special; /* is_debugging, or another engine than MTE: transfers go the long way
                              */
        };

        uint16_t needs_care; /* either of them, so that a put looks once */
    };

    bool is_debugging; /* options.debug, the same on all PEs */
};

/** Memory of one side in this PE's slice, from which collective memory is taken. */
struct shm_memory_side {
    char *begin;
    uint64_t bytes;                  /* 0: there is no such memory */
    struct shm_allocator *allocator; /* NULL: nothing was taken from it yet */
};

/** Engines that copy for kernels through scratch memory. */
enum shm_scratch_engine {
    SHM_SCRATCH_MTE,
    SHM_SCRATCH_SDMA,
    SHM_SCRATCH_RDMA,
    SHM_SCRATCH_UDMA,
    SHM_SCRATCH_ENGINES
};

/** Scratch memory of a kernel. */
struct shm_scratch {
    uint64_t offset; /* from the start of the kernel's buffer */
    uint32_t bytes;
    uint32_t event; /* by which the copies are waited for */
};

struct aclshmem_prof_pe_t;

/** Name of an instance, as the program may look at it. */
struct shm_instance_context {
    uint64_t id;
    void *instance;
};

struct shm_instance {
    struct shm_reach reach;
    struct shm_instance_context context;
    struct shm_control *control; /* of this PE */
    struct shm_options options;
    struct shm_bootstrap *bootstrap;
    struct shm_heap heap;
    struct shm_static_data static_data;
    struct shm_memory_side sides[SHM_SIDES];
    pthread_mutex_t allocator_lock;            /* of the allocators of both sides */
    struct shm_memory_history *memory_history; /* of src/core; NULL without SHMEM_DEBUG */
    struct shm_scratch scratch[SHM_SCRATCH_ENGINES];
    int profiled_pe;                            /* SHMEM_CYCLE_PROF_PE; -1 = none */
    struct aclshmem_prof_pe_t *_Atomic profile; /* of src/aclshmem; NULL until it is asked for */
    uint8_t *topology;                          /* engines that reach each PE, and work */
    char *topology_texts[SHM_ENGINES];          /* for people: the PEs that each engine reaches */
    uint8_t engines;                            /* that transfers may take: enum shm_engine */
    _Atomic int vector; /* enum shm_vector: of the loops of reductions; AUTO = not found out yet */
    uint64_t sdma_threshold;             /* bytes from which SDMA is worth its while */
    struct shm_copy_worker *copy_worker; /* of SDMA; NULL when that may not be taken */
    int *node_pes;                       /* PEs of this node, ascending */
    int node_count;
    int processors;                /* that the PEs of this node may use; 0 = not known yet */
    struct shm_group world;        /* all PEs, for the program */
    struct shm_group memory;       /* all PEs, inside memory calls */
    struct shm_group life;         /* all PEs, in init and finalize */
    struct shm_team_table *teams;  /* of src/team */
    _Atomic uint64_t words_turn;   /* where the next search for any of several words begins */
    _Atomic uint32_t short_sleeps; /* crowded node: waits for a word in a row that were soon over */
    _Atomic uint32_t turns;        /* waits in a row that ended when this PE gave way */
    _Atomic uint64_t left_ns;      /* when it left a processor because of them */
    uint64_t finalize_timeout_ns;  /* for the PEs to arrive; 0 = none */
    uint64_t control_timeout_ns;   /* for their goodbyes */
    int thread_level;
    bool has_log;                        /* counts among the users of the log */
    _Atomic bool has_threads;            /* the program has more threads than one */
    int references;                      /* init calls that still need their finalize */
    uint64_t handle_generation;          /* from which those of its teams and contexts go on */
    struct shm_instance *next_inherited; /* in a forked child: another one of the parent's */
    _Atomic bool is_ending;              /* in finalize: streams take no more work for it */
    _Atomic bool is_out_of_step; /* a wait was given up: peers may count one meeting more or less */
};

/** Allocates an empty instance; every part is in the state that its destroy accepts. */
SHM_MUST_CHECK enum shm_status shm_instance_create(struct shm_instance **out_instance);

/** Releases every part, in reverse order of how they are built; accepts NULL and half-built. Static
 *  data must have been restored. */
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

/** True when bytes at `address` lie in the device side of this PE's heap. */
static inline bool shm_reach_has_device(const struct shm_reach *reach, const void *address,
                                        uint64_t bytes)
{
    uint64_t offset = (uintptr_t)address - reach->heap_begin;

    return offset <= reach->heap_bytes && bytes <= reach->heap_bytes - offset;
}

/** True when there is a host heap and bytes at `address` lie in this PE's. */
static inline bool shm_reach_has_host(const struct shm_reach *reach, const void *address,
                                      uint64_t bytes)
{
    /* relaxed: whoever has an address from there has it from the call that set this, and whatever
     * brought it to this thread brought this along, on x86-TSO and Arm */
    uint64_t host_bytes = atomic_load_explicit(&reach->host_bytes, memory_order_relaxed);
    uint64_t offset = (uintptr_t)address - reach->host_begin;

    return host_bytes != 0 && offset <= host_bytes && bytes <= host_bytes - offset;
}

/** True when bytes at `address` lie in this PE's heap, all on one side of it. */
static inline bool shm_reach_has_heap(const struct shm_reach *reach, const void *address,
                                      uint64_t bytes)
{
    return shm_reach_has_device(reach, address, bytes) || shm_reach_has_host(reach, address, bytes);
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

    if (__builtin_expect(shm_reach_has_device(reach, address, bytes), 1))
        return (void *)((uintptr_t)address + distance);
    if (shm_reach_has_static(reach, address, bytes))
        return (void *)((uintptr_t)address + (uintptr_t)reach->static_shift + distance);
    if (shm_reach_has_host(reach, address, bytes))
        return (void *)((uintptr_t)address + distance);
    return NULL;
}

#endif
