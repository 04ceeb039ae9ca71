/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may use a connection now: one thread at a time, until a deadline. */
#include "store/client_internal.h"

#include "base/clock.h"

#include <errno.h>

void shm_store_turn_init(struct shm_store_turn *turn)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&turn->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&turn->freed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void shm_store_turn_fini(struct shm_store_turn *turn)
{
    pthread_cond_destroy(&turn->freed);
    pthread_mutex_destroy(&turn->mutex);
}

/* The mutex is only held for moments, so that a deadline that has passed never waits. */
bool shm_store_turn_take(struct shm_store_turn *turn, uint64_t deadline_ns)
{
    struct timespec deadline = {(time_t)(deadline_ns / SHM_NS_PER_SECOND),
                                (long)(deadline_ns % SHM_NS_PER_SECOND)};
    bool is_mine;

    pthread_mutex_lock(&turn->mutex);
    while (turn->is_taken)
        if (pthread_cond_timedwait(&turn->freed, &turn->mutex, &deadline) == ETIMEDOUT)
            break;
    is_mine = !turn->is_taken;
    turn->is_taken = true;
    pthread_mutex_unlock(&turn->mutex);
    return is_mine;
}

void shm_store_turn_end(struct shm_store_turn *turn)
{
    pthread_mutex_lock(&turn->mutex);
    turn->is_taken = false;
    pthread_cond_signal(&turn->freed);
    pthread_mutex_unlock(&turn->mutex);
}
