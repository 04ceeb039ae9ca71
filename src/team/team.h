/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Teams and contexts: the objects behind the handles of the faces. A handle is a number that is
 * checked at every use; one that was destroyed, or never was, finds nothing.
 *
 * A team of a split has a slot (enum shm_group_slot) that none of its members uses for another
 * team. The PE of rank 0 takes it on behalf of all members, and tells them through the exchange
 * buffers of the parent: a split costs one barrier of the parent. Only when slots are so scarce
 * that it finds none does it look again behind that barrier, and all meet a second time.
 */
#ifndef SHM_TEAM_H
#define SHM_TEAM_H

#include "base/inline.h"
#include "instance/instance.h"
#include "sync/sync.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- handles ---- */

/** Handles of what exists always; 0 is the invalid handle of both kinds. */
enum shm_predefined_handle {
    SHM_HANDLE_INVALID = 0,
    SHM_TEAM_WORLD = 1,
    SHM_TEAM_SHARED = 2, /* PEs that reach each other's memory by load and store */
    SHM_TEAM_NODE = 3,   /* PEs of one node */
    SHM_CONTEXT_DEFAULT = 1
};

#define SHM_HANDLE_CHUNK 256
#define SHM_HANDLE_CHUNKS 256
/** Highest index: as many objects can be alive. */
#define SHM_HANDLE_LAST (SHM_HANDLE_CHUNK * SHM_HANDLE_CHUNKS - 1)

/** What a handle stands for; first member of teams and contexts. */
struct shm_handled {
    uint64_t handle; /* index from 1 in the low 16 bits, generation above */
};

/** Place of an object. The handle stands here too, so that a handle whose object is gone is told
 *  apart without looking at an object. */
struct shm_handle_entry {
    _Atomic uint64_t handle; /* 0 = free */
    struct shm_handled *_Atomic object;
};

/** Objects by handle. Finding takes no lock; adding and removing lock. An object is not found and
 *  removed at the same time: who destroys it sees to it that nobody uses its handle meanwhile. */
struct shm_handle_table {
    struct shm_handle_entry *_Atomic chunks[SHM_HANDLE_CHUNKS]; /* NULL until needed */
    pthread_mutex_t lock;
    uint64_t generation;  /* of the next object, from 1; 0 is that of predefined ones */
    uint32_t lowest_free; /* no lower index is free */
};

/** `generation`, at least 1, is that of the first object: handles of an earlier table find nothing
 *  when it goes on from where that one ended. */
void shm_handle_table_init(struct shm_handle_table *table, uint64_t generation);
/** Objects that are still in the table are given to `destroy`. */
void shm_handle_table_fini(struct shm_handle_table *table,
                           void (*destroy)(struct shm_handled *object));

/** Gives the object the lowest free index and a new handle. SHM_MALLOC_FAILED: no memory, or 65,535
 *  objects are alive. */
SHM_MUST_CHECK enum shm_status shm_handle_table_add(struct shm_handle_table *table,
                                                    struct shm_handled *object);

/** Gives the object the index and handle `number`, which must be free. */
SHM_MUST_CHECK enum shm_status shm_handle_table_add_as(struct shm_handle_table *table,
                                                       struct shm_handled *object, uint16_t number);

void shm_handle_table_remove(struct shm_handle_table *table, const struct shm_handled *object);

/** Place of a handle in its table. */
static inline uint32_t shm_handle_index(uint64_t handle)
{
    return (uint32_t)handle & SHM_HANDLE_LAST;
}

/** The object of a handle, NULL when there is none. */
SHM_ALWAYS_INLINE struct shm_handled *shm_handle_table_find(const struct shm_handle_table *table,
                                                            uint64_t handle)
{
    uint32_t index = shm_handle_index(handle);
    const struct shm_handle_entry *entry;

    /* these pair with the release stores of put_locked() in handle_table.c: whoever sees a chunk
     * sees its zeros, whoever sees a handle sees the object. Plain loads on x86-TSO, LDAR on Arm */
    entry = atomic_load_explicit(&table->chunks[index / SHM_HANDLE_CHUNK], memory_order_acquire);
    if (entry == NULL)
        return NULL;
    entry += index % SHM_HANDLE_CHUNK;
    if (atomic_load_explicit(&entry->handle, memory_order_acquire) != handle)
        return NULL;
    return atomic_load_explicit(&entry->object, memory_order_relaxed);
}

/** The object at a place, NULL when there is none. */
static inline struct shm_handled *shm_handle_table_at(const struct shm_handle_table *table,
                                                      uint32_t index)
{
    const struct shm_handle_entry *entry;

    /* as in shm_handle_table_find() */
    entry = atomic_load_explicit(&table->chunks[index / SHM_HANDLE_CHUNK], memory_order_acquire);
    if (entry == NULL)
        return NULL;
    entry += index % SHM_HANDLE_CHUNK;
    if (atomic_load_explicit(&entry->handle, memory_order_acquire) == 0)
        return NULL;
    return atomic_load_explicit(&entry->object, memory_order_relaxed);
}

/** All teams and contexts of an instance. */
struct shm_team_table {
    struct shm_handle_table teams;
    struct shm_handle_table contexts;
};

/** Makes the tables of an instance, with the predefined teams in it. Not collective: needs what
 *  shm_instance_set_reach() fills, and the PEs of the node. */
