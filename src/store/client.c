/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and answers over one connection, and what the store says unasked. */
#include "store/client_internal.h"

#include "base/backoff.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_MS 5000u   /* for the answer, past the limit that the store was given */
#define FLAT_BYTES 4096u /* frames up to that size are sent in one piece */

/* before another attempt when the store dropped us */
#define REJOIN_FIRST_MS 20u
#define REJOIN_MOST_MS 500u

#define STORE_GONE "PE 0 failed: the store is gone"

#define ALREADY 1u /* a deadline that has passed: do not wait */

/* ---- turns ---- */

static void init_turn(struct shm_store_turn *turn)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&turn->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&turn->freed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void fini_turn(struct shm_store_turn *turn)
{
    pthread_cond_destroy(&turn->freed);
    pthread_mutex_destroy(&turn->mutex);
}

/* The mutex is only held for moments, so that a deadline that has passed never waits. */
static bool take_turn(struct shm_store_turn *turn, uint64_t deadline_ns)
{
    struct timespec deadline = {(time_t)(deadline_ns / SHM_NS_PER_SECOND),
                                (long)(deadline_ns % SHM_NS_PER_SECOND)};
    bool is_mine;

    pthread_mutex_lock(&turn->mutex);
    while (turn->is_taken)
        if (pthread_cond_timedwait(&turn->freed, &turn->mutex, &deadline) == ETIMEDOUT)
            break;
    is_mine = !turn->is_taken;
    turn->is_taken = true;
    pthread_mutex_unlock(&turn->mutex);
    return is_mine;
}

static void end_turn(struct shm_store_turn *turn)
{
    pthread_mutex_lock(&turn->mutex);
    turn->is_taken = false;
    pthread_cond_signal(&turn->freed);
    pthread_mutex_unlock(&turn->mutex);
}

/* ---- events ---- */

static uint64_t pack_event(enum shm_status kind, uint32_t rank, uint32_t exit_status)
{
    return (uint64_t)(kind == SHM_ABORTED ? 2 : 1) << 56 | (uint64_t)(rank & 0xffffff) << 32 |
           exit_status;
}

/* Keeps the first event. Only called in a call's turn. */
static void record_event(struct shm_store_client *client, enum shm_status kind, uint32_t rank,
                         uint32_t exit_status, const struct shm_store_slice *reason)
{
    if (atomic_load_explicit(&client->event, memory_order_relaxed) != 0)
        return;
    snprintf(client->reason, sizeof client->reason, "%.*s",
             reason->bytes < sizeof client->reason ? (int)reason->bytes
                                                   : (int)sizeof client->reason,
             (const char *)reason->data);
    atomic_store_explicit(&client->event, pack_event(kind, rank, exit_status),
                          memory_order_relaxed);
}

/* The failure that the first event stands for. */
static enum shm_status event_failure(const struct shm_store_client *client)
{
    uint64_t event = atomic_load_explicit(&client->event, memory_order_relaxed);

    return shm_fail(event >> 56 == 2 ? SHM_ABORTED : SHM_PEER_LOST, "%s", client->reason);
}

/* Gives the connection up; what the caller returns then. */
static enum shm_status lose(struct shm_store_client *client, const char *reason)
{
    struct shm_store_slice text = {.data = reason, .bytes = strlen(reason)};

    client->is_lost = true;
    shm_store_reader_fini(&client->reader);
    record_event(client, SHM_PEER_LOST, 0, 0, &text);
    return event_failure(client);
}

static void note(struct shm_store_client *client, const struct shm_store_frame *notice)
{
    struct shm_store_slice none = {.data = "", .bytes = 0};
    const struct shm_store_slice *reason = notice->value_count > 0 ? &notice->values[0] : &none;
    enum shm_status kind = notice->status == SHM_ABORTED ? SHM_ABORTED : SHM_PEER_LOST;

    record_event(client, kind, (uint32_t)(notice->number >> 32), (uint32_t)notice->number, reason);
}

/* ---- frames in ---- */

/* Takes the next frame that has arrived; SHM_AGAIN when none is complete. */
static enum shm_status next_frame(struct shm_store_client *client,
                                  struct shm_store_answer *out_answer)
{
    for (;;) {
        enum shm_status status =
            shm_store_reader_peek(&client->reader, SHM_STORE_FRAME_BYTES_MAX, &out_answer->frame);

        if (status != SHM_OK)
            return status;
        if (out_answer->frame.operation != SHM_STORE_NOTICE)
            break;
        note(client, &out_answer->frame);
        shm_store_reader_drop(&client->reader, out_answer->frame.bytes);
    }
    return shm_store_reader_take(&client->reader, out_answer->frame.bytes, &out_answer->block);
}

