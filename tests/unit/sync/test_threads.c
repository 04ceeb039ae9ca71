/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs as threads over one mapping, so that thread checkers see the races between PEs. */
#include "rma/rma.h"
#include "sync/sync.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PES 4
#define ROUNDS 500
#define WORDS 64

struct job {
    struct shm_heap heap;
    struct shm_instance *pes[PES];
    const char *failure; /* written by a PE that sees something wrong */
};

static void start_job(struct job *job, bool is_crowded)
{
    struct shm_bootstrap_request alone = {.bytes = sizeof alone, .n_pes = 1, .listen_fd = -1};
    struct shm_heap_layout layout;

    *job = (struct job){.failure = NULL};
    shm_heap_init(&job->heap);
    assert_int_equal(shm_heap_layout_make(SHM_CONTROL_BYTES, 0, 1 << 20, PES, &layout), SHM_OK);
    assert_int_equal(shm_heap_reserve(&job->heap, &layout, 0, PES, 9), SHM_OK);
    assert_int_equal(shm_heap_create(&job->heap, PES, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_map(&job->heap, 0, 0, PES), SHM_OK);
    for (int pe = 0; pe < PES; pe++) {
        struct shm_instance *instance = NULL;

        assert_int_equal(shm_instance_create(&instance), SHM_OK);
        assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_ALONE, &alone, &instance->bootstrap),
                         SHM_OK);
        instance->heap = job->heap;
        instance->heap.my_pe = pe;
        shm_instance_set_reach(instance);
        instance->reach.is_crowded = is_crowded;
        job->pes[pe] = instance;
    }
}

static void end_job(struct job *job)
{
    for (int pe = 0; pe < PES; pe++) {
        shm_heap_init(&job->pes[pe]->heap); /* the memory is the job's */
        shm_instance_destroy(job->pes[pe]);
    }
    shm_heap_destroy(&job->heap);
}

struct pe_thread {
    struct job *job;
    int pe;
};

static long *words_of(const struct shm_instance *instance, int pe)
{
    return shm_reach_remote(&instance->reach, (void *)instance->reach.heap_begin, 8, pe);
}

/* Everybody puts into everybody; after a barrier all of it must be there. */
static void *exchange(void *argument)
{
    const struct pe_thread *self = argument;
    struct shm_instance *instance = self->job->pes[self->pe];
    const long *mine = words_of(instance, self->pe);

    for (long round = 1; round <= ROUNDS; round++) {
        for (int pe = 0; pe < PES; pe++)
            shm_put(instance, words_of(instance, pe) + self->pe, &round, sizeof round, pe);
        if (shm_barrier(instance, &instance->world, "barrier") != SHM_OK)
            self->job->failure = "barrier";
        for (int pe = 0; pe < PES; pe++) {
            if (mine[pe] != round)
                self->job->failure = "a word had not arrived";
        }
        if (shm_barrier(instance, &instance->world, "barrier") != SHM_OK)
            self->job->failure = "barrier";
    }
    return NULL;
}

/* A token goes round: data by plain put, then the flag by an atomic. */
static void *pass_token(void *argument)
{
    const struct pe_thread *self = argument;
    struct shm_instance *instance = self->job->pes[self->pe];
    int right = (self->pe + 1) % PES;
    const long *mine = words_of(instance, self->pe);
    long *theirs = words_of(instance, right);

    for (long round = 1; round <= ROUNDS; round++) {
        struct shm_word_test wanted = {mine, (uint64_t)round, SHM_WORD_I64, SHM_CMP_GE};
        long data = round * 10;

        if (self->pe != 0 && shm_wait_until(instance, &wanted, "wait") != SHM_OK)
            self->job->failure = "wait";
        if (self->pe != 0 && mine[8] != data)
            self->job->failure = "data came after its flag";
        shm_put(instance, &theirs[8], &data, sizeof data, right);
        shm_fence(instance);
        shm_atomic(SHM_ATOMIC_SET, theirs, 8, (uint64_t)round, 0);
        shm_wake(instance, right);
        if (self->pe == 0 && shm_wait_until(instance, &wanted, "wait") != SHM_OK)
            self->job->failure = "wait";
    }
    return NULL;
}

