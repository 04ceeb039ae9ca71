/* SPDX-License-Identifier: BSD-3-Clause */
/* Which engine does a transfer, and what each is told. */
#include "rma/rma.h"

static uint64_t bytes_of(const struct shm_transfer *transfer)
{
    return (uint64_t)transfer->copy.element_bytes * transfer->copy.block * transfer->copy.count;
}

/* Who sees the signal sees the data: shm_signal() is a release. */
static void announce(const struct shm_instance *instance, const struct shm_transfer *transfer)
{
    if (transfer->signal_bytes != 0)
        shm_signal(instance, transfer->signal, transfer->signal_bytes,
                   (enum shm_signal_operator)transfer->signal_operator, transfer->signal_value,
                   transfer->pe);
    else if (!transfer->is_get)
        shm_wake(instance, transfer->pe);
}

void shm_transfer_by_load_store(void *instance, const struct shm_transfer *transfer)
{
    shm_copy_strided(&transfer->copy);
    atomic_thread_fence(memory_order_acquire); /* for gets, as in shm_get() */
    announce(instance, transfer);
}

/* ---- SDMA ---- */

static enum shm_status give_to_worker(struct shm_instance *instance,
                                      const struct shm_transfer *transfer, bool is_nonblocking)
{
    struct shm_copy_worker *worker = instance->copy_worker;
    uint32_t ticket = 0;
    enum shm_status status;

    for (;;) {
        uint32_t oldest = shm_copy_worker_oldest(worker);

        status = shm_copy_worker_try_give(worker, transfer, &ticket);
        if (status != SHM_AGAIN)
            break;
        shm_complete_copy(instance, oldest);
    }
    if (status == SHM_OK && !is_nonblocking)
        shm_complete_copy(instance, ticket);
    return status;
}

/* ---- UDMA ---- */

/* Somebody may wait for a word that changes all at once, which the kernel does not promise. */
static bool is_word(const struct shm_strided *copy)
{
    return copy->block == 1 && copy->count == 1 &&
           (copy->element_bytes == 1 || copy->element_bytes == 2 || copy->element_bytes == 4 ||
            copy->element_bytes == 8);
}

struct shm_kernel_peer shm_kernel_peer_of(const struct shm_instance *instance, int pe)
{
    const struct shm_control *control = shm_instance_control(instance, pe);
    uint64_t there = atomic_load_explicit(&control->slice_address, memory_order_relaxed);

    return (struct shm_kernel_peer){
        .pe = pe,
        .pid = atomic_load_explicit(&control->activity.pid, memory_order_relaxed),
        .shift = (intptr_t)(there - (uintptr_t)control)};
}

static enum shm_status copy_by_kernel(struct shm_instance *instance,
                                      const struct shm_transfer *transfer)
{
    struct shm_kernel_peer peer = shm_kernel_peer_of(instance, transfer->pe);
    enum shm_status status = shm_kernel_copy(&peer, &transfer->copy, transfer->is_get);

    if (status == SHM_OK)
        announce(instance, transfer);
    return status;
}

/* ---- choice ---- */

static enum shm_engine choose(const struct shm_instance *instance,
                              const struct shm_transfer *transfer, bool is_nonblocking)
{
    uint8_t usable = instance->engines;

    if (usable == SHM_ENGINE_MTE)
        return SHM_ENGINE_MTE;
    usable &= instance->topology[transfer->pe];
    if (is_nonblocking && (usable & SHM_ENGINE_SDMA) != 0 &&
        bytes_of(transfer) >= instance->sdma_threshold)
        return SHM_ENGINE_SDMA;
    return shm_engine_first(usable);
}

enum shm_status shm_transfer(struct shm_instance *instance, const struct shm_transfer *transfer,
                             bool is_nonblocking)
{
    enum shm_engine engine = choose(instance, transfer, is_nonblocking);

    if (engine == SHM_ENGINE_SDMA)
        return give_to_worker(instance, transfer, is_nonblocking);
    if (engine == SHM_ENGINE_UDMA && !is_word(&transfer->copy))
        return copy_by_kernel(instance, transfer);
    shm_transfer_by_load_store(instance, transfer);
    return SHM_OK;
}
