/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes random words of a table that is spread over all PEs, by atomic exclusive or. Doing the
 * same updates again gives the table back as it was, which is the check.
 * Argument: words per PE (a power of two).
 */
#include "program.h"

#define UPDATES (1 << 17) /* of each PE and round */

struct table {
    unsigned long long *words; /* symmetric */
    size_t per_pe;
};

static void update(const struct table *table, int me, int n_pes)
{
    uint64_t state = (uint64_t)me * 7919 + 1;

    for (int i = 0; i < UPDATES; i++) {
        uint64_t number = next_random(&state);
        int pe = (int)((number >> 40) % (uint64_t)n_pes);

        shmem_ulonglong_atomic_xor(&table->words[number & (table->per_pe - 1)], number, pe);
    }
}

static double run_round(const struct table *table, int me, int n_pes)
{
    double start;

    shmem_barrier_all();
    start = now_s();
    update(table, me, n_pes);
    shmem_barrier_all();
    return now_s() - start;
}

int main(int argc, char **argv)
{
    struct table table = {.per_pe = problem_size(argc, argv, 1u << 20)};
    double seconds[ROUNDS];
    int me, n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    insist(table.per_pe > 0 && (table.per_pe & (table.per_pe - 1)) == 0, "no power of two");
    table.words = take(table.per_pe * sizeof *table.words);
    for (size_t i = 0; i < table.per_pe; i++)
        table.words[i] = i;
    for (int round = 0; round < ROUNDS; round++)
        seconds[round] = run_round(&table, me, n_pes);
    run_round(&table, me, n_pes); /* an even number of times */
    for (size_t i = 0; i < table.per_pe; i++)
        insist(table.words[i] == i, "a word of the table");
    report("random_updates", table.per_pe * 8, (double)UPDATES * n_pes, seconds, "Mupdates/s");
    shmem_finalize();
    return 0;
}
