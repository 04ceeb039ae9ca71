/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A job whose PEs are threads of one process, each with an instance of its own over one mapping, so
 * that thread checkers see the races between PEs. Include it before cmocka.h; needs the static
 * libraries of sync, instance, bootstrap and heap.
 */
#ifndef TESTS_UNIT_THREAD_JOB_H
#define TESTS_UNIT_THREAD_JOB_H

#include "sync/sync.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREAD_JOB_PES_MAX 32

struct thread_job_request {
    int n_pes;
    uint64_t heap_bytes;   /* of each PE */
    uint64_t static_bytes; /* the same; the "variables" lie behind reach.static_begin */
    bool is_crowded;
    bool has_debug; /* as SHMEM_DEBUG does */
};

struct thread_job {
    struct shm_heap heap;
    int n_pes;
    struct shm_instance *pes[THREAD_JOB_PES_MAX];
    pthread_mutex_t lock; /* of failure */
    char failure[1200];   /* the first; "" = none */
};

/* Ends the program: a job that cannot start is no result of a test. */
static inline void thread_job_require(enum shm_status status)
{
    if (status == SHM_OK)
        return;
    fprintf(stderr, "the job cannot start: %s\n", shm_error_detail());
    abort();
}

static inline void thread_job_add_pe(struct thread_job *job, int pe,
                                     const struct thread_job_request *request)
{
    struct shm_bootstrap_request alone = {.bytes = sizeof alone, .n_pes = 1, .listen_fd = -1};
    struct shm_instance *instance = NULL;

    thread_job_require(shm_instance_create(&instance));
    thread_job_require(shm_bootstrap_open(SHM_BOOTSTRAP_ALONE, &alone, &instance->bootstrap));
    instance->heap = job->heap;
    instance->heap.my_pe = pe;
    instance->options.debug = request->has_debug;
    shm_instance_set_reach(instance);
    instance->reach.is_crowded = request->is_crowded;
    instance->reach.static_bytes = request->static_bytes;
    instance->reach.static_begin =
        (uintptr_t)shm_heap_slice(&job->heap, pe) + job->heap.layout.static_offset;
    job->pes[pe] = instance;
}

static inline void thread_job_start(struct thread_job *job,
                                    const struct thread_job_request *request)
{
    struct shm_heap_layout layout;

    *job = (struct thread_job){.n_pes = request->n_pes};
    pthread_mutex_init(&job->lock, NULL);
    shm_heap_init(&job->heap);
    thread_job_require(shm_heap_layout_make(SHM_CONTROL_BYTES, request->static_bytes,
                                            request->heap_bytes, job->n_pes, &layout));
    thread_job_require(shm_heap_reserve(&job->heap, &layout, 0, job->n_pes, 9));
    thread_job_require(shm_heap_create(&job->heap, job->n_pes, SHM_HUGE_PAGES_OFF));
    thread_job_require(shm_heap_map(&job->heap, 0, 0, job->n_pes));
    for (int pe = 0; pe < job->n_pes; pe++)
        thread_job_add_pe(job, pe, request);
}

static inline void thread_job_end(struct thread_job *job)
{
    for (int pe = 0; pe < job->n_pes; pe++) {
        shm_heap_init(&job->pes[pe]->heap); /* the memory is the job's */
        shm_instance_destroy(job->pes[pe]);
    }
    shm_heap_destroy(&job->heap);
    pthread_mutex_destroy(&job->lock);
}

/* What a thread of a PE gets. */
struct thread_job_pe {
    struct thread_job *job;
    struct shm_instance *instance;
    int pe;
    void (*function)(struct thread_job_pe *self);
    const void *argument;
};

/* Notes what a PE has seen; the first of all PEs stays. */
static inline __attribute__((format(printf, 2, 3))) void thread_job_fail(struct thread_job_pe *self,
                                                                         const char *format, ...)
{
    char text[1100];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&self->job->lock);
    if (self->job->failure[0] == '\0')
        snprintf(self->job->failure, sizeof self->job->failure, "PE %d: %s", self->pe, text);
    pthread_mutex_unlock(&self->job->lock);
}

static inline void *thread_job_main(void *argument)
{
    struct thread_job_pe *self = argument;

    self->function(self);
    return NULL;
}

/* Runs `function` on all PEs at once and returns when all have returned. */
static inline void thread_job_run(struct thread_job *job,
                                  void (*function)(struct thread_job_pe *self),
                                  const void *argument)
{
    struct thread_job_pe selves[THREAD_JOB_PES_MAX];
    pthread_t threads[THREAD_JOB_PES_MAX];

    for (int pe = 0; pe < job->n_pes; pe++) {
        selves[pe] = (struct thread_job_pe){job, job->pes[pe], pe, function, argument};
        if (pthread_create(&threads[pe], NULL, thread_job_main, &selves[pe]) != 0)
            abort();
    }
    for (int pe = 0; pe < job->n_pes; pe++)
        pthread_join(threads[pe], NULL);
}

#endif
