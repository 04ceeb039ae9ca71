/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/wire_internal.h"

#include <stdlib.h>
#include <string.h>

#define READER_LEAST_BYTES 4096u

static uint32_t read_u32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static uint64_t read_u64(const uint8_t *from)
{
    return (uint64_t)read_u32(from) | (uint64_t)read_u32(from + 4) << 32;
}

static void write_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static void write_u64(uint8_t *to, uint64_t value)
{
    write_u32(to, (uint32_t)value);
    write_u32(to + 4, (uint32_t)(value >> 32));
}

static bool is_operation(uint32_t operation)
{
    return (operation >= SHM_STORE_HELLO && operation <= SHM_STORE_MEET) ||
           operation == SHM_STORE_REPLY || operation == SHM_STORE_NOTICE;
}

static enum shm_status parse_header(const uint8_t *data, size_t limit_bytes,
                                    struct shm_store_frame *frame)
{
    frame->bytes = read_u32(data);
    frame->flags = data[5];
    frame->key_count = data[6];
    frame->value_count = data[7];
    frame->sequence = read_u32(data + 8);
    frame->status = (int32_t)read_u32(data + 12);
    frame->number = read_u64(data + 16);
    if (frame->bytes < SHM_STORE_HEADER_BYTES || frame->bytes > limit_bytes)
        return shm_fail(SHM_PROTOCOL, "a frame of %zu bytes, expected %u..%zu", frame->bytes,
                        SHM_STORE_HEADER_BYTES, limit_bytes);
    if (!is_operation(data[4]))
        return shm_fail(SHM_PROTOCOL, "a frame with the unknown operation %u", data[4]);
    if (frame->key_count > SHM_STORE_ITEMS_MAX || frame->value_count > SHM_STORE_ITEMS_MAX)
        return shm_fail(SHM_PROTOCOL, "a frame with %u keys and %u values, at most %d are allowed",
                        frame->key_count, frame->value_count, SHM_STORE_ITEMS_MAX);
    frame->operation = (enum shm_store_operation)data[4];
    return SHM_OK;
}

/* Reads the lengths; the slices are placed although their bytes may not have arrived yet. */
static enum shm_status parse_lengths(const uint8_t *data, struct shm_store_frame *frame)
{
    uint32_t items = frame->key_count + frame->value_count;
    size_t end = SHM_STORE_HEADER_BYTES + (size_t)4 * items;

    for (uint32_t i = 0; i < items; i++) {
        bool is_key = i < frame->key_count;
        struct shm_store_slice *slice =
            is_key ? &frame->keys[i] : &frame->values[i - frame->key_count];

        slice->bytes = read_u32(data + SHM_STORE_HEADER_BYTES + (size_t)4 * i);
        if (is_key && (slice->bytes == 0 || slice->bytes > SHM_STORE_KEY_BYTES_MAX))
            return shm_fail(SHM_PROTOCOL, "a key of %zu bytes, expected 1..%d", slice->bytes,
                            SHM_STORE_KEY_BYTES_MAX);
        if (slice->bytes > SHM_STORE_VALUE_BYTES_MAX)
            return shm_fail(SHM_PROTOCOL, "a value of %zu bytes, at most %llu are allowed",
                            slice->bytes, SHM_STORE_VALUE_BYTES_MAX);
        if (slice->bytes > frame->bytes - end)
            return shm_fail(SHM_PROTOCOL, "a frame of %zu bytes whose items need more",
                            frame->bytes);
        slice->data = data + end;
        end += slice->bytes;
    }
    if (end != frame->bytes)
        return shm_fail(SHM_PROTOCOL, "a frame of %zu bytes whose items end at %zu", frame->bytes,
                        end);
    return SHM_OK;
}

enum shm_status shm_store_frame_parse(const uint8_t *data, size_t bytes, size_t limit_bytes,
                                      struct shm_store_frame *out_frame)
{
    enum shm_status status;
    size_t head_bytes;

    if (bytes < SHM_STORE_HEADER_BYTES)
        return SHM_AGAIN;
    status = parse_header(data, limit_bytes, out_frame);
    if (status != SHM_OK)
        return status;
    head_bytes = SHM_STORE_HEADER_BYTES + 4 * (out_frame->key_count + out_frame->value_count);
    if (out_frame->bytes < head_bytes)
        return shm_fail(SHM_PROTOCOL, "a frame of %zu bytes with %u keys and %u values",
                        out_frame->bytes, out_frame->key_count, out_frame->value_count);
    if (bytes < head_bytes)
        return SHM_AGAIN;
    status = parse_lengths(data, out_frame);
    if (status != SHM_OK)
        return status;
    return bytes < out_frame->bytes ? SHM_AGAIN : SHM_OK;
}

