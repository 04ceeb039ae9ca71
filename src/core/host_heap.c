/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host heap. Init reserves its addresses behind those of the symmetric heap; the PEs begin to
 * use it together, at the first call that allocates there, if every node has the memory for it.
 */
#include "memory_internal.h"

#include "base/memory_limit.h"

static void make_offer(const struct shm_instance *instance, enum shm_status status,
                       struct shm_host_offer *out_offer)
{
    enum shm_memory_limiter limiter;
    uint64_t available = shm_memory_available(&limiter);

    *out_offer = (struct shm_host_offer){.host_bytes = instance->sides[SHM_SIDE_HOST].bytes,
                                         .growth_bytes = shm_heap_growth_bytes(&instance->heap),
                                         .available = available,
                                         .node_count = instance->node_count,
                                         .limiter = (uint32_t)limiter,
                                         .is_overcommitted = instance->options.overcommit,
                                         .status = (int32_t)status};
}

enum shm_status shm_host_offer_check(const struct shm_host_offer *offer, int pe,
                                     bool is_overcommitted)
{
    if (offer->status != SHM_OK)
        return shm_fail(SHM_MALLOC_FAILED, "PE %d has no memory to keep book of a host heap", pe);
    if (is_overcommitted || offer->growth_bytes <= offer->available)
        return SHM_OK;
    return shm_fail(SHM_MALLOC_FAILED,
                    "host heaps of %llu bytes for each of %d PEs do not fit: the node of PE %d may "
                    "need %llu bytes for all heaps, and the %s has %llu left; lower "
                    "local_mem_size, or set SHMEM_OVERCOMMIT=1 for heaps that are mostly not "
                    "touched",
                    (unsigned long long)offer->host_bytes, (int)offer->node_count, pe,
                    (unsigned long long)offer->growth_bytes,
                    offer->limiter == SHM_MEMORY_LIMITED_BY_CGROUP ? "container" : "machine",
                    (unsigned long long)offer->available);
}

/* All PEs read the same offers. */
static enum shm_status judge_offers(const struct shm_instance *instance)
{
    bool is_overcommitted = false;
    enum shm_status status = SHM_OK;

    for (int pe = 0; pe < instance->reach.n_pes; pe++) {
        const struct shm_host_offer *offer = shm_exchange_of(instance, &instance->memory, pe);

        is_overcommitted |= offer->is_overcommitted != 0;
    }
    for (int pe = 0; status == SHM_OK && pe < instance->reach.n_pes; pe++)
        status = shm_host_offer_check(shm_exchange_of(instance, &instance->memory, pe), pe,
                                      is_overcommitted);
    return status;
}

enum shm_status shm_host_heap_create(struct shm_instance *instance, const char *call)
{
    struct shm_memory_side *side = &instance->sides[SHM_SIDE_HOST];
    struct shm_allocator *allocator = NULL;
    enum shm_status status;

    _Static_assert(sizeof(struct shm_host_offer) <= SHM_EXCHANGE_BYTES, "must fit");
    if (side->allocator != NULL)
        return SHM_OK;
    if (side->bytes == 0) /* so on all PEs */
        return shm_fail(SHM_MALLOC_FAILED,
                        "there is no host heap (HOST_SIDE): it needs aclshmemx_init_attr on all "
                        "PEs, and as many addresses as the symmetric heap (ulimit -v, ulimit -f)");
    status = shm_allocator_create(side->bytes, &allocator);
    make_offer(instance, status, shm_exchange_buffer(instance, &instance->memory));
    status = shm_barrier(instance, &instance->memory, call);
    if (status == SHM_OK)
        status = judge_offers(instance);
    if (status != SHM_OK) {
        shm_allocator_destroy(allocator);
        return status;
    }
    side->allocator = allocator;
    atomic_store_explicit(&instance->reach.host_bytes, side->bytes, memory_order_relaxed);
    return SHM_OK;
}
