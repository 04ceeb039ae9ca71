/* SPDX-License-Identifier: BSD-3-Clause */
/* What the server does with the requests of its members. */
#include "store/server_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Answers a request with the failure that was recorded last. */
static void reply_detail(struct shm_store_server *server, struct shm_store_connection *connection,
                         uint32_t sequence, enum shm_status status)
{
    const char *detail = shm_error_detail();
    struct shm_store_buffer *reason =
        shm_store_buffer_create(detail, strnlen(detail, SHM_STORE_REASON_BYTES));

    shm_store_reply_failure(server, connection, sequence, status, reason);
    shm_store_buffer_release(reason);
}

static enum shm_status store_value(struct shm_store_server *server, struct shm_store_entry *entry,
                                   const void *data, size_t bytes)
{
    struct shm_store_buffer *value = shm_store_buffer_create(data, bytes);

    if (value == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "the store has no memory for a value of %zu bytes",
                        bytes);
    shm_store_entry_set(&server->table, entry, value);
    return SHM_OK;
}

static enum shm_status set_one(struct shm_store_server *server, const struct shm_store_slice *key,
                               const struct shm_store_slice *value)
{
    struct shm_store_entry *entry;
    enum shm_status status = shm_store_table_reach(&server->table, key, &entry);

    if (status != SHM_OK)
        return status;
    status = store_value(server, entry, value->data, value->bytes);
    if (status == SHM_OK)
        shm_store_wait_wake(server, entry);
    else
        shm_store_table_tidy(&server->table, entry);
    return status;
}

/* number: 0 */
static enum shm_status do_set(struct shm_store_server *server, const struct shm_store_frame *frame,
                              uint64_t *out_number)
{
    for (uint32_t i = 0; i < frame->key_count; i++) {
        enum shm_status status = set_one(server, &frame->keys[i], &frame->values[i]);

        if (status != SHM_OK)
            return status;
    }
    *out_number = 0;
    return SHM_OK;
}

/* Reads decimal text; an absent value counts as 0. */
static enum shm_status number_of(const struct shm_store_buffer *value, int64_t *out_number)
{
    char text[24] = "0";
    char *end = text;
    bool is_number = true;
    long long number;

    if (value != NULL) {
        size_t bytes = value->used < sizeof text ? value->used : sizeof text - 1;

        memcpy(text, value->data, bytes);
        text[bytes] = '\0';
        is_number = value->used < sizeof text && strspn(text, "-0123456789") == value->used;
    }
    errno = 0;
    number = strtoll(text, &end, 10);
    if (!is_number || end == text || *end != '\0' || errno != 0)
        return shm_fail(SHM_INVALID_VALUE, "the value to add to is not a decimal integer of 64 "
                                           "bits");
    *out_number = number;
    return SHM_OK;
}

/* number: the sum */
static enum shm_status do_add(struct shm_store_server *server, const struct shm_store_frame *frame,
                              uint64_t *out_number)
{
    int64_t delta = (int64_t)frame->number;
    int64_t number = 0;
    char text[24];
    struct shm_store_entry *entry = shm_store_table_find(&server->table, &frame->keys[0]);
    struct shm_store_slice value = {.data = text};
    enum shm_status status = number_of(entry == NULL ? NULL : entry->value, &number);

    if (status != SHM_OK)
        return status;
    if (__builtin_add_overflow(number, delta, &number))
        return shm_fail(SHM_INVALID_VALUE, "adding %" PRId64 " does not fit in 64 bits", delta);
    value.bytes = (size_t)snprintf(text, sizeof text, "%" PRId64, number);
    status = set_one(server, &frame->keys[0], &value);
    if (status == SHM_OK)
        *out_number = (uint64_t)number;
    return status;
}

/* number: keys that were there */
static enum shm_status do_remove(struct shm_store_server *server,
                                 const struct shm_store_frame *frame, uint64_t *out_number)
{
    uint64_t removed = 0;

    for (uint32_t i = 0; i < frame->key_count; i++) {
        struct shm_store_entry *entry = shm_store_table_find(&server->table, &frame->keys[i]);

        if (entry == NULL || entry->value == NULL)
            continue;
        removed++;
        shm_store_entry_set(&server->table, entry, NULL);
        shm_store_table_tidy(&server->table, entry);
    }
    *out_number = removed;
    return SHM_OK;
}

/* number: bytes of the value */
static enum shm_status do_append(struct shm_store_server *server,
                                 const struct shm_store_frame *frame, uint64_t *out_number)
{
    struct shm_store_entry *entry;
    enum shm_status status = shm_store_table_reach(&server->table, &frame->keys[0], &entry);

    if (status != SHM_OK)
        return status;
    status = shm_store_entry_append(&server->table, entry, &frame->values[0]);
    if (status != SHM_OK) {
        shm_store_table_tidy(&server->table, entry);
        return status;
    }
    *out_number = entry->value->used;
    shm_store_wait_wake(server, entry);
    return SHM_OK;
}

