/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, waiting and the order of stores: data must be there when its flag is. */
#include "check.h"

#include <string.h>

#define ROUNDS 2000
#define WORDS 512

static long barrier_words[64];
static long data[WORDS];
static long flag;
static long reply;

/* Each PE writes its round to everybody; after a barrier all must have it. */
static void check_barriers(void (*meet)(void), long base)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    for (long round = base; round < base + 200; round++) {
        for (int pe = 0; pe < n_pes; pe++)
            shmem_long_p(&barrier_words[me], round, pe);
        meet();
        for (int pe = 0; pe < n_pes; pe++)
            CHECK(barrier_words[pe] == round, "word of PE %d is %ld in round %ld", pe,
                  barrier_words[pe], round);
        meet();
    }
}

/* PE 0 sends blocks to the last PE, each followed by a flag. */
static void check_fence(void)
{
    int me = shmem_my_pe();
    int last = shmem_n_pes() - 1;
    long block[WORDS];

    for (long round = 1; round <= ROUNDS && last > 0; round++) {
        if (me == 0) {
            for (int i = 0; i < WORDS; i++)
                block[i] = round * 1000 + i;
            shmem_long_put(data, block, WORDS, last);
            shmem_fence();
            shmem_long_p(&flag, round, last);
            shmem_long_wait_until(&reply, SHMEM_CMP_GE, round);
        } else if (me == last) {
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
            for (int i = 0; i < WORDS; i++)
                CHECK(data[i] == round * 1000 + i, "round %ld: word %d is %ld", round, i, data[i]);
            shmem_long_p(&reply, round, 0);
        }
    }
    shmem_barrier_all();
}

/* A token round the ring, by put and by atomic. */
static void check_ring(void)
{
    static long token;
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int right = (me + 1) % n_pes;

    for (long round = 1; round <= 100; round++) {
        long mine = (round - 1) * n_pes + me + 1;

        if (me != 0 || round > 1)
            shmem_long_wait_until(&token, SHMEM_CMP_GE, mine - 1);
        if (round % 2 == 0)
            shmem_long_p(&token, mine, right);
        else
            shmem_long_atomic_set(&token, mine, right);
    }
    shmem_barrier_all();
}

static void check_quiet(void)
{
    static int targets[1] = {0};
    int me = shmem_my_pe();

    shmem_long_put_nbi(data, barrier_words, 64, (me + 1) % shmem_n_pes());
    shmem_quiet();
    shmem_pe_quiet(targets, 1);
    shmem_barrier_all();
    for (int i = 0; i < 64; i++)
        CHECK(data[i] == barrier_words[i], "word %d", i);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    CHECK(shmem_n_pes() <= 64, "this test is for at most 64 PEs");
    check_barriers(shmem_barrier_all, 1);
    check_barriers(shmem_sync_all, 1001); /* also orders, as memory is reached by stores */
    check_fence();
    check_ring();
    check_quiet();
    shmem_finalize();
    return 0;
}
