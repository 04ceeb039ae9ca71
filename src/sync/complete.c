/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync/sync.h"

struct copies {
    const struct shm_copy_worker *worker;
    uint32_t ticket;
};

static bool are_done(const struct shm_wait *wait)
{
    const struct copies *copies = wait->argument;

    return shm_copy_worker_is_done(copies->worker, copies->ticket);
}

void shm_complete_copy(struct shm_instance *instance, uint32_t ticket)
{
    struct shm_copy_worker *worker = instance->copy_worker;
    struct copies copies = {worker, ticket};
    struct shm_wait wait = {
        .is_over = are_done, .argument = &copies, .futex = shm_copy_worker_futex(worker)};

    if (shm_copy_worker_is_done(worker, ticket))
        return;
    shm_copy_worker_expect(worker);
    shm_wait_for_thread(instance, &wait);
    shm_copy_worker_forget(worker);
}

void shm_complete_copies(struct shm_instance *instance)
{
    shm_complete_copy(instance, shm_copy_worker_last(instance->copy_worker));
}
