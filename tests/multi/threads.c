/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight threads of each PE do everything at once: transfers, atomics, contexts, signals, waits,
 * locks, and collectives of teams of their own. */
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 60, BLOCK = 40 };

static long inbox[THREADS][BLOCK];
static uint64_t arrived[THREADS];
static uint64_t emptied[THREADS];
static long total;
static long protected_total;
static long lock;
static long sources[THREADS][3];
static long sums[THREADS][3];
static shmem_team_t teams[THREADS];

/* Sends blocks to the same thread of the next PE, each with a signal, and waits for its own. */
static void send_and_receive(int thread, long round, shmem_ctx_t ctx)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int next = (me + 1) % n_pes;
    int before = (me + n_pes - 1) % n_pes;
    long block[BLOCK];

    for (int i = 0; i < BLOCK; i++)
        block[i] = (round * THREADS + thread) * 1000 + me * BLOCK + i;
    shmem_signal_wait_until(&emptied[thread], SHMEM_CMP_EQ, (uint64_t)round);
    shmem_ctx_long_put_signal(ctx, inbox[thread], block, BLOCK, &arrived[thread], 1,
                              SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&arrived[thread], SHMEM_CMP_EQ, (uint64_t)round + 1);
    for (int i = 0; i < BLOCK; i++)
        CHECK(inbox[thread][i] == (round * THREADS + thread) * 1000 + before * BLOCK + i,
              "thread %d, round %ld, word %d: %ld", thread, round, i, inbox[thread][i]);
    shmem_ctx_signal_set(ctx, &emptied[thread], (uint64_t)round + 1, before);
}

static void count(shmem_ctx_t ctx)
{
    long before;

    shmem_ctx_long_atomic_inc(ctx, &total, 0);
    shmem_set_lock(&lock);
    before = shmem_long_g(&protected_total, 0);
    shmem_long_p(&protected_total, before + 1, 0);
    shmem_clear_lock(&lock);
}

/* Each thread has a team of its own, over the same PEs. */
static void add_up(int thread, long round)
{
    int n_pes = shmem_n_pes();

    for (int i = 0; i < 3; i++)
        sources[thread][i] = round * (i + 1) + shmem_my_pe() + thread;
    shmem_long_sum_reduce(teams[thread], sums[thread], sources[thread], 3);
    for (int i = 0; i < 3; i++)
        CHECK(sums[thread][i] == (round * (i + 1) + thread) * n_pes + (long)n_pes * (n_pes - 1) / 2,
              "thread %d, round %ld, sum %d: %ld", thread, round, i, sums[thread][i]);
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;

    for (long round = 0; round < ROUNDS; round++) {
        shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

        if (round % 4 != 0)
            CHECK(shmem_ctx_create(round % 4 == 1 ? SHMEM_CTX_PRIVATE : 0, &ctx) == 0, "context");
        send_and_receive(thread, round, ctx);
        count(ctx);
        add_up(thread, round);
        shmem_ctx_quiet(ctx);
        if (ctx != SHMEM_CTX_DEFAULT)
            shmem_ctx_destroy(ctx);
    }
    return NULL;
}

/* Threads split teams of their own at the same time, in turns and together. */
static void *split(void *argument)
{
    int thread = (int)(intptr_t)argument;

    for (int i = 0; i < 20; i++) {
        shmem_team_t team;

        CHECK(shmem_team_split_strided(teams[thread], shmem_n_pes() - 1, -1, shmem_n_pes(), NULL, 0,
                                       &team) == 0,
              "thread %d, split %d", thread, i);
        CHECK(shmem_team_my_pe(team) == shmem_n_pes() - 1 - shmem_my_pe(), "thread %d", thread);
        shmem_team_sync(team);
        shmem_team_destroy(team);
    }
    return NULL;
}

static void run(void *(*body)(void *))
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i) == 0, "thread %d", i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    shmem_barrier_all();
}

int main(void)
{
    int provided = -1;
    long expected;

    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0, "init");
    CHECK(provided == SHMEM_THREAD_MULTIPLE, "provided = %d", provided);
    for (int i = 0; i < THREADS; i++)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &teams[i]);
    run(work);
    run(split);
    expected = (long)THREADS * ROUNDS * shmem_n_pes();
    if (shmem_my_pe() == 0)
        CHECK(total == expected && protected_total == expected, "counted %ld and %ld of %ld", total,
              protected_total, expected);
    for (int i = 0; i < THREADS; i++)
        shmem_team_destroy(teams[i]);
    shmem_finalize();
    return 0;
}
