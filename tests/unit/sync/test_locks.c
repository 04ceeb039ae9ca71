/* SPDX-License-Identifier: BSD-3-Clause */
#include "../thread_job.h"
#include "rma/rma.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 400
#define PES 4
#define QUEUE 16

static void start_job(struct thread_job *job, int n_pes, bool is_crowded)
{
    struct thread_job_request request = {
        .n_pes = n_pes, .heap_bytes = 1 << 20, .static_bytes = 4096, .is_crowded = is_crowded};

    thread_job_start(job, &request);
}

/* Runs `function` on all PEs, which must find nothing wrong. */
static void run(struct thread_job *job, void (*function)(struct thread_job_pe *self))
{
    thread_job_run(job, function, NULL);
    if (job->failure[0] != '\0')
        fail_msg("%s", job->failure);
}

/* Lock number `number` of a PE's heap or of its static data, by the PE's own address. */
static long *heap_lock(const struct thread_job *job, int pe, int number)
{
    return (long *)job->pes[pe]->reach.heap_begin + number;
}

static long *static_lock(const struct thread_job *job, int pe, int number)
{
    return (long *)job->pes[pe]->reach.static_begin + number;
}

/* What a PE's copy of a lock holds. */
static uint64_t copy_of(const struct thread_job *job, const long *lock_of_pe_0, int pe)
{
    const long *copy = shm_reach_remote(&job->pes[0]->reach, lock_of_pe_0, sizeof(long), pe);

    return (uint64_t)__atomic_load_n(copy, __ATOMIC_RELAXED);
}

static void preset(const struct thread_job *job, long *lock_of_pe_0, int home, uint64_t value)
{
    long *copy = shm_reach_remote(&job->pes[0]->reach, lock_of_pe_0, sizeof(long), home);

    __atomic_store_n(copy, (long)value, __ATOMIC_RELAXED);
}

/* All PEs mean the same copy, though their addresses differ, and each PE is home to some locks.
 * With 3 PEs, numbers made of addresses would not agree. */
static void test_homes(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job, 3, true);
    for (int number = 0; number < 9; number++) {
        for (int pe = 0; pe < 3; pe++) {
            long *locks[2] = {heap_lock(&job, pe, number), static_lock(&job, pe, number)};
            long *seen_by_0[2] = {heap_lock(&job, 0, number), static_lock(&job, 0, number)};

            for (int i = 0; i < 2; i++) {
                assert_int_equal(shm_lock_set(job.pes[pe], locks[i], "set"), SHM_OK);
                for (int home = 0; home < 3; home++)
                    assert_int_equal(copy_of(&job, seen_by_0[i], home),
                                     home == number % 3 ? (pe + 1ull) << 32 | (uint64_t)pe : 0);
                assert_int_equal(shm_lock_clear(job.pes[pe], locks[i]), SHM_OK);
            }
        }
    }
    thread_job_end(&job);
}

static void test_try(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job, PES, true);
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
    thread_job_end(&job);
}

static void test_not_held(void **state)
{
    struct thread_job job;
    char expected[100];
    long *lock;

    (void)state;
    start_job(&job, PES, true);
    lock = heap_lock(&job, 2, 5);
    snprintf(expected, sizeof expected, "lock = %p is not held by any PE", (void *)lock);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(shm_lock_clear(job.pes[2], lock), SHM_INVALID_VALUE);
        assert_string_equal(shm_error_detail(), expected);
        assert_int_equal(shm_lock_set(job.pes[2], lock, "set"), SHM_OK);
        assert_int_equal(shm_lock_clear(job.pes[2], lock), SHM_OK);
    }
    thread_job_end(&job);
}

/* Both counters start anew at 0, and neither touches the other. */
static void test_wrap_around(void **state)
{
    struct thread_job job;
    long *lock;

    (void)state;
    start_job(&job, PES, true);
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
    thread_job_end(&job);
}

