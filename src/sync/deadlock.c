/* SPDX-License-Identifier: BSD-3-Clause */
#include "deadlock_internal.h"

#include "base/hash.h"

/* What is read of several PEs one after the other is no single moment. A state that was the same
 * twice has lasted from the last read of the first look to the first read of the second. */
#define LOOK_INTERVAL_NS 1000000000u

void shm_deadlock_show(struct shm_instance *instance, const struct shm_wait *wait)
{
    struct shm_meeting *meeting = &instance->control->meeting;
    const struct shm_group *group = wait->group;
    int slot = group == NULL || instance->has_threads ? SHM_SLOT_NONE : group->slot;

    if (!instance->reach.is_debugging)
        return;
    /* releases: see look_around() */
    atomic_store_explicit(&meeting->slot, slot, memory_order_release);
    if (slot == SHM_SLOT_NONE)
        return;
    atomic_store_explicit(&meeting->start, group->start, memory_order_release);
    atomic_store_explicit(&meeting->stride, group->stride, memory_order_release);
    atomic_store_explicit(&meeting->size, group->size, memory_order_release);
}

static bool has_come(const struct shm_instance *instance, int pe, int slot, uint64_t sequence)
{
    const struct shm_barrier_lines *lines =
        &shm_instance_control(instance, pe)->groups[slot].barrier;

    /* pairs with the release store in shm_barrier_until() */
    return atomic_load_explicit(&lines->arrived, memory_order_acquire) >= sequence;
}

/* True when a PE waits for one that has not come. */
static bool is_stuck(const struct shm_instance *instance, int pe)
{
    const struct shm_control *control = shm_instance_control(instance, pe);
    const struct shm_meeting *meeting = &control->meeting;
    uint64_t sequence;
    struct shm_group group;

    /* pairs with the release store in record_wait(): what it tells comes first */
    if (atomic_load_explicit(&control->activity.state, memory_order_acquire) !=
        SHM_ACTIVITY_WAITING)
        return false;
    sequence = atomic_load_explicit(&control->activity.sequence, memory_order_acquire);
    group.slot = atomic_load_explicit(&meeting->slot, memory_order_acquire);
    group.start = atomic_load_explicit(&meeting->start, memory_order_acquire);
    group.stride = atomic_load_explicit(&meeting->stride, memory_order_acquire);
    group.size = atomic_load_explicit(&meeting->size, memory_order_acquire);
    for (int rank = 0; group.slot != SHM_SLOT_NONE && rank < group.size; rank++) {
        int member = shm_group_pe(&group, rank);

        if (shm_instance_has_pe(instance, member) &&
            !has_come(instance, member, group.slot, sequence))
            return true;
    }
    return false;
}

/* A number for the waits of all PEs, which no later waits have again; 0 when somebody can go on.
 * The time at which a wait began is read last: a PE sets it anew when its wait ends, before it
 * shows anything of the next one, and releases and acquires keep both in that order on Arm, too. So
 * whoever was judged by what a later wait shows has another time in the next look. */
static uint64_t look_around(const struct shm_instance *instance)
{
    uint64_t digest = SHM_HASH_START;

    for (int pe = 0; pe < instance->reach.n_pes; pe++) {
        const struct shm_activity *activity = &shm_instance_control(instance, pe)->activity;
        uint64_t since_ns;

        if (!is_stuck(instance, pe))
            return 0;
        since_ns = atomic_load_explicit(&activity->since_ns, memory_order_relaxed);
        digest = shm_hash_add(digest, &since_ns, sizeof since_ns);
    }
    return digest;
}

enum shm_status shm_deadlock_check(const struct shm_instance *instance,
                                   struct shm_deadlock_look *look, uint64_t now_ns)
{
    uint64_t before = look->digest;
    char report[600];

    if (!instance->reach.is_debugging || now_ns - look->looked_ns < LOOK_INTERVAL_NS)
        return SHM_OK;
    look->looked_ns = now_ns;
    look->digest = look_around(instance);
    if (look->digest == 0 || look->digest != before)
        return SHM_OK;
    shm_activity_report(instance, report, sizeof report);
    return shm_fail(SHM_MISMATCH, "no PE can go on, their calls do not match: %s", report);
}
