/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instances of this process. The lock is held for a few instructions only, never while PEs
 * wait for each other: one thread may start an instance while others use, start and end theirs.
 */
#include "core_internal.h"

_Thread_local struct shm_choice shm_choice;

void shm_registry_lock(void)
{
    pthread_mutex_lock(&shm_process.entries_lock);
}

void shm_registry_unlock(void)
{
    pthread_mutex_unlock(&shm_process.entries_lock);
}

static struct shm_entry *find_locked(uint64_t id)
{
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        struct shm_entry *entry = &shm_process.entries[i];

        if (entry->state != SHM_ENTRY_FREE && entry->id == id)
            return entry;
    }
    return NULL;
}

static struct shm_entry *find_free_locked(void)
{
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        if (shm_process.entries[i].state == SHM_ENTRY_FREE)
            return &shm_process.entries[i];
    }
    return NULL;
}

static bool is_any_alive_locked(void)
{
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        enum shm_entry_state state = shm_process.entries[i].state;

        if (state != SHM_ENTRY_FREE && state != SHM_ENTRY_CLEARING)
            return true;
    }
    return false;
}

static enum shm_status not_free(const struct shm_entry *entry)
{
    static const char *const states[] = {
        [SHM_ENTRY_STARTING] = "being initialised",
        [SHM_ENTRY_READY] = "initialised already",
        [SHM_ENTRY_STOPPING] = "in finalize",
        [SHM_ENTRY_CLEARING] = "in finalize",
    };

    return shm_fail(SHM_INNER_ERROR, "instance %llu is %s", (unsigned long long)entry->id,
                    states[entry->state]);
}

static enum shm_status check_startable_locked(uint64_t id)
{
    const struct shm_entry *entry = find_locked(id);

    return entry == NULL ? SHM_OK : not_free(entry);
}

enum shm_status shm_check_startable(uint64_t id)
{
    enum shm_status status;

    shm_registry_lock();
    status = check_startable_locked(id);
    shm_registry_unlock();
    return status;
}

static enum shm_status reserve_locked(uint64_t id, struct shm_entry **out_entry)
{
    struct shm_entry *entry = find_free_locked();
    enum shm_status status = check_startable_locked(id);

    if (status != SHM_OK)
        return status;
    if (entry == NULL)
        return shm_fail(SHM_INNER_ERROR,
                        "instance %llu: this process has %d instances, expected no more",
                        (unsigned long long)id, SHM_INSTANCES);
    entry->id = id;
    entry->state = SHM_ENTRY_STARTING;
    entry->life = SHM_LIFE_NONE;
    atomic_store(&entry->serial, ++shm_process.serials);
    *out_entry = entry;
    return SHM_OK;
}

enum shm_status shm_registry_reserve(uint64_t id, struct shm_entry **out_entry, bool *out_is_first)
{
    enum shm_status status;
    bool is_first;

    shm_registry_lock();
    is_first = !is_any_alive_locked();
    status = reserve_locked(id, out_entry);
    shm_registry_unlock();
    if (status == SHM_OK)
        *out_is_first = is_first;
    return status;
}

void shm_registry_own(struct shm_entry *entry, struct shm_instance *instance)
{
    shm_registry_lock();
    entry->owned = instance;
    shm_registry_unlock();
}

void shm_registry_set_life(struct shm_entry *entry, enum shm_life life)
{
    shm_registry_lock();
    entry->life = life;
    shm_registry_unlock();
}

static void choose_locked(const struct shm_entry *entry)
{
    shm_choice = (struct shm_choice){entry, atomic_load(&entry->serial)};
    atomic_store(&shm_process.current, atomic_load(&entry->instance));
}

void shm_registry_publish(struct shm_entry *entry, struct shm_instance *instance)
{
    shm_registry_lock();
    entry->state = SHM_ENTRY_READY;
    entry->life = SHM_LIFE_READY;
    atomic_store(&entry->instance, instance); /* pairs with the load in shm_current() */
    if (entry->id == 0) {
        atomic_store(&shm_process.standard, instance);
        shm_process.was_ready = true;
    }
    choose_locked(entry);
    shm_registry_unlock();
}

enum shm_status shm_registry_begin_stop(uint64_t id, struct shm_entry **out_entry)
{
    enum shm_status status = SHM_OK;
    struct shm_entry *entry;