/* Receives what is there, without waiting. SHM_AGAIN when nothing is. */
static enum shm_status receive_some(struct shm_store_client *client)
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
static enum shm_status receive_answer(struct shm_store_client *client, uint32_t sequence,
                                      uint64_t deadline_ns, struct shm_store_answer *out_answer)
{
    for (;;) {
        enum shm_status status = next_frame(client, out_answer);

        if (status == SHM_OK) {
            if (out_answer->frame.operation == SHM_STORE_REPLY &&
                out_answer->frame.sequence == sequence)
                return SHM_OK;
            free(out_answer->block);
            return shm_fail(SHM_PROTOCOL, "the store sent an answer that nobody asked for");
        }
        if (status == SHM_AGAIN)
            status = receive_some(client);
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

static enum shm_status send_frame(struct shm_store_client *client,
                                  const struct shm_store_frame *frame, uint64_t deadline_ns)
{
    enum shm_status status;

    if (!take_turn(&client->send_turn, deadline_ns))
        return shm_fail(SHM_TIMEOUT_ERROR, "another thread is still sending to the store");
    status = client->is_cut ? shm_fail(SHM_CLOSED, "the connection to the store is broken")
                            : send_pieces(&client->channel, frame, deadline_ns);
    client->is_cut = status != SHM_OK;
    end_turn(&client->send_turn);
    return status;
}

/* ---- requests ---- */

/* Until when the connection is trusted to answer a request with this deadline. */
static uint64_t patience(uint64_t deadline_ns)
{
    uint64_t now = shm_now_ns();

    if (deadline_ns == 0)
        return UINT64_MAX / 2;
    return (deadline_ns < now ? now : deadline_ns) + GRACE_MS * SHM_NS_PER_MS;
}

static enum shm_status answer_failure(const struct shm_store_frame *answer)
{
    const struct shm_store_slice *reason = &answer->values[0];

    if (answer->status > 0 || answer->status < SHM_MISMATCH)
        return shm_fail(SHM_PROTOCOL, "the store sent the unknown status %d", answer->status);
    if (answer->value_count == 0)
        return shm_fail((enum shm_status)answer->status, "the store failed: %s",
                        shm_status_text((enum shm_status)answer->status));
    return shm_fail((enum shm_status)answer->status, "%.*s",
                    reason->bytes < SHM_DETAIL_BYTES ? (int)reason->bytes : SHM_DETAIL_BYTES,
                    (const char *)reason->data);
}

/* What a call returns when its answer did not come. */
static enum shm_status give_up(struct shm_store_client *client, enum shm_status status)
{
    switch (status) {
    case SHM_CLOSED:
        return lose(client, STORE_GONE);
    case SHM_PROTOCOL:
        return lose(client, "PE 0 failed: the store broke its protocol");
    case SHM_TIMEOUT_ERROR:
        lose(client, "PE 0 failed: the store does not answer");
        return shm_fail(SHM_TIMEOUT_ERROR, "the store on PE 0 does not answer");
    default: /* a failure of our own, after which answers would not fit requests any more */
        lose(client, shm_error_detail());
        return status;
    }
}

static enum shm_status exchange_locked(struct shm_store_client *client,
                                       struct shm_store_frame *request, uint64_t deadline_ns,
                                       struct shm_store_answer *out_answer)
{
    uint64_t limit = patience(deadline_ns);
    enum shm_status status;

    if (client->has_left)
        return shm_fail(SHM_CLOSED, "PE %u has left the store already", client->identity.rank);
    if (client->is_lost)
        return event_failure(client);
    request->sequence = ++client->sequence;
    status = send_frame(client, request, limit);
    /* a store that closed may have said why before */
    if (status == SHM_OK || status == SHM_CLOSED)
        status = receive_answer(client, request->sequence, limit, out_answer);
    return status == SHM_OK ? SHM_OK : give_up(client, status);
}

enum shm_status shm_store_exchange(struct shm_store_client *client, struct shm_store_frame *request,
                                   uint64_t deadline_ns, struct shm_store_answer *out_answer)
{
    struct shm_store_answer answer;
    enum shm_status status;

    if (!take_turn(&client->call_turn, patience(deadline_ns)))
        return shm_fail(SHM_TIMEOUT_ERROR, "another thread is still waiting for the store");
    status = exchange_locked(client, request, deadline_ns, &answer);
    end_turn(&client->call_turn);
    if (status != SHM_OK)
        return status;
    if (answer.frame.status != SHM_OK) {
        status = answer_failure(&answer.frame);
        free(answer.block);
        return status;
    }
    *out_answer = answer;
    return SHM_OK;
}

enum shm_status shm_store_exchange_number(struct shm_store_client *client,
                                          struct shm_store_frame *request, uint64_t deadline_ns,
                                          uint64_t *out_number)
{
    struct shm_store_answer answer;
    enum shm_status status = shm_store_exchange(client, request, deadline_ns, &answer);

    if (status != SHM_OK)
        return status;
    *out_number = answer.frame.number;
    free(answer.block);
    return SHM_OK;
}

/* Reads what the store said unasked. */
static void drain(struct shm_store_client *client)
{
    struct shm_store_answer unasked;
    enum shm_status status;

    do {
        status = next_frame(client, &unasked);
        if (status == SHM_OK) {
            free(unasked.block);
            status = SHM_PROTOCOL;
        } else if (status == SHM_AGAIN) {
            status = receive_some(client);
        }
    } while (status == SHM_OK);
    if (status != SHM_AGAIN)
        give_up(client, status);
}

void shm_store_poll(struct shm_store_client *client, struct shm_store_event *out_event)
{
    uint64_t event;

    if (take_turn(&client->call_turn, ALREADY)) {
        if (!client->is_lost && !client->has_left)
            drain(client);
        end_turn(&client->call_turn);
    }
    event = atomic_load_explicit(&client->event, memory_order_relaxed);
    *out_event = (struct shm_store_event){.kind = SHM_OK};
    if (event != 0)
        *out_event =
            (struct shm_store_event){.kind = event >> 56 == 2 ? SHM_ABORTED : SHM_PEER_LOST,
                                     .rank = (uint32_t)(event >> 32) & 0xffffff,
                                     .exit_status = (int)(uint32_t)event};
}

enum shm_status shm_store_abort(struct shm_store_client *client, int status, uint64_t deadline_ns)
{
    struct shm_store_frame request = {.operation = SHM_STORE_ABORT, .status = status};

    return send_frame(client, &request, patience(deadline_ns));
}

/* ---- life ---- */

static enum shm_status introduce(struct shm_store_client *client, uint64_t deadline_ns)
{
    struct shm_store_hello hello = {.magic = SHM_STORE_MAGIC,
                                    .version = SHM_STORE_VERSION,
                                    .rank = client->identity.rank,
                                    .n_ranks = client->identity.n_ranks,
                                    .job_id = client->identity.job_id};
    uint8_t bytes[SHM_STORE_HELLO_BYTES];
    struct shm_store_frame request = {.operation = SHM_STORE_HELLO,
                                      .value_count = 1,
                                      .values = {{.data = bytes, .bytes = sizeof bytes}}};
    struct shm_store_answer answer;
    enum shm_status status;

    shm_store_hello_write(&hello, bytes);
    status = send_frame(client, &request, deadline_ns == 0 ? UINT64_MAX / 2 : deadline_ns);
    if (status == SHM_OK || status == SHM_CLOSED) /* it may have said why before it closed */
        status = receive_answer(client, 0, deadline_ns, &answer);
    if (status != SHM_OK)
        return status;
    status = answer.frame.status == SHM_OK ? SHM_OK : answer_failure(&answer.frame);
    free(answer.block);
    return status;
}

/* A machine that vanishes sends nothing. */
static void set_options(int fd)
{
    const int on = 1;
    const int idle_seconds = 10;
    const int interval_seconds = 5;
    const int probes = 3;

    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof interval_seconds);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

static enum shm_status try_connect(const struct shm_address_list *addresses,
                                   const struct shm_store_identity *identity, uint64_t deadline_ns,
                                   struct shm_store_client **out_client)
{
    struct shm_store_client *client;
    auto_fd int fd = -1;
    enum shm_status status = shm_address_connect(addresses, deadline_ns, &fd);

    if (status != SHM_OK)
        return status;
    set_options(fd);
    client = calloc(1, sizeof *client);
    if (client == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a connection to the store");
    client->channel.fd = take_fd(&fd);
    client->identity = *identity;
    client->identity.host = NULL;
    init_turn(&client->call_turn);
    init_turn(&client->send_turn);
    status = SHM_OK;
    if (identity->tls != NULL)
        status =
            shm_store_channel_secure(&client->channel, identity->tls, identity->host, deadline_ns);
    if (status == SHM_OK)
        status = introduce(client, deadline_ns);
    if (status != SHM_OK) {
        shm_store_close(client);
        return status;
    }
    *out_client = client;
    return SHM_OK;
}

/* Adds whom we talked to. */
static enum shm_status connect_failure(const struct shm_address_list *addresses,
                                       enum shm_status status)
{
    char text[SHM_ADDRESS_TEXT_BYTES];

    shm_address_format(&addresses->entries[0], text);
    return shm_fail(status, "joining the store at %s: %s", text, shm_error_detail());
}

enum shm_status shm_store_connect(const struct shm_address_list *addresses,
                                  const struct shm_store_identity *identity, uint64_t deadline_ns,
                                  struct shm_store_client **out_client)
{
    struct shm_backoff pause = {.ms = REJOIN_FIRST_MS, .most_ms = REJOIN_MOST_MS};

    for (;;) {
        enum shm_status status = try_connect(addresses, identity, deadline_ns, out_client);

        if (status == SHM_OK)
            return SHM_OK;
        /* a busy machine may drop a connection before the store sees it */
        if (status == SHM_CLOSED && shm_deadline_passed(deadline_ns))
            status = SHM_TIMEOUT_ERROR;
        if (status != SHM_CLOSED)
            return connect_failure(addresses, status);
        status = shm_backoff_sleep(&pause, deadline_ns);
        if (status != SHM_OK)
            return status;
    }
}

void shm_store_close(struct shm_store_client *client)
{
    if (client == NULL)
        return;
    shm_store_channel_close(&client->channel);
    shm_store_reader_fini(&client->reader);
    fini_turn(&client->call_turn);
    fini_turn(&client->send_turn);
    free(client);
}

void shm_store_client_forget(struct shm_store_client *client)
{
    if (client != NULL)
        shm_cleanup_fd(&client->channel.fd);
}