/* number: 1 when the value was as expected and is the desired one now */
static enum shm_status do_cas(struct shm_store_server *server, const struct shm_store_frame *frame,
                              uint64_t *out_number)
{
    const struct shm_store_slice *expected = &frame->values[0];
    struct shm_store_entry *entry = shm_store_table_find(&server->table, &frame->keys[0]);
    struct shm_store_buffer *value = entry == NULL ? NULL : entry->value;
    size_t bytes = value == NULL ? 0 : value->used;
    enum shm_status status;

    if (bytes != expected->bytes ||
        (bytes > 0 && memcmp(value->data, expected->data, bytes) != 0)) {
        *out_number = 0;
        return SHM_OK;
    }
    status = set_one(server, &frame->keys[0], &frame->values[1]);
    if (status == SHM_OK)
        *out_number = 1;
    return status;
}

static struct shm_store_frame with_keys(const struct shm_store_frame *frame, uint32_t first,
                                        uint32_t count)
{
    struct shm_store_frame part = *frame;

    part.key_count = count;
    memcpy(part.keys, &frame->keys[first], count * sizeof part.keys[0]);
    return part;
}

/* The last one to come lets the others go. All have left what it removes. */
static void meet(struct shm_store_server *server, struct shm_store_connection *connection,
                 const struct shm_store_frame *frame)
{
    const struct shm_store_slice nothing = {.data = "", .bytes = 0};
    struct shm_store_frame arrival = with_keys(frame, 0, 1);
    struct shm_store_frame wait = with_keys(frame, 1, 1);
    struct shm_store_frame old = with_keys(frame, 2, frame->key_count - 2);
    uint64_t arrived = 0;
    uint64_t removed;
    enum shm_status status;

    arrival.number = 1;
    wait.flags = SHM_STORE_GROUP;
    status = do_add(server, &arrival, &arrived);
    if (status == SHM_OK && arrived == server->n_ranks)
        status = set_one(server, &frame->keys[1], &nothing);
    if (status == SHM_OK && arrived == server->n_ranks)
        status = do_remove(server, &old, &removed);
    if (status == SHM_OK)
        shm_store_wait_begin(server, connection, &wait);
    else
        reply_detail(server, connection, frame->sequence, status);
}

struct operation {
    enum shm_status (*execute)(struct shm_store_server *server, const struct shm_store_frame *frame,
                               uint64_t *out_number);
    uint8_t least_keys, most_keys;
    uint8_t least_values, most_values;
};

/* NULL: has no function of its own */
static const struct operation operations[] = {
    [SHM_STORE_SET] = {do_set, 1, SHM_STORE_ITEMS_MAX, 1, SHM_STORE_ITEMS_MAX},
    [SHM_STORE_GET] = {NULL, 1, SHM_STORE_ITEMS_MAX, 0, 0},
    [SHM_STORE_ADD] = {do_add, 1, 1, 0, 0},
    [SHM_STORE_REMOVE] = {do_remove, 1, SHM_STORE_ITEMS_MAX, 0, 0},
    [SHM_STORE_APPEND] = {do_append, 1, 1, 1, 1},
    [SHM_STORE_CAS] = {do_cas, 1, 1, 2, 2},
    [SHM_STORE_ABORT] = {NULL, 0, 0, 0, 0},
    [SHM_STORE_GOODBYE] = {NULL, 0, 0, 0, 0},
    [SHM_STORE_MEET] = {NULL, 2, SHM_STORE_ITEMS_MAX, 0, 0},
};

static enum shm_status check_shape(const struct shm_store_connection *connection,
                                   const struct shm_store_frame *frame)
{
    const struct operation *operation;

    if (frame->operation < SHM_STORE_SET || frame->operation > SHM_STORE_MEET)
        return shm_fail(SHM_PROTOCOL, "operation %d is not for the store", (int)frame->operation);
    operation = &operations[frame->operation];
    if (frame->key_count < operation->least_keys || frame->key_count > operation->most_keys ||
        frame->value_count < operation->least_values ||
        frame->value_count > operation->most_values ||
        (frame->operation == SHM_STORE_SET && frame->key_count != frame->value_count))
        return shm_fail(SHM_PROTOCOL, "operation %d with %u keys and %u values",
                        (int)frame->operation, frame->key_count, frame->value_count);
    if ((frame->operation == SHM_STORE_GET || frame->operation == SHM_STORE_MEET) &&
        connection->waiter.entry != NULL)
        return shm_fail(SHM_PROTOCOL, "a second GET while one waits");
    return SHM_OK;
}

enum shm_status shm_store_execute(struct shm_store_server *server,
                                  struct shm_store_connection *connection,
                                  const struct shm_store_frame *frame)
{
    uint64_t number = 0;
    enum shm_status status = check_shape(connection, frame);

    if (status != SHM_OK)
        return status;
    switch (frame->operation) {
    case SHM_STORE_GET:
        shm_store_wait_begin(server, connection, frame);
        return SHM_OK;
    case SHM_STORE_MEET:
        meet(server, connection, frame);
        return SHM_OK;
    case SHM_STORE_ABORT:
        shm_store_tell_abort(server, connection->rank, frame->status);
        return SHM_OK;
    case SHM_STORE_GOODBYE:
        shm_store_reply_number(server, connection, frame->sequence, 0);
        shm_store_dismiss(server, connection);
        return SHM_OK;
    default:
        break;
    }
    status = operations[frame->operation].execute(server, frame, &number);
    if (status == SHM_OK)
        shm_store_reply_number(server, connection, frame->sequence, number);
    else
        reply_detail(server, connection, frame->sequence, status);
    return SHM_OK;
}
