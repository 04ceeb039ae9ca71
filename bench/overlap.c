/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much of a non-blocking put happens while the caller computes: for each size the time of a put
 * alone, of as much computing alone, and of put_nbi + computing + quiet. 100 % means that the
 * shorter of the two cost nothing, 0 % that they took place one after the other.
 * PE 0 puts to the last PE, which waits; with a single PE to itself. Prints
 * "overlap<TAB>bytes<TAB>percent<TAB>%" for each size. Argument: largest size.
 */
#include "program.h"

#include <string.h>

static volatile double result; /* so that the computing is done */

static double compute(long steps)
{
    double start = now_s();
    double x = 1;

    for (long i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
    result = x;
    return now_s() - start;
}

static double put(char *to, const char *from, size_t bytes, int pe)
{
    double start = now_s();

    shmem_putmem(to, from, bytes, pe);
    shmem_quiet();
    return now_s() - start;
}

static double put_and_compute(char *to, const char *from, size_t bytes, int pe, long steps)
{
    double start = now_s();

    shmem_putmem_nbi(to, from, bytes, pe);
    compute(steps);
    shmem_quiet();
    return now_s() - start;
}

static double median(double *seconds)
{
    qsort(seconds, ROUNDS, sizeof *seconds, compare_numbers);
    return seconds[ROUNDS / 2];
}

/* Steps of computing that take as long as the put. */
static long choose_steps(double seconds)
{
    long steps = 1000;

    while (compute(steps) < 0.01)
        steps *= 2;
    return (long)((double)steps * seconds / compute(steps)) + 1;
}

static void measure(char *to, const char *from, size_t bytes, int pe)
{
    double alone[ROUNDS], computing[ROUNDS], together[ROUNDS];
    double a, b, c;
    long steps;

    for (int i = 0; i < ROUNDS; i++)
        alone[i] = put(to, from, bytes, pe);
    a = median(alone);
    steps = choose_steps(a);
    for (int i = 0; i < ROUNDS; i++) {
        computing[i] = compute(steps);
        together[i] = put_and_compute(to, from, bytes, pe, steps);
    }
    b = median(computing);
    c = median(together);
    printf("overlap\t%zu\t%.1f\t%%\n", bytes, 100 * (a + b - c) / (a < b ? a : b));
}

int main(int argc, char **argv)
{
    size_t largest = problem_size(argc, argv, 16u << 20);
    char *to, *from;

    shmem_init();
    to = take(largest);
    from = malloc(largest);
    insist(from != NULL, "no memory");
    memset(to, 1, largest);
    memset(from, 2, largest);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        for (size_t bytes = 64u << 10; bytes <= largest; bytes *= 2)
            measure(to, from, bytes, shmem_n_pes() - 1);
    }
    shmem_barrier_all();
    free(from);
    shmem_finalize();
    return 0;
}