    shm_registry_lock();
    entry = find_locked(id);
    if (entry == NULL)
        status =
            shm_fail(SHM_INNER_ERROR, "instance %llu is not initialised", (unsigned long long)id);
    else if (entry->state != SHM_ENTRY_READY)
        status = not_free(entry);
    else
        entry->state = SHM_ENTRY_STOPPING;
    shm_registry_unlock();
    if (status == SHM_OK)
        *out_entry = entry;
    return status;
}

void shm_registry_cancel_stop(struct shm_entry *entry)
{
    shm_registry_lock();
    entry->state = SHM_ENTRY_READY;
    shm_registry_unlock();
}

bool shm_registry_hide(struct shm_entry *entry)
{
    struct shm_instance *instance = atomic_load(&entry->instance);
    bool is_last;

    shm_registry_lock();
    entry->state = SHM_ENTRY_CLEARING;
    atomic_store(&entry->instance, NULL);
    if (entry->id == 0)
        atomic_store(&shm_process.standard, NULL);
    if (atomic_load(&shm_process.current) == instance)
        atomic_store(&shm_process.current, atomic_load(&shm_process.standard));
    if (shm_choice.entry == entry)
        shm_choice = (struct shm_choice){NULL, 0};
    is_last = !is_any_alive_locked();
    shm_registry_unlock();
    return is_last;
}

bool shm_registry_release(struct shm_entry *entry, uint64_t handle_generation)
{
    bool is_last;

    shm_registry_lock();
    entry->state = SHM_ENTRY_FREE;
    if (handle_generation > shm_process.handle_generation)
        shm_process.handle_generation = handle_generation;
    is_last = !is_any_alive_locked();
    shm_registry_unlock();
    return is_last;
}

uint64_t shm_registry_handle_generation(void)
{
    uint64_t generation;

    shm_registry_lock();
    generation = shm_process.handle_generation;
    shm_registry_unlock();
    return generation;
}

/* ---- which instance a call means ---- */

enum shm_status shm_choose(uint64_t id)
{
    enum shm_status status = SHM_OK;
    const struct shm_entry *entry;

    shm_registry_lock();
    entry = find_locked(id);
    if (entry != NULL && entry->state == SHM_ENTRY_READY)
        choose_locked(entry);
    else
        status = shm_fail(SHM_INNER_ERROR, "instance_id = %llu, expected one that is initialised",
                          (unsigned long long)id);
    shm_registry_unlock();
    return status;
}

enum shm_life shm_life(void)
{
    enum shm_life life = SHM_LIFE_NONE;

    if (shm_current() != NULL)
        return SHM_LIFE_READY;
    shm_registry_lock();
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        const struct shm_entry *entry = &shm_process.entries[i];

        if (entry->state == SHM_ENTRY_STARTING && entry->life > life)
            life = entry->life;
    }
    shm_registry_unlock();
    return life;
}

/* ---- all of them ---- */

bool shm_registry_find_lowest(uint64_t *out_id, int *out_pe)
{
    const struct shm_entry *lowest = NULL;

    shm_registry_lock();
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        const struct shm_entry *entry = &shm_process.entries[i];

        if (entry->state == SHM_ENTRY_READY && (lowest == NULL || entry->id < lowest->id))
            lowest = entry;
    }
    if (lowest != NULL) {
        *out_id = lowest->id;
        *out_pe = atomic_load(&lowest->instance)->reach.my_pe;
    }
    shm_registry_unlock();
    return lowest != NULL;
}

struct shm_instance *shm_registry_find_sharer_locked(void)
{
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        struct shm_instance *instance = shm_process.entries[i].owned;

        if (instance != NULL && instance->static_data.is_shared)
            return instance;
    }
    return NULL;
}

void shm_registry_forget_locked(void (*forget)(struct shm_instance *instance))
{
    for (size_t i = 0; i < SHM_INSTANCES; i++) {
        struct shm_entry *entry = &shm_process.entries[i];
        struct shm_instance *instance = entry->owned;

        entry->state = SHM_ENTRY_FREE;
        entry->owned = NULL;
        atomic_store(&entry->instance, NULL);
        if (instance != NULL)
            forget(instance);
    }
    atomic_store(&shm_process.standard, NULL);
    atomic_store(&shm_process.current, NULL);
    shm_choice = (struct shm_choice){NULL, 0};
}
