/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/instance.h"

#include "base/log.h"

#include <stdlib.h>

/* What kernels are compiled for. */
#define DEFAULT_SCRATCH                                                                            \
    {                                                                                              \
        [SHM_SCRATCH_MTE] = {0, 16384, 0}, [SHM_SCRATCH_SDMA] = {195584, 64, 0},                   \
        [SHM_SCRATCH_RDMA] = {194560, 128, 0}, [SHM_SCRATCH_UDMA] = {193536, 128, 0},              \
    }

enum shm_status shm_instance_create(struct shm_instance **out_instance)
{
    struct shm_instance *instance = aligned_alloc(
        SHM_CACHE_LINE, (sizeof *instance + SHM_CACHE_LINE - 1) / SHM_CACHE_LINE * SHM_CACHE_LINE);

    if (instance == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the instance (%zu bytes)",
                        sizeof *instance);
    *instance = (struct shm_instance){.references = 1,
                                      .handle_generation = 1,
                                      .engines = SHM_ENGINE_MTE,
                                      .vector = SHM_VECTOR_BASELINE,
                                      .scratch = DEFAULT_SCRATCH};
    shm_heap_init(&instance->heap);
    pthread_mutex_init(&instance->allocator_lock, NULL);
    *out_instance = instance;
    return SHM_OK;
}

void shm_instance_destroy(struct shm_instance *instance)
{
    if (instance == NULL)
        return;
    shm_copy_worker_destroy(instance->copy_worker);
    for (int side = 0; side < SHM_SIDES; side++)
        shm_allocator_destroy(instance->sides[side].allocator);
    free(instance->memory_history);
    free(atomic_load(&instance->profile));
    shm_heap_destroy(&instance->heap);
    shm_bootstrap_close(instance->bootstrap);
    for (size_t i = 0; i < SHM_ENGINES; i++)
        free(instance->topology_texts[i]);
    free(instance->topology);
    free(instance->node_pes);
    pthread_mutex_destroy(&instance->allocator_lock);
    if (instance->has_log)
        shm_log_detach();
    free(instance);
}

static struct shm_group all_pes(const struct shm_instance *instance, enum shm_group_slot slot)
{
    return (struct shm_group){.start = 0,
                              .stride = 1,
                              .size = instance->reach.n_pes,
                              .rank = instance->reach.my_pe,
                              .slot = (int)slot};
}

void shm_instance_set_reach(struct shm_instance *instance)
{
    const struct shm_heap_layout *layout = &instance->heap.layout;
    char *slice = shm_heap_slice(&instance->heap, instance->heap.my_pe);
    struct shm_reach *reach = &instance->reach;

    reach->heap_begin = (uintptr_t)slice + layout->heap_offset;
    reach->heap_bytes = layout->heap_bytes;
    reach->host_begin = (uintptr_t)slice + layout->host_offset;
    reach->stride = layout->stride;
    reach->my_pe = instance->heap.my_pe;
    reach->n_pes = instance->heap.n_pes;
    reach->is_debugging = instance->options.debug;
    reach->is_special = reach->is_debugging || instance->engines != SHM_ENGINE_MTE;
    if (instance->static_data.is_shared) {
        reach->static_begin = (uintptr_t)instance->static_data.begin;
        reach->static_bytes = instance->static_data.bytes;
        reach->static_shift =
            (intptr_t)((uintptr_t)slice + layout->static_offset - reach->static_begin);
    }
    instance->sides[SHM_SIDE_DEVICE].begin = slice + layout->heap_offset;
    instance->sides[SHM_SIDE_DEVICE].bytes = layout->heap_bytes;
    instance->sides[SHM_SIDE_HOST].begin = slice + layout->host_offset;
    instance->sides[SHM_SIDE_HOST].bytes = layout->host_bytes;
    instance->control = shm_instance_control(instance, reach->my_pe);
    instance->world = all_pes(instance, SHM_SLOT_WORLD);
    instance->memory = all_pes(instance, SHM_SLOT_MEMORY);
    instance->life = all_pes(instance, SHM_SLOT_LIFE);
}
