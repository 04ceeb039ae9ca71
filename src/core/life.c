/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"
#include "guard_internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "device/device.h"
#include "sync/sync.h"
#include "team/team.h"

#include <stdio.h>

#define FAREWELL_LIMIT_MS 2000

struct shm_process shm_process = {
    .entries_lock = PTHREAD_MUTEX_INITIALIZER,
    .tell_lock = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .fork_lock = PTHREAD_MUTEX_INITIALIZER,
    .handle_generation = 1,
    .launcher_fd = -1,
    .store_fd = -1,
    .board_fd = -1,
    .lifeline_fd = -1,
};

/* No fork comes between: a child must know whether it needs a copy of the data. */
static enum shm_status share_static_data(struct shm_instance *instance)
{
    enum shm_status status;

    if (instance->heap.layout.static_bytes == 0)
        return SHM_OK;
    pthread_mutex_lock(&shm_process.fork_lock);
    status = shm_static_data_share(&instance->static_data, &instance->heap);
    pthread_mutex_unlock(&shm_process.fork_lock);
    return status;
}

static void restore_static_data(struct shm_instance *instance)
{
    enum shm_status status;

    pthread_mutex_lock(&shm_process.fork_lock);
    status = shm_static_data_restore(&instance->static_data);
    pthread_mutex_unlock(&shm_process.fork_lock);
    if (status != SHM_OK)
        shm_log(SHM_LOG_ERROR, "finalize", "%s", shm_error_detail());
}

static enum shm_status build(struct shm_start *start)
{
    struct shm_instance *instance = start->instance;
    enum shm_status status = shm_hooks_register();

    if (status == SHM_OK)
        status = shm_start_load_options(start);
    if (status == SHM_OK)
        status = shm_engines_choose(start);
    if (status == SHM_OK)
        status = shm_meet(start);
    if (status != SHM_OK)
        return status;
    shm_registry_set_life(start->entry, SHM_LIFE_MEMORY);
    status = share_static_data(instance);
    if (status == SHM_OK)
        status = shm_allocator_create(instance->heap.layout.heap_bytes,
                                      &instance->sides[SHM_SIDE_DEVICE].allocator);
    if (status == SHM_OK)
        status = shm_memory_history_create(instance);
    if (status != SHM_OK)
        return status;
    shm_instance_set_reach(instance);
    status = shm_teams_create(instance);
    if (status != SHM_OK)
        return status;
    return shm_start_meet_node(start);
}

/* ---- the table of instances, and what the launcher hears of it: in the same order ---- */

static enum shm_status take_place(struct shm_start *start)
{
    enum shm_status status;

    pthread_mutex_lock(&shm_process.tell_lock);
    status = shm_registry_reserve(start->request->instance_id, &start->entry, &start->is_first);
    if (status == SHM_OK && start->request->is_launched) {
        shm_launcher_attach();
        if (start->is_first)
            shm_launcher_tell_init();
    }
    pthread_mutex_unlock(&shm_process.tell_lock);
    return status;
}

/* After an init that failed: a program that can do without a job may end in peace. */
static void give_place_back(struct shm_entry *entry, uint64_t generation)
{
    pthread_mutex_lock(&shm_process.tell_lock);
    if (shm_registry_release(entry, generation))
        shm_launcher_tell(SHM_LAUNCH_FINALIZED, 0);
    pthread_mutex_unlock(&shm_process.tell_lock);
}

/* No call can mean the instance any more. */
static void hide(struct shm_entry *entry, enum shm_status outcome)
{
    pthread_mutex_lock(&shm_process.tell_lock);
    if (shm_registry_hide(entry) && outcome == SHM_OK)
        shm_launcher_tell(SHM_LAUNCH_FINALIZED, 0);
    pthread_mutex_unlock(&shm_process.tell_lock);
}

/* ---- init and finalize ---- */

/* Gives the generation of the handles that come next. */
static uint64_t take_apart(struct shm_entry *entry, struct shm_instance *instance)
{
    uint64_t generation;

    shm_teams_destroy(instance);
    generation = instance->handle_generation;
    restore_static_data(instance);
    shm_registry_own(entry, NULL);
    shm_instance_destroy(instance);
    return generation;
}

/* Gives up. Where all do so for the same reason, in order: a connection that breaks would tell the
 * slower ones of a lost PE instead. */
