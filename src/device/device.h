/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What programs for accelerators expect of a device, done by the processor: streams, which are
 * queues of tasks that a thread works off in order; events, which order streams; memory that
 * remembers how it was taken; contexts.
 *
 * Objects are known by handles, which are numbers in the disguise of pointers: one that was
 * destroyed or never was is refused (SHM_INVALID_PARAM), and so is one of the parent process in a
 * forked child. All functions may be called by any thread.
 */
#ifndef SHM_DEVICE_H
#define SHM_DEVICE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- streams ---- */

/** Tasks that wait in a stream at most; who adds one more waits for room. */
#define SHM_STREAM_TASKS 1024

/** Largest payload of a task. */
#define SHM_TASK_BYTES 112

/** Something for a stream to do. */
struct shm_task_request {
    void (*run)(void *payload);     /* gets a copy of `payload`, aligned for any type */
    void (*prepare)(void *payload); /* gets that copy first, when the task is sure to have its place
                                       and no other comes between; short. NULL = nothing to do */
    /* Asked before, when there is a place: a failure refuses the task. Who calls
       shm_streams_drain() after a change of what is asked for here meets all tasks that came before
       it; short. NULL = nothing to ask */
    enum shm_status (*check)(const void *owner);
    const void *payload;
    size_t payload_bytes;  /* at most SHM_TASK_BYTES */
    const char *name;      /* of the public call, for reports; must stay */
    const void *owner;     /* see shm_streams_drain(); NULL = none */
    const void *blocks[2]; /* memory that a task without an owner reads and writes; NULL = none */
};

/** Whose tasks are meant: those of `owner`, and those with a block in its memory. */
struct shm_task_owner {
    const void *owner;
    const void *memory;
    size_t memory_bytes;
};

/** Makes a stream. Its thread begins with the first task. */
SHM_MUST_CHECK enum shm_status shm_stream_create(void **out_stream);

/** Returns when all tasks of the stream are done and its thread has ended. A task of the stream
 *  itself may not do that. */
SHM_MUST_CHECK enum shm_status shm_stream_destroy(void *stream);

/**
 * Adds a task behind those that the stream has; NULL is the default stream of the process. Waits
 * while SHM_STREAM_TASKS tasks are there; a task of the stream itself that finds it full is
 * refused. SHM_MALLOC_FAILED when there is no memory or thread to be had.
 */
SHM_MUST_CHECK enum shm_status shm_stream_add(void *stream, const struct shm_task_request *request);

/** Returns when the tasks that the stream has now are done; SHM_TIMEOUT_ERROR past the deadline
 *  (0: never), and the detail says what is left. */
SHM_MUST_CHECK enum shm_status shm_stream_synchronise(void *stream, uint64_t deadline_ns);

/** True when the stream has nothing to do. */
SHM_MUST_CHECK enum shm_status shm_stream_query(void *stream, bool *out_is_idle);

/** shm_stream_synchronise() for all streams of the process, without a limit. */
SHM_MUST_CHECK enum shm_status shm_streams_synchronise(void);

/**
 * Returns when no stream has a task of `owner` (NULL: any task) of those that are there now; errors
 * as for shm_stream_synchronise().
 * The default stream has no thread afterwards, unless it is busy with tasks of others.
 */
SHM_MUST_CHECK enum shm_status shm_streams_drain(const struct shm_task_owner *owner,
                                                 uint64_t deadline_ns);

/* ---- events ---- */

/** Makes an event, which is not recorded. */
SHM_MUST_CHECK enum shm_status shm_event_create(void **out_event);

/** The event is gone for the program; tasks that wait for it go on as if it were there. */
SHM_MUST_CHECK enum shm_status shm_event_destroy(void *event);

/** The event stands for this place in the stream from now on: it is complete, and has its time,
 *  when the stream comes there. */
SHM_MUST_CHECK enum shm_status shm_event_record(void *event, void *stream);

/** When the stream comes there, the event is as new, unless it has been recorded again. */
SHM_MUST_CHECK enum shm_status shm_event_reset(void *event, void *stream);

/** The stream goes no further before the place is reached where the event was recorded last; an
 *  event that is not recorded holds nobody up. */
SHM_MUST_CHECK enum shm_status shm_event_wait_in(void *event, void *stream);

/** The caller waits in the same way; SHM_TIMEOUT_ERROR past the deadline (0: never). */
SHM_MUST_CHECK enum shm_status shm_event_synchronise(void *event, uint64_t deadline_ns);

/** True when the place is reached; false for an event that is not recorded. */
SHM_MUST_CHECK enum shm_status shm_event_query(void *event, bool *out_is_complete);

/** From one event to the other, in nanoseconds. SHM_AGAIN while one of them is not complete. */
SHM_MUST_CHECK enum shm_status shm_event_distance(void *start, void *end, int64_t *out_ns);

/* ---- memory ---- */

enum shm_device_memory { SHM_MEMORY_DEVICE, SHM_MEMORY_HOST };

/** Takes a block at a multiple of `alignment`, a power of two of at least 8. Its size is rounded up
 *  to 64 bytes. */
SHM_MUST_CHECK enum shm_status shm_device_memory_take(enum shm_device_memory kind, size_t bytes,
                                                      size_t alignment, void **out_block);

/** Gives a block back. SHM_INVALID_PARAM for what is no block of this kind, or is one no more. */
SHM_MUST_CHECK enum shm_status shm_device_memory_give(enum shm_device_memory kind, void *block);

/* ---- contexts: each names a device ---- */

#define SHM_DEVICES_MAX 64

SHM_MUST_CHECK enum shm_status shm_device_context_create(int device, void **out_context);

/** The one that the device, 0 to SHM_DEVICES_MAX - 1, always has. */
SHM_MUST_CHECK enum shm_status shm_device_context_default(int device, void **out_context);

/** Default contexts stay. */
SHM_MUST_CHECK enum shm_status shm_device_context_destroy(void *context);

SHM_MUST_CHECK enum shm_status shm_device_context_device(void *context, int *out_device);

#endif
