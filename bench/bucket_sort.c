/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorts random keys that lie spread over the PEs: each PE owns a range of keys, every PE sends its
 * keys to their owners, an atomic addition reserves the place, and owners count what they got.
 * Argument: keys per PE.
 */
#include "program.h"

#include <string.h>

#define KEY_BITS 22

struct sorter {
    size_t keys; /* of each PE */
    size_t room; /* for what a PE gets */
    uint32_t *mine, *grouped, *got;
    size_t *begin; /* of each owner's part of `grouped` */
    uint32_t *counts;
    long long *filled; /* symmetric: of `got` */
};

static uint32_t owner_of(uint32_t key, int n_pes)
{
    return (uint32_t)(((uint64_t)key * (uint64_t)n_pes) >> KEY_BITS);
}

static void group_by_owner(struct sorter *sorter, int n_pes)
{
    size_t *begin = sorter->begin;

    memset(begin, 0, ((size_t)n_pes + 2) * sizeof *begin);
    for (size_t i = 0; i < sorter->keys; i++)
        begin[owner_of(sorter->mine[i], n_pes) + 2]++;
    for (int pe = 0; pe < n_pes; pe++)
        begin[pe + 2] += begin[pe + 1];
    for (size_t i = 0; i < sorter->keys; i++)
        sorter->grouped[begin[owner_of(sorter->mine[i], n_pes) + 1]++] = sorter->mine[i];
}

/* Everybody starts with another owner, so that not all crowd at one. */
static void send(struct sorter *sorter, int me, int n_pes)
{
    for (int i = 0; i < n_pes; i++) {
        int owner = (me + i) % n_pes;
        size_t count = sorter->begin[owner + 1] - sorter->begin[owner];
        long long at = shmem_longlong_atomic_fetch_add(sorter->filled, (long long)count, owner);

        insist((size_t)at + count <= sorter->room, "more keys for one PE than it has room");
        shmem_put32(sorter->got + at, sorter->grouped + sorter->begin[owner], count, owner);
    }
}

static void count_keys(struct sorter *sorter)
{
    memset(sorter->counts, 0, sizeof *sorter->counts << KEY_BITS);
    for (long long i = 0; i < *sorter->filled; i++)
        sorter->counts[sorter->got[i]]++;
}

static double sort(struct sorter *sorter, int me, int n_pes)
{
    double start;

    *sorter->filled = 0;
    shmem_barrier_all();
    start = now_s();
    group_by_owner(sorter, n_pes);
    send(sorter, me, n_pes);
    shmem_barrier_all();
    count_keys(sorter);
    shmem_barrier_all();
    return now_s() - start;
}

static void check(const struct sorter *sorter, int me, int n_pes)
{
    static long long total;
    long long n = (long long)sorter->keys * n_pes;

    for (long long i = 0; i < *sorter->filled; i++)
        insist(owner_of(sorter->got[i], n_pes) == (uint32_t)me, "a key at the wrong PE");
    total = 0;
    shmem_barrier_all();
    shmem_longlong_atomic_add(&total, *sorter->filled, 0);
    shmem_barrier_all();
    insist(me != 0 || total == n, "keys got lost");
}

int main(int argc, char **argv)
{
    struct sorter sorter = {.keys = problem_size(argc, argv, 1u << 20)};
    uint64_t state;
    double seconds[ROUNDS];
    int me, n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    state = (uint64_t)me + 1;
    sorter.room = sorter.keys + sorter.keys / 2 + 4096;
    sorter.mine = malloc(sorter.keys * sizeof *sorter.mine);
    sorter.grouped = malloc(sorter.keys * sizeof *sorter.grouped);
    sorter.begin = malloc(((size_t)n_pes + 2) * sizeof *sorter.begin);
    sorter.counts = malloc(sizeof *sorter.counts << KEY_BITS);
    insist(sorter.mine && sorter.grouped && sorter.begin && sorter.counts, "no memory");
    sorter.got = take(sorter.room * sizeof *sorter.got);
    sorter.filled = take(sizeof *sorter.filled);
    for (size_t i = 0; i < sorter.keys; i++)
        sorter.mine[i] = (uint32_t)(next_random(&state) >> (64 - KEY_BITS));
    for (int round = 0; round < ROUNDS; round++)
        seconds[round] = sort(&sorter, me, n_pes);
    check(&sorter, me, n_pes);
    report("bucket_sort", sorter.keys, (double)sorter.keys * n_pes, seconds, "Mkeys/s");
    shmem_finalize();
    return 0;
}
