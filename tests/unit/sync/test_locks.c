/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync/sync.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "../pe_threads.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 400

/* Lock number `number` of a PE's heap or of its static data, by the PE's own address. */
static long *heap_lock(const struct pe_job *job, int pe, int number)
{
    return (long *)heap_words(job, pe) + number;
}

static long *static_lock(int pe, int number)
{
    return (long *)(void *)static_data[pe] + number;
}

/* What a PE's copy of a lock holds. */
static uint64_t copy_of(const struct pe_job *job, const long *lock_of_pe_0, int pe)
{
    const long *copy = shm_reach_remote(&job->pes[0]->reach, lock_of_pe_0, sizeof(long), pe);

    return (uint64_t)__atomic_load_n(copy, __ATOMIC_RELAXED);
}

static void preset(const struct pe_job *job, long *lock_of_pe_0, int home, uint64_t value)
{
    long *copy = shm_reach_remote(&job->pes[0]->reach, lock_of_pe_0, sizeof(long), home);

    __atomic_store_n(copy, (long)value, __ATOMIC_RELAXED);
}

/* All PEs mean the same copy, though their addresses differ, and each PE is home to some locks. */
static void test_homes(void **state)
{
    struct pe_job job;

    (void)state;
    start_job(&job, true);
    for (int number = 0; number < 3 * PES; number++) {
        for (int pe = 0; pe < PES; pe++) {
            long *locks[2] = {heap_lock(&job, pe, number), static_lock(pe, number)};
            long *seen_by_0[2] = {heap_lock(&job, 0, number), static_lock(0, number)};

            for (int i = 0; i < 2; i++) {
                assert_int_equal(shm_lock_set(job.pes[pe], locks[i], "set"), SHM_OK);
                for (int home = 0; home < PES; home++)
                    assert_int_equal(copy_of(&job, seen_by_0[i], home),
                                     home == number % PES ? (pe + 1ull) << 32 | (uint64_t)pe : 0);
                assert_int_equal(shm_lock_clear(job.pes[pe], locks[i]), SHM_OK);
            }
        }
    }
    end_job(&job);
}

static void test_try(void **state)
{
    struct pe_job job;

    (void)state;
    start_job(&job, true);
    for (int i = 0; i < 3; i++) {
        assert_true(shm_lock_try(job.pes[1], heap_lock(&job, 1, 2)));
        assert_false(shm_lock_try(job.pes[1], heap_lock(&job, 1, 2)));
        assert_false(shm_lock_try(job.pes[3], heap_lock(&job, 3, 2)));
        assert_true(shm_lock_try(job.pes[3], heap_lock(&job, 3, 3))); /* another lock */
        assert_int_equal(shm_lock_clear(job.pes[1], heap_lock(&job, 1, 2)), SHM_OK);
        assert_int_equal(shm_lock_set(job.pes[3], heap_lock(&job, 3, 2), "set"), SHM_OK);
        assert_false(shm_lock_try(job.pes[1], heap_lock(&job, 1, 2)));
        assert_int_equal(shm_lock_clear(job.pes[3], heap_lock(&job, 3, 2)), SHM_OK);
        assert_int_equal(shm_lock_clear(job.pes[3], heap_lock(&job, 3, 3)), SHM_OK);
    }
    end_job(&job);
}

static void test_not_held(void **state)
{
    struct pe_job job;
    char expected[100];
    long *lock;

    (void)state;
    start_job(&job, true);
    lock = heap_lock(&job, 2, 5);
    snprintf(expected, sizeof expected, "lock = %p is not held by any PE", (void *)lock);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(shm_lock_clear(job.pes[2], lock), SHM_INVALID_VALUE);
        assert_string_equal(shm_error_detail(), expected);
        assert_int_equal(shm_lock_set(job.pes[2], lock, "set"), SHM_OK);
        assert_int_equal(shm_lock_clear(job.pes[2], lock), SHM_OK);
    }
    end_job(&job);
}

