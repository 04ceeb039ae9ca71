/* SPDX-License-Identifier: BSD-3-Clause */
/* A sort: each PE owns a range of the keys, and everybody puts keys where room was reserved with an
 * atomic addition. How many keys go from whom to whom is different everywhere, and often none. */
#include "check.h"

#include <inttypes.h>
#include <string.h>

#define KEYS 3000
#define WIDTH 1000 /* keys of one PE: from its number times this */
#define ROUNDS 8

static long long filled; /* keys that arrived here so far, or will soon */
static long long sums[2];
static long long totals[2];

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* In round 0 all keys are the last PE's; in the others PE p makes keys of the first p + 1 PEs. */
static void make_keys(int *keys, long round)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    uint64_t state = (uint64_t)round * 1000 + (uint64_t)me;

    for (int i = 0; i < KEYS; i++) {
        uint64_t random = next_random(&state);
        int owner = round == 0 ? n_pes - 1 : (int)(random / WIDTH) % (me + 1);

        keys[i] = owner * WIDTH + (int)(random % WIDTH);
    }
}

static int compare_keys(const void *first, const void *second)
{
    return *(const int *)first - *(const int *)second;
}

/* The keys of each PE lie side by side, so that one put takes them there. */
static void send_keys(int *keys, int *bucket)
{
    int n_pes = shmem_n_pes();
    int at = 0;

    qsort(keys, KEYS, sizeof *keys, compare_keys);
    for (int pe = 0; pe < n_pes; pe++) {
        int begin = at;
        long long place;

        while (at < KEYS && keys[at] / WIDTH == pe)
            at++;
        place = shmem_longlong_atomic_fetch_add(&filled, at - begin, pe);
        shmem_int_put(bucket + place, keys + begin, (size_t)(at - begin), pe);
    }
    CHECK(at == KEYS, "%d keys were sent", at);
}

/* Every key is its owner's, and none was lost or changed. */
static void check_keys(const int *keys, const int *bucket)
{
    int me = shmem_my_pe();
    long long arrived = 0;

    for (long long i = 0; i < filled; i++) {
        CHECK(bucket[i] / WIDTH == me, "key %lld of %lld is %d", i, filled, bucket[i]);
        arrived += bucket[i];
    }
    sums[0] = filled - KEYS;
    sums[1] = arrived;
    for (int i = 0; i < KEYS; i++)
        sums[1] -= keys[i];
    CHECK(shmem_longlong_sum_reduce(SHMEM_TEAM_WORLD, totals, sums, 2) == 0, "the sum");
    CHECK(totals[0] == 0 && totals[1] == 0, "%lld keys too many, sum off by %lld", totals[0],
          totals[1]);
}

int main(void)
{
    static int keys[KEYS];
    int *bucket;

    shmem_init();
    bucket = shmem_malloc((size_t)shmem_n_pes() * KEYS * sizeof *bucket);
    CHECK(bucket != NULL, "no memory");
    for (long round = 0; round < ROUNDS; round++) {
        make_keys(keys, round);
        memset(bucket, -1, (size_t)shmem_n_pes() * KEYS * sizeof *bucket);
        filled = 0;
        shmem_barrier_all();
        send_keys(keys, bucket);
        shmem_barrier_all();
        check_keys(keys, bucket);
        shmem_barrier_all();
    }
    shmem_free(bucket);
    shmem_finalize();
    return 0;
}
