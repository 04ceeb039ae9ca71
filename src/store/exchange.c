/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and answers over one connection, and what the store says unasked. */
#include "store/client_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_MS 5000u /* for the answer, past the limit that the store was given */

#define STORE_GONE "PE 0 failed: the store is gone"

#define ALREADY 1u /* a deadline that has passed: do not wait */

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

void shm_store_client_note(struct shm_store_client *client, const struct shm_store_frame *notice)
{
    struct shm_store_slice none = {.data = "", .bytes = 0};
    const struct shm_store_slice *reason = notice->value_count > 0 ? &notice->values[0] : &none;
    enum shm_status kind = notice->status == SHM_ABORTED ? SHM_ABORTED : SHM_PEER_LOST;

    record_event(client, kind, (uint32_t)(notice->number >> 32), (uint32_t)notice->number, reason);
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

enum shm_status shm_store_answer_failure(const struct shm_store_frame *answer)
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
    status = shm_store_client_send_frame(client, request, limit);
    /* a store that closed may have said why before */
    if (status == SHM_OK || status == SHM_CLOSED)
        status = shm_store_client_receive_answer(client, request->sequence, limit, out_answer);
    return status == SHM_OK ? SHM_OK : give_up(client, status);
}

enum shm_status shm_store_exchange(struct shm_store_client *client, struct shm_store_frame *request,
                                   uint64_t deadline_ns, struct shm_store_answer *out_answer)
{
    struct shm_store_answer answer;
    enum shm_status status;

    if (!shm_store_turn_take(&client->call_turn, patience(deadline_ns)))
        return shm_fail(SHM_TIMEOUT_ERROR, "another thread is still waiting for the store");
    status = exchange_locked(client, request, deadline_ns, &answer);
    shm_store_turn_end(&client->call_turn);
    if (status != SHM_OK)
        return status;
    if (answer.frame.status != SHM_OK) {
        status = shm_store_answer_failure(&answer.frame);
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
        status = shm_store_client_next_frame(client, &unasked);
        if (status == SHM_OK) {
            free(unasked.block);
            status = SHM_PROTOCOL;
        } else if (status == SHM_AGAIN) {
            status = shm_store_client_receive(client);
        }
    } while (status == SHM_OK);
    if (status != SHM_AGAIN)
        give_up(client, status);
}

void shm_store_poll(struct shm_store_client *client, struct shm_store_event *out_event)
{
    uint64_t event;

    if (shm_store_turn_take(&client->call_turn, ALREADY)) {
        if (!client->is_lost && !client->has_left)
            drain(client);
        shm_store_turn_end(&client->call_turn);
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

    return shm_store_client_send_frame(client, &request, patience(deadline_ns));
}