/* Both counters start anew at 0, and neither touches the other. */
static void test_wrap_around(void **state)
{
    struct pe_job job;
    long *lock;

    (void)state;
    start_job(&job, true);
    lock = heap_lock(&job, 0, 1);
    preset(&job, lock, 1, UINT64_MAX);
    assert_int_equal(shm_lock_set(job.pes[0], lock, "set"), SHM_OK);
    assert_int_equal(copy_of(&job, lock, 1), 0xffffffff);
    assert_false(shm_lock_try(job.pes[0], lock));
    assert_int_equal(shm_lock_clear(job.pes[0], lock), SHM_OK);
    assert_int_equal(copy_of(&job, lock, 1), 0);
    assert_int_equal(shm_lock_clear(job.pes[0], lock), SHM_INVALID_VALUE);
    preset(&job, lock, 1, UINT64_MAX);
    assert_true(shm_lock_try(job.pes[0], lock));
    assert_int_equal(shm_lock_clear(job.pes[0], lock), SHM_OK);
    assert_int_equal(copy_of(&job, lock, 1), 0);
    end_job(&job);
}

/* A PE that waits too long hears where it stands. */
static void test_limit(void **state)
{
    struct pe_job job;

    (void)state;
    start_job(&job, true);
    assert_int_equal(shm_lock_set(job.pes[0], heap_lock(&job, 0, 0), "set"), SHM_OK);
    job.pes[1]->node_pes = calloc(1, sizeof(int));
    job.pes[1]->options.wait_timeout_s = 0.02;
    assert_int_equal(shm_lock_set(job.pes[1], heap_lock(&job, 1, 0), "some_lock"),
                     SHM_TIMEOUT_ERROR);
    assert_non_null(strstr(shm_error_detail(), "PE 1 waiting in some_lock"));
    end_job(&job);
}

/* ---- among threads ---- */

static void take_lock(const struct pe_thread *self, long *lock, bool by_trying)
{
    while (by_trying && !shm_lock_try(self->instance, lock))
        sched_yield();
    if (!by_trying && shm_lock_set(self->instance, lock, "set") != SHM_OK)
        self->job->failure = "set";
}

/* An unprotected counter, in memory of the last PE. Lock 1 is in the heap, lock 0 static. */
static void *count_up(void *argument)
{
    const struct pe_thread *self = argument;
    long *locks[2] = {static_lock(self->pe, 0), heap_lock(self->job, self->pe, 1)};

    for (int i = 0; i < ROUNDS; i++) {
        long *counter = heap_lock(self->job, PES - 1, 8 + i % 2);

        take_lock(self, locks[i % 2], self->number % 4 == 3);
        *counter = *counter + 1;
        if (shm_lock_clear(self->instance, locks[i % 2]) != SHM_OK)
            self->job->failure = "clear";
    }
    return NULL;
}

/* Two threads of each PE; the counters pass their highest value on the way. */
static void test_exclusion(void **state)
{
    struct pe_job job;

    (void)state;
    for (int is_crowded = 0; is_crowded < 2; is_crowded++) {
        start_job(&job, is_crowded != 0);
        preset(&job, static_lock(0, 0), 0, 0xffffff9cffffff9c); /* 100 before the wrap */
        preset(&job, heap_lock(&job, 0, 1), 1, UINT64_MAX);
        run_threads(&job, 2 * PES, count_up);
        for (int i = 0; i < 2; i++)
            assert_int_equal(*heap_lock(&job, PES - 1, 8 + i), 2 * PES * ROUNDS / 2);
        end_job(&job);
    }
}

#define QUEUED (4 * PES)

/* Thread n draws when n others have drawn; the first one holds the lock until all have. */
static void *queue_up(void *argument)
{
    const struct pe_thread *self = argument;
    long *lock = heap_lock(self->job, self->pe, 6);
    const long *lock_of_pe_0 = heap_lock(self->job, 0, 6);
    long *served = heap_lock(self->job, 0, 8);

    while (copy_of(self->job, lock_of_pe_0, 6 % PES) >> 32 != (uint64_t)self->number)
        sched_yield();
    if (shm_lock_set(self->instance, lock, "set") != SHM_OK)
        self->job->failure = "set";
    while (self->number == 0 && copy_of(self->job, lock_of_pe_0, 6 % PES) >> 32 != QUEUED)
        sched_yield();
    if ((*served)++ != self->number)
        self->job->failure = "served out of order";
    if (shm_lock_clear(self->instance, lock) != SHM_OK)
        self->job->failure = "clear";
    return NULL;
}

static void test_order(void **state)
{
    struct pe_job job;

    (void)state;
    for (int is_crowded = 0; is_crowded < 2; is_crowded++) {
        start_job(&job, is_crowded != 0);
        run_threads(&job, QUEUED, queue_up);
        end_job(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_homes),    cmocka_unit_test(test_try),
        cmocka_unit_test(test_not_held), cmocka_unit_test(test_wrap_around),
        cmocka_unit_test(test_limit),    cmocka_unit_test(test_exclusion),
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
