/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording_face.h"

#define ROUNDS 500
#define DATA 40 /* words of data in one put */

static void put(const struct face_signal_put *what, int pe)
{
    face_put_signal("put_signal", what, pe);
}

static void test_operators(void **state)
{
    struct thread_job job;
    uint64_t data[2] = {11, 12};
    uint64_t *mine, *theirs;

    (void)state;
    start_job(&job);
    mine = heap_words(&job, 0);
    theirs = heap_words(&job, 2);
    put(&(struct face_signal_put){mine + 4, data, 2, 8, mine, 8, 5, SHM_SIGNAL_SET}, 2);
    assert_int_equal(theirs[0], 5);
    assert_memory_equal(theirs + 4, data, sizeof data);
    data[1] = 13;
    put(&(struct face_signal_put){mine + 4, data, 2, 8, mine, 8, 7, SHM_SIGNAL_ADD}, 2);
    assert_int_equal(theirs[0], 12);
    assert_int_equal(theirs[5], 13);
    face_signal_add("add", mine, UINT64_MAX, 2);
    assert_int_equal(theirs[0], 11);
    face_signal_set("set", mine, 1ull << 63, 2);
    assert_int_equal(theirs[0], 1ull << 63);
    assert_int_equal(mine[0], 0);
    assert_int_equal(heap_words(&job, 1)[0], 0);
    expect_no_refusal();
    end_job(&job);
}

/* Of 4 bytes, which do not carry into those behind them. */
static void test_narrow_signals(void **state)
{
    struct thread_job job;
    uint64_t data = 11;
    uint32_t *mine;
    uint32_t *theirs;

    (void)state;
    start_job(&job);
    mine = (uint32_t *)heap_words(&job, 0);
    theirs = (uint32_t *)heap_words(&job, 2);
    put(&(struct face_signal_put){mine + 4, &data, 1, 8, mine + 1, 4, (uint64_t)-1, SHM_SIGNAL_SET},
        2);
    assert_true(theirs[0] == 0 && theirs[1] == UINT32_MAX && theirs[2] == 0);
    assert_memory_equal(theirs + 4, &data, sizeof data);
    put(&(struct face_signal_put){mine + 4, &data, 1, 8, mine + 1, 4, 6, SHM_SIGNAL_ADD}, 2);
    assert_true(theirs[0] == 0 && theirs[1] == 5 && theirs[2] == 0);
    expect_no_refusal();
    put(&(struct face_signal_put){mine + 4, &data, 1, 8, (char *)mine + 2, 4, 6, SHM_SIGNAL_ADD},
        2);
    expect_refusal("put_signal: sig_addr = ");
    assert_true(theirs[0] == 0 && theirs[1] == 5);
    end_job(&job);
}

/* Data in the heap, signal in static data. */
static void test_kinds_of_memory(void **state)
{
    struct thread_job job;
    uint64_t data = 11;
    uint64_t *signal;

    (void)state;
    start_job(&job);
    signal = (uint64_t *)job.pes[0]->reach.static_begin;
    put(&(struct face_signal_put){heap_words(&job, 0), &data, 1, 8, signal, 8, 3, SHM_SIGNAL_SET},
        1);
    expect_no_refusal();
    assert_int_equal(heap_words(&job, 1)[0], 11);
    assert_int_equal(*(uint64_t *)job.pes[1]->reach.static_begin, 3);
    assert_int_equal(*signal, 0);
    chosen_pe = job.pes[1];
    assert_int_equal(face_signal_fetch("fetch", (uint64_t *)job.pes[1]->reach.static_begin), 3);
    expect_no_refusal();
    end_job(&job);
}

/* No data: dest is not looked at, the signal comes all the same. */
static void test_no_data(void **state)
{
    struct thread_job job;
    uint64_t *mine;

    (void)state;
    start_job(&job);
    mine = heap_words(&job, 0);
    put(&(struct face_signal_put){NULL, NULL, 0, 8, mine, 8, 5, SHM_SIGNAL_ADD}, 1);
    put(&(struct face_signal_put){NULL, NULL, 0, 8, mine, 8, 6, SHM_SIGNAL_ADD}, 1);
    expect_no_refusal();
    assert_int_equal(heap_words(&job, 1)[0], 11);
    end_job(&job);
}

