/* SPDX-License-Identifier: BSD-3-Clause */
/* Init and finalize many times over: no descriptor, mapping, thread or memory may stay behind.
 * Argument: number of cycles. */
#include "usage.h"

#include <shmem.h>

static long word = 5;

static void cycle(long number)
{
    long *block;
    int me;
    int n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    block = shmem_malloc(100000);
    *block = -1;
    shmem_barrier_all();
    shmem_long_p(block, number + me, (me + 1) % n_pes);
    shmem_long_p(&word, number + me, (me + 1) % n_pes);
    shmem_barrier_all();
    if (*block != number + (me + n_pes - 1) % n_pes || word != *block) {
        fprintf(stderr, "PE %d: cycle %ld: got %ld and %ld\n", me, number, *block, word);
        shmem_global_exit(1);
    }
    shmem_free(block);
    shmem_finalize();
}

int main(int argc, char **argv)
{
    long cycles = argc > 1 ? atol(argv[1]) : 100;
    struct usage before;
    struct usage after;

    for (long i = 0; i < 5; i++) /* the first ones set up what stays: libc's caches, plug-ins */
        cycle(i);
    before = measure();
    for (long i = 0; i < cycles; i++)
        cycle(i);
    after = measure_after(&before);
    return compare(&before, &after);
}
