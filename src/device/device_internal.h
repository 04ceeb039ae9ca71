/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/device: objects with handles, and streams as events see them. */
#ifndef SHM_DEVICE_INTERNAL_H
#define SHM_DEVICE_INTERNAL_H

#include "device/device.h"

#include <pthread.h>

enum shm_object_kind { SHM_OBJECT_STREAM, SHM_OBJECT_EVENT, SHM_OBJECT_CONTEXT, SHM_OBJECT_RECORD };

/** First member of every object. It lives until nobody refers to it; who made it refers to it. */
struct shm_object {
    enum shm_object_kind kind;
    uint32_t references; /* guarded by the lock of the objects */
    uint64_t epoch;      /* of the process that made it */
    void (*destroy)(struct shm_object *object);
};

/** Sets up an object with one reference, which is the caller's. */
void shm_object_init(struct shm_object *object, enum shm_object_kind kind,
                     void (*destroy)(struct shm_object *object));

/** Gives the object a handle, to which the caller's reference passes on success. */
SHM_MUST_CHECK enum shm_status shm_object_publish(struct shm_object *object, void **out_handle);

/** Finds an object and refers to it. */
SHM_MUST_CHECK enum shm_status shm_object_find(const void *handle, enum shm_object_kind kind,
                                               struct shm_object **out_object);

/** Finds an object and takes its handle away; the handle's reference becomes the caller's. */
SHM_MUST_CHECK enum shm_status shm_object_retract(const void *handle, enum shm_object_kind kind,
                                                  struct shm_object **out_object);

/** The next object of a kind from place *place on, which then is the one behind it; NULL at the
 *  end. Refers to it. */
struct shm_object *shm_object_next(enum shm_object_kind kind, size_t *place);

/** One more reference to an object that the caller refers to. */
void shm_object_retain(struct shm_object *object);

void shm_object_release(struct shm_object *object);

/** Guards what belongs to no object: short, and never held while anything waits. Held over
 *  fork() from the call below on. */
void shm_device_lock(void);
void shm_device_unlock(void);

/** Before the first use of what the lock guards: SHM_MALLOC_FAILED when fork() would break it. */
SHM_MUST_CHECK enum shm_status shm_device_check_hooks_locked(void);

/** What a forked child has no use for of a handle is refused; its own objects begin here. */
uint64_t shm_device_epoch_locked(void);

/** A condition with timed waits on the monotonic clock. */
void shm_condition_init(pthread_cond_t *condition);

/** Waits for a change; false when the deadline (0: none) has passed. */
bool shm_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns);

#endif
