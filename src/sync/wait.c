/* SPDX-License-Identifier: BSD-3-Clause */
#include "deadlock_internal.h"
#include "patience_internal.h"

#include "base/clock.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/relax.h"
#include "sync/sync.h"

#include <sched.h>
#include <stdio.h>

/* A sleeper whose wake-up was missed looks again after this long; doubled up to the longest. Only
 * on crowded nodes do writers wake sleepers, so elsewhere the longest is short. */
#define SLEEP_SHORTEST_NS 100000u
#define SLEEP_LONGEST_ALONE_NS 500000u
#define SLEEP_LONGEST_CROWDED_NS 4000000u
/* A sleeper on a futex of the library cannot miss its wake-up. It wakes up once, to count as one
 * that dozes, and then only watches for failures, rarely, so that many of them do not disturb those
 * who work. */
#define DOZES_AFTER_NS 2000000u
#define SLEEP_WATCHING_NS 20000000u
#define SLEEP_DOZING_NS 160000000u

#define POLL_INTERVAL_NS 10000000u

void shm_wake_slow(struct shm_control *control)
{
    atomic_fetch_add_explicit(&control->wakes, 1, memory_order_release);
    shm_futex_wake(&control->wakes, INT32_MAX);
}

/* Byte by byte with atomic stores: threads of this PE may record their waits at once, and peers
 * read; a mix of two names is possible, which a report can live with. */
static void record_call(struct shm_activity *activity, const char *call)
{
    size_t i = 0;

    for (; i < SHM_ACTIVITY_NAME_BYTES - 1 && call[i] != '\0'; i++)
        __atomic_store_n(&activity->operation[i], call[i], __ATOMIC_RELAXED);
    __atomic_store_n(&activity->operation[i], '\0', __ATOMIC_RELAXED);
}

static void record_wait(struct shm_activity *activity, const struct shm_wait *wait, uint64_t now)
{
    atomic_store_explicit(&activity->peer, wait->peer, memory_order_relaxed);
    /* release: see look_around() in deadlock.c */
    atomic_store_explicit(&activity->sequence, wait->sequence, memory_order_release);
    atomic_store_explicit(&activity->since_ns, now, memory_order_relaxed);
    record_call(activity, wait->call);
    atomic_store_explicit(&activity->state, SHM_ACTIVITY_WAITING, memory_order_release);
}

/* What happened to the job, as an error of this wait. */
static enum shm_status check_job(struct shm_instance *instance)
{
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};
    enum shm_status status = shm_bootstrap_poll(instance->bootstrap, &event);

    if (status != SHM_OK)
        return status;
    if (event.kind == SHM_BOOTSTRAP_PE_FAILED)
        return shm_fail(SHM_PEER_LOST, "PE %d failed: it ended without calling finalize", event.pe);
    if (event.kind == SHM_BOOTSTRAP_ABORT)
        return shm_fail(SHM_ABORTED, "PE %d asked the job to exit with status %d", event.pe,
                        event.status);
    return SHM_OK;
}

struct missing {
    const struct shm_instance *instance;
    const struct shm_wait *wait;
};

static bool is_missing(const void *argument, int pe)
{
    const struct missing *missing = argument;
    const struct shm_group *group = missing->wait->group;
    const struct shm_control *control = shm_instance_control(missing->instance, pe);

    if (shm_group_rank(group, pe) < 0)
        return false;
    /* without a slot members leave no trace, and outside meetings others need not come */
    if (group->slot == SHM_SLOT_NONE || missing->wait->sequence == 0)
        return pe == missing->wait->peer;
    return atomic_load_explicit(&control->groups[group->slot].barrier.arrived,
                                memory_order_acquire) < missing->wait->sequence;
}

/* A PE that has entered finalize will not come to a barrier of the program any more. */
static bool has_left(const void *argument, int pe)
{
    const struct missing *missing = argument;
    const struct shm_control *control = shm_instance_control(missing->instance, pe);

    return atomic_load_explicit(&control->activity.state, memory_order_acquire) >=
               SHM_ACTIVITY_FINALIZING &&
           (missing->wait->group == NULL || is_missing(argument, pe));
}

static enum shm_status check_leavers(const struct shm_instance *instance,
                                     const struct shm_wait *wait)
{
    struct missing missing = {instance, wait};
    char pes[200] = "";
    int gone = 0;

    if (wait->group == &instance->life)
        return SHM_OK;
    if (wait->group == NULL && instance->has_threads)
        return SHM_OK; /* another thread of this PE may write the word */
    for (int pe = 0; pe < instance->reach.n_pes; pe++)
        gone += pe != instance->reach.my_pe && has_left(&missing, pe);
    if (gone == 0 || (wait->group == NULL && gone < instance->reach.n_pes - 1))
        return SHM_OK;
    shm_pe_list(pes, sizeof pes, instance->reach.n_pes, has_left, &missing);
    return shm_fail(SHM_MISMATCH, "waits for %s, which entered finalize", pes);
}

