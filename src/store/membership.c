/* SPDX-License-Identifier: BSD-3-Clause */
/* Who belongs to the job, who left it, and what all must hear. */
#include "store/server_internal.h"

#include "base/log.h"

#include <stdio.h>
#include <string.h>

/* Refusals beyond that many are only seen at debug level: strangers must not fill the log. */
#define REFUSALS_LOGGED 16u

/* ---- coming ---- */

/* Takes the same time wherever the first difference is. */
static bool is_same_secret(uint64_t a, uint64_t b)
{
    volatile uint8_t difference = 0;

    for (int i = 0; i < 64; i += 8)
        difference = (uint8_t)(difference | (uint8_t)((a ^ b) >> i));
    return difference == 0;
}

static enum shm_status judge_rank(const struct shm_store_server *server, uint32_t rank)
{
    if (rank >= server->n_ranks)
        return shm_fail(SHM_REFUSED, "PE number %u, expected 0..%u", rank, server->n_ranks - 1);
    switch (server->rank_states[rank]) {
    case SHM_STORE_RANK_PRESENT:
        return shm_fail(SHM_REFUSED, "PE %u is connected already", rank);
    case SHM_STORE_RANK_LEFT:
        return shm_fail(SHM_REFUSED, "PE %u has left the job already", rank);
    case SHM_STORE_RANK_FAILED:
        return shm_fail(SHM_REFUSED, "PE %u has failed before", rank);
    default:
        return SHM_OK;
    }
}

/* Nothing about the job is told to those who do not know its secret. */
static enum shm_status judge(const struct shm_store_server *server,
                             const struct shm_store_connection *connection,
                             const struct shm_store_hello *hello)
{
    if (hello->magic != SHM_STORE_MAGIC)
        return shm_fail(SHM_REFUSED, "magic number 0x%08x, expected 0x%08x", hello->magic,
                        SHM_STORE_MAGIC);
    if (hello->version != SHM_STORE_VERSION)
        return shm_fail(SHM_REFUSED, "protocol version %u, the store has %u", hello->version,
                        SHM_STORE_VERSION);
    if (server->tls != NULL && connection->channel.session == NULL)
        return shm_fail(SHM_REFUSED, "PE %u came without TLS, which this job asks for",
                        hello->rank);
    if (!is_same_secret(hello->job_id, server->job_id))
        return shm_fail(SHM_REFUSED, "PE %u has the job id of another job", hello->rank);
    if (hello->n_ranks != server->n_ranks)
        return shm_fail(SHM_REFUSED, "PE %u counts %u PEs in the job, the store counts %u",
                        hello->rank, hello->n_ranks, server->n_ranks);
    return judge_rank(server, hello->rank);
}

void shm_store_refuse(struct shm_store_server *server, struct shm_store_connection *connection,
                      uint32_t sequence)
{
    struct shm_store_buffer *reason;

    snprintf(server->last_refusal, sizeof server->last_refusal, "%s", shm_error_detail());
    shm_log(server->refusal_count++ < REFUSALS_LOGGED ? SHM_LOG_WARN : SHM_LOG_DEBUG, "store",
            "refused a connection: %s", server->last_refusal);
    connection->state = SHM_STORE_DISMISSED;
    connection->closes_when_sent = true;
    if (!connection->is_open) {
        shm_store_connection_linger(server, connection);
        return;
    }
    reason = shm_store_buffer_create(server->last_refusal, strlen(server->last_refusal));
    shm_store_reply_failure(server, connection, sequence, SHM_REFUSED, reason);
    shm_store_buffer_release(reason);
}

static void send_notice(struct shm_store_server *server, struct shm_store_connection *connection,
                        const struct shm_store_notice *notice)
{
    struct shm_store_frame frame = {.operation = SHM_STORE_NOTICE,
                                    .status = notice->status,
                                    .number = (uint64_t)notice->rank << 32 |
                                              (uint32_t)notice->exit_status,
                                    .value_count = 1};

    shm_store_connection_send(server, connection, &frame, &notice->reason);
}

