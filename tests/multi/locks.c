/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: mutual exclusion, order, test_lock, static and heap locks, several at once. */
#include "check.h"

#include <stdlib.h>

enum { LOCKS = 5 };

static long static_lock;
static long counter;
static long inside;
static long places[64];

/* The counter has no other protection than the lock. */
static void count(long *lock, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        long before;

        if (i % 3 != 0 || shmem_test_lock(lock) != 0)
            shmem_set_lock(lock);
        CHECK(shmem_long_atomic_fetch_inc(&inside, 0) == 0, "somebody else holds the lock");
        before = shmem_long_g(&counter, 0);
        shmem_long_p(&counter, before + 1, 0);
        shmem_quiet();
        shmem_long_atomic_add(&inside, -1, 0);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        CHECK(counter == (long)rounds * shmem_n_pes(), "counted %ld", counter);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        counter = 0;
    shmem_barrier_all();
}

/* While PE 0 holds the lock the others come to wait for it; each is served once. */
static void check_waiters(long *lock)
{
    static long arrived;
    static long served;
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    long seen = 0;

    if (me == 0)
        shmem_set_lock(lock);
    shmem_barrier_all();
    if (me > 0) {
        CHECK(shmem_test_lock(lock) == 1, "held by PE 0");
        shmem_long_atomic_inc(&arrived, 0);
        shmem_set_lock(lock);
        shmem_long_p(&places[me], shmem_long_atomic_fetch_inc(&served, 0), 0);
        shmem_clear_lock(lock);
    } else {
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, n_pes - 1);
        CHECK(served == 0, "somebody has a lock that this PE holds");
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    for (int pe = 1; me == 0 && pe < n_pes; pe++)
        seen |= 1L << places[pe];
    CHECK(me != 0 || seen == (1L << (n_pes - 1)) - 1, "places 0x%lx", seen);
    shmem_barrier_all();
}

static void check_several(long *locks)
{
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < LOCKS; i++)
            shmem_set_lock(&locks[i]);
        CHECK(shmem_test_lock(&locks[round % LOCKS]) == 1, "held by this PE");
        for (int i = 0; i < LOCKS; i++)
            shmem_clear_lock(&locks[i]);
    }
    shmem_barrier_all();
    for (int i = 0; i < LOCKS && shmem_my_pe() == i % shmem_n_pes(); i++) {
        CHECK(shmem_test_lock(&locks[i]) == 0, "free");
        CHECK(shmem_test_lock(&locks[i]) == 1, "taken");
        shmem_clear_lock(&locks[i]);
    }
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 300;
    long *locks;

    shmem_init();
    CHECK(shmem_n_pes() <= 64, "this test is for at most 64 PEs");
    locks = shmem_calloc(LOCKS, sizeof *locks);
    count(&static_lock, rounds);
    for (int i = 0; i < LOCKS; i++)
        count(&locks[i], rounds / LOCKS);
    check_waiters(&locks[0]);
    check_several(locks);
    shmem_free(locks);
    shmem_finalize();
    return 0;
}
