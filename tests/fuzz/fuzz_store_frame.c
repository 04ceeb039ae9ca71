/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a stranger or a member, as the server reads them. The first byte of the input says
 * in how small pieces the others arrive. */
#include "store/wire_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Every byte of a frame that was accepted has a meaning: writing it again gives the same bytes. */
static void check_frame(const struct shm_store_frame *frame, const uint8_t *start)
{
    uint8_t head[SHM_STORE_HEAD_BYTES_MAX];
    size_t used = shm_store_frame_write_head(frame, head);

    require(memcmp(head, start, used) == 0);
    for (uint32_t i = 0; i < frame->key_count + frame->value_count; i++) {
        bool is_key = i < frame->key_count;
        const struct shm_store_slice *slice =
            is_key ? &frame->keys[i] : &frame->values[i - frame->key_count];

        require(slice->bytes <= (is_key ? SHM_STORE_KEY_BYTES_MAX : SHM_STORE_VALUE_BYTES_MAX));
        require(slice->data == start + used);
        used += slice->bytes;
    }
    require(used == frame->bytes);
}

static void check_hello(const struct shm_store_frame *frame)
{
    uint8_t again[SHM_STORE_HELLO_BYTES];
    struct shm_store_hello hello;

    if (frame->operation != SHM_STORE_HELLO || frame->value_count == 0 ||
        frame->values[0].bytes != SHM_STORE_HELLO_BYTES)
        return;
    shm_store_hello_read(frame->values[0].data, &hello);
    shm_store_hello_write(&hello, again);
    require(memcmp(again, frame->values[0].data, sizeof again) == 0);
}

static enum shm_status consume(struct shm_store_reader *reader, size_t limit_bytes)
{
    for (;;) {
        struct shm_store_frame frame;
        enum shm_status status = shm_store_reader_peek(reader, limit_bytes, &frame);

        if (status != SHM_OK)
            return status;
        require(frame.bytes <= reader->used - reader->dropped);
        check_frame(&frame, reader->data + reader->dropped);
        check_hello(&frame);
        shm_store_reader_drop(reader, frame.bytes);
    }
}

static void read_all(const uint8_t *data, size_t bytes, size_t piece_bytes, size_t limit_bytes)
{
    struct shm_store_reader reader = {0};
    enum shm_status status = SHM_AGAIN;

    while (status == SHM_AGAIN && bytes > 0) {
        uint8_t *room = NULL;
        size_t room_bytes = 0;

        require(shm_store_reader_room(&reader, &room, &room_bytes) == SHM_OK && room_bytes > 0);
        if (room_bytes > piece_bytes)
            room_bytes = piece_bytes;
        if (room_bytes > bytes)
            room_bytes = bytes;
        memcpy(room, data, room_bytes);
        reader.used += room_bytes;
        data += room_bytes;
        bytes -= room_bytes;
        status = consume(&reader, limit_bytes);
        require(status == SHM_AGAIN || status == SHM_PROTOCOL);
    }
    shm_store_reader_fini(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0)
        return 0;
    read_all(data + 1, bytes - 1, (size_t)data[0] + 1, SHM_STORE_FRAME_BYTES_MAX);
    read_all(data + 1, bytes - 1, (size_t)data[0] + 1, SHM_STORE_HELLO_FRAME_BYTES);
    return 0;
}
