/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A token passes round the ring of PEs: each PE waits until it arrives, adds one and puts it into
 * the memory of the next PE. Prints the time per hop.
 *
 *   oshcc ring.c -o ring
 *   shmemrun -n 4 ./ring --rounds 1000
 */
#include "common/number.h"

#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The token counts its hops, so each PE knows which value comes next. */
static void pass_round(long *token, long round, int pe, int n_pes)
{
    int next = (pe + 1) % n_pes;
    long before = round * n_pes;

    if (pe == 0) {
        shmem_long_p(token, before + 1, next);
        shmem_long_wait_until(token, SHMEM_CMP_EQ, before + n_pes);
    } else {
        shmem_long_wait_until(token, SHMEM_CMP_EQ, before + pe);
        shmem_long_p(token, before + pe + 1, next);
    }
}

static void run(long rounds)
{
    int pe = shmem_my_pe(), n_pes = shmem_n_pes();
    long *token = shmem_calloc(1, sizeof *token);
    double start;

    if (token == NULL) {
        fprintf(stderr, "ring: PE %d has no symmetric memory for the token\n", pe);
        shmem_global_exit(1);
    }
    shmem_barrier_all(); /* all tokens are zero, all PEs are ready */
    start = seconds();
    for (long round = 0; round < rounds; round++)
        pass_round(token, round, pe, n_pes);
    if (pe == 0)
        printf("ring: %d PEs, %ld rounds, %ld hops, %.3f us per hop\n", n_pes, rounds, *token,
               (seconds() - start) * 1e6 / (double)*token);
    shmem_free(token);
}

int main(int argc, char **argv)
{
    long rounds = 1000;
    int exit_status = 0;

    shmem_init();
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        if (shmem_my_pe() == 0)
            printf("usage: ring [--rounds N]\n"
                   "Passes a token round all PEs N times (1 to 100000000, default 1000).\n");
    } else if (argc != 1 && !(argc == 3 && strcmp(argv[1], "--rounds") == 0 &&
                              parse_long(argv[2], 1, 100000000, &rounds))) {
        if (shmem_my_pe() == 0)
            fprintf(stderr, "ring: expected nothing or --rounds with a number from 1 to "
                            "100000000; --help shows the usage\n");
        exit_status = 2;
    } else {
        run(rounds);
    }
    shmem_finalize();
    return exit_status;
}
