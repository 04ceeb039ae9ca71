/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two barriers over the same lines. Where each PE has a processor: dissemination, in which a PE
 * signals one other per round. On a crowded node: a counter, where the last one to arrive wakes
 * all sleepers at once, so that each PE runs once per barrier. A group without a slot disseminates
 * over its words, with counts that are taken back, so that the words are zero again afterwards.
 *
 * Order: every signal is a release by who has seen all earlier ones by acquires, so what any member
 * did before comes before what any member does behind it. On x86-TSO these are plain stores and
 * loads, on Arm STLR and LDAR, which are cumulative. A member that left cannot overtake: sequences
 * only grow, and the next signal to a place comes from the same PE.
 */
#include "patience_internal.h"

#include "base/futex.h"
#include "sync/sync.h"

static struct shm_barrier_lines *lines_of(const struct shm_instance *instance,
                                          const struct shm_group *group, int pe)
{
    return &shm_instance_control(instance, pe)->groups[group->slot].barrier;
}

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
    const struct shm_group *group = wait->group;
    struct shm_barrier_lines *mine = lines_of(instance, group, instance->reach.my_pe);
    int round = 0;

    for (int distance = 1; distance < group->size; distance *= 2, round++) {
        int to = shm_group_pe(group, (group->rank + distance) % group->size);
        struct shm_control *target = shm_instance_control(instance, to);
        struct arrival arrival = {&mine->rounds[round].sequence, wait->sequence};
        enum shm_status status;

        atomic_store_explicit(&lines_of(instance, group, to)->rounds[round].sequence,
                              wait->sequence, memory_order_release);
        /* may overtake the store, on both machines: then the sleeper's nap ends by its time */
        if (atomic_load_explicit(&target->sleepers, memory_order_relaxed) != 0)
            shm_wake_slow(target);
        wait->argument = &arrival;
        wait->is_over = has_signal;
        wait->peer = shm_group_pe(group, (group->rank - distance + group->size) % group->size);
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
    const struct shm_group *group = wait->group;
    struct shm_barrier_lines *lines = lines_of(instance, group, group->start);
    struct release release = {&lines->released, (uint32_t)wait->sequence};

    /* the additions are one release sequence, so the last one acquires from all of them: locked
     * instructions on x86-TSO, LDADDAL or LDAXR and STLXR on Arm */
    if (atomic_fetch_add_explicit(&lines->arrivals, 1, memory_order_acq_rel) + 1 ==
        (uint32_t)group->size) {
        /* nobody arrives at the next barrier before it is released from this one */
        atomic_store_explicit(&lines->arrivals, 0, memory_order_relaxed);
        atomic_store_explicit(&lines->released, release.sequence, memory_order_release);
        if (group->size == instance->node_count)
            shm_doze_end_all(instance);
        shm_futex_wake(&lines->released, INT32_MAX);
        return SHM_OK;
    }
    wait->argument = &release;
    wait->is_over = is_released;
    wait->futex = &lines->released;
    wait->peer = -1;
    return shm_wait(instance, wait);
}

static bool has_count(const struct shm_wait *wait)
{
    /* pairs with the release addition of the signalling PE in disseminate_counts() */
    return __atomic_load_n((const long *)wait->argument, __ATOMIC_ACQUIRE) > 0;
}

/* A PE that is one barrier ahead may have added 1 already: counts, not flags. */
static enum shm_status disseminate_counts(struct shm_instance *instance, struct shm_wait *wait)
{
    const struct shm_group *group = wait->group;
    long *word = group->words;

    for (int distance = 1; distance < group->size; distance *= 2, word++) {
        int to = shm_group_pe(group, (group->rank + distance) % group->size);
        long *remote = shm_reach_remote(&instance->reach, word, sizeof *word, to);
        enum shm_status status;

        __atomic_fetch_add(remote, 1, __ATOMIC_RELEASE);
        shm_wake(instance, to);
        wait->argument = word;
        wait->is_over = has_count;
        wait->peer = shm_group_pe(group, (group->rank - distance + group->size) % group->size);
        status = shm_wait(instance, wait);
        if (status != SHM_OK)
            return status;
        __atomic_fetch_sub(word, 1, __ATOMIC_RELAXED);
    }
    return SHM_OK;
}

enum shm_status shm_barrier_until(struct shm_instance *instance, struct shm_group *group,
                                  const char *call, uint64_t deadline_ns)
{
    struct shm_wait wait = {.call = call,
                            .sequence = shm_group_next_meeting(group),
                            .group = group,
                            .deadline_ns = deadline_ns};

    shm_quiet(instance); /* alone, too: it may have stored to PEs outside the group */
    if (group->size == 1)
        return SHM_OK;
    if (group->slot == SHM_SLOT_NONE)
        return disseminate_counts(instance, &wait);
    atomic_store_explicit(&lines_of(instance, group, instance->reach.my_pe)->arrived, wait.sequence,
                          memory_order_release);
    if (instance->reach.is_crowded)
        return count_in(instance, &wait);
    return disseminate(instance, &wait);
}

enum shm_status shm_barrier(struct shm_instance *instance, struct shm_group *group,
                            const char *call)
{
    return shm_barrier_until(instance, group, call, 0);
}