static enum shm_status limit_passed(const struct shm_instance *instance,
                                    const struct shm_wait *wait)
{
    char report[600];
    char pes[200] = "";
    char setting[48] = "";
    struct missing missing = {instance, wait};

    shm_activity_report(instance, report, sizeof report);
    if (wait->deadline_ns == 0)
        snprintf(setting, sizeof setting, " (SHMEM_WAIT_TIMEOUT = %g)",
                 instance->options.wait_timeout_s);
    if (wait->group == NULL)
        return shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed%s: %s", setting, report);
    shm_pe_list(pes, sizeof pes, instance->reach.n_pes, is_missing, &missing);
    return shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed%s; missing: %s; %s", setting, pes,
                    report);
}

/* In init and finalize the record does not say that a PE waits, but its arrival does. */
static bool waits_too(const struct shm_instance *instance, const struct shm_wait *wait, int pe)
{
    const struct shm_control *control = shm_instance_control(instance, pe);

    if (wait->group == &instance->life)
        return atomic_load_explicit(&control->groups[wait->group->slot].barrier.arrived,
                                    memory_order_relaxed) >= wait->sequence;
    return atomic_load_explicit(&control->activity.state, memory_order_relaxed) ==
           SHM_ACTIVITY_WAITING;
}

/* One PE tells about a long wait for all: the first that waits. */
static bool is_first_waiter(const struct shm_instance *instance, const struct shm_wait *wait)
{
    for (int pe = 0; pe < instance->reach.my_pe; pe++) {
        if (waits_too(instance, wait, pe))
            return false;
    }
    return true;
}

static void tell_about(const struct shm_instance *instance, const struct shm_wait *wait)
{
    char report[600];

    if (!is_first_waiter(instance, wait))
        return;
    shm_activity_report(instance, report, sizeof report);
    shm_log_report(SHM_LOG_WARN, SHM_LOG_PLACE, "wait", "%s has not returned for %g s: %s",
                   wait->call, instance->options.hang_report_s, report);
}

/* A wait that has begun to sleep. */
struct sleep_state {
    uint64_t began_ns, now_ns, polled_ns, limit_ns, nap_ns; /* now: behind the last nap */
    struct shm_deadlock_look look;
    struct shm_doze doze;
    bool is_reported;
};

/* Looks around now and then: failed PEs, mismatches, limits; tells once about a long wait. */
static enum shm_status watch(struct shm_instance *instance, const struct shm_wait *wait,
                             struct sleep_state *state)
{
    uint64_t now = state->now_ns;
    double report_s = instance->options.hang_report_s;
    enum shm_status status;

    if (now - state->polled_ns < POLL_INTERVAL_NS)
        return SHM_OK;
    state->polled_ns = now;
    status = check_job(instance);
    if (status == SHM_OK)
        status = check_leavers(instance, wait);
    if (status == SHM_OK && wait->group != NULL && wait->group != &instance->life)
        status = shm_deadlock_check(instance, &state->look, now);
    if (status == SHM_OK && state->limit_ns != 0 && now >= state->limit_ns)
        status = limit_passed(instance, wait);
    if (status != SHM_OK)
        return status;
    if (!state->is_reported && report_s > 0 && (double)(now - state->began_ns) > report_s * 1e9) {
        state->is_reported = true;
        tell_about(instance, wait);
    }
    return SHM_OK;
}

/* The library's own futex: whoever changes it wakes its sleepers. No wake-up can be missed, on
 * x86-TSO and Arm alike: the kernel has a full barrier between adding a sleeper and comparing the
 * word, and one between the call to wake and looking for sleepers. */
static void nap_on_futex(const struct shm_wait *wait, uint64_t nap_ns)
{
    uint32_t seen = atomic_load_explicit(wait->futex, memory_order_acquire);

    if (!wait->is_over(wait))
        shm_futex_wait_bits(wait->futex, seen, wait->futex_bits, nap_ns);
}

/* Many PEs that wait for each other in init and finalize would keep each other from it. The limit
 * of the wait is looked at between naps, so the last ones before it are short. */
static uint64_t watching_nap(const struct shm_instance *instance, const struct shm_wait *wait,
                             const struct sleep_state *state)
{
    bool is_life = wait->group == &instance->life;

    if (!is_life && state->now_ns - state->began_ns < DOZES_AFTER_NS)
        return DOZES_AFTER_NS;
    if (!is_life && !state->doze.is_counted)
        return SLEEP_WATCHING_NS;
    if (state->limit_ns != 0 && state->limit_ns < state->polled_ns + SLEEP_DOZING_NS)
        return SLEEP_WATCHING_NS;
    return SLEEP_DOZING_NS;
}

