/* SPDX-License-Identifier: BSD-3-Clause */
/** A place in a stream that an event stands for. */
#ifndef SHM_DEVICE_RECORD_INTERNAL_H
#define SHM_DEVICE_RECORD_INTERNAL_H

#include "device_internal.h"

struct shm_record {
    struct shm_object object;
    pthread_mutex_t lock;
    pthread_cond_t completed;
    uint64_t time_ns; /* when it was completed; 0 = not yet */
};

/** Makes one that is not complete; the caller refers to it. */
SHM_MUST_CHECK enum shm_status shm_record_create(struct shm_record **out_record);

/** NULL does nothing. */
void shm_record_release(struct shm_record *record);

/** The stream has come to this place. */
void shm_record_complete(struct shm_record *record);

/** When it was completed; 0 = not yet. */
uint64_t shm_record_time(struct shm_record *record);

/** Waits until it is complete; false past the deadline (0: none). */
bool shm_record_wait(struct shm_record *record, uint64_t deadline_ns);

#endif
