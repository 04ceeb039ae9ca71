/* SPDX-License-Identifier: BSD-3-Clause */
#include "team_internal.h"

#include <stdlib.h>

void shm_handle_table_init(struct shm_handle_table *table, uint64_t generation)
{
    *table = (struct shm_handle_table){.generation = generation, .lowest_free = 1};
    pthread_mutex_init(&table->lock, NULL);
}

static bool is_any(const struct shm_handled *object, const void *argument)
{
    (void)argument;
    return object != NULL;
}

void shm_handle_table_fini(struct shm_handle_table *table,
                           void (*destroy)(struct shm_handled *object))
{
    shm_handle_table_remove_if(table, is_any, NULL, destroy);
    for (size_t i = 0; i < SHM_HANDLE_CHUNKS; i++)
        free(atomic_load_explicit(&table->chunks[i], memory_order_relaxed));
    pthread_mutex_destroy(&table->lock);
}

/* NULL when its chunk does not exist yet. */
static struct shm_handle_entry *entry_locked(const struct shm_handle_table *table, uint32_t index)
{
    struct shm_handle_entry *chunk =
        atomic_load_explicit(&table->chunks[index / SHM_HANDLE_CHUNK], memory_order_relaxed);

    return chunk == NULL ? NULL : &chunk[index % SHM_HANDLE_CHUNK];
}

static bool is_free_locked(const struct shm_handle_table *table, uint32_t index)
{
    const struct shm_handle_entry *entry = entry_locked(table, index);

    return entry == NULL || atomic_load_explicit(&entry->handle, memory_order_relaxed) == 0;
}

/* Gives the object a handle with an index that is free. */
static enum shm_status put_locked(struct shm_handle_table *table, struct shm_handled *object,
                                  uint64_t handle)
{
    uint32_t index = (uint32_t)handle & SHM_HANDLE_LAST;
    struct shm_handle_entry *entry = entry_locked(table, index);

    if (entry == NULL) {
        struct shm_handle_entry *chunk = calloc(SHM_HANDLE_CHUNK, sizeof *chunk);

        if (chunk == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "no memory for %d handles", SHM_HANDLE_CHUNK);
        /* this release store and the next pair with the loads of shm_handle_table_find() */
        atomic_store_explicit(&table->chunks[index / SHM_HANDLE_CHUNK], chunk,
                              memory_order_release);
        entry = &chunk[index % SHM_HANDLE_CHUNK];
    }
    object->handle = handle;
    atomic_store_explicit(&entry->object, object, memory_order_relaxed);
    atomic_store_explicit(&entry->handle, handle, memory_order_release);
    return SHM_OK;
}

static enum shm_status add_locked(struct shm_handle_table *table, struct shm_handled *object)
{
    uint32_t index = table->lowest_free;
    enum shm_status status;

    while (index <= SHM_HANDLE_LAST && !is_free_locked(table, index))
        index++;
    table->lowest_free = index;
    if (index > SHM_HANDLE_LAST)
        return shm_fail(SHM_MALLOC_FAILED, "all %d handles are in use", SHM_HANDLE_LAST);
    status = put_locked(table, object, table->generation << 16 | index);
    if (status != SHM_OK)
        return status;
    table->generation++;
    table->lowest_free = index + 1;
    return SHM_OK;
}

enum shm_status shm_handle_table_add(struct shm_handle_table *table, struct shm_handled *object)
{
    enum shm_status status;

    pthread_mutex_lock(&table->lock);
    status = add_locked(table, object);
    pthread_mutex_unlock(&table->lock);
    return status;
}

enum shm_status shm_handle_table_add_as(struct shm_handle_table *table, struct shm_handled *object,
                                        uint16_t number)
{
    enum shm_status status;

    pthread_mutex_lock(&table->lock);
    if (number == SHM_HANDLE_INVALID || !is_free_locked(table, number))
        status = shm_fail(SHM_INVALID_VALUE, "handle %u, expected one that is free", number);
    else
        status = put_locked(table, object, number);
    pthread_mutex_unlock(&table->lock);
    return status;
}

static void remove_locked(struct shm_handle_table *table, uint32_t index)
{
    struct shm_handle_entry *entry = entry_locked(table, index);

    atomic_store_explicit(&entry->handle, 0, memory_order_relaxed);
    atomic_store_explicit(&entry->object, NULL, memory_order_relaxed);
    if (index < table->lowest_free)
        table->lowest_free = index;
}

void shm_handle_table_remove(struct shm_handle_table *table, const struct shm_handled *object)
{
    pthread_mutex_lock(&table->lock);
    remove_locked(table, (uint32_t)object->handle & SHM_HANDLE_LAST);
    pthread_mutex_unlock(&table->lock);
}

void shm_handle_table_remove_if(struct shm_handle_table *table,
                                bool (*is_wanted)(const struct shm_handled *object,
                                                  const void *argument),
                                const void *argument, void (*destroy)(struct shm_handled *object))
{
    pthread_mutex_lock(&table->lock);
    for (uint32_t index = 1; index <= SHM_HANDLE_LAST; index++) {
        const struct shm_handle_entry *entry = entry_locked(table, index);
        struct shm_handled *object;

        if (entry == NULL) {
            index |= SHM_HANDLE_CHUNK - 1; /* the last of a chunk without objects */
            continue;
        }
        object = atomic_load_explicit(&entry->object, memory_order_relaxed);
        if (object != NULL && is_wanted(object, argument)) {
            remove_locked(table, index);
            destroy(object);
        }
    }
    pthread_mutex_unlock(&table->lock);
}
