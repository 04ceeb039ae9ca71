/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/table_internal.h"

#include "base/hash.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_AT_FIRST 64u

/* ---- buffers ---- */

struct shm_store_buffer *shm_store_buffer_create(const void *data, size_t bytes)
{
    struct shm_store_buffer *buffer = malloc(sizeof *buffer + bytes);

    if (buffer == NULL)
        return NULL;
    buffer->references = 1;
    buffer->used = bytes;
    buffer->capacity = bytes;
    if (bytes > 0)
        memcpy(buffer->data, data, bytes);
    return buffer;
}

struct shm_store_buffer *shm_store_buffer_share(struct shm_store_buffer *buffer)
{
    buffer->references++;
    return buffer;
}

void shm_store_buffer_release(struct shm_store_buffer *buffer)
{
    if (buffer != NULL && --buffer->references == 0)
        free(buffer);
}

/* A buffer that only the caller holds, with the contents of `buffer` and room for `capacity`
 * bytes; NULL, with `buffer` untouched, when there is no memory. */
static struct shm_store_buffer *own(struct shm_store_buffer *buffer, size_t capacity)
{
    struct shm_store_buffer *owned;

    if (buffer->references == 1) {
        owned = realloc(buffer, sizeof *buffer + capacity);
        if (owned == NULL)
            return NULL;
    } else {
        owned = malloc(sizeof *buffer + capacity);
        if (owned == NULL)
            return NULL;
        owned->references = 1;
        owned->used = buffer->used;
        memcpy(owned->data, buffer->data, buffer->used);
        shm_store_buffer_release(buffer);
    }
    owned->capacity = capacity;
    return owned;
}

/* ---- table ---- */

/* FNV-1a with a start that nobody outside knows, and a final mix for the low bits. */
static uint64_t hash_of(const struct shm_store_table *table, const struct shm_store_slice *key)
{
    uint64_t hash = shm_hash_add(table->seed, key->data, key->bytes);

    return hash ^ hash >> 32;
}

enum shm_status shm_store_table_init(struct shm_store_table *table)
{
    enum shm_status status;

    *table = (struct shm_store_table){.slot_count = SLOTS_AT_FIRST};
    status = shm_random_fill(&table->seed, sizeof table->seed);
    if (status != SHM_OK)
        return status;
    table->slots = calloc(table->slot_count, sizeof(struct shm_store_entry *));
    if (table->slots == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the keys of the store");
    return SHM_OK;
}

void shm_store_table_fini(struct shm_store_table *table)
{
    for (size_t i = 0; table->slots != NULL && i < table->slot_count; i++) {
        struct shm_store_entry *entry = table->slots[i];

        while (entry != NULL) {
            struct shm_store_entry *next = entry->next;

            shm_store_buffer_release(entry->value);
            free(entry);
            entry = next;
        }
    }
    free(table->slots);
    *table = (struct shm_store_table){.slots = NULL};
}

struct shm_store_entry *shm_store_table_find(const struct shm_store_table *table,
                                             const struct shm_store_slice *key)
{
    uint64_t hash = hash_of(table, key);
    struct shm_store_entry *entry = table->slots[hash & (table->slot_count - 1)];

    while (entry != NULL && (entry->hash != hash || entry->key_bytes != key->bytes ||
                             memcmp(entry->key, key->data, key->bytes) != 0))
        entry = entry->next;
    return entry;
}

/* Doubles the slots; without memory the lists just get longer. */
static void grow(struct shm_store_table *table)
{
    size_t slot_count = 2 * table->slot_count;
    struct shm_store_entry **slots = calloc(slot_count, sizeof(struct shm_store_entry *));

    if (slots == NULL)
        return;
    for (size_t i = 0; i < table->slot_count; i++) {
        struct shm_store_entry *entry = table->slots[i];

        while (entry != NULL) {
            struct shm_store_entry *next = entry->next;
            struct shm_store_entry **slot = &slots[entry->hash & (slot_count - 1)];

            entry->next = *slot;
            *slot = entry;
            entry = next;
        }
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
}

enum shm_status shm_store_table_reach(struct shm_store_table *table,
                                      const struct shm_store_slice *key,
                                      struct shm_store_entry **out_entry)
{
    struct shm_store_entry *entry = shm_store_table_find(table, key);
    struct shm_store_entry **slot;

    if (entry == NULL) {
        entry = calloc(1, sizeof *entry + key->bytes);
        if (entry == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "the store has no memory for another key");
        if (table->entry_count >= table->slot_count)
            grow(table);
        entry->hash = hash_of(table, key);
        entry->key_bytes = key->bytes;
        memcpy(entry->key, key->data, key->bytes);
        slot = &table->slots[entry->hash & (table->slot_count - 1)];
        entry->next = *slot;
        *slot = entry;
        table->entry_count++;
    }
    *out_entry = entry;
    return SHM_OK;
}

void shm_store_table_tidy(struct shm_store_table *table, struct shm_store_entry *entry)
{
    struct shm_store_entry **link = &table->slots[entry->hash & (table->slot_count - 1)];

    if (entry->value != NULL || entry->first_waiter != NULL)
        return;
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    table->entry_count--;
    free(entry);
}

void shm_store_entry_set(struct shm_store_table *table, struct shm_store_entry *entry,
                         struct shm_store_buffer *value)
{
    if (value != NULL && entry->value == NULL)
        atomic_fetch_add_explicit(&table->value_count, 1, memory_order_relaxed);
    if (value == NULL && entry->value != NULL)
        atomic_fetch_sub_explicit(&table->value_count, 1, memory_order_relaxed);
    shm_store_buffer_release(entry->value);
    entry->value = value;
}

enum shm_status shm_store_entry_append(struct shm_store_table *table, struct shm_store_entry *entry,
                                       const struct shm_store_slice *more)
{
    struct shm_store_buffer *value = entry->value;
    size_t bytes = more->bytes + (value == NULL ? 0 : value->used);

    if (bytes > SHM_STORE_VALUE_BYTES_MAX)
        return shm_fail(SHM_INVALID_VALUE, "the value would have %zu bytes, at most %llu fit",
                        bytes, SHM_STORE_VALUE_BYTES_MAX);
    if (value == NULL) {
        value = shm_store_buffer_create(more->data, more->bytes);
        if (value == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "the store has no memory for %zu bytes", bytes);
        shm_store_entry_set(table, entry, value);
        return SHM_OK;
    }
    if (value->references > 1 || bytes > value->capacity) {
        value = own(value, 2 * bytes);
        if (value == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "the store has no memory for %zu bytes", 2 * bytes);
        entry->value = value;
    }
    if (more->bytes > 0)
        memcpy(value->data + value->used, more->data, more->bytes);
    value->used = bytes;
    return SHM_OK;
}
