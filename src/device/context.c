/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: each names a device. */
#include "device_internal.h"

#include <stdlib.h>

struct context {
    struct shm_object object;
    int device;
};

/* What each device has without being asked; made when first wanted. */
static struct default_contexts {
    uint64_t epoch;
    void *handles[SHM_DEVICES_MAX];
} default_contexts;

static void destroy_object(struct shm_object *object)
{
    free(object);
}

enum shm_status shm_device_context_create(int device, void **out_handle)
{
    struct context *context = calloc(1, sizeof *context);
    enum shm_status status;

    if (context == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a context");
    shm_object_init(&context->object, SHM_OBJECT_CONTEXT, destroy_object);
    context->device = device;
    status = shm_object_publish(&context->object, out_handle);
    if (status != SHM_OK)
        shm_object_release(&context->object);
    return status;
}

/* The slot of a device; those of a parent process are forgotten. */
static void **slot_locked(int device)
{
    if (default_contexts.epoch != shm_device_epoch_locked())
        default_contexts = (struct default_contexts){.epoch = shm_device_epoch_locked()};
    return &default_contexts.handles[device];
}

static void forget(void *handle)
{
    struct shm_object *object;

    if (shm_object_retract(handle, SHM_OBJECT_CONTEXT, &object) == SHM_OK)
        shm_object_release(object);
}

enum shm_status shm_device_context_default(int device, void **out_handle)
{
    enum shm_status status;
    void *made = NULL;

    shm_device_lock();
    *out_handle = *slot_locked(device);
    shm_device_unlock();
    if (*out_handle != NULL)
        return SHM_OK;
    status = shm_device_context_create(device, &made);
    if (status != SHM_OK)
        return status;
    shm_device_lock();
    if (*slot_locked(device) == NULL)
        *slot_locked(device) = made;
    *out_handle = *slot_locked(device);
    shm_device_unlock();
    if (*out_handle != made)
        forget(made); /* another thread was first */
    return SHM_OK;
}

static bool is_default(const void *handle)
{
    bool is_found = false;

    shm_device_lock();
    for (int device = 0; device < SHM_DEVICES_MAX; device++)
        is_found = is_found || (handle != NULL && *slot_locked(device) == handle);
    shm_device_unlock();
    return is_found;
}

enum shm_status shm_device_context_destroy(void *handle)
{
    struct shm_object *object;
    enum shm_status status;

    if (is_default(handle))
        return shm_fail(SHM_INVALID_PARAM, "context = %p: the one that a device always has stays",
                        handle);
    status = shm_object_retract(handle, SHM_OBJECT_CONTEXT, &object);
    if (status == SHM_OK)
        shm_object_release(object);
    return status;
}

enum shm_status shm_device_context_device(void *handle, int *out_device)
{
    struct shm_object *object;
    enum shm_status status = shm_object_find(handle, SHM_OBJECT_CONTEXT, &object);

    if (status != SHM_OK)
        return status;
    *out_device = ((struct context *)object)->device;
    shm_object_release(object);
    return SHM_OK;
}