/* A PE that waits too long hears where it stands. */
static void test_limit(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job, PES, true);
    assert_int_equal(shm_lock_set(job.pes[0], heap_lock(&job, 0, 0), "set"), SHM_OK);
    job.pes[1]->node_pes = calloc(1, sizeof(int));
    job.pes[1]->options.wait_timeout_s = 0.02;
    assert_int_equal(shm_lock_set(job.pes[1], heap_lock(&job, 1, 0), "some_lock"),
                     SHM_TIMEOUT_ERROR);
    assert_non_null(strstr(shm_error_detail(), "PE 1 waiting in some_lock"));
    thread_job_end(&job);
}

/* ---- among threads ---- */

static void take_lock(struct thread_job_pe *self, long *lock, bool by_trying)
{
    while (by_trying && !shm_lock_try(self->instance, lock))
        sched_yield();
    if (!by_trying && shm_lock_set(self->instance, lock, "set") != SHM_OK)
        thread_job_fail(self, "set");
}

/* Unprotected counters, in memory of the last PE. Lock 0 is static, lock 1 in the heap. */
static void count_up(struct thread_job_pe *self, bool by_trying)
{
    long *locks[2] = {static_lock(self->job, self->pe, 0), heap_lock(self->job, self->pe, 1)};

    for (int i = 0; i < ROUNDS; i++) {
        long *counter = heap_lock(self->job, PES - 1, 8 + i % 2);

        take_lock(self, locks[i % 2], by_trying);
        *counter = *counter + 1;
        if (shm_lock_clear(self->instance, locks[i % 2]) != SHM_OK)
            thread_job_fail(self, "clear");
    }
}

static void *count_up_too(void *argument)
{
    struct thread_job_pe *self = argument;

    count_up(self, self->pe % 2 == 0);
    return NULL;
}

/* Threads of one PE contend as PEs do. */
static void count_up_twice(struct thread_job_pe *self)
{
    pthread_t second;

    if (pthread_create(&second, NULL, count_up_too, self) != 0)
        abort();
    count_up(self, false);
    pthread_join(second, NULL);
}

/* The tickets pass their highest value on the way. */
static void test_exclusion(void **state)
{
    struct thread_job job;

    (void)state;
    for (int is_crowded = 0; is_crowded < 2; is_crowded++) {
        start_job(&job, PES, is_crowded != 0);
        preset(&job, static_lock(&job, 0, 0), 0, 0xffffff9cffffff9c); /* 100 before the wrap */
        preset(&job, heap_lock(&job, 0, 1), 1, UINT64_MAX);
        run(&job, count_up_twice);
        for (int i = 0; i < 2; i++)
            assert_int_equal(*heap_lock(&job, PES - 1, 8 + i), 2 * PES * ROUNDS / 2);
        thread_job_end(&job);
    }
}

/* PE n draws when n others have drawn; PE 0 holds the lock until all have. */
static void queue_up(struct thread_job_pe *self)
{
    long *lock = heap_lock(self->job, self->pe, 6);
    const long *lock_of_pe_0 = heap_lock(self->job, 0, 6);
    long *served = heap_lock(self->job, 0, 8);

    while (copy_of(self->job, lock_of_pe_0, 6) >> 32 != (uint64_t)self->pe)
        sched_yield();
    if (shm_lock_set(self->instance, lock, "set") != SHM_OK)
        thread_job_fail(self, "set");
    while (self->pe == 0 && copy_of(self->job, lock_of_pe_0, 6) >> 32 != QUEUE)
        sched_yield();
    if ((*served)++ != self->pe)
        thread_job_fail(self, "served out of order");
    if (shm_lock_clear(self->instance, lock) != SHM_OK)
        thread_job_fail(self, "clear");
}

static void test_order(void **state)
{
    struct thread_job job;

    (void)state;
    for (int is_crowded = 0; is_crowded < 2; is_crowded++) {
        start_job(&job, QUEUE, is_crowded != 0);
        run(&job, queue_up);
        thread_job_end(&job);
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
