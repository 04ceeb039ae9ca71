/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two barriers over the same lines. Where each PE has a processor: dissemination, in which a PE
 * signals one other per round. On a crowded node: a counter, where the last one to arrive wakes
 * all sleepers at once, so that each PE runs once per barrier.
 */
#include "base/futex.h"
#include "sync/sync.h"

struct arrival {
    const _Atomic uint64_t *word;
    uint64_t sequence;
};

static bool has_signal(const struct shm_wait *wait)
{
    const struct arrival *arrival = wait->argument;

    /* pairs with the release store of the signalling PE in disseminate() */
    return atomic_load_explicit(arrival->word, memory_order_acquire) >= arrival->sequence;
}

static enum shm_status disseminate(struct shm_instance *instance, struct shm_wait *wait)
{
    int me = instance->reach.my_pe;
    int n_pes = instance->reach.n_pes;
    int round = 0;

    for (int distance = 1; distance < n_pes; distance *= 2, round++) {
        int to = (me + distance) % n_pes;
        struct shm_control *target = shm_instance_control(instance, to);
        struct arrival arrival = {&instance->control->barriers[wait->slot].rounds[round].sequence,
                                  wait->sequence};
        enum shm_status status;

        atomic_store_explicit(&target->barriers[wait->slot].rounds[round].sequence, wait->sequence,
                              memory_order_release);
        if (atomic_load_explicit(&target->sleepers, memory_order_relaxed) != 0)
            shm_wake_slow(target);
        wait->argument = &arrival;
        wait->is_over = has_signal;
        wait->peer = (me - distance + n_pes) % n_pes;
        status = shm_wait(instance, wait);
        if (status != SHM_OK)
            return status;
    }
    return SHM_OK;
}

struct release {
    const _Atomic uint32_t *word;
    uint32_t sequence;
};

static bool is_released(const struct shm_wait *wait)
{
    const struct release *release = wait->argument;

    /* pairs with the release store of the last arriver in count_in() */
    return (int32_t)(atomic_load_explicit(release->word, memory_order_acquire) -
                     release->sequence) >= 0;
}

static enum shm_status count_in(struct shm_instance *instance, struct shm_wait *wait)
{
    struct shm_barrier_lines *lines = &shm_instance_control(instance, 0)->barriers[wait->slot];
    uint64_t all = wait->sequence * (uint64_t)instance->reach.n_pes;
    struct release release = {&lines->released, (uint32_t)wait->sequence};

    if (atomic_fetch_add_explicit(&lines->arrivals, 1, memory_order_acq_rel) + 1 == all) {
        atomic_store_explicit(&lines->released, release.sequence, memory_order_release);
        shm_futex_wake(&lines->released, INT32_MAX);
        return SHM_OK;
    }
    wait->argument = &release;
    wait->is_over = is_released;
    wait->futex = &lines->released;
    wait->peer = -1;
    return shm_wait(instance, wait);
}

enum shm_status shm_barrier_until(struct shm_instance *instance, enum shm_barrier_slot slot,
                                  const char *call, uint64_t deadline_ns)
{
    struct shm_wait wait = {.call = call,
                            .sequence = ++instance->barrier_sequence[slot],
                            .slot = (int)slot,
                            .deadline_ns = deadline_ns};

    if (instance->reach.n_pes == 1)
        return SHM_OK;
    shm_quiet();
    atomic_store_explicit(&instance->control->barriers[slot].arrived, wait.sequence,
                          memory_order_release);
    if (instance->reach.is_crowded)
        return count_in(instance, &wait);
    return disseminate(instance, &wait);
}

enum shm_status shm_barrier(struct shm_instance *instance, enum shm_barrier_slot slot,
                            const char *call)
{
    return shm_barrier_until(instance, slot, call, 0);
}
