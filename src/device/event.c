/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events. Each time an event is recorded it gets a new record, which is complete when the stream
 * comes to that place; whoever waits, waits for the record of that moment. So an event can be
 * recorded anew, or destroyed, while streams still wait for an earlier record.
 */
#include "record_internal.h"

#include <stdlib.h>

struct event {
    struct shm_object object;
    pthread_mutex_t lock;
    struct shm_record *latest; /* NULL = not recorded */
};

/* ---- events ---- */

static void destroy_event(struct shm_object *object)
{
    struct event *event = (struct event *)object;

    shm_record_release(event->latest);
    pthread_mutex_destroy(&event->lock);
    free(event);
}

enum shm_status shm_event_create(void **out_event)
{
    struct event *event = calloc(1, sizeof *event);
    enum shm_status status;

    if (event == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for an event");
    shm_object_init(&event->object, SHM_OBJECT_EVENT, destroy_event);
    pthread_mutex_init(&event->lock, NULL);
    status = shm_object_publish(&event->object, out_event);
    if (status != SHM_OK)
        shm_object_release(&event->object);
    return status;
}

enum shm_status shm_event_destroy(void *handle)
{
    struct shm_object *object;
    enum shm_status status = shm_object_retract(handle, SHM_OBJECT_EVENT, &object);

    if (status == SHM_OK)
        shm_object_release(object);
    return status;
}

/* `latest` becomes the event's record, or with `only_if`, only in place of that one. */
static void set_latest(struct event *event, struct shm_record *latest,
                       const struct shm_record *only_if)
{
    struct shm_record *replaced = latest; /* itself, when it takes no place */

    if (latest != NULL)
        shm_object_retain(&latest->object);
    pthread_mutex_lock(&event->lock);
    if (only_if == NULL || only_if == event->latest) {
        replaced = event->latest;
        event->latest = latest;
    }
    pthread_mutex_unlock(&event->lock);
    shm_record_release(replaced);
}

/* The record of this moment, NULL when there is none; refers to it. */
static struct shm_record *latest_of(struct event *event)
{
    struct shm_record *latest;

    pthread_mutex_lock(&event->lock);
    latest = event->latest;
    if (latest != NULL)
        shm_object_retain(&latest->object);
    pthread_mutex_unlock(&event->lock);
    return latest;
}

static enum shm_status find_latest(const void *handle, struct shm_record **out_latest)
{
    struct shm_object *object;
    enum shm_status status = shm_object_find(handle, SHM_OBJECT_EVENT, &object);

    if (status != SHM_OK)
        return status;
    *out_latest = latest_of((struct event *)object);
    shm_object_release(object);
    return SHM_OK;
}

/* ---- in streams: a task refers to what it uses ---- */

struct event_task {
    struct event *event;
    struct shm_record *record;
};

static void run_record(void *payload)
{
    struct shm_record *record = ((struct event_task *)payload)->record;

    shm_record_complete(record);
    shm_record_release(record);
}

static void run_reset(void *payload)
{
    const struct event_task *task = payload;

    set_latest(task->event, NULL, task->record);
    shm_record_release(task->record);
    shm_object_release(&task->event->object);
}

static void run_wait(void *payload)
{
    struct shm_record *record = ((struct event_task *)payload)->record;

    shm_record_wait(record, 0);
    shm_record_release(record);
}

static enum shm_status add(void *stream, void (*run)(void *payload), const char *name,
                           const struct event_task *task)
{
    return shm_stream_add(
        stream, &(struct shm_task_request){
                    .run = run, .payload = task, .payload_bytes = sizeof *task, .name = name});
}

/* The record is the event's before the stream has its task: a task that waits for the event may
 * come in between, and must find it. */
static enum shm_status record_in(struct event *event, void *stream)
{
    struct event_task task = {.event = NULL};
    struct shm_record *before = latest_of(event);
    enum shm_status status = shm_record_create(&task.record);

    if (status == SHM_OK) {
        set_latest(event, task.record, NULL);
        status = add(stream, run_record, "aclrtRecordEvent", &task);
        if (status != SHM_OK) {
            set_latest(event, before, task.record);
            run_record(&task); /* nobody shall wait for it */
        }
    }
    shm_record_release(before);
    return status;
}

enum shm_status shm_event_record(void *handle, void *stream)
{
    struct shm_object *object;
    enum shm_status status = shm_object_find(handle, SHM_OBJECT_EVENT, &object);

    if (status != SHM_OK)
        return status;
    status = record_in((struct event *)object, stream);
    shm_object_release(object);
    return status;
}

enum shm_status shm_event_reset(void *handle, void *stream)
{
    struct event_task task;
    struct shm_object *object;
    enum shm_status status = shm_object_find(handle, SHM_OBJECT_EVENT, &object);

    if (status != SHM_OK)
        return status;
    task.event = (struct event *)object;
    task.record = latest_of(task.event);
    if (task.record != NULL)
        status = add(stream, run_reset, "aclrtResetEvent", &task);
    if (task.record == NULL || status != SHM_OK) {
        shm_record_release(task.record);
        shm_object_release(object);
    }
    return status;
}

enum shm_status shm_event_wait_in(void *handle, void *stream)
{
    struct event_task task = {.event = NULL};
    bool is_idle;
    enum shm_status status = find_latest(handle, &task.record);

    if (status != SHM_OK)
        return status;
    if (task.record == NULL)
        return shm_stream_query(stream, &is_idle); /* refuses what is no stream */
    status = add(stream, run_wait, "aclrtStreamWaitEvent", &task);
    if (status != SHM_OK)
        shm_record_release(task.record);
    return status;
}

/* ---- for the caller ---- */

enum shm_status shm_event_synchronise(void *handle, uint64_t deadline_ns)
{
    struct shm_record *record;
    enum shm_status status = find_latest(handle, &record);

    if (status != SHM_OK || record == NULL)
        return status;
    if (!shm_record_wait(record, deadline_ns))
        status =
            shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed: event %p is not complete", handle);
    shm_record_release(record);
    return status;
}

enum shm_status shm_event_query(void *handle, bool *out_is_complete)
{
    struct shm_record *record;
    enum shm_status status = find_latest(handle, &record);

    if (status != SHM_OK)
        return status;
    *out_is_complete = record != NULL && shm_record_time(record) != 0;
    shm_record_release(record);
    return SHM_OK;
}

static enum shm_status find_time(void *handle, const char *argument, uint64_t *out_ns)
{
    struct shm_record *record;
    enum shm_status status = find_latest(handle, &record);

    if (status != SHM_OK)
        return status;
    *out_ns = record != NULL ? shm_record_time(record) : 0;
    shm_record_release(record);
    if (*out_ns == 0)
        return shm_fail(SHM_AGAIN, "%s = %p, expected an event that is complete", argument, handle);
    return SHM_OK;
}

enum shm_status shm_event_distance(void *start, void *end, int64_t *out_ns)
{
    uint64_t start_ns = 0;
    uint64_t end_ns = 0;
    enum shm_status status = find_time(start, "start", &start_ns);

    if (status == SHM_OK)
        status = find_time(end, "end", &end_ns);
    if (status == SHM_OK)
        *out_ns = (int64_t)(end_ns - start_ns);
    return status;
}
