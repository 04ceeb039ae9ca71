/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads of each PE: threads of the same number on all PEs are a ring of their own. */
#include "litmus.h"

#include <pthread.h>
#include <stdalign.h>

enum { THREADS = 3, TURNS = 20, WORDS = 8 };

/* What threads of one number send each other. */
struct ring {
    alignas(64) long data[WORDS];
    alignas(64) uint64_t flag;
    alignas(64) uint64_t room; /* the neighbour on the right has read */
};

static struct ring rings[THREADS];
static long lock, counter, drawn;

struct thread {
    pthread_t id;
    int number;
    long round;
};

static void send(struct ring *ring, uint64_t turn, int right)
{
    long block[WORDS];

    for (int i = 0; i < WORDS; i++)
        block[i] = (long)turn + i;
    shmem_uint64_wait_until(&ring->room, SHMEM_CMP_GE, turn - 1);
    if (random_below(2) == 0) {
        shmem_long_put_nbi(ring->data, block, WORDS, right);
        shmem_fence();
        shmem_uint64_atomic_set(&ring->flag, turn, right);
        shmem_quiet();
    } else {
        shmem_long_put_signal(ring->data, block, WORDS, &ring->flag, turn, SHMEM_SIGNAL_SET, right);
    }
}

static void receive(struct ring *ring, uint64_t turn, int left)
{
    shmem_signal_wait_until(&ring->flag, SHMEM_CMP_EQ, turn);
    for (int i = 0; i < WORDS; i++) {
        if (ring->data[i] != (long)turn + i)
            violation("thread %d, turn %llu: word %d is %ld instead of %ld", (int)(ring - rings),
                      (unsigned long long)turn, i, ring->data[i], (long)turn + i);
    }
    shmem_uint64_p(&ring->room, turn, left);
}

static void count_locked(void)
{
    long before;

    shmem_set_lock(&lock);
    before = shmem_long_g(&counter, 0);
    dawdle();
    shmem_long_p(&counter, before + 1, 0);
    shmem_clear_lock(&lock);
}

static void *run(void *argument)
{
    const struct thread *thread = argument;
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    for (int i = 1; i <= TURNS; i++) {
        uint64_t turn = (uint64_t)((thread->round - 1) * TURNS + i);

        send(&rings[thread->number], turn, (me + 1) % n_pes);
        dawdle();
        receive(&rings[thread->number], turn, (me + n_pes - 1) % n_pes);
        shmem_long_atomic_inc(&drawn, 0);
        if (i % 4 == 0)
            count_locked();
    }
    return NULL;
}

void run_threads(long round)
{
    struct thread threads[THREADS];
    long all = round * THREADS * TURNS * shmem_n_pes();

    for (int i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.number = i, .round = round};
        if (pthread_create(&threads[i].id, NULL, run, &threads[i]) != 0)
            shmem_global_exit(3);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);
    shmem_barrier_all();
    if (shmem_my_pe() == 0 && (drawn != all || counter != all / 4))
        violation("%ld additions and %ld under the lock, expected %ld and %ld", drawn, counter, all,
                  all / 4);
}
