/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring of transfers with two counters: given and done, whose difference is what waits. Givers
 * take turns by a lock; the worker is alone at its end and needs none. Either side sleeps on the
 * other's counter and announces that first, so that nobody makes a system call for a side that is
 * awake.
 *
 * Order: a counter is stored as release behind what it counts and loaded as acquire (plain moves on
 * x86-TSO, STLR and LDAR on Arm). Announcing and counting are a store before a load on both sides:
 * sequentially consistent, XCHG on x86-TSO and again STLR before LDAR on Arm; and the kernel, which
 * has full barriers on both machines, compares the counter once more.
 */
#include "base/futex.h"
#include "transport/transport.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_TRANSFERS 128u /* a power of two: tickets wrap around */
#define SLEEP_NS 3600000000000u

struct shm_copy_worker {
    /* of the givers */
    alignas(64) _Atomic uint32_t given; /* futex of the worker */
    pthread_mutex_t give_lock;
    bool is_started;
    /* of the worker */
    alignas(64) _Atomic uint32_t done; /* futex of those who wait */
    _Atomic bool is_asleep;
    /* of both */
    alignas(64) _Atomic uint32_t waiters;
    bool is_ending; /* written before a count that stands for no transfer */
    void (*perform)(void *argument, const struct shm_transfer *transfer);
    void *argument;
    pthread_t thread;
    struct shm_transfer queue[QUEUE_TRANSFERS];
};

enum shm_status shm_copy_worker_create(void (*perform)(void *argument,
                                                       const struct shm_transfer *transfer),
                                       void *argument, struct shm_copy_worker **out_worker)
{
    size_t bytes = (sizeof(struct shm_copy_worker) + 63) / 64 * 64;
    struct shm_copy_worker *worker = aligned_alloc(64, bytes);

    if (worker == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the queue of the copy worker (%zu bytes)",
                        bytes);
    memset(worker, 0, sizeof *worker);
    pthread_mutex_init(&worker->give_lock, NULL);
    worker->perform = perform;
    worker->argument = argument;
    *out_worker = worker;
    return SHM_OK;
}

/* ---- the thread ---- */

static void sleep_until_given(struct shm_copy_worker *worker, uint32_t seen)
{
    /* pairs with publish(): either the giver sees the sleeper or the futex sees the new count */
    atomic_store(&worker->is_asleep, true);
    if (atomic_load(&worker->given) == seen)
        shm_futex_wait(&worker->given, seen, SLEEP_NS);
    atomic_store(&worker->is_asleep, false);
}

static void *work(void *argument)
{
    struct shm_copy_worker *worker = argument;
    uint32_t done = atomic_load_explicit(&worker->done, memory_order_relaxed);

    for (;;) {
        /* acquire: pairs with the release in publish() */
        if (atomic_load_explicit(&worker->given, memory_order_acquire) == done) {
            sleep_until_given(worker, done);
            continue;
        }
        if (worker->is_ending)
            return NULL;
        worker->perform(worker->argument, &worker->queue[done % QUEUE_TRANSFERS]);
        atomic_store(&worker->done, ++done); /* release: pairs with shm_copy_worker_is_done() */
        if (atomic_load(&worker->waiters) != 0)
            shm_futex_wake(&worker->done, INT_MAX);
    }
}

/* Signals are for the program's own threads. */
static enum shm_status start_locked(struct shm_copy_worker *worker)
{
    sigset_t all, before;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        return shm_fail_errno(SHM_MALLOC_FAILED, error, "cannot start the copy worker (SDMA)");
    worker->is_started = true;
    return SHM_OK;
}

static void wake_worker(struct shm_copy_worker *worker)
{
    if (atomic_load(&worker->is_asleep))
        shm_futex_wake(&worker->given, 1);
}

static void wait_until_done(struct shm_copy_worker *worker)
{
    uint32_t last = shm_copy_worker_last(worker);

    shm_copy_worker_expect(worker);
    for (;;) {
        uint32_t done = atomic_load(&worker->done);

        if (done == last)
            break;
        shm_futex_wait(&worker->done, done, SLEEP_NS);
    }
    shm_copy_worker_forget(worker);
}

void shm_copy_worker_destroy(struct shm_copy_worker *worker)
{
    if (worker == NULL)
        return;
    if (worker->is_started) {
        wait_until_done(worker);
        worker->is_ending = true;
        atomic_fetch_add(&worker->given, 1); /* release: pairs with the acquire in work() */
        wake_worker(worker);
        pthread_join(worker->thread, NULL);
    }
    pthread_mutex_destroy(&worker->give_lock);
    free(worker);
}

/* ---- giving ---- */

static void publish(struct shm_copy_worker *worker, const struct shm_transfer *transfer,
                    uint32_t given)
{
    worker->queue[given % QUEUE_TRANSFERS] = *transfer;
    atomic_store(&worker->given, given + 1); /* release: pairs with the acquire in work() */
    wake_worker(worker);
}

enum shm_status shm_copy_worker_try_give(struct shm_copy_worker *worker,
                                         const struct shm_transfer *transfer, uint32_t *out_ticket)
{
    enum shm_status status = SHM_OK;
    uint32_t given;

    pthread_mutex_lock(&worker->give_lock);
    given = atomic_load_explicit(&worker->given, memory_order_relaxed);
    /* acquire: the worker is through with the entry that is filled again */
    if (given - atomic_load_explicit(&worker->done, memory_order_acquire) == QUEUE_TRANSFERS)
        status = SHM_AGAIN;
    else if (!worker->is_started)
        status = start_locked(worker);
    if (status == SHM_OK) {
        publish(worker, transfer, given);
        *out_ticket = given + 1;
    }
    pthread_mutex_unlock(&worker->give_lock);
    return status;
}

/* ---- waiting ---- */

uint32_t shm_copy_worker_last(const struct shm_copy_worker *worker)
{
    return atomic_load_explicit(&worker->given, memory_order_acquire);
}

uint32_t shm_copy_worker_oldest(const struct shm_copy_worker *worker)
{
    return shm_copy_worker_last(worker) - QUEUE_TRANSFERS + 1;
}

bool shm_copy_worker_is_done(const struct shm_copy_worker *worker, uint32_t ticket)
{
    uint32_t done = atomic_load_explicit(&worker->done, memory_order_acquire);

    return (int32_t)(done - ticket) >= 0;
}

const _Atomic uint32_t *shm_copy_worker_futex(const struct shm_copy_worker *worker)
{
    return &worker->done;
}

void shm_copy_worker_expect(struct shm_copy_worker *worker)
{
    atomic_fetch_add(&worker->waiters, 1);
}

void shm_copy_worker_forget(struct shm_copy_worker *worker)
{
    atomic_fetch_sub(&worker->waiters, 1);
}
