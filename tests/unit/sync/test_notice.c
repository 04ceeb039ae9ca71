/* SPDX-License-Identifier: BSD-3-Clause */
/* Notices, and exchanges between them, with PEs that are threads. */
#include "../thread_job.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <sched.h>
#include <string.h>

#define PES 5
#define ROUNDS 4000
#define CALL "some_call"

static uint32_t next(uint32_t *chance)
{
    *chance = *chance * 1664525u + 1013904223u;
    return *chance >> 16;
}

/* Now and then a PE falls behind, each at other times. */
static void dawdle(uint32_t *chance)
{
    uint32_t turns = next(chance) % 64 == 0 ? next(chance) % 400 : 0;

    for (uint32_t i = 0; i < turns; i++)
        sched_yield();
}

static void fill(unsigned char *bytes, uint32_t round, int pe, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(round * 31 + (uint32_t)pe * 7 + i);
}

static void expect_bytes(struct thread_job_pe *self, const void *bytes, uint32_t round, int from,
                         size_t count)
{
    unsigned char expected[SHM_EXCHANGE_BYTES];

    fill(expected, round, from, count);
    if (memcmp(bytes, expected, count) != 0)
        thread_job_fail(self, "round %u: PE %d did not show that", round, from);
}

static void notice_round(struct thread_job_pe *self, uint32_t round, int giver, size_t count)
{
    struct shm_group *group = &self->instance->world;
    const void *bytes = NULL;
    enum shm_status status = shm_notice_begin(self->instance, group, CALL);

    if (status == SHM_OK && self->pe == giver) {
        fill(shm_notice_buffer(self->instance, group), round, giver, count);
        shm_notice_give(self->instance, group);
    } else if (status == SHM_OK) {
        status = shm_notice_take(self->instance, group, giver, CALL, &bytes);
    }
    if (status != SHM_OK)
        thread_job_fail(self, "round %u: status %d", round, (int)status);
    else if (bytes != NULL)
        expect_bytes(self, bytes, round, giver, count);
}

static void exchange_round(struct thread_job_pe *self, uint32_t round, size_t count)
{
    struct shm_group *group = &self->instance->world;

    fill(shm_exchange_buffer(self->instance, group), round, self->pe, count);
    if (shm_exchange(self->instance, group, CALL) != SHM_OK)
        thread_job_fail(self, "round %u: the exchange failed", round);
    for (int pe = 0; pe < PES; pe++)
        expect_bytes(self, shm_exchange_of(self->instance, group, pe), round, pe, count);
}

/* Any giver, any kind of meeting in between: a place that is used too soon, or a buffer, shows. */
static void run_rounds(struct thread_job_pe *self)
{
    uint32_t shared = 7, own = 100 + (uint32_t)self->pe;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t what = next(&shared) % 16;
        int giver = (int)(next(&shared) % PES);
        size_t count = 1 + next(&shared) % SHM_NOTICE_BYTES;

        dawdle(&own);
        if (what == 0 && shm_barrier(self->instance, &self->instance->world, CALL) != SHM_OK)
            thread_job_fail(self, "round %u: the barrier failed", round);
        else if (what < 4)
            exchange_round(self, round, 2 * count);
        else
            notice_round(self, round, giver, count);
    }
}

static void run(void (*function)(struct thread_job_pe *self), bool is_crowded)
{
    struct thread_job job;

    thread_job_start(&job, &(struct thread_job_request){
                               .n_pes = PES, .heap_bytes = 4096, .is_crowded = is_crowded});
    thread_job_run(&job, function, NULL);
    assert_string_equal(job.failure, "");
    thread_job_end(&job);
}

static void test_rounds(void **state)
{
    (void)state;
    run(run_rounds, false);
    run(run_rounds, true);
}

/* The giver fills all places while nobody takes; then the others find each as it was given. */
static void give_ahead(struct thread_job_pe *self)
{
    static _Atomic bool is_ahead;

    atomic_store(&is_ahead, false);
    if (shm_barrier(self->instance, &self->instance->world, CALL) != SHM_OK)
        thread_job_fail(self, "the barrier failed");
    while (self->pe != 2 && !atomic_load(&is_ahead))
        sched_yield();
    for (uint32_t round = 0; round < SHM_NOTICES; round++)
        notice_round(self, round, 2, SHM_NOTICE_BYTES);
    if (self->pe == 2)
        atomic_store(&is_ahead, true);
    if (shm_barrier(self->instance, &self->instance->world, CALL) != SHM_OK)
        thread_job_fail(self, "the barrier failed");
}

static void test_giver_does_not_wait(void **state)
{
    (void)state;
    run(give_ahead, false);
    run(give_ahead, true);
}

/* ---- PEs that do not come ---- */

static enum shm_status take_from(struct shm_instance *instance, int giver)
{
    const void *bytes;
    enum shm_status status = shm_notice_begin(instance, &instance->world, CALL);

    return status == SHM_OK ? shm_notice_take(instance, &instance->world, giver, CALL, &bytes)
                            : status;
}

static void start_lonely(struct thread_job *job, bool is_crowded)
{
    thread_job_start(job, &(struct thread_job_request){
                              .n_pes = PES, .heap_bytes = 4096, .is_crowded = is_crowded});
    job->pes[1]->options.wait_timeout_s = 0.05;
}

/* Nobody but the giver is missed, as nobody else need have come. */
static void test_missing_giver(void **state)
{
    (void)state;
    for (int is_crowded = 0; is_crowded < 2; is_crowded++) {
        struct thread_job job;

        start_lonely(&job, is_crowded != 0);
        assert_int_equal(take_from(job.pes[1], 3), SHM_TIMEOUT_ERROR);
        assert_non_null(strstr(shm_error_detail(), "); missing: PE 3;"));
        thread_job_end(&job);
    }
}

static void test_giver_in_finalize(void **state)
{
    struct thread_job job;

    (void)state;
    start_lonely(&job, true);
    shm_activity_set(job.pes[0], SHM_ACTIVITY_FINALIZING);
    assert_int_equal(take_from(job.pes[1], 3), SHM_TIMEOUT_ERROR);
    shm_activity_set(job.pes[3], SHM_ACTIVITY_FINALIZING);
    assert_int_equal(take_from(job.pes[1], 3), SHM_MISMATCH);
    assert_string_equal(shm_error_detail(), "waits for PE 3, which entered finalize");
    thread_job_end(&job);
}

static void test_missing_in_exchange(void **state)
{
    (void)state;
    for (int is_crowded = 0; is_crowded < 2; is_crowded++) {
        struct thread_job job;

        start_lonely(&job, is_crowded != 0);
        assert_int_equal(shm_exchange(job.pes[1], &job.pes[1]->world, CALL), SHM_TIMEOUT_ERROR);
        assert_non_null(strstr(shm_error_detail(), "); missing: PEs 0, 2-4;"));
        thread_job_end(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_giver_does_not_wait),
        cmocka_unit_test(test_missing_giver),
        cmocka_unit_test(test_giver_in_finalize),
        cmocka_unit_test(test_missing_in_exchange),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
