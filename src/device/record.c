/* SPDX-License-Identifier: BSD-3-Clause */
#include "record_internal.h"

#include "base/clock.h"

#include <stdlib.h>

static void destroy_record(struct shm_object *object)
{
    struct shm_record *record = (struct shm_record *)object;

    pthread_cond_destroy(&record->completed);
    pthread_mutex_destroy(&record->lock);
    free(record);
}

enum shm_status shm_record_create(struct shm_record **out_record)
{
    struct shm_record *record = calloc(1, sizeof *record);

    if (record == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to record an event");
    shm_object_init(&record->object, SHM_OBJECT_RECORD, destroy_record);
    pthread_mutex_init(&record->lock, NULL);
    shm_condition_init(&record->completed);
    *out_record = record;
    return SHM_OK;
}

void shm_record_release(struct shm_record *record)
{
    if (record != NULL)
        shm_object_release(&record->object);
}

uint64_t shm_record_time(struct shm_record *record)
{
    uint64_t time_ns;

    pthread_mutex_lock(&record->lock);
    time_ns = record->time_ns;
    pthread_mutex_unlock(&record->lock);
    return time_ns;
}

bool shm_record_wait(struct shm_record *record, uint64_t deadline_ns)
{
    bool is_early = true;
    bool is_complete;

    pthread_mutex_lock(&record->lock);
    while (record->time_ns == 0 && is_early)
        is_early = shm_condition_wait(&record->completed, &record->lock, deadline_ns);
    is_complete = record->time_ns != 0;
    pthread_mutex_unlock(&record->lock);
    return is_complete;
}

void shm_record_complete(struct shm_record *record)
{
    pthread_mutex_lock(&record->lock);
    record->time_ns = shm_now_ns();
    pthread_cond_broadcast(&record->completed);
    pthread_mutex_unlock(&record->lock);
}
