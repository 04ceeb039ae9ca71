/* SPDX-License-Identifier: BSD-3-Clause */
/** How long a wait spins and yields before it sleeps. */
#ifndef SHM_SYNC_PATIENCE_INTERNAL_H
#define SHM_SYNC_PATIENCE_INTERNAL_H

#include "sync/sync.h"

struct shm_patience {
    int spins;       /* first: looks at once */
    int yields;      /* then: looks after the processor was given away */
    bool is_roomy;   /* there are processors for all PEs that are awake */
    bool is_hopeful; /* more of them than the crowd would justify: earlier waits were short */
};

/** For a wait that begins now. */
struct shm_patience shm_patience_for(const struct shm_instance *instance,
                                     const struct shm_wait *wait);

/** Notes how a wait for a word went that was not over before it slept. */
void shm_patience_learn(struct shm_instance *instance, const struct shm_patience *patience,
                        uint64_t slept_ns);

/** Notes that a wait was over when the processor was first given away. After many such turns in a
 *  row this PE shares a processor with who it waits for, though there are others, and goes to
 *  another one: the kernel may take a second to notice. */
void shm_patience_count_turn(struct shm_instance *instance, const struct shm_patience *patience);

/** Notes that a wait was over otherwise. Relaxed: a hint, about this PE's own past. */
static inline void shm_patience_end_turns(struct shm_instance *instance)
{
    if (__builtin_expect(atomic_load_explicit(&instance->turns, memory_order_relaxed) != 0, 0))
        atomic_store_explicit(&instance->turns, 0, memory_order_relaxed);
}

/** That a PE sleeps for long and wants no processor. */
struct shm_doze {
    bool is_counted;
    uint32_t generation;
};

/** Counts this PE among those that doze until its wait is over; not where another thread of it may
 *  be awake. */
struct shm_doze shm_doze_begin(const struct shm_instance *instance);
void shm_doze_end(const struct shm_instance *instance, struct shm_doze doze);

/** All PEs of the node are going to be woken, and want a processor from now on. */
void shm_doze_end_all(const struct shm_instance *instance);

#endif
