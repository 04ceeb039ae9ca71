/* SPDX-License-Identifier: BSD-3-Clause */
/* The queue of a stream: a ring of tasks and the thread that works them off. */
#include "queue_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void shm_queue_init(struct shm_queue *queue, unsigned number)
{
    *queue = (struct shm_queue){.number = number};
    pthread_mutex_init(&queue->lock, NULL);
    shm_condition_init(&queue->has_work);
    shm_condition_init(&queue->has_progress);
}

void shm_queue_fini(struct shm_queue *queue)
{
    pthread_cond_destroy(&queue->has_work);
    pthread_cond_destroy(&queue->has_progress);
    pthread_mutex_destroy(&queue->lock);
    free(queue->ring);
}

/* ---- the thread ---- */

static void *work(void *argument)
{
    struct shm_queue *queue = argument;
    unsigned number;

    pthread_mutex_lock(&queue->lock);
    number = queue->worker_number;
    while (number == queue->worker_number) {
        struct shm_task *task = &queue->ring[queue->done % SHM_STREAM_TASKS];

        if (queue->done == queue->added) {
            if (queue->is_ending)
                break;
            shm_condition_wait(&queue->has_work, &queue->lock, 0);
            continue;
        }
        pthread_mutex_unlock(&queue->lock);
        task->run(task->payload);
        pthread_mutex_lock(&queue->lock);
        queue->done++;
        if (queue->watchers != 0)
            pthread_cond_broadcast(&queue->has_progress);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Signals are for the program's own threads. */
static enum shm_status start_worker_locked(struct shm_queue *queue)
{
    sigset_t all;
    sigset_t before;
    int error;

    if (queue->has_worker)
        return SHM_OK;
    if (queue->ring == NULL)
        queue->ring = calloc(SHM_STREAM_TASKS, sizeof *queue->ring);
    if (queue->ring == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %d tasks of a stream", SHM_STREAM_TASKS);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&queue->worker, NULL, work, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        return shm_fail_errno(SHM_MALLOC_FAILED, error, "no thread for stream %u", queue->number);
    queue->has_worker = true;
    return SHM_OK;
}

static bool is_own_task_locked(const struct shm_queue *queue)
{
    return queue->has_worker && pthread_equal(queue->worker, pthread_self());
}

static bool watch_locked(struct shm_queue *queue, uint64_t deadline_ns)
{
    bool is_early;

    queue->watchers++;
    is_early = shm_condition_wait(&queue->has_progress, &queue->lock, deadline_ns);
    queue->watchers--;
    return is_early;
}

/* ---- adding ---- */

static enum shm_status wait_for_room_locked(struct shm_queue *queue)
{
    while (!queue->is_ending && queue->added - queue->done == SHM_STREAM_TASKS) {
        if (is_own_task_locked(queue))
            return shm_fail(SHM_INVALID_PARAM,
                            "stream %u is full (%d tasks), and the caller is one of its tasks",
                            queue->number, SHM_STREAM_TASKS);
        watch_locked(queue, 0);
    }
    if (queue->is_ending)
        return shm_fail(SHM_INVALID_PARAM, "stream %u is being destroyed", queue->number);
    return SHM_OK;
}

static enum shm_status add_locked(struct shm_queue *queue, const struct shm_task_request *request)
{
    enum shm_status status = wait_for_room_locked(queue);
    struct shm_task *task;

    if (status == SHM_OK && request->check != NULL)
        status = request->check(request->owner);
    if (status == SHM_OK)
        status = start_worker_locked(queue);
    if (status != SHM_OK)
        return status;
    task = &queue->ring[queue->added % SHM_STREAM_TASKS];
    task->run = request->run;
    task->name = request->name;
    task->owner = request->owner;
    memcpy(task->blocks, request->blocks, sizeof task->blocks);
    memcpy(task->payload, request->payload, request->payload_bytes);
    if (request->prepare != NULL)
        request->prepare(task->payload);
    queue->added++;
    pthread_cond_signal(&queue->has_work);
    return SHM_OK;
}

enum shm_status shm_queue_add(struct shm_queue *queue, const struct shm_task_request *request)
{
    enum shm_status status;

    pthread_mutex_lock(&queue->lock);
    status = add_locked(queue, request);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

/* ---- waiting ---- */

static bool is_in(const void *block, const struct shm_task_owner *owner)
{
    return block != NULL && (uintptr_t)block - (uintptr_t)owner->memory < owner->memory_bytes;
}

static bool is_meant_locked(const struct shm_queue *queue, uint64_t number,
                            const struct shm_task_owner *owner)
{
    const struct shm_task *task = &queue->ring[number % SHM_STREAM_TASKS];

    return owner == NULL || task->owner == owner->owner || is_in(task->blocks[0], owner) ||
           is_in(task->blocks[1], owner);
}

static uint64_t count_locked(const struct shm_queue *queue, uint64_t end,
                             const struct shm_task_owner *owner)
{
    uint64_t count = 0;

    for (uint64_t i = queue->done; i < end; i++)
        count += is_meant_locked(queue, i, owner);
    return count;
}

/* Waits for the tasks before number `end`. */
static enum shm_status reach_locked(struct shm_queue *queue, uint64_t end,
                                    const struct shm_task_owner *owner, uint64_t deadline_ns)
{
    uint64_t left;

    if (queue->done < end && is_own_task_locked(queue))
        return shm_fail(SHM_INVALID_PARAM, "a task of stream %u waits for the stream itself",
                        queue->number);
    while (queue->done < end)
        if (!watch_locked(queue, deadline_ns) && queue->done < end) {
            left = count_locked(queue, end, owner);
            return shm_fail(SHM_TIMEOUT_ERROR,
                            "the time limit passed: stream %u has %llu operation%s left and is in "
                            "%s",
                            queue->number, (unsigned long long)left, left == 1 ? "" : "s",
                            queue->ring[queue->done % SHM_STREAM_TASKS].name);
        }
    return SHM_OK;
}

enum shm_status shm_queue_reach(struct shm_queue *queue, const struct shm_task_owner *owner,
                                uint64_t deadline_ns)
{
    enum shm_status status;
    uint64_t end;

    pthread_mutex_lock(&queue->lock);
    end = queue->added;
    while (end > queue->done && !is_meant_locked(queue, end - 1, owner))
        end--;
    status = reach_locked(queue, end, owner, deadline_ns);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

bool shm_queue_is_idle(struct shm_queue *queue)
{
    bool is_idle;

    pthread_mutex_lock(&queue->lock);
    is_idle = queue->done == queue->added;
    pthread_mutex_unlock(&queue->lock);
    return is_idle;
}

bool shm_queue_is_own_task(struct shm_queue *queue)
{
    bool is_own;

    pthread_mutex_lock(&queue->lock);
    is_own = is_own_task_locked(queue);
    pthread_mutex_unlock(&queue->lock);
    return is_own;
}

/* ---- ending ---- */

void shm_queue_retire(struct shm_queue *queue)
{
    bool had_worker;
    pthread_t worker;

    pthread_mutex_lock(&queue->lock);
    had_worker = queue->has_worker && queue->done == queue->added;
    worker = queue->worker;
    if (had_worker) {
        queue->has_worker = false;
        queue->worker_number++;
        pthread_cond_broadcast(&queue->has_work);
    }
    pthread_mutex_unlock(&queue->lock);
    if (had_worker)
        pthread_join(worker, NULL);
}

void shm_queue_end(struct shm_queue *queue)
{
    bool has_worker;

    pthread_mutex_lock(&queue->lock);
    queue->is_ending = true;
    has_worker = queue->has_worker;
    pthread_cond_broadcast(&queue->has_work);
    pthread_cond_broadcast(&queue->has_progress);
    pthread_mutex_unlock(&queue->lock);
    if (has_worker)
        pthread_join(queue->worker, NULL);
}
