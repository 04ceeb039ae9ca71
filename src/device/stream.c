/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams: queues that have handles. */
#include "queue_internal.h"

#include <stdlib.h>

struct stream {
    struct shm_object object;
    struct shm_queue queue;
};

/* The default stream, made when it is first used, and how many streams there were. */
static struct default_stream {
    void *handle; /* of this epoch; NULL = none */
    uint64_t epoch;
    unsigned streams;
} default_stream;

/* ---- making ---- */

static void destroy_object(struct shm_object *object)
{
    struct stream *stream = (struct stream *)object;

    shm_queue_fini(&stream->queue);
    free(stream);
}

static enum shm_status create(unsigned number, void **out_handle)
{
    struct stream *stream = calloc(1, sizeof *stream);
    enum shm_status status;

    if (stream == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a stream");
    shm_object_init(&stream->object, SHM_OBJECT_STREAM, destroy_object);
    shm_queue_init(&stream->queue, number);
    status = shm_object_publish(&stream->object, out_handle);
    if (status != SHM_OK)
        shm_object_release(&stream->object);
    return status;
}

enum shm_status shm_stream_create(void **out_stream)
{
    unsigned number;

    shm_device_lock();
    number = ++default_stream.streams;
    shm_device_unlock();
    return create(number, out_stream);
}

/* NULL when the process, a child perhaps, has not used it. */
static void *default_handle(void)
{
    void *handle;

    shm_device_lock();
    handle = default_stream.epoch == shm_device_epoch_locked() ? default_stream.handle : NULL;
    shm_device_unlock();
    return handle;
}

/* Two threads may be the first: the later one finds that there is one. */
static enum shm_status make_default(void **out_handle)
{
    void *made = NULL;
    enum shm_status status = create(0, &made);

    if (status != SHM_OK)
        return status;
    shm_device_lock();
    if (default_stream.handle == NULL || default_stream.epoch != shm_device_epoch_locked()) {
        default_stream.handle = made;
        default_stream.epoch = shm_device_epoch_locked();
    }
    *out_handle = default_stream.handle;
    shm_device_unlock();
    return *out_handle == made ? SHM_OK : shm_stream_destroy(made);
}

static enum shm_status find(void *handle, struct stream **out_stream)
{
    struct shm_object *object;
    enum shm_status status = SHM_OK;

    if (handle == NULL)
        handle = default_handle();
    if (handle == NULL)
        status = make_default(&handle);
    if (status == SHM_OK)
        status = shm_object_find(handle, SHM_OBJECT_STREAM, &object);
    if (status == SHM_OK)
        *out_stream = (struct stream *)object;
    return status;
}

/* ---- using ---- */

enum shm_status shm_stream_add(void *handle, const struct shm_task_request *request)
{
    struct stream *stream;
    enum shm_status status;

    if (request->payload_bytes > SHM_TASK_BYTES)
        return shm_fail(SHM_INNER_ERROR, "payload of %zu bytes, expected at most %d",
                        request->payload_bytes, SHM_TASK_BYTES);
    status = find(handle, &stream);
    if (status != SHM_OK)
        return status;
    status = shm_queue_add(&stream->queue, request);
    shm_object_release(&stream->object);
    return status;
}

enum shm_status shm_stream_synchronise(void *handle, uint64_t deadline_ns)
{
    struct stream *stream;
    enum shm_status status = find(handle, &stream);

    if (status != SHM_OK)
        return status;
    status = shm_queue_reach(&stream->queue, NULL, deadline_ns);
    shm_object_release(&stream->object);
    return status;
}

enum shm_status shm_stream_query(void *handle, bool *out_is_idle)
{
    struct stream *stream;
    enum shm_status status = find(handle, &stream);

    if (status != SHM_OK)
        return status;
    *out_is_idle = shm_queue_is_idle(&stream->queue);
    shm_object_release(&stream->object);
    return SHM_OK;
}

enum shm_status shm_streams_synchronise(void)
{
    enum shm_status status = SHM_OK;
    struct shm_object *object;
    size_t place = 0;

    while (status == SHM_OK && (object = shm_object_next(SHM_OBJECT_STREAM, &place)) != NULL) {
        status = shm_queue_reach(&((struct stream *)object)->queue, NULL, 0);
        shm_object_release(object);
    }
    return status;
}

enum shm_status shm_streams_drain(const struct shm_task_owner *owner, uint64_t deadline_ns)
{
    enum shm_status status = SHM_OK;
    struct shm_object *object;
    size_t place = 0;

    while (status == SHM_OK && (object = shm_object_next(SHM_OBJECT_STREAM, &place)) != NULL) {
        struct shm_queue *queue = &((struct stream *)object)->queue;

        status = shm_queue_reach(queue, owner, deadline_ns);
        if (status == SHM_OK && queue->number == 0)
            shm_queue_retire(queue);
        shm_object_release(object);
    }
    return status;
}

static enum shm_status refuse_own_task(void *handle)
{
    struct stream *stream;
    enum shm_status status = find(handle, &stream);

    if (status != SHM_OK)
        return status;
    if (shm_queue_is_own_task(&stream->queue))
        status = shm_fail(SHM_INVALID_PARAM, "a task of stream %u destroys the stream itself",
                          stream->queue.number);
    shm_object_release(&stream->object);
    return status;
}

enum shm_status shm_stream_destroy(void *handle)
{
    struct shm_object *object;
    enum shm_status status;

    if (handle == NULL || handle == default_handle())
        return shm_fail(SHM_INVALID_PARAM, "stream = %p: the default stream stays", handle);
    status = refuse_own_task(handle);
    if (status == SHM_OK)
        status = shm_object_retract(handle, SHM_OBJECT_STREAM, &object);
    if (status != SHM_OK)
        return status;
    shm_queue_end(&((struct stream *)object)->queue);
    shm_object_release(object);
    return SHM_OK;
}