/* A word that anybody may write, who looks for sleepers afterwards if the node is crowded. */
static void nap_announced(struct shm_instance *instance, const struct shm_wait *wait,
                          struct sleep_state *state)
{
    struct shm_control *control = instance->control;
    uint64_t longest_ns =
        instance->reach.is_crowded ? SLEEP_LONGEST_CROWDED_NS : SLEEP_LONGEST_ALONE_NS;
    uint32_t seen = atomic_load_explicit(&control->wakes, memory_order_acquire);

    /* pairs with the load in shm_wake(): either the writer sees the sleeper or the check below
     * sees the store; a plain store that is still on its way costs one nap. The fence, as on Arm
     * the loads of the check could overtake the addition, which x86-TSO does not let happen. */
    atomic_fetch_add_explicit(&control->sleepers, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (!wait->is_over(wait))
        shm_futex_wait(&control->wakes, seen, state->nap_ns);
    atomic_fetch_sub_explicit(&control->sleepers, 1, memory_order_relaxed);
    state->nap_ns = state->nap_ns * 2 < longest_ns ? state->nap_ns * 2 : longest_ns;
}

/* `patience` was had before. */
static enum shm_status sleep_until_over(struct shm_instance *instance, const struct shm_wait *wait,
                                        const struct shm_patience *patience)
{
    struct sleep_state state = {.began_ns = shm_now_ns(), .nap_ns = SLEEP_SHORTEST_NS};
    double limit_s = instance->options.wait_timeout_s;
    enum shm_status status = SHM_OK;

    state.polled_ns = state.now_ns = state.began_ns;
    state.limit_ns = wait->deadline_ns;
    if (state.limit_ns == 0 && limit_s > 0)
        state.limit_ns = state.began_ns + (uint64_t)(limit_s * 1e9);
    if (wait->group != &instance->life) {
        shm_deadlock_show(instance, wait);
        record_wait(&instance->control->activity, wait, state.began_ns);
    }
    while (status == SHM_OK && !wait->is_over(wait)) {
        if (wait->futex != NULL)
            nap_on_futex(wait, watching_nap(instance, wait, &state));
        else
            nap_announced(instance, wait, &state);
        state.now_ns = shm_now_ns();
        status = watch(instance, wait, &state);
        /* who ended it may have failed or left since, or the limit passed: for the next wait */
        if (status != SHM_OK && wait->is_over(wait))
            status = SHM_OK;
        if (!state.doze.is_counted && state.now_ns - state.began_ns >= DOZES_AFTER_NS)
            state.doze = shm_doze_begin(instance);
    }
    shm_doze_end(instance, state.doze);
    /* after the other errors there is no way on: the record still tells where this PE stood */
    if (wait->group != &instance->life && (status == SHM_OK || status == SHM_MISMATCH))
        shm_activity_set(instance, SHM_ACTIVITY_RUNNING);
    if (status != SHM_OK)
        atomic_store(&instance->is_out_of_step, true);
    if (wait->futex == NULL)
        shm_patience_learn(instance, patience, shm_now_ns() - state.began_ns);
    return status;
}

static bool is_over_while_spinning(struct shm_instance *instance, const struct shm_wait *wait,
                                   const struct shm_patience *patience)
{
    for (int i = 0; i < patience->spins; i++) {
        if (wait->is_over(wait)) {
            shm_patience_end_turns(instance);
            return true;
        }
        shm_relax();
    }
    return false;
}

static bool is_over_while_yielding(struct shm_instance *instance, const struct shm_wait *wait,
                                   const struct shm_patience *patience)
{
    for (int i = 0; i < patience->yields; i++) {
        if (!wait->is_over(wait)) {
            sched_yield();
            continue;
        }
        if (i == 1)
            shm_patience_count_turn(instance, patience);
        else
            shm_patience_end_turns(instance);
        return true;
    }
    return false;
}

enum shm_status shm_wait(struct shm_instance *instance, const struct shm_wait *wait)
{
    struct shm_patience patience = shm_patience_for(instance, wait);

    if (is_over_while_spinning(instance, wait, &patience) ||
        is_over_while_yielding(instance, wait, &patience))
        return SHM_OK;
    return sleep_until_over(instance, wait, &patience);
}

void shm_wait_for_thread(struct shm_instance *instance, const struct shm_wait *wait)
{
    struct shm_patience patience = shm_patience_for(instance, wait);

    if (is_over_while_spinning(instance, wait, &patience) ||
        is_over_while_yielding(instance, wait, &patience))
        return;
    while (!wait->is_over(wait))
        nap_on_futex(wait, SLEEP_WATCHING_NS);
}
