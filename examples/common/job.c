/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* program_invocation_short_name */
#include "job.h"

#include <errno.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((format(printf, 1, 0))) static void say(const char *format, va_list arguments)
{
    char line[1024];

    vsnprintf(line, sizeof line, format, arguments);
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
}

void job_refuse(int exit_status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (shmem_my_pe() == 0)
        say(format, arguments);
    va_end(arguments);
    /* the line is out before the first PE ends the job */
    shmem_barrier_all();
    shmem_global_exit(exit_status);
    exit(exit_status); /* tells the compiler that nobody comes back */
}

void job_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    shmem_global_exit(JOB_FAILED);
    exit(JOB_FAILED);
}

void job_agree(const char *reason)
{
    int pe = shmem_my_pe(), n_pes = shmem_n_pes(), first = 0;
    int *failed = job_symmetric_alloc((size_t)n_pes, sizeof *failed);

    for (int peer = 0; peer < n_pes; peer++)
        shmem_int_p(&failed[pe], reason != NULL, peer);
    shmem_barrier_all();
    while (first < n_pes && !failed[first])
        first++;
    shmem_free(failed);
    if (first == n_pes)
        return;
    if (first == pe)
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, reason);
    shmem_barrier_all();
    shmem_global_exit(JOB_FAILED);
}

void *job_alloc(size_t count, size_t element_bytes)
{
    void *memory = calloc(count > 0 ? count : 1, element_bytes);

    if (memory == NULL)
        job_fail("out of memory: PE %d needs %zu elements of %zu bytes", shmem_my_pe(), count,
                 element_bytes);
    return memory;
}

void *job_symmetric_alloc(size_t count, size_t element_bytes)
{
    void *memory = shmem_calloc(count > 0 ? count : 1, element_bytes);

    /* the same request, so the same answer on every PE */
    if (memory == NULL)
        job_refuse(JOB_FAILED,
                   "out of symmetric memory: every PE needs %zu elements of %zu bytes "
                   "(SHMEM_SYMMETRIC_SIZE sets the size)",
                   count, element_bytes);
    /* some libraries let a PE go before the others have zeroed theirs */
    shmem_barrier_all();
    return memory;
}

double job_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
