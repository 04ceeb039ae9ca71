/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that do not match, with PEs that show what they would if they were waiting. */
#include "sync/deadlock_internal.h"

#include "../thread_job.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

#define PES 3
#define SECOND 1000000000ull

static struct thread_job job;

static int start(void **state)
{
    struct thread_job_request request = {.n_pes = PES, .heap_bytes = 4096, .has_debug = true};

    (void)state;
    thread_job_start(&job, &request);
    for (int pe = 0; pe < PES; pe++)
        shm_activity_set(job.pes[pe], SHM_ACTIVITY_RUNNING);
    return 0;
}

static int end(void **state)
{
    (void)state;
    thread_job_end(&job);
    return 0;
}

/* Has PE `pe` wait in its next barrier of the group, or for a word where there is no group. */
static void wait_in(int pe, struct shm_group *group, const char *call)
{
    struct shm_wait wait = {.call = call, .group = group, .peer = -1};
    struct shm_control *control = job.pes[pe]->control;

    if (group != NULL) {
        wait.sequence = ++group->sequence;
        atomic_store(&control->groups[group->slot].barrier.arrived, wait.sequence);
    }
    shm_deadlock_show(job.pes[pe], &wait);
    shm_activity_set(job.pes[pe], SHM_ACTIVITY_WAITING);
    atomic_store(&control->activity.sequence, wait.sequence);
    strcpy(control->activity.operation, call);
}

static void wait_in_world(int pe)
{
    wait_in(pe, &job.pes[pe]->world, "barrier_all");
}

static void wait_in_memory(int pe)
{
    wait_in(pe, &job.pes[pe]->memory, "malloc");
}

/* Two looks of every PE, a second apart. */
static void expect_nothing(void)
{
    for (int pe = 0; pe < PES; pe++) {
        struct shm_deadlock_look look = {0};

        assert_int_equal(shm_deadlock_check(job.pes[pe], &look, 10 * SECOND), SHM_OK);
        assert_int_equal(shm_deadlock_check(job.pes[pe], &look, 11 * SECOND), SHM_OK);
        assert_int_equal(look.digest, 0);
    }
}

static void expect_deadlock(const char *report)
{
    for (int pe = 0; pe < PES; pe++) {
        struct shm_deadlock_look look = {0};

        assert_int_equal(shm_deadlock_check(job.pes[pe], &look, 10 * SECOND), SHM_OK);
        assert_int_equal(shm_deadlock_check(job.pes[pe], &look, 11 * SECOND), SHM_MISMATCH);
        assert_string_equal(shm_error_detail(), report);
    }
}

static void test_different_calls(void **state)
{
    (void)state;
    wait_in_world(0);
    wait_in_memory(1);
    wait_in_world(2);
    expect_deadlock("no PE can go on, their calls do not match: PEs 0, 2 waiting in barrier_all "
                    "(number 1); PE 1 waiting in malloc (number 1)");
}

/* Each waits for the next one in a team of its own; calls and numbers are all the same. */
static void test_circle_of_teams(void **state)
{
    struct shm_group groups[PES];

    (void)state;
    for (int pe = 0; pe < PES; pe++) {
        int next = (pe + 1) % PES;

        groups[pe] = (struct shm_group){
            .start = pe, .stride = next - pe, .size = 2, .slot = SHM_SLOT_FIRST_FREE + pe};
        wait_in(pe, &groups[pe], "team_sync");
    }
    expect_deadlock("no PE can go on, their calls do not match: PEs 0-2 waiting in team_sync "
                    "(number 1)");
}

/* PE 0 has not noticed yet that all have come to its barrier. */
static void test_a_late_riser(void **state)
{
    (void)state;
    for (int pe = 0; pe < PES; pe++)
        wait_in_world(pe);
    expect_nothing();
    wait_in_world(1);
    wait_in_memory(2);
    expect_nothing();
    wait_in_memory(0);
    expect_deadlock("no PE can go on, their calls do not match: PEs 0, 2 waiting in malloc (number "
                    "1); PE 1 waiting in barrier_all (number 2)");
}

/* All wait, but one of them not in a collective, or with threads, which may help the others. */
static void test_others_may_help(void **state)
{
    (void)state;
    wait_in_world(0);
    wait_in_memory(1);
    expect_nothing(); /* PE 2 runs */
    wait_in(2, NULL, "wait_until");
    expect_nothing();
    job.pes[2]->has_threads = true;
    wait_in_world(2);
    expect_nothing();
    shm_activity_set(job.pes[2], SHM_ACTIVITY_FINALIZING);
    expect_nothing();
}

static void test_two_looks_must_agree(void **state)
{
    struct shm_deadlock_look look = {0};
    const struct shm_instance *pe = job.pes[0];

    (void)state;
    wait_in_world(0);
    wait_in_memory(1);
    wait_in_memory(2);
    assert_int_equal(shm_deadlock_check(pe, &look, 5 * SECOND), SHM_OK);
    assert_int_equal(shm_deadlock_check(pe, &look, 6 * SECOND - 1), SHM_OK); /* too early */
    wait_in_memory(2); /* as a PE does that was somewhere else meanwhile */
    assert_int_equal(shm_deadlock_check(pe, &look, 6 * SECOND), SHM_OK);
    assert_int_equal(shm_deadlock_check(pe, &look, 7 * SECOND), SHM_MISMATCH);
}

static void test_only_under_debug(void **state)
{
    (void)state;
    for (int pe = 0; pe < PES; pe++)
        job.pes[pe]->reach.is_debugging = false;
    wait_in_world(0);
    wait_in_memory(1);
    wait_in_memory(2);
    expect_nothing();
}

static void test_a_barrier_ends_with_it(void **state)
{
    (void)state;
    wait_in_memory(0);
    wait_in_memory(2);
    assert_int_equal(shm_barrier(job.pes[1], &job.pes[1]->world, "barrier_all"), SHM_MISMATCH);
    assert_string_equal(shm_error_detail(),
                        "no PE can go on, their calls do not match: PEs 0, 2 waiting in malloc "
                        "(number 1); PE 1 waiting in barrier_all (number 1)");
}

#define WITH_JOB(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_JOB(test_different_calls),        WITH_JOB(test_circle_of_teams),
        WITH_JOB(test_a_late_riser),           WITH_JOB(test_others_may_help),
        WITH_JOB(test_two_looks_must_agree),   WITH_JOB(test_only_under_debug),
        WITH_JOB(test_a_barrier_ends_with_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
