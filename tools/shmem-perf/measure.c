/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <shmem.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define MOST_RUNS 50000000L
#define CALIBRATING_RUNS 3

static long wished, decided; /* the second is what PE 0 wished */

double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* PE 0's number on all PEs. */
static long agree(long number)
{
    wished = number;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &decided, &wished, 1, 0);
    shmem_barrier_all(); /* nobody changes it while another still reads */
    return decided;
}

static bool performs(enum performers performers)
{
    int pe = shmem_my_pe();

    if (performers == ALL_PES || pe == 0)
        return true;
    return performers == FIRST_AND_LAST_PE && pe == shmem_n_pes() - 1;
}

static double time_once(const struct operation *operation, long count)
{
    double start_us;

    shmem_barrier_all();
    start_us = now_us();
    if (performs(operation->performers))
        operation->run(operation, count);
    return now_us() - start_us;
}

/* The shortest of three must be long enough: one page fault or one lost time slice would leave a
 * handful of runs otherwise. */
static double shortest(const struct operation *operation, long count)
{
    double least_us = time_once(operation, count);

    for (int i = 1; i < CALIBRATING_RUNS; i++) {
        double us = time_once(operation, count);

        if (us < least_us)
            least_us = us;
    }
    return least_us;
}

/* Also warms up. */
static long choose_count(const struct effort *effort, const struct operation *operation)
{
    long count = 1;

    for (;;) {
        double us = shortest(operation, count);
        double wanted = (double)count * effort->repetition_us / (us > 0.01 ? us : 0.01);
        bool is_enough = us >= effort->repetition_us / 4 || count >= MOST_RUNS / 2;

        if (agree(is_enough) != 0)
            return agree(wanted < 1 ? 1 : wanted > (double)MOST_RUNS ? MOST_RUNS : (long)wanted);
        count *= 2;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;

    return (*x > *y) - (*x < *y);
}

struct timing timing_of(double *us, int count)
{
    qsort(us, (size_t)count, sizeof *us, compare_numbers);
    return (struct timing){(us[(count - 1) / 2] + us[count / 2]) / 2, us[0], us[count - 1]};
}

struct timing measure(const struct effort *effort, const struct operation *operation)
{
    double us[MOST_REPETITIONS];
    int n = effort->repetitions;
    long count = choose_count(effort, operation);

    for (int i = 0; i < n; i++)
        us[i] = time_once(operation, count) / ((double)count * operation->operations);
    shmem_barrier_all();
    return timing_of(us, n);
}