static void abandon(struct shm_start *start)
{
    char detail[SHM_DETAIL_BYTES];

    snprintf(detail, sizeof detail, "%s", shm_error_detail());
    if (start->is_failure_shared &&
        shm_bootstrap_finalize(start->instance->bootstrap,
                               shm_deadline_after_ms(FAREWELL_LIMIT_MS)) != SHM_OK)
        shm_log(SHM_LOG_DEBUG, "init", "no farewell: %s", shm_error_detail());
    shm_cleanup_fd(&start->listen_fd);
    give_place_back(start->entry, take_apart(start->entry, start->instance));
    shm_error_restore(detail);
}

/* The place and the empty instance. */
static enum shm_status begin(struct shm_start *start)
{
    uint64_t id = start->request->instance_id;
    enum shm_status status = take_place(start);

    if (status != SHM_OK)
        return status;
    status = shm_instance_create(&start->instance);
    if (status != SHM_OK) {
        give_place_back(start->entry, 0);
        return status;
    }
    shm_registry_own(start->entry, start->instance);
    start->instance->context = (struct shm_instance_context){id, start->instance};
    start->instance->handle_generation = shm_registry_handle_generation();
    return SHM_OK;
}

static void complete(const struct shm_start *start)
{
    const struct shm_start_request *request = start->request;

    shm_process.generation += request->is_launchers_job;
    shm_activity_set(start->instance, SHM_ACTIVITY_RUNNING);
    shm_launcher_show_records(start->instance);
    if (start->is_first)
        shm_info_print(start->instance);
    shm_registry_publish(start->entry, start->instance);
}

enum shm_status shm_start(const struct shm_start_request *request)
{
    struct shm_start start = {.request = request, .listen_fd = request->listen_fd};
    enum shm_status status = begin(&start);

    if (status != SHM_OK) {
        shm_cleanup_fd(&start.listen_fd);
        return status;
    }
    status = build(&start);
    if (status != SHM_OK) {
        abandon(&start);
        return status;
    }
    complete(&start);
    shm_log(SHM_LOG_INFO, "init", "joined a job of %d PEs, %d on this node, heap %llu bytes",
            request->n_pes, start.instance->node_count,
            (unsigned long long)start.instance->reach.heap_bytes);
    return SHM_OK;
}

/* All PEs are done with each other's memory when this returns. A PE may come as late as it likes,
 * unless the program set a limit: one that died is noticed without. */
static enum shm_status last_barrier(struct shm_instance *instance)
{
    uint64_t limit_ns = instance->finalize_timeout_ns;
    enum shm_status status;

    shm_activity_set(instance, SHM_ACTIVITY_FINALIZING);
    status = shm_barrier_until(instance, &instance->life, "finalize",
                               limit_ns != 0 ? shm_now_ns() + limit_ns : 0);
    if (status == SHM_ABORTED)
        shm_fatal(instance, status, "finalize");
    if (status == SHM_OK)
        status = shm_bootstrap_finalize(instance->bootstrap,
                                        shm_now_ns() + instance->control_timeout_ns);
    return status;
}

/* Also copies by the streams' own functions, to and from the heap. */
static enum shm_status drain_once(const struct shm_instance *instance)
{
    struct shm_task_owner owner = {.owner = instance,
                                   .memory = instance->heap.reserved,
                                   .memory_bytes = instance->heap.reserved_bytes};

    return shm_streams_drain(&owner, shm_now_ns() + instance->control_timeout_ns);
}

/* What streams have to do may give them more to do. From some time on they take no more: who adds
 * looks at is_ending under the lock of the queue, where the second look for tasks comes later. */
static enum shm_status drain_streams(struct shm_instance *instance)
{
    enum shm_status status = drain_once(instance);

    if (status != SHM_OK)
        return status;
    atomic_store(&instance->is_ending, true);
    status = drain_once(instance);
    if (status != SHM_OK)
        atomic_store(&instance->is_ending, false);
    return status;
}

enum shm_status shm_stop(uint64_t id)
{
    struct shm_entry *entry = NULL;
    enum shm_status status = shm_registry_begin_stop(id, &entry);
    struct shm_instance *instance;

    if (status != SHM_OK)
        return status;
    instance = atomic_load(&entry->instance);
    status = drain_streams(instance);
    if (status != SHM_OK) {
        shm_registry_cancel_stop(entry);
        return status;
    }
    status = last_barrier(instance);
    shm_launcher_forget_records(instance);
    hide(entry, status);
    if (status == SHM_OK) {
        status = shm_guard_check_all(instance); /* nobody writes any more */
        shm_heap_release_pages(&instance->heap);
    }
    shm_activity_set(instance, SHM_ACTIVITY_FINISHED);
    shm_log(SHM_LOG_INFO, "finalize", "left the job: %s", shm_status_text(status));
    shm_registry_release(entry, take_apart(entry, instance));
    return status;
}
