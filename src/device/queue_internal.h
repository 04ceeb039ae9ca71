/* SPDX-License-Identifier: BSD-3-Clause */
/** The queue of a stream: tasks in order, and the thread that works them off. */
#ifndef SHM_DEVICE_QUEUE_INTERNAL_H
#define SHM_DEVICE_QUEUE_INTERNAL_H

#include "device_internal.h"

#include <stdalign.h>

struct shm_task {
    void (*run)(void *payload);
    const char *name;
    const void *owner;
    const void *blocks[2];
    alignas(max_align_t) unsigned char payload[SHM_TASK_BYTES];
};

struct shm_queue {
    unsigned number; /* of the stream, for reports */
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    pthread_cond_t has_progress;
    struct shm_task *ring; /* SHM_STREAM_TASKS; NULL before the first task */
    uint64_t added;        /* tasks so far */
    uint64_t done;         /* the next one, if there is one, is being done */
    unsigned watchers;
    unsigned worker_number; /* of the present thread; one that has another number ends */
    pthread_t worker;
    bool has_worker;
    bool is_ending; /* no more tasks; the thread ends behind the last one */
};

void shm_queue_init(struct shm_queue *queue, unsigned number);
void shm_queue_fini(struct shm_queue *queue);

/** shm_stream_add() for this queue. */
SHM_MUST_CHECK enum shm_status shm_queue_add(struct shm_queue *queue,
                                             const struct shm_task_request *request);

/** Returns when the tasks of `owner` that are there now are done, or all if it is NULL;
 *  SHM_TIMEOUT_ERROR past the deadline (0: none). */
SHM_MUST_CHECK enum shm_status
shm_queue_reach(struct shm_queue *queue, const struct shm_task_owner *owner, uint64_t deadline_ns);

bool shm_queue_is_idle(struct shm_queue *queue);

/** True when the caller is a task of this queue. */
bool shm_queue_is_own_task(struct shm_queue *queue);

/** An idle thread ends; the next task begins another. */
void shm_queue_retire(struct shm_queue *queue);

/** Takes no more tasks, and returns when all are done and the thread has ended. */
void shm_queue_end(struct shm_queue *queue);

#endif
