/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

#include "base/processors.h"
#include "sync/sync.h"

#include <unistd.h>

/* All PEs of a node add themselves in one place, where all read the sum behind the next barrier. */
static struct shm_control *node_control(const struct shm_instance *instance)
{
    return shm_instance_control(instance, instance->node_pes[0]);
}

/* The quota is that of the first PE: to look it up takes longer than all the rest here, and PEs of
 * one launcher are in one container. */
static void add_processors(const struct shm_start *start)
{
    const struct shm_instance *instance = start->instance;
    struct shm_control *control = node_control(instance);
    struct shm_processor_set mine;

    shm_processors_allowed(&mine);
    shm_processors_add(&control->processors, &mine);
    if (control == instance->control)
        atomic_store(&control->processor_quota,
                     start->processor_quota != 0 ? start->processor_quota : shm_processors_quota());
}

/* What others may look at from now on. */
static void fill_control(struct shm_start *start)
{
    struct shm_control *control = start->instance->control;

    add_processors(start);
    atomic_store(&control->activity.pid, (int32_t)getpid());
    atomic_store(&control->activity.pe, start->request->my_pe);
    shm_activity_set(start->instance, SHM_ACTIVITY_STARTING);
}

/* Processors that the PEs of this node may use. Equal on all of them. */
static int count_processors(const struct shm_instance *instance)
{
    const struct shm_control *control = node_control(instance);
    int count = shm_processors_count(&control->processors);
    int quota = atomic_load(&control->processor_quota);

    return count < quota ? count : quota;
}

static bool is_crowded(const struct shm_instance *instance)
{
    if (instance->options.waiting != SHM_WAITING_AUTO)
        return instance->options.waiting == SHM_WAITING_SLEEP;
    return instance->node_count > instance->processors;
}

enum shm_status shm_start_meet_node(struct shm_start *start)
{
    struct shm_instance *instance = start->instance;
    enum shm_status status = shm_engines_show(start);

    if (status != SHM_OK)
        return status;
    fill_control(start);
    instance->reach.is_crowded = true; /* until the processors of all are known: waits sleep */
    status = shm_barrier_until(instance, &instance->life, "init", start->deadline_ns);
    if (status == SHM_OK)
        status = shm_engines_try(start);
    if (status != SHM_OK)
        return status;
    instance->processors = count_processors(instance);
    instance->reach.is_crowded = is_crowded(instance);
    return shm_engines_make_ready(instance, instance->processors > instance->node_count);
}
