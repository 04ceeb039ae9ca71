/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles. A handle is a place in the table and how often the place has been given away, so that a
 * stale one finds nothing. A child of fork() keeps the table, but what is in it belongs to threads
 * that it does not have: objects carry the epoch of their process.
 */
#include "device_internal.h"

#include "base/clock.h"

#include <stdlib.h>

#define PLACES_MAX 65536u
#define PLACES_FIRST 64u

struct place {
    struct shm_object *object; /* NULL = free */
    uint32_t uses;
};

static struct objects {
    pthread_mutex_t lock;
    struct place *places;
    size_t count;
    size_t search; /* no place below is free */
    uint64_t epoch;
    bool has_hooks;
} device_objects = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const kind_names[] = {"stream", "event", "context", "record"};

void shm_device_lock(void)
{
    pthread_mutex_lock(&device_objects.lock);
}

void shm_device_unlock(void)
{
    pthread_mutex_unlock(&device_objects.lock);
}

uint64_t shm_device_epoch_locked(void)
{
    return device_objects.epoch;
}

static void after_fork_in_child(void)
{
    device_objects.epoch++;
    shm_device_unlock();
}

/* When the library is loaded: a fork that has begun does not see handlers that are registered
 * meanwhile, and its child would find the lock held by a thread that it does not have. */
static __attribute__((constructor)) void register_hooks(void)
{
    device_objects.has_hooks =
        pthread_atfork(shm_device_lock, shm_device_unlock, after_fork_in_child) == 0;
}

enum shm_status shm_device_check_hooks_locked(void)
{
    if (device_objects.has_hooks)
        return SHM_OK;
    return shm_fail(SHM_MALLOC_FAILED, "there was no memory to register fork handlers");
}

/* ---- references ---- */

void shm_object_init(struct shm_object *object, enum shm_object_kind kind,
                     void (*destroy)(struct shm_object *object))
{
    shm_device_lock();
    *object = (struct shm_object){kind, 1, device_objects.epoch, destroy};
    shm_device_unlock();
}

void shm_object_retain(struct shm_object *object)
{
    shm_device_lock();
    object->references++;
    shm_device_unlock();
}

void shm_object_release(struct shm_object *object)
{
    bool is_last;

    shm_device_lock();
    is_last = --object->references == 0;
    shm_device_unlock();
    if (is_last)
        object->destroy(object);
}

/* ---- handles ---- */

static void *handle_of(size_t place, uint32_t uses)
{
    return (void *)((uintptr_t)uses * PLACES_MAX + place); /* never followed */
}

static enum shm_status grow_locked(void)
{
    size_t count = device_objects.count == 0 ? PLACES_FIRST : device_objects.count * 2;
    struct place *places;

    if (count > PLACES_MAX)
        return shm_fail(SHM_MALLOC_FAILED, "%u streams, events and contexts exist, which is all",
                        PLACES_MAX);
    places = realloc(device_objects.places, count * sizeof *places);
    if (places == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %zu handles", count);
    for (size_t i = device_objects.count; i < count; i++)
        places[i] = (struct place){NULL, 0};
    device_objects.places = places;
    device_objects.count = count;
    return SHM_OK;
}

static enum shm_status publish_locked(struct shm_object *object, void **out_handle)
{
    struct objects *objects = &device_objects;
    enum shm_status status = shm_device_check_hooks_locked();

    while (objects->search < objects->count && objects->places[objects->search].object != NULL)
        objects->search++;
    if (status == SHM_OK && objects->search == objects->count)
        status = grow_locked();
    if (status != SHM_OK)
        return status;
    objects->places[objects->search].object = object;
    *out_handle = handle_of(objects->search, ++objects->places[objects->search].uses);
    return SHM_OK;
}

enum shm_status shm_object_publish(struct shm_object *object, void **out_handle)
{
    enum shm_status status;

    shm_device_lock();
    status = publish_locked(object, out_handle);
    shm_device_unlock();
    return status;
}

static enum shm_status look_up_locked(const void *handle, enum shm_object_kind kind,
                                      struct place **out_place)
{
    const char *name = kind_names[kind];
    uintptr_t number = (uintptr_t)handle;
    size_t i = number % PLACES_MAX;
    struct place *place = i < device_objects.count ? &device_objects.places[i] : NULL;

    if (place == NULL || place->object == NULL || number / PLACES_MAX != place->uses ||
        place->object->kind != kind)
        return shm_fail(SHM_INVALID_PARAM,
                        "%s = %p, expected %s %s that was made and not destroyed", name, handle,
                        kind == SHM_OBJECT_EVENT ? "an" : "a", name);
    if (place->object->epoch != device_objects.epoch)
        return shm_fail(SHM_INVALID_PARAM,
                        "%s = %p belongs to the parent process: a forked child has none of its "
                        "streams, events and contexts",
                        name, handle);
    *out_place = place;
    return SHM_OK;
}

enum shm_status shm_object_find(const void *handle, enum shm_object_kind kind,
                                struct shm_object **out_object)
{
    struct place *place = NULL;
    enum shm_status status;

    shm_device_lock();
    status = look_up_locked(handle, kind, &place);
    if (status == SHM_OK) {
        place->object->references++;
        *out_object = place->object;
    }
    shm_device_unlock();
    return status;
}

enum shm_status shm_object_retract(const void *handle, enum shm_object_kind kind,
                                   struct shm_object **out_object)
{
    struct place *place = NULL;
    enum shm_status status;

    shm_device_lock();
    status = look_up_locked(handle, kind, &place);
    if (status == SHM_OK) {
        size_t i = (size_t)(place - device_objects.places);

        *out_object = place->object;
        place->object = NULL;
        device_objects.search = i < device_objects.search ? i : device_objects.search;
    }
    shm_device_unlock();
    return status;
}

struct shm_object *shm_object_next(enum shm_object_kind kind, size_t *place)
{
    struct shm_object *found = NULL;

    shm_device_lock();
    while (found == NULL && *place < device_objects.count) {
        struct shm_object *object = device_objects.places[(*place)++].object;

        if (object != NULL && object->kind == kind && object->epoch == device_objects.epoch)
            found = object;
    }
    if (found != NULL)
        found->references++;
    shm_device_unlock();
    return found;
}

/* ---- conditions ---- */

void shm_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool shm_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    struct timespec until = {(time_t)(deadline_ns / SHM_NS_PER_SECOND),
                             (long)(deadline_ns % SHM_NS_PER_SECOND)};

    if (deadline_ns == 0) {
        pthread_cond_wait(condition, lock);
        return true;
    }
    if (shm_deadline_passed(deadline_ns))
        return false;
    pthread_cond_timedwait(condition, lock, &until);
    return true;
}
