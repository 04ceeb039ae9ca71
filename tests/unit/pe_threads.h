/* SPDX-License-Identifier: BSD-3-Clause */
/** A job whose PEs are threads of the test, over one mapping; behind cmocka.h. */
#ifndef TEST_PE_THREADS_H
#define TEST_PE_THREADS_H

#include "rma/rma.h"
#include "sync/sync.h"

#include <pthread.h>
#include <stdatomic.h>

#define PES 4
#define STATIC_BYTES 4096

/* What stands for the static data of each PE's program; its addresses differ, as they may. Nobody
 * looks there: the library reaches static data in the slices. */
static char static_data[PES][STATIC_BYTES] __attribute__((aligned(8)));

struct pe_job {
    struct shm_heap heap;
    struct shm_instance *pes[PES];
    const char *_Atomic failure; /* set by a thread that sees something wrong */
};

struct pe_thread {
    struct pe_job *job;
    struct shm_instance *instance;
    int pe;
    int number; /* of the thread, from 0 */
};

static void start_job(struct pe_job *job, bool is_crowded)
{
    struct shm_bootstrap_request alone = {.bytes = sizeof alone, .n_pes = 1, .listen_fd = -1};
    struct shm_heap_layout layout;

    *job = (struct pe_job){.failure = NULL};
    shm_heap_init(&job->heap);
    assert_int_equal(shm_heap_layout_make(SHM_CONTROL_BYTES, STATIC_BYTES, 1 << 20, PES, &layout),
                     SHM_OK);
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
        instance->static_data.begin = static_data[pe];
        instance->static_data.bytes = STATIC_BYTES;
        instance->static_data.is_shared = true;
        shm_instance_set_reach(instance);
        instance->static_data.is_shared = false; /* there is nothing to restore */
        instance->reach.is_crowded = is_crowded;
        job->pes[pe] = instance;
    }
}

static void end_job(struct pe_job *job)
{
    for (int pe = 0; pe < PES; pe++) {
        shm_heap_init(&job->pes[pe]->heap); /* the memory is the job's */
        shm_instance_destroy(job->pes[pe]);
    }
    shm_heap_destroy(&job->heap);
}

/* Runs `function` in `count` threads, thread i as PE i % PES. */
static inline void run_threads(struct pe_job *job, int count, void *(*function)(void *))
{
    struct pe_thread selves[4 * PES];
    pthread_t threads[4 * PES];

    assert_true(count <= 4 * PES);
    for (int i = 0; i < count; i++) {
        selves[i] = (struct pe_thread){job, job->pes[i % PES], i % PES, i};
        assert_int_equal(pthread_create(&threads[i], NULL, function, &selves[i]), 0);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (job->failure != NULL)
        fail_msg("%s", job->failure);
}

/* Words at the start of a PE's heap. */
static inline void *heap_words(const struct pe_job *job, int pe)
{
    return (void *)job->pes[pe]->reach.heap_begin;
}

#endif