static void *count_up(void *argument)
{
    const struct pe_thread *self = argument;
    struct shm_instance *instance = self->job->pes[self->pe];

    for (int i = 0; i < ROUNDS; i++) {
        shm_atomic(SHM_ATOMIC_ADD, words_of(instance, 0) + 16, 8, 1, 0);
        shm_atomic(SHM_ATOMIC_ADD, words_of(instance, 1) + 16, 4, 3, 0);
    }
    return NULL;
}

static void run(void *(*function)(void *), bool is_crowded)
{
    struct pe_thread selves[PES];
    pthread_t threads[PES];
    struct job job;

    start_job(&job, is_crowded);
    for (int pe = 0; pe < PES; pe++) {
        selves[pe] = (struct pe_thread){&job, pe};
        assert_int_equal(pthread_create(&threads[pe], NULL, function, &selves[pe]), 0);
    }
    for (int pe = 0; pe < PES; pe++)
        pthread_join(threads[pe], NULL);
    if (job.failure != NULL)
        fail_msg("%s", job.failure);
    if (function == count_up) {
        assert_int_equal(words_of(job.pes[0], 0)[16], PES * ROUNDS);
        assert_int_equal((uint32_t)words_of(job.pes[0], 1)[16], 3 * PES * ROUNDS);
    }
    end_job(&job);
}

static void test_barriers(void **state)
{
    (void)state;
    run(exchange, false);
    run(exchange, true);
}

static void test_tokens(void **state)
{
    (void)state;
    run(pass_token, false);
    run(pass_token, true);
}

static void test_atomics(void **state)
{
    (void)state;
    run(count_up, false);
}

/* A PE that waits too long hears who is missing; the others are not there at all. */
static void test_limit(void **state)
{
    struct job job;

    (void)state;
    start_job(&job, true);
    job.pes[1]->node_pes = calloc(1, sizeof(int));
    job.pes[1]->options.wait_timeout_s = 0.05;
    assert_int_equal(shm_barrier(job.pes[1], &job.pes[1]->world, "some_barrier"),
                     SHM_TIMEOUT_ERROR);
    assert_non_null(strstr(shm_error_detail(), "the time limit passed (SHMEM_WAIT_TIMEOUT = "));
    assert_non_null(strstr(shm_error_detail(), "); missing: PEs 0, 2-3;"));
    assert_non_null(strstr(shm_error_detail(), "PE 1 waiting in some_barrier (number 1)"));
    end_job(&job);
}

/* So does one that waits for a PE which has gone to finalize. */
static void test_leaver(void **state)
{
    struct shm_word_test never = {NULL, 1, SHM_WORD_I64, SHM_CMP_EQ};
    struct job job;

    (void)state;
    start_job(&job, true);
    shm_activity_set(job.pes[2], SHM_ACTIVITY_FINALIZING);
    assert_int_equal(shm_barrier(job.pes[1], &job.pes[1]->world, "some_barrier"), SHM_MISMATCH);
    assert_string_equal(shm_error_detail(), "waits for PE 2, which entered finalize");
    /* a word may still be written by others, until all have gone */
    shm_activity_set(job.pes[0], SHM_ACTIVITY_FINALIZING);
    shm_activity_set(job.pes[3], SHM_ACTIVITY_FINISHED);
    never.word = words_of(job.pes[1], 1);
    assert_int_equal(shm_wait_until(job.pes[1], &never, "some_wait"), SHM_MISMATCH);
    assert_string_equal(shm_error_detail(), "waits for PEs 0, 2-3, which entered finalize");
    end_job(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barriers), cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_atomics),  cmocka_unit_test(test_limit),
        cmocka_unit_test(test_leaver),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
