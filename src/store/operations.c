/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of the store, as a client asks for them. */
#include "store/client_internal.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum shm_status shm_store_request_keys(struct shm_store_frame *request, const char *const *keys,
                                       size_t count)
{
    if (count == 0 || count > SHM_STORE_ITEMS_MAX)
        return shm_fail(SHM_INVALID_VALUE, "%zu keys in one call to the store, expected 1..%d",
                        count, SHM_STORE_ITEMS_MAX);
    for (size_t i = 0; i < count; i++) {
        size_t bytes = strlen(keys[i]);

        if (bytes == 0 || bytes > SHM_STORE_KEY_BYTES_MAX)
            return shm_fail(SHM_INVALID_VALUE, "a key of %zu bytes, expected 1..%d", bytes,
                            SHM_STORE_KEY_BYTES_MAX);
        request->keys[i] = (struct shm_store_slice){.data = keys[i], .bytes = bytes};
    }
    request->key_count = (uint32_t)count;
    return SHM_OK;
}

static enum shm_status add_value(struct shm_store_frame *request, struct shm_store_slice value)
{
    if (value.bytes > SHM_STORE_VALUE_BYTES_MAX)
        return shm_fail(SHM_INVALID_VALUE, "a value of %zu bytes, at most %llu fit", value.bytes,
                        SHM_STORE_VALUE_BYTES_MAX);
    request->values[request->value_count++] = value;
    return SHM_OK;
}

enum shm_status shm_store_set(struct shm_store_client *client, const char *key,
                              struct shm_store_slice value, uint64_t deadline_ns)
{
    struct shm_store_frame request = {.operation = SHM_STORE_SET};
    uint64_t number;
    enum shm_status status = shm_store_request_keys(&request, &key, 1);

    if (status == SHM_OK)
        status = add_value(&request, value);
    if (status != SHM_OK)
        return status;
    return shm_store_exchange_number(client, &request, deadline_ns, &number);
}

enum shm_status shm_store_get_flagged(struct shm_store_client *client,
                                      struct shm_store_frame *request, uint64_t deadline_ns,
                                      struct shm_store_values *out_values)
{
    uint32_t expected = request->operation == SHM_STORE_MEET ? 1 : request->key_count;
    struct shm_store_answer answer;
    enum shm_status status;

    request->number = UINT64_MAX;
    if (deadline_ns != 0)
        request->number = (uint64_t)shm_deadline_left_ms(deadline_ns);
    status = shm_store_exchange(client, request, deadline_ns, &answer);
    if (status != SHM_OK)
        return status;
    if (answer.frame.value_count != expected) {
        free(answer.block);
        return shm_fail(SHM_PROTOCOL, "the store sent %u values instead of %u",
                        answer.frame.value_count, expected);
    }
    out_values->block = answer.block;
    memcpy(out_values->values, answer.frame.values, sizeof out_values->values);
    return SHM_OK;
}

enum shm_status shm_store_get(struct shm_store_client *client, const char *const *keys,
                              size_t count, uint64_t deadline_ns,
                              struct shm_store_values *out_values)
{
    struct shm_store_frame request = {.operation = SHM_STORE_GET};
    enum shm_status status = shm_store_request_keys(&request, keys, count);

    if (status != SHM_OK)
        return status;
    return shm_store_get_flagged(client, &request, deadline_ns, out_values);
}

void shm_store_values_free(struct shm_store_values *values)
{
    free(values->block);
    values->block = NULL;
}

enum shm_status shm_store_add(struct shm_store_client *client, const char *key, int64_t delta,
                              uint64_t deadline_ns, int64_t *out_sum)
{
    struct shm_store_frame request = {.operation = SHM_STORE_ADD, .number = (uint64_t)delta};
    uint64_t number = 0;
    enum shm_status status = shm_store_request_keys(&request, &key, 1);

    if (status == SHM_OK)
        status = shm_store_exchange_number(client, &request, deadline_ns, &number);
    if (status == SHM_OK)
        *out_sum = (int64_t)number;
    return status;
}

enum shm_status shm_store_remove(struct shm_store_client *client, const char *const *keys,
                                 size_t count, uint64_t deadline_ns, uint64_t *out_removed)
{
    struct shm_store_frame request = {.operation = SHM_STORE_REMOVE};
    enum shm_status status = shm_store_request_keys(&request, keys, count);

    if (status != SHM_OK)
        return status;
    return shm_store_exchange_number(client, &request, deadline_ns, out_removed);
}

enum shm_status shm_store_append(struct shm_store_client *client, const char *key,
                                 struct shm_store_slice value, uint64_t deadline_ns,
                                 uint64_t *out_bytes)
{
    struct shm_store_frame request = {.operation = SHM_STORE_APPEND};
    enum shm_status status = shm_store_request_keys(&request, &key, 1);

    if (status == SHM_OK)
        status = add_value(&request, value);
    if (status != SHM_OK)
        return status;
    return shm_store_exchange_number(client, &request, deadline_ns, out_bytes);
}

enum shm_status shm_store_cas(struct shm_store_client *client, const char *key,
                              struct shm_store_slice expected, struct shm_store_slice desired,
                              uint64_t deadline_ns, bool *out_swapped)
{
    struct shm_store_frame request = {.operation = SHM_STORE_CAS};
    uint64_t number = 0;
    enum shm_status status = shm_store_request_keys(&request, &key, 1);

    if (status == SHM_OK)
        status = add_value(&request, expected);
    if (status == SHM_OK)
        status = add_value(&request, desired);
    if (status == SHM_OK)
        status = shm_store_exchange_number(client, &request, deadline_ns, &number);
    if (status == SHM_OK)
        *out_swapped = number == 1;
    return status;
}

enum shm_status shm_store_goodbye(struct shm_store_client *client, uint64_t deadline_ns)
{
    struct shm_store_frame request = {.operation = SHM_STORE_GOODBYE};
    uint64_t number;
    enum shm_status status = shm_store_exchange_number(client, &request, deadline_ns, &number);

    if (status != SHM_OK)
        return status;
    atomic_store_explicit(&client->has_left, true, memory_order_relaxed);
    return SHM_OK;
}
