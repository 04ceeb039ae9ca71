/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of shmem_free and shmem_malloc together while many blocks are alive, of sizes from 1 byte to
 * 2 KiB. "random": a random block is given back and another one taken, as the size says with so
 * many alive; "same": a block of 64 bytes is taken and given back.
 * Argument: the most blocks that are alive (default 1000000; needs about 1.1 KiB of heap for each).
 */
#include "program.h"

#define PAIRS 2000 /* of a round */
#define MOST_BYTES 2048

struct blocks {
    void **live;
    size_t count;
    uint64_t random;
};

static size_t random_bytes(struct blocks *blocks)
{
    return 1 + next_random(&blocks->random) % MOST_BYTES;
}

static void exchange_random(struct blocks *blocks)
{
    size_t index = next_random(&blocks->random) % blocks->count;

    shmem_free(blocks->live[index]);
    blocks->live[index] = take(random_bytes(blocks));
}

static void take_same(struct blocks *blocks)
{
    (void)blocks;
    shmem_free(take(64));
}

static void measure(const char *name, struct blocks *blocks, void (*run)(struct blocks *blocks))
{
    double times_us[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        double start = now_s();

        for (int i = 0; i < PAIRS; i++)
            run(blocks);
        times_us[round] = (now_s() - start) * 1e6 / PAIRS;
    }
    qsort(times_us, ROUNDS, sizeof *times_us, compare_numbers);
    if (shmem_my_pe() == 0)
        printf("%s\t%zu\t%.4f\tus\n", name, blocks->count, times_us[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
    size_t most = problem_size(argc, argv, 1000000);
    struct blocks blocks = {.random = 1};

    shmem_init();
    blocks.live = malloc(most * sizeof *blocks.live);
    insist(blocks.live != NULL, "no memory for the table of blocks");
    for (size_t count = 1000; count <= most; count *= 10) {
        while (blocks.count < count)
            blocks.live[blocks.count++] = take(random_bytes(&blocks));
        measure("live_random", &blocks, exchange_random);
        measure("live_same", &blocks, take_same);
    }
    while (blocks.count > 0)
        shmem_free(blocks.live[--blocks.count]);
    free(blocks.live);
    shmem_finalize();
    return 0;
}