/* A refused call moves neither data nor signal. */
static void test_refusals(void **state)
{
    struct thread_job job;
    uint64_t local[2] = {11, 12};
    uint64_t *mine;
    uint64_t *odd;

    (void)state;
    start_job(&job);
    mine = heap_words(&job, 0);
    odd = (uint64_t *)(void *)((char *)mine + 4);
    put(&(struct face_signal_put){mine + 4, local, 2, 8, mine, 8, 5, 2}, 1);
    expect_refusal("put_signal: sig_op = 2, expected SHMEM_SIGNAL_SET (0) or SHMEM_SIGNAL_ADD (1)");
    put(&(struct face_signal_put){mine + 4, local, 2, 8, mine, 8, 5, -1}, 1);
    expect_refusal("put_signal: sig_op = -1, expected");
    put(&(struct face_signal_put){mine + 4, local, 2, 8, local, 8, 5, SHM_SIGNAL_SET}, 1);
    expect_refusal("put_signal: sig_addr = ");
    put(&(struct face_signal_put){mine + 4, local, 2, 8, odd, 8, 5, SHM_SIGNAL_SET}, 1);
    expect_refusal("put_signal: sig_addr = ");
    put(&(struct face_signal_put){local, local, 2, 8, mine, 8, 5, SHM_SIGNAL_SET}, 1);
    expect_refusal("put_signal: dest = ");
    put(&(struct face_signal_put){mine + 4, local, SIZE_MAX / 4, 8, mine, 8, 5, SHM_SIGNAL_SET}, 1);
    expect_refusal("put_signal: dest = ");
    put(&(struct face_signal_put){mine + 4, local, 2, 8, mine, 8, 5, SHM_SIGNAL_SET}, PES);
    expect_refusal("put_signal: pe = 3, expected 0 to 2");
    put(&(struct face_signal_put){NULL, NULL, 0, 8, mine, 8, 5, SHM_SIGNAL_SET}, -1);
    expect_refusal("put_signal: pe = -1, expected 0 to 2");
    face_signal_set("set", local, 1, 1);
    expect_refusal("set: sig_addr = ");
    face_signal_add("add", odd, 1, 1);
    expect_refusal("add: sig_addr = ");
    face_signal_add("add", mine, 1, 7);
    expect_refusal("add: pe = 7");
    for (int pe = 0; pe < PES; pe++) {
        for (int i = 0; i < 8; i++)
            assert_int_equal(heap_words(&job, pe)[i], 0);
    }
    end_job(&job);
}

static void test_refused_reads(void **state)
{
    struct thread_job job;
    uint64_t local = 11;
    uint64_t *mine;

    (void)state;
    start_job(&job);
    mine = heap_words(&job, 0);
    mine[0] = 9;
    assert_int_equal(face_signal_fetch("fetch", &local), 0);
    expect_refusal("fetch: sig_addr = ");
    assert_int_equal(face_signal_wait_until("wait", &local, SHM_CMP_EQ, 11), 0);
    expect_refusal("wait: sig_addr = ");
    assert_int_equal(face_signal_wait_until("wait", mine, 6, 9), 0);
    expect_refusal("wait: cmp = 6, expected");
    assert_int_equal(face_signal_wait_until("wait", mine, -1, 9), 0);
    expect_refusal("wait: cmp = -1, expected");
    assert_int_equal(face_signal_wait_until("wait", mine, SHM_CMP_GT, 8), 9);
    expect_no_refusal();
    chosen_pe = NULL;
    assert_int_equal(face_signal_fetch("fetch", mine), 0);
    expect_refusal("fetch: no instance");
    assert_int_equal(face_signal_wait_until("wait", mine, SHM_CMP_GT, 8), 0);
    expect_refusal("wait: no instance");
    put(&(struct face_signal_put){mine, mine, 1, 8, mine, 8, 5, SHM_SIGNAL_SET}, 1);
    expect_refusal("put_signal: no instance");
    end_job(&job);
}

/* ---- among threads ---- */

/* Data goes round the PEs; whoever sees the signal sees all of it. */
static void pass_on(struct thread_job_pe *self)
{
    uint64_t *mine = heap_words(self->job, self->pe);
    int right = (self->pe + 1) % PES;

    chosen_pe = self->instance;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        struct face_signal_put what = {mine + 8, mine + 8, DATA, 8, mine, 8, 1, SHM_SIGNAL_ADD};

        if (self->pe != 0 && face_signal_wait_until("wait", mine, SHM_CMP_GE, round) != round)
            thread_job_fail(self, "signal");
        for (int i = 0; i < DATA; i++) {
            if (self->pe != 0 && mine[8 + i] != round)
                thread_job_fail(self, "data came after its signal");
            mine[8 + i] = round;
        }
        put(&what, right);
        if (self->pe == 0 && face_signal_wait_until("wait", mine, SHM_CMP_GE, round) != round)
            thread_job_fail(self, "signal");
    }
    if (refusal[0] != '\0')
        thread_job_fail(self, "%s", refusal);
}

static void test_order(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job);
    thread_job_run(&job, pass_on, NULL);
    assert_string_equal(job.failure, "");
    end_job(&job);
}

/* No addition is lost. */
static void add_up(struct thread_job_pe *self)
{
    uint64_t *mine = heap_words(self->job, self->pe);

    chosen_pe = self->instance;
    for (int i = 0; i < ROUNDS; i++) {
        face_signal_add("add", mine, 1, 0);
        put(&(struct face_signal_put){NULL, NULL, 0, 1, mine, 8, 2, SHM_SIGNAL_ADD}, 0);
    }
    if (self->pe == 0 &&
        face_signal_wait_until("wait", mine, SHM_CMP_GE, 3 * PES * ROUNDS) != 3 * PES * ROUNDS)
        thread_job_fail(self, "an addition was lost");
}

static void test_additions(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job);
    thread_job_run(&job, add_up, NULL);
    assert_string_equal(job.failure, "");
    end_job(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators), cmocka_unit_test(test_kinds_of_memory),
        cmocka_unit_test(test_no_data),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_refused_reads),
        cmocka_unit_test(test_additions), cmocka_unit_test(test_narrow_signals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