SHM_MUST_CHECK enum shm_status shm_teams_create(struct shm_instance *instance);

/** Releases all teams and contexts, without talking to anybody; accepts an instance without. */
void shm_teams_destroy(struct shm_instance *instance);

/* ---- teams ---- */

/** Configuration, as the faces have it. */
struct shm_team_config {
    int num_contexts; /* contexts that the program wants to make from the team; 0 by default */
};

struct shm_team {
    struct shm_handled handled;
    struct shm_instance *instance;
    struct shm_group *group; /* &own_group, or one of the instance */
    struct shm_group own_group;
    struct shm_team_config config;
    bool is_predefined;
};

/** The team of a handle, NULL when there is none. */
SHM_ALWAYS_INLINE struct shm_team *shm_team_find(const struct shm_instance *instance,
                                                 uint64_t handle)
{
    return (struct shm_team *)shm_handle_table_find(&instance->teams->teams, handle);
}

/** Place of a team in the table, from 1: a small number that no other team has. */
static inline uint32_t shm_team_index(const struct shm_team *team)
{
    return shm_handle_index(team->handled.handle);
}

/** The team at a place of the table, at most SHM_HANDLE_LAST; NULL when there is none. */
static inline struct shm_team *shm_team_at(const struct shm_instance *instance, uint32_t index)
{
    return (struct shm_team *)shm_handle_table_at(&instance->teams->teams, index);
}

/** Members of a new team, by their ranks in the parent. */
struct shm_triplet {
    int start;
    int stride;
    int size;
};

/**
 * Makes a team of the PEs start, start + stride, ... of the parent. Collective over the parent, all
 * members with the same triplet; `config` is that of the new team, not looked at elsewhere, NULL
 * for the defaults. *out_team is NULL on the PEs that are no members; the team of the others can be
 * used at once.
 *
 * The same on all PEs of the parent: SHM_INVALID_VALUE when the triplet leaves the parent or wraps
 * around, or a member asks for a negative number of contexts; SHM_MALLOC_FAILED when a member has
 * no memory or no slot is free on all members; SHM_MISMATCH when triplets differ. Errors of
 * shm_wait() besides: they leave the slots that had been taken out of use.
 */
SHM_MUST_CHECK enum shm_status shm_team_split_strided(struct shm_team *parent, const char *call,
                                                      const struct shm_triplet *triplet,
                                                      const struct shm_team_config *config,
                                                      struct shm_team **out_team);

/**
 * Takes part in a split of the parent that this PE's face has refused with `reason`, whose detail
 * is set: the other members would wait for it. All of them fail for that reason. `asked` is what
 * the call said; of a grid its start is the x_range.
 */
SHM_MUST_CHECK enum shm_status shm_team_split_refuse(struct shm_team *parent, const char *call,
                                                     bool is_grid, const struct shm_triplet *asked,
                                                     enum shm_status reason);

/** What shm_team_split_2d() makes: for both axes (0 = x, 1 = y). */
struct shm_team_grid {
    struct shm_team_config config[2];
    struct shm_team *team[2];
};

/**
 * Arranges the ranks of the parent in rows of `x_range` (more than the parent has: one row) and
 * makes a team of the caller's row and one of its column. Collective over the parent. Both or none
 * exist afterwards, on all PEs of the parent alike. Errors as for shm_team_split_strided().
 */
SHM_MUST_CHECK enum shm_status shm_team_split_2d(struct shm_team *parent, const char *call,
                                                 int x_range, struct shm_team_grid *grid);

/** Destroys a team and the contexts made from it. Collective over the team: all members have left
 *  its other collectives when it returns. SHM_INVALID_PARAM for a predefined one. Errors of
 *  shm_wait() besides: the team is then still there. */
SHM_MUST_CHECK enum shm_status shm_team_destroy(struct shm_team *team, const char *call);

/** Rank in `to` of the PE that has rank `rank` in `from`; -1 when there is none. */
int shm_team_translate(const struct shm_team *from, int rank, const struct shm_team *to);

/* ---- contexts ---- */

/** Options, as the faces have them. */
enum shm_context_option {
    SHM_CONTEXT_PRIVATE = 1 << 0,
    SHM_CONTEXT_SERIALIZED = 1 << 1,
    SHM_CONTEXT_NOSTORE = 1 << 2
};

/** PE numbers in its operations are ranks of its team. Memory is reached by load and store, so a
 *  context has no operations under way of its own: fence and quiet are those of the thread. */
struct shm_context {
    struct shm_handled handled;
    struct shm_instance *instance;
    int start, stride, size; /* of the team */
    uint64_t team;           /* its handle */
    long options;
    pthread_t owner; /* PRIVATE: the thread that may use it */
};

/** The context of a handle, NULL when there is none; the default one has no object. */
SHM_ALWAYS_INLINE struct shm_context *shm_context_find(const struct shm_instance *instance,
                                                       uint64_t handle)
{
    return (struct shm_context *)shm_handle_table_find(&instance->teams->contexts, handle);
}

/** Not collective. SHM_INVALID_VALUE for unknown options, SHM_MALLOC_FAILED. */
SHM_MUST_CHECK enum shm_status shm_context_create(struct shm_team *team, long options,
                                                  struct shm_context **out_context);

/** Completes its operations and releases it. */
void shm_context_destroy(struct shm_context *context);

#endif