enum shm_status shm_store_admit(struct shm_store_server *server,
                                struct shm_store_connection *connection,
                                const struct shm_store_frame *frame)
{
    struct shm_store_hello hello;

    if (frame->operation != SHM_STORE_HELLO || frame->key_count != 0 || frame->value_count != 1 ||
        frame->values[0].bytes != SHM_STORE_HELLO_BYTES)
        return shm_fail(SHM_PROTOCOL, "operation %d with %u keys and %u values instead of a hello",
                        (int)frame->operation, frame->key_count, frame->value_count);
    shm_store_hello_read(frame->values[0].data, &hello);
    if (judge(server, connection, &hello) != SHM_OK) {
        shm_store_refuse(server, connection, frame->sequence);
        return SHM_OK;
    }
    TAILQ_REMOVE(&server->strangers, connection, stranger_link);
    server->stranger_count--;
    connection->state = SHM_STORE_MEMBER;
    connection->rank = hello.rank;
    server->rank_states[hello.rank] = SHM_STORE_RANK_PRESENT;
    server->members[hello.rank] = connection;
    server->member_count++;
    server->joined_count++;
    shm_store_reply_number(server, connection, frame->sequence, 0);
    for (size_t i = 0; i < server->notice_count; i++)
        send_notice(server, connection, &server->notices[i]);
    return SHM_OK;
}

/* ---- going ---- */

static void remove_member(struct shm_store_server *server, struct shm_store_connection *connection,
                          enum shm_store_rank_state rank_state)
{
    connection->state = SHM_STORE_DISMISSED;
    server->rank_states[connection->rank] = (uint8_t)rank_state;
    server->members[connection->rank] = NULL;
    server->member_count--;
}

void shm_store_dismiss(struct shm_store_server *server, struct shm_store_connection *connection)
{
    shm_store_wait_cancel(server, connection);
    remove_member(server, connection, SHM_STORE_RANK_LEFT);
}

/* Tells all members, and ends the waits of those who wait. Each kind is told once: a thousand PEs
 * that fail together must not cause a million notices. */
static void tell(struct shm_store_server *server, enum shm_status status, uint32_t rank,
                 int32_t exit_status, const char *reason)
{
    struct shm_store_notice *notice = &server->notices[server->notice_count];

    for (size_t i = 0; i < server->notice_count; i++)
        if (server->notices[i].status == status)
            return;
    shm_log(SHM_LOG_INFO, "store", "%s", reason);
    notice->reason = shm_store_buffer_create(reason, strlen(reason));
    if (notice->reason == NULL)
        return; /* without memory for a line, each of them fails by itself */
    notice->status = status;
    notice->rank = rank;
    notice->exit_status = exit_status;
    server->notice_count++;
    for (uint32_t i = 0; i < server->n_ranks; i++) {
        struct shm_store_connection *member = server->members[i];

        if (member == NULL)
            continue;
        send_notice(server, member, notice);
        if (member->waiter.entry != NULL)
            shm_store_wait_fail(server, member, server->notices[0].status,
                                server->notices[0].reason);
    }
}

void shm_store_lose(struct shm_store_server *server, struct shm_store_connection *connection)
{
    char reason[SHM_STORE_REASON_BYTES];

    remove_member(server, connection, SHM_STORE_RANK_FAILED);
    snprintf(reason, sizeof reason, "PE %u failed: %s", connection->rank, connection->end_reason);
    tell(server, SHM_PEER_LOST, connection->rank, 0, reason);
}

void shm_store_tell_abort(struct shm_store_server *server, uint32_t rank, int32_t exit_status)
{
    char reason[SHM_STORE_REASON_BYTES];

    snprintf(reason, sizeof reason, "PE %u asked the job to exit with status %d", rank,
             exit_status);
    tell(server, SHM_ABORTED, rank, exit_status, reason);
}
