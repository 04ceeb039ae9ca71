/* SPDX-License-Identifier: BSD-3-Clause */
#include "patience_internal.h"

#include "base/clock.h"
#include "base/processors.h"

/* Spinning pays while the other side runs on another processor and is close to done: some 20 us,
 * then as long again giving way to whoever else wants the processor. On a crowded node the other
 * side is not running, so the processor is given away at once. */
#define SPINS_ALONE 500
#define YIELDS_ALONE 1000
#define SPINS_CROWDED 20
#define YIELDS_CROWDED 4

/* On a crowded node two PEs that answer each other while the rest has just gone to sleep would do
 * better to spin: going to sleep and waking up takes longer than the answer. After some short
 * sleeps in a row a wait for a word spins longer, once; if that was in vain, sleeps are counted
 * anew. */
#define SPINS_HOPEFUL 400
#define SLEEPS_TO_HOPE 4
#define SLEEP_SHORT_NS 60000u

/* Where two PEs share a processor, waits end when one gives way to the other. The PEs wait for
 * different numbers of such turns, so that not both leave. */
#define TURNS_TO_LEAVE 8
#define LEAVES_NOT_BEFORE_NS 10000000u

/* In the area of the node's first PE; a count in the lower half, and how often it was set to zero
 * in the upper one. It decides how long a wait spins and nothing else, so an old value does no harm
 * and relaxed accesses will do on every processor. */
static _Atomic uint64_t *dozing_of(const struct shm_instance *instance)
{
    return &shm_instance_control(instance, instance->node_pes[0])->dozing;
}

/* A node whose PEs sleep but for a few is not crowded as long as that lasts. */
static bool is_crowded_now(const struct shm_instance *instance)
{
    uint32_t dozing;

    if (!instance->reach.is_crowded)
        return false;
    if (instance->options.waiting != SHM_WAITING_AUTO || instance->processors == 0)
        return true;
    dozing = (uint32_t)atomic_load_explicit(dozing_of(instance), memory_order_relaxed);
    return instance->node_count - (int)dozing > instance->processors;
}

struct shm_patience shm_patience_for(const struct shm_instance *instance,
                                     const struct shm_wait *wait)
{
    if (!is_crowded_now(instance))
        return (struct shm_patience){SPINS_ALONE, YIELDS_ALONE, .is_roomy = true};
    if (wait->group == &instance->life)
        return (struct shm_patience){.spins = SPINS_CROWDED}; /* others take longer than a turn */
    if (wait->futex == NULL &&
        atomic_load_explicit(&instance->short_sleeps, memory_order_relaxed) >= SLEEPS_TO_HOPE)
        return (struct shm_patience){SPINS_HOPEFUL, YIELDS_CROWDED, .is_hopeful = true};
    return (struct shm_patience){.spins = SPINS_CROWDED, .yields = YIELDS_CROWDED};
}

/* Relaxed: a hint, about this PE's own past. */
void shm_patience_learn(struct shm_instance *instance, const struct shm_patience *patience,
                        uint64_t slept_ns)
{
    bool is_short = !patience->is_hopeful && slept_ns < SLEEP_SHORT_NS;

    atomic_store_explicit(
        &instance->short_sleeps,
        is_short ? atomic_load_explicit(&instance->short_sleeps, memory_order_relaxed) + 1 : 0,
        memory_order_relaxed);
}

static void leave_processor(struct shm_instance *instance)
{
    uint64_t now = shm_now_ns();

    if (now - atomic_load_explicit(&instance->left_ns, memory_order_relaxed) < LEAVES_NOT_BEFORE_NS)
        return;
    atomic_store_explicit(&instance->left_ns, now, memory_order_relaxed);
    (void)shm_processors_leave(); /* where it may not, it stays */
}

void shm_patience_count_turn(struct shm_instance *instance, const struct shm_patience *patience)
{
    uint32_t most = TURNS_TO_LEAVE * (1 + (uint32_t)instance->reach.my_pe % 8);
    uint32_t turns = atomic_load_explicit(&instance->turns, memory_order_relaxed) + 1;

    if (!patience->is_roomy || instance->processors < 2)
        return;
    if (turns >= most) {
        turns = 0;
        leave_processor(instance);
    }
    atomic_store_explicit(&instance->turns, turns, memory_order_relaxed);
}

/* A PE with threads may compute in one while it sleeps in another. */
struct shm_doze shm_doze_begin(const struct shm_instance *instance)
{
    uint64_t before;

    if (instance->has_threads || !instance->reach.is_crowded || instance->processors == 0)
        return (struct shm_doze){0};
    before = atomic_fetch_add_explicit(dozing_of(instance), 1, memory_order_relaxed);
    return (struct shm_doze){true, (uint32_t)(before >> 32)};
}

void shm_doze_end(const struct shm_instance *instance, struct shm_doze doze)
{
    _Atomic uint64_t *dozing;
    uint64_t seen;

    if (!doze.is_counted)
        return;
    dozing = dozing_of(instance);
    seen = atomic_load_explicit(dozing, memory_order_relaxed);
    while ((uint32_t)(seen >> 32) == doze.generation &&
           !atomic_compare_exchange_weak_explicit(dozing, &seen, seen - 1, memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
}

void shm_doze_end_all(const struct shm_instance *instance)
{
    _Atomic uint64_t *dozing = dozing_of(instance);
    uint64_t seen = atomic_load_explicit(dozing, memory_order_relaxed);

    while ((uint32_t)seen != 0 &&
           !atomic_compare_exchange_weak_explicit(dozing, &seen, ((seen >> 32) + 1) << 32,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}
