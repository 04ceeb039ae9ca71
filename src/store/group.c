/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barrier, in one exchange, and allgather. Each is a round with up to three keys: the count of
 * those who arrived, or the data that they brought, and a key that the last one sets. Who completes
 * a round knows that everyone has left the one before, and removes its keys.
 */
#include "store/client_internal.h"

#include "base/cleanup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_BYTES_MOST (16ull << 20) /* data of one round; longer contributions take several */
#define ENTRY_HEADER_BYTES 8u          /* rank and bytes, little-endian */

struct round {
    uint64_t number;
    char count[40];
    char data[40];
    char ready[40];
};

static struct round round_of(uint64_t number)
{
    struct round round = {.number = number};

    snprintf(round.count, sizeof round.count, "group/%" PRIu64 "/count", number);
    snprintf(round.data, sizeof round.data, "group/%" PRIu64 "/data", number);
    snprintf(round.ready, sizeof round.ready, "group/%" PRIu64 "/ready", number);
    return round;
}

static struct round next_round(struct shm_store_client *client)
{
    return round_of(atomic_fetch_add_explicit(&client->group_round, 1, memory_order_relaxed));
}

static enum shm_status remove_round(struct shm_store_client *client, const struct round *round,
                                    uint64_t deadline_ns)
{
    const char *keys[] = {round->count, round->data, round->ready};
    uint64_t removed;

    return shm_store_remove(client, keys, 3, deadline_ns, &removed);
}

/* The last one to arrive lets the others go; `complaint` is "" or why the round failed. */
static enum shm_status complete(struct shm_store_client *client, const struct round *round,
                                const char *complaint, uint64_t deadline_ns)
{
    struct shm_store_slice value = {.data = complaint, .bytes = strlen(complaint)};
    enum shm_status status = shm_store_set(client, round->ready, value, deadline_ns);
    struct round old = round_of(round->number - 1);

    if (status != SHM_OK || round->number == 0)
        return status;
    return remove_round(client, &old, deadline_ns);
}

static enum shm_status wait_ready(struct shm_store_client *client, const char *const *keys,
                                  size_t count, uint64_t deadline_ns,
                                  struct shm_store_values *out_values)
{
    struct shm_store_frame request = {.operation = SHM_STORE_GET, .flags = SHM_STORE_GROUP};
    enum shm_status status = shm_store_request_keys(&request, keys, count);

    if (status != SHM_OK)
        return status;
    return shm_store_get_flagged(client, &request, deadline_ns, out_values);
}

/* A round whose last member wrote a complaint failed for everyone. */
static enum shm_status judge_ready(const struct shm_store_slice *ready)
{
    if (ready->bytes == 0)
        return SHM_OK;
    return shm_fail(SHM_MISMATCH, "%.*s", ready->bytes < 200 ? (int)ready->bytes : 200,
                    (const char *)ready->data);
}

enum shm_status shm_store_barrier(struct shm_store_client *client, uint64_t deadline_ns)
{
    struct round round = next_round(client);
    struct round old = round_of(round.number - 1);
    const char *keys[] = {round.count, round.ready, old.count, old.data, old.ready};
    struct shm_store_frame request = {.operation = SHM_STORE_MEET};
    struct shm_store_values values;
    enum shm_status status = shm_store_request_keys(&request, keys, round.number == 0 ? 2 : 5);

    if (status == SHM_OK)
        status = shm_store_get_flagged(client, &request, deadline_ns, &values);
    if (status != SHM_OK)
        return status;
    status = judge_ready(&values.values[0]);
    shm_store_values_free(&values);
    return status;
}

/* ---- allgather ---- */

/* One round of allgather: the part of every rank's data that starts at `offset`. */
struct part {
    const char *mine;
    char *all;
    size_t bytes;  /* of the part */
    size_t stride; /* from one rank's data to the next one's in `all` */
};

static void write_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t read_u32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

