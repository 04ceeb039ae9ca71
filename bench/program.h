/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the whole programs of this folder share. They use calls of OpenSHMEM 1.4 only, so that they
 * run with any implementation. Each prints "name<TAB>size<TAB>value<TAB>unit" on PE 0: the median
 * of several rounds.
 */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 5

static inline double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline int compare_numbers(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;

    return (*x > *y) - (*x < *y);
}

/* Numbers that look random, the same in every run (splitmix64). */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void *take(size_t bytes)
{
    void *block = shmem_malloc(bytes);

    if (block == NULL) {
        fprintf(stderr, "no symmetric memory for %zu bytes: raise SHMEM_SYMMETRIC_SIZE\n", bytes);
        shmem_global_exit(1);
    }
    return block;
}

/* A wrong result is not worth timing. */
static inline void insist(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "PE %d: wrong result: %s\n", shmem_my_pe(), what);
    shmem_global_exit(1);
}

/* The size of the problem of each PE: the first argument, or the default. */
static inline size_t problem_size(int argc, char **argv, size_t usual)
{
    return argc > 1 ? strtoul(argv[1], NULL, 10) : usual;
}

static inline void report(const char *name, size_t size, double per_round, double *seconds,
                          const char *unit)
{
    qsort(seconds, ROUNDS, sizeof *seconds, compare_numbers);
    if (shmem_my_pe() == 0)
        printf("%s\t%zu\t%.4f\t%s\n", name, size, per_round / seconds[ROUNDS / 2] / 1e6, unit);
}

#endif
