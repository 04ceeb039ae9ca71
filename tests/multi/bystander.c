/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that makes no calls goes on writing to global variables while its PE leaves the job: no
 * store may be lost when the variables become private again. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define WORDS (1 << 20)

static long words[WORDS]; /* many pages, so that leaving takes a while */
static atomic_bool is_done;

struct count {
    long rounds;
};

static void *write_on(void *argument)
{
    struct count *count = argument; /* on main's stack, which stays where it is */

    for (long i = 0; !atomic_load_explicit(&is_done, memory_order_relaxed); i++) {
        volatile long *word = &words[i * 512 % WORDS];

        *word = *word + 1;
        count->rounds++;
    }
    return NULL;
}

int main(void)
{
    struct count count = {0};
    pthread_t thread;
    long sum = 0;
    int provided;

    if (shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) != 0)
        return 1;
    for (int i = 0; i < WORDS; i += 512)
        shmem_long_p(&words[i], 1, shmem_my_pe());
    shmem_barrier_all();
    CHECK(pthread_create(&thread, NULL, write_on, &count) == 0, "pthread_create");
    shmem_barrier_all();
    shmem_finalize();
    atomic_store(&is_done, true);
    pthread_join(thread, NULL);
    for (int i = 0; i < WORDS; i++)
        sum += words[i];
    if (sum != WORDS / 512 + count.rounds) {
        fprintf(stderr, "%ld rounds, %ld counted\n", count.rounds, sum - WORDS / 512);
        return 1;
    }
    return 0;
}