size_t shm_store_frame_write_head(const struct shm_store_frame *frame,
                                  uint8_t head[SHM_STORE_HEAD_BYTES_MAX])
{
    uint8_t *length = head + SHM_STORE_HEADER_BYTES;
    size_t bulk_bytes = 0;
    size_t head_bytes;

    for (uint32_t i = 0; i < frame->key_count; i++, length += 4) {
        write_u32(length, (uint32_t)frame->keys[i].bytes);
        bulk_bytes += frame->keys[i].bytes;
    }
    for (uint32_t i = 0; i < frame->value_count; i++, length += 4) {
        write_u32(length, (uint32_t)frame->values[i].bytes);
        bulk_bytes += frame->values[i].bytes;
    }
    head_bytes = (size_t)(length - head);
    write_u32(head, (uint32_t)(head_bytes + bulk_bytes));
    head[4] = (uint8_t)frame->operation;
    head[5] = (uint8_t)frame->flags;
    head[6] = (uint8_t)frame->key_count;
    head[7] = (uint8_t)frame->value_count;
    write_u32(head + 8, frame->sequence);
    write_u32(head + 12, (uint32_t)frame->status);
    write_u64(head + 16, frame->number);
    return head_bytes;
}

void shm_store_hello_write(const struct shm_store_hello *hello,
                           uint8_t bytes[SHM_STORE_HELLO_BYTES])
{
    write_u32(bytes, hello->magic);
    write_u32(bytes + 4, hello->version);
    write_u32(bytes + 8, hello->rank);
    write_u32(bytes + 12, hello->n_ranks);
    write_u64(bytes + 16, hello->job_id);
}

void shm_store_hello_read(const uint8_t bytes[SHM_STORE_HELLO_BYTES],
                          struct shm_store_hello *out_hello)
{
    out_hello->magic = read_u32(bytes);
    out_hello->version = read_u32(bytes + 4);
    out_hello->rank = read_u32(bytes + 8);
    out_hello->n_ranks = read_u32(bytes + 12);
    out_hello->job_id = read_u64(bytes + 16);
}

enum shm_status shm_store_reader_room(struct shm_store_reader *reader, uint8_t **out_room,
                                      size_t *out_bytes)
{
    if (reader->dropped > 0) {
        memmove(reader->data, reader->data + reader->dropped, reader->used - reader->dropped);
        reader->used -= reader->dropped;
        reader->dropped = 0;
    }
    if (reader->used == reader->capacity) {
        size_t capacity = reader->capacity == 0 ? READER_LEAST_BYTES : 2 * reader->capacity;
        uint8_t *grown = realloc(reader->data, capacity);

        if (grown == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "no memory for %zu received bytes", capacity);
        reader->data = grown;
        reader->capacity = capacity;
    }
    *out_room = reader->data + reader->used;
    *out_bytes = reader->capacity - reader->used;
    return SHM_OK;
}

enum shm_status shm_store_reader_peek(const struct shm_store_reader *reader, size_t limit_bytes,
                                      struct shm_store_frame *out_frame)
{
    if (reader->used == reader->dropped)
        return SHM_AGAIN;
    return shm_store_frame_parse(reader->data + reader->dropped, reader->used - reader->dropped,
                                 limit_bytes, out_frame);
}

void shm_store_reader_drop(struct shm_store_reader *reader, size_t bytes)
{
    reader->dropped += bytes;
    if (reader->dropped == reader->used)
        shm_store_reader_fini(reader);
}

enum shm_status shm_store_reader_take(struct shm_store_reader *reader, size_t bytes,
                                      void **out_block)
{
    size_t rest_bytes = reader->used - reader->dropped - bytes;
    struct shm_store_reader rest = {0};

    if (rest_bytes > 0) {
        rest.capacity = rest_bytes < READER_LEAST_BYTES ? READER_LEAST_BYTES : rest_bytes;
        rest.data = malloc(rest.capacity);
        if (rest.data == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "no memory for %zu received bytes", rest_bytes);
        memcpy(rest.data, reader->data + reader->dropped + bytes, rest_bytes);
        rest.used = rest_bytes;
    }
    *out_block = reader->data;
    *reader = rest;
    return SHM_OK;
}

void shm_store_reader_fini(struct shm_store_reader *reader)
{
    free(reader->data);
    *reader = (struct shm_store_reader){0};
}