/* Adds this rank's entry; gives the bytes of all entries so far. */
static enum shm_status contribute(struct shm_store_client *client, const struct round *round,
                                  const struct part *part, uint64_t deadline_ns,
                                  uint64_t *out_total)
{
    auto_free uint8_t *entry = malloc(ENTRY_HEADER_BYTES + part->bytes);
    struct shm_store_slice value = {.data = entry, .bytes = ENTRY_HEADER_BYTES + part->bytes};

    if (entry == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to send %zu bytes", part->bytes);
    write_u32(entry, client->identity.rank);
    write_u32(entry + 4, (uint32_t)part->bytes);
    memcpy(entry + ENTRY_HEADER_BYTES, part->mine, part->bytes);
    return shm_store_append(client, round->data, value, deadline_ns, out_total);
}

/* Puts the entries, which are in order of arrival, in the order of ranks. */
static enum shm_status sort_entries(uint32_t n_ranks, const struct shm_store_slice *data,
                                    const struct part *part)
{
    size_t entry_bytes = ENTRY_HEADER_BYTES + part->bytes;
    auto_free bool *is_there = calloc(n_ranks, sizeof *is_there);

    if (is_there == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a list of %u PEs", n_ranks);
    if (data->bytes != n_ranks * entry_bytes)
        return shm_fail(SHM_MISMATCH, "allgather brought %zu bytes, expected %u times %zu",
                        data->bytes, n_ranks, entry_bytes);
    for (uint32_t i = 0; i < n_ranks; i++) {
        const uint8_t *entry = (const uint8_t *)data->data + i * entry_bytes;
        uint32_t rank = read_u32(entry);

        if (read_u32(entry + 4) != part->bytes)
            return shm_fail(SHM_MISMATCH, "PE %u passes %u bytes to allgather, this PE %zu", rank,
                            read_u32(entry + 4), part->bytes);
        if (rank >= n_ranks || is_there[rank])
            return shm_fail(SHM_MISMATCH, "allgather brought the data of PE %u twice", rank);
        is_there[rank] = true;
        memcpy(part->all + rank * part->stride, entry + ENTRY_HEADER_BYTES, part->bytes);
    }
    return SHM_OK;
}

/* Completes the round if this rank is the last one, or if it sees that sizes differ. */
static enum shm_status complete_if_last(struct shm_store_client *client, const struct round *round,
                                        size_t bytes, uint64_t total, uint64_t deadline_ns)
{
    size_t entry_bytes = ENTRY_HEADER_BYTES + bytes;
    uint64_t expected = (uint64_t)client->identity.n_ranks * entry_bytes;
    char complaint[120];

    if (total == expected)
        return complete(client, round, "", deadline_ns);
    if (total < expected && total % entry_bytes == 0)
        return SHM_OK;
    snprintf(complaint, sizeof complaint, "PE %u passes %zu bytes to allgather, others do not",
             client->identity.rank, bytes);
    return complete(client, round, complaint, deadline_ns);
}

static enum shm_status gather_part(struct shm_store_client *client, const struct part *part,
                                   uint64_t deadline_ns)
{
    struct round round = next_round(client);
    const char *keys[] = {round.ready, round.data};
    struct shm_store_values values;
    uint64_t total = 0;
    enum shm_status status = contribute(client, &round, part, deadline_ns, &total);

    if (status == SHM_OK)
        status = complete_if_last(client, &round, part->bytes, total, deadline_ns);
    if (status == SHM_OK)
        status = wait_ready(client, keys, 2, deadline_ns, &values);
    if (status != SHM_OK)
        return status;
    status = judge_ready(&values.values[0]);
    if (status == SHM_OK)
        status = sort_entries(client->identity.n_ranks, &values.values[1], part);
    shm_store_values_free(&values);
    return status;
}

enum shm_status shm_store_allgather(struct shm_store_client *client, const void *mine, size_t bytes,
                                    void *all, uint64_t deadline_ns)
{
    size_t most = ROUND_BYTES_MOST / client->identity.n_ranks - ENTRY_HEADER_BYTES;

    if (bytes == 0)
        return shm_fail(SHM_INVALID_VALUE, "allgather of 0 bytes, expected at least 1");
    for (size_t offset = 0; offset < bytes; offset += most) {
        struct part part = {.mine = (const char *)mine + offset,
                            .all = (char *)all + offset,
                            .bytes = bytes - offset < most ? bytes - offset : most,
                            .stride = bytes};
        enum shm_status status = gather_part(client, &part, deadline_ns);

        if (status != SHM_OK)
            return status;
    }
    return SHM_OK;
}
