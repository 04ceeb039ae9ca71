/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames that go to the store, and that come from it, over one connection. */
#include "store/client_internal.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define FLAT_BYTES 4096u /* frames up to that size are sent in one piece */

/* ---- frames in ---- */

/* Takes the next frame that has arrived; SHM_AGAIN when none is complete. */
enum shm_status shm_store_client_next_frame(struct shm_store_client *client,
                                            struct shm_store_answer *out_answer)
{
    for (;;) {
        enum shm_status status =
            shm_store_reader_peek(&client->reader, SHM_STORE_FRAME_BYTES_MAX, &out_answer->frame);

        if (status != SHM_OK)
            return status;
        if (out_answer->frame.operation != SHM_STORE_NOTICE)
            break;
        shm_store_client_note(client, &out_answer->frame);
        shm_store_reader_drop(&client->reader, out_answer->frame.bytes);
    }
    return shm_store_reader_take(&client->reader, out_answer->frame.bytes, &out_answer->block);
}

/* Receives what is there, without waiting. SHM_AGAIN when nothing is. */
enum shm_status shm_store_client_receive(struct shm_store_client *client)
{
    uint8_t *room;
    size_t bytes;
    size_t received = 0;
    enum shm_status status = shm_store_reader_room(&client->reader, &room, &bytes);

    if (status == SHM_OK)
        status = shm_store_channel_receive(&client->channel, room, bytes, &received);
    if (status == SHM_CLOSED)
        return shm_fail(SHM_CLOSED, "the store closed the connection");
    client->reader.used += received;
    return status;
}

static enum shm_status wait_readable(int fd, uint64_t deadline_ns)
{
    struct pollfd waited = {.fd = fd, .events = POLLIN};
    int ready;

    do
        ready = poll(&waited, 1, shm_deadline_left_ms(deadline_ns));
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return shm_fail(SHM_TIMEOUT_ERROR, "the store does not answer: PE 0, which serves it, is "
                                           "missing");
    return ready > 0 ? SHM_OK : shm_fail_errno(SHM_INNER_ERROR, errno, "poll on a socket");
}

/* Waits for the answer with that sequence number. */
enum shm_status shm_store_client_receive_answer(struct shm_store_client *client, uint32_t sequence,
                                                uint64_t deadline_ns,
                                                struct shm_store_answer *out_answer)
{
    for (;;) {
        enum shm_status status = shm_store_client_next_frame(client, out_answer);

        if (status == SHM_OK) {
            if (out_answer->frame.operation == SHM_STORE_REPLY &&
                out_answer->frame.sequence == sequence)
                return SHM_OK;
            free(out_answer->block);
            return shm_fail(SHM_PROTOCOL, "the store sent an answer that nobody asked for");
        }
        if (status == SHM_AGAIN)
            status = shm_store_client_receive(client);
        if (status == SHM_AGAIN)
            status = wait_readable(client->channel.fd, deadline_ns);
        if (status != SHM_OK)
            return status;
    }
}

/* ---- frames out ---- */

/* Copies a short frame into one piece; returns its bytes, or 0 when it is too long. */
static size_t flatten(const struct shm_store_frame *frame, uint8_t flat[FLAT_BYTES])
{
    size_t used = shm_store_frame_write_head(frame, flat);

    for (uint32_t i = 0; i < frame->key_count + frame->value_count; i++) {
        const struct shm_store_slice *slice =
            i < frame->key_count ? &frame->keys[i] : &frame->values[i - frame->key_count];

        if (slice->bytes > FLAT_BYTES - used)
            return 0;
        if (slice->bytes > 0)
            memcpy(flat + used, slice->data, slice->bytes);
        used += slice->bytes;
    }
    return used;
}

static enum shm_status send_pieces(struct shm_store_channel *channel,
                                   const struct shm_store_frame *frame, uint64_t deadline_ns)
{
    uint8_t flat[FLAT_BYTES];
    size_t bytes = flatten(frame, flat);
    enum shm_status status;

    if (bytes > 0)
        return shm_store_channel_send_all(channel, flat, bytes, deadline_ns);
    bytes = shm_store_frame_write_head(frame, flat);
    status = shm_store_channel_send_all(channel, flat, bytes, deadline_ns);
    for (uint32_t i = 0; status == SHM_OK && i < frame->key_count + frame->value_count; i++) {
        const struct shm_store_slice *slice =
            i < frame->key_count ? &frame->keys[i] : &frame->values[i - frame->key_count];

        status = shm_store_channel_send_all(channel, slice->data, slice->bytes, deadline_ns);
    }
    return status;
}

enum shm_status shm_store_client_send_frame(struct shm_store_client *client,
                                            const struct shm_store_frame *frame,
                                            uint64_t deadline_ns)
{
    enum shm_status status;

    if (!shm_store_turn_take(&client->send_turn, deadline_ns))
        return shm_fail(SHM_TIMEOUT_ERROR, "another thread is still sending to the store");
    status = client->is_cut ? shm_fail(SHM_CLOSED, "the connection to the store is broken")
                            : send_pieces(&client->channel, frame, deadline_ns);
    client->is_cut = status != SHM_OK;
    shm_store_turn_end(&client->send_turn);
    return status;
}
