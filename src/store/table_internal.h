/* SPDX-License-Identifier: BSD-3-Clause */
/** Keys of the store with their values and with the connections that wait for them. One thread. */
#ifndef SHM_STORE_TABLE_INTERNAL_H
#define SHM_STORE_TABLE_INTERNAL_H

#include "store/store.h"

#include <stdatomic.h>

struct shm_store_waiter;

/** Bytes that several replies may share. They do not change while anyone else holds them. */
struct shm_store_buffer {
    size_t references;
    size_t used;
    size_t capacity;
    uint8_t data[];
};

/** A buffer with a copy of `data`, or NULL when there is no memory. */
struct shm_store_buffer *shm_store_buffer_create(const void *data, size_t bytes);
struct shm_store_buffer *shm_store_buffer_share(struct shm_store_buffer *buffer);
/** Gives a reference up; accepts NULL. */
void shm_store_buffer_release(struct shm_store_buffer *buffer);

/** A key; it stays in the table as long as it has a value or waiters. */
struct shm_store_entry {
    struct shm_store_entry *next;
    uint64_t hash;
    struct shm_store_buffer *value; /* NULL: the key is only waited for */
    struct shm_store_waiter *first_waiter;
    size_t key_bytes;
    uint8_t key[];
};

struct shm_store_table {
    struct shm_store_entry **slots;
    size_t slot_count; /* a power of two */
    size_t entry_count;
    _Atomic size_t value_count; /* other threads may look */
    uint64_t seed;
};

SHM_MUST_CHECK enum shm_status shm_store_table_init(struct shm_store_table *table);
void shm_store_table_fini(struct shm_store_table *table);

/** NULL when there is no such entry. */
struct shm_store_entry *shm_store_table_find(const struct shm_store_table *table,
                                             const struct shm_store_slice *key);

/** Finds an entry or makes one that has neither value nor waiters. */
SHM_MUST_CHECK enum shm_status shm_store_table_reach(struct shm_store_table *table,
                                                     const struct shm_store_slice *key,
                                                     struct shm_store_entry **out_entry);

/** Takes the entry out if nothing needs it any more. */
void shm_store_table_tidy(struct shm_store_table *table, struct shm_store_entry *entry);

/** Replaces the value; takes the reference over. NULL removes the value. */
void shm_store_entry_set(struct shm_store_table *table, struct shm_store_entry *entry,
                         struct shm_store_buffer *value);

/** Appends; replies that are under way keep what they had. */
SHM_MUST_CHECK enum shm_status shm_store_entry_append(struct shm_store_table *table,
                                                      struct shm_store_entry *entry,
                                                      const struct shm_store_slice *more);

#endif
