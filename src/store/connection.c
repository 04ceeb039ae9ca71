/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes in and out of one connection of the server. */
#include "store/server_internal.h"

#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

/* Reading stops while the peer leaves so many answers unread. */
#define OUTGOING_MOST 64u

/* Reads in a row, so that one busy connection does not hold up the others. */
#define READS_MOST 8

static void update_events(struct shm_store_server *server, struct shm_store_connection *connection)
{
    struct epoll_event wanted = {.data.ptr = connection};

    if (connection->outgoing_count <= OUTGOING_MOST && !connection->wants_to_write)
        wanted.events |= EPOLLIN;
    if (connection->outgoing_count > 0 || connection->wants_to_write)
        wanted.events |= EPOLLOUT;
    if (wanted.events == connection->armed_events)
        return;
    if (epoll_ctl(server->epoll_fd, EPOLL_CTL_MOD, connection->channel.fd, &wanted) != 0)
        shm_store_connection_condemn(server, connection, "its connection cannot be watched");
    else
        connection->armed_events = wanted.events;
}

void shm_store_connection_add(struct shm_store_server *server, int fd)
{
    struct shm_store_connection *connection = calloc(1, sizeof *connection);
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = connection};

    if (connection == NULL || epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, fd, &wanted) != 0) {
        free(connection);
        close(fd);
        return;
    }
    connection->channel.fd = fd;
    connection->is_open = server->tls == NULL;
    connection->armed_events = EPOLLIN;
    connection->state = SHM_STORE_STRANGER;
    connection->accepted_ns = server->now_ns;
    connection->outgoing_end = &connection->first_outgoing;
    connection->waiter.connection = connection;
    TAILQ_INSERT_TAIL(&server->all, connection, all_link);
    TAILQ_INSERT_TAIL(&server->strangers, connection, stranger_link);
    server->stranger_count++;
}

void shm_store_connection_condemn(struct shm_store_server *server,
                                  struct shm_store_connection *connection, const char *reason)
{
    if (connection->end_reason != NULL)
        return;
    connection->end_reason = reason;
    STAILQ_INSERT_TAIL(&server->condemned, connection, condemned_link);
}

/* ---- out ---- */

static void release_outgoing(struct shm_store_outgoing *outgoing)
{
    for (uint32_t i = 0; i < outgoing->part_count; i++)
        shm_store_buffer_release(outgoing->parts[i]);
    free(outgoing);
}

static void pop_outgoing(struct shm_store_server *server, struct shm_store_connection *connection)
{
    struct shm_store_outgoing *outgoing = connection->first_outgoing;

    connection->first_outgoing = outgoing->next;
    connection->sent_bytes = 0;
    if (--connection->outgoing_count == 0) {
        connection->outgoing_end = &connection->first_outgoing;
        server->unsent_count--;
    }
    release_outgoing(outgoing);
}

void shm_store_connection_destroy(struct shm_store_server *server,
                                  struct shm_store_connection *connection)
{
    shm_store_wait_cancel(server, connection);
    while (connection->first_outgoing != NULL)
        pop_outgoing(server, connection);
    shm_store_reader_fini(&connection->reader);
    if (connection->state == SHM_STORE_STRANGER || connection->closes_when_sent) {
        TAILQ_REMOVE(&server->strangers, connection, stranger_link);
        server->stranger_count--;
    }
    TAILQ_REMOVE(&server->all, connection, all_link);
    /* closing is not enough while a child of this process holds a copy of the descriptor */
    if (epoll_ctl(server->epoll_fd, EPOLL_CTL_DEL, connection->channel.fd, NULL) != 0)
        shm_log(SHM_LOG_WARN, "store", "cannot leave a connection: %s", strerror(errno));
    shm_store_channel_close(&connection->channel);
    free(connection);
}

void shm_store_connection_linger(struct shm_store_server *server,
                                 struct shm_store_connection *connection)
{
    connection->is_lingering = true;
    connection->wants_to_write = false;
    /* closing with bytes unread would make the system throw away what was sent */
    shutdown(connection->channel.fd, SHUT_WR);
    update_events(server, connection);
}

/* Lists what is left of a frame from byte `sent` on. */
static size_t gather(struct shm_store_outgoing *outgoing, size_t sent, struct iovec *pieces)
{
    size_t count = 0;

    for (uint32_t i = 0; i <= outgoing->part_count; i++) {
        uint8_t *data = i == 0 ? outgoing->head : outgoing->parts[i - 1]->data;
        size_t bytes = i == 0 ? outgoing->head_bytes : outgoing->part_bytes[i - 1];

        if (sent < bytes)
            pieces[count++] = (struct iovec){.iov_base = data + sent, .iov_len = bytes - sent};
        sent -= sent < bytes ? sent : bytes;
    }
    return count;
}

/* Sends what the socket takes. */
static void flush(struct shm_store_server *server, struct shm_store_connection *connection)
{
    while (connection->first_outgoing != NULL) {
        struct iovec pieces[1 + SHM_STORE_ITEMS_MAX];
        size_t count = gather(connection->first_outgoing, connection->sent_bytes, pieces);
        size_t left = 0;
        size_t sent = 0;
        enum shm_status status;

        for (size_t i = 0; i < count; i++)
            left += pieces[i].iov_len;
        status = shm_store_channel_send(&connection->channel, pieces, count, &sent);
        if (status == SHM_AGAIN)
            break;
        if (status != SHM_OK) {
            shm_store_connection_condemn(server, connection, "its connection broke");
            return;
        }
        connection->sent_bytes += sent;
        if (sent == left)
            pop_outgoing(server, connection);
    }
    if (connection->first_outgoing == NULL && connection->closes_when_sent)
        shm_store_connection_linger(server, connection);
    else
        update_events(server, connection);
}

void shm_store_connection_send(struct shm_store_server *server,
                               struct shm_store_connection *connection,
                               struct shm_store_frame *frame,
                               struct shm_store_buffer *const *values)
{
    uint8_t head[SHM_STORE_HEAD_BYTES_MAX];
    struct shm_store_outgoing *outgoing;

    if (connection->end_reason != NULL)
        return;
    outgoing = calloc(1, sizeof *outgoing);
    if (outgoing == NULL) {
        shm_store_connection_condemn(server, connection, "the store has no memory to answer it");
        return;
    }
    for (uint32_t i = 0; i < frame->value_count; i++) {
        outgoing->parts[i] = shm_store_buffer_share(values[i]);
        outgoing->part_bytes[i] = values[i]->used;
        frame->values[i].bytes = values[i]->used;
    }
    outgoing->part_count = frame->value_count;
    outgoing->head_bytes = shm_store_frame_write_head(frame, head);
    memcpy(outgoing->head, head, outgoing->head_bytes);
    *connection->outgoing_end = outgoing;
    connection->outgoing_end = &outgoing->next;
    if (connection->outgoing_count++ == 0) {
        server->unsent_count++;
        flush(server, connection);
    }
}

void shm_store_reply_number(struct shm_store_server *server,
                            struct shm_store_connection *connection, uint32_t sequence,
                            uint64_t number)
{
    struct shm_store_frame reply = {
        .operation = SHM_STORE_REPLY, .sequence = sequence, .number = number};

    shm_store_connection_send(server, connection, &reply, NULL);
}

void shm_store_reply_failure(struct shm_store_server *server,
                             struct shm_store_connection *connection, uint32_t sequence,
                             enum shm_status status, struct shm_store_buffer *reason)
{
    struct shm_store_frame reply = {.operation = SHM_STORE_REPLY,
                                    .sequence = sequence,
                                    .status = status,
                                    .value_count = reason == NULL ? 0 : 1};

    shm_store_connection_send(server, connection, &reply, &reason);
}

/* ---- in ---- */

/* Ends a connection for what it sent; the last failure recorded says what that was. */
static void violate(struct shm_store_server *server, struct shm_store_connection *connection)
{
    const struct shm_store_reader *reader = &connection->reader;

    /* no frame of a stranger has a length that begins so */
    if (server->tls == NULL && connection->state == SHM_STORE_STRANGER &&
        reader->data[reader->dropped] == SHM_STORE_TLS_FIRST_BYTE &&
        shm_fail(SHM_REFUSED, "it came with TLS, but this job goes without") != SHM_OK) {
        shm_store_refuse(server, connection, 0);
        return;
    }
    if (connection->state == SHM_STORE_MEMBER)
        shm_log(SHM_LOG_WARN, "store", "PE %u broke the protocol: %s", connection->rank,
                shm_error_detail());
    else
        shm_log(SHM_LOG_DEBUG, "store", "dropped a stranger: %s", shm_error_detail());
    shm_store_connection_condemn(server, connection, "it broke the protocol of the store");
}

/* Handles one frame. */
static enum shm_status handle(struct shm_store_server *server,
                              struct shm_store_connection *connection,
                              const struct shm_store_frame *frame)
{
    switch (connection->state) {
    case SHM_STORE_STRANGER:
        return shm_store_admit(server, connection, frame);
    case SHM_STORE_MEMBER:
        return shm_store_execute(server, connection, frame);
    default:
        return shm_fail(SHM_PROTOCOL, "a frame after the end of its membership");
    }
}

/* Handles all frames that are complete. */
static void handle_all(struct shm_store_server *server, struct shm_store_connection *connection)
{
    while (connection->end_reason == NULL && connection->outgoing_count <= OUTGOING_MOST) {
        size_t limit = connection->state == SHM_STORE_MEMBER ? SHM_STORE_FRAME_BYTES_MAX
                                                             : SHM_STORE_HELLO_FRAME_BYTES;
        struct shm_store_frame frame;
        enum shm_status status = shm_store_reader_peek(&connection->reader, limit, &frame);

        if (status == SHM_AGAIN)
            return;
        if (status == SHM_OK)
            status = handle(server, connection, &frame);
        if (status != SHM_OK) {
            violate(server, connection);
            return;
        }
        shm_store_reader_drop(&connection->reader, frame.bytes);
    }
}

static void receive(struct shm_store_server *server, struct shm_store_connection *connection)
{
    bool goes_on = true;

    for (int reads = 0; goes_on && connection->end_reason == NULL; reads++) {
        uint8_t *room;
        size_t bytes;
        size_t received = 0;
        enum shm_status status;

        if (shm_store_reader_room(&connection->reader, &room, &bytes) != SHM_OK) {
            shm_store_connection_condemn(server, connection, "the store has no memory for it");
            return;
        }
        status = shm_store_channel_receive(&connection->channel, room, bytes, &received);
        if (status == SHM_AGAIN)
            break;
        if (status != SHM_OK) {
            shm_store_connection_condemn(server, connection, "its connection broke");
            return;
        }
        connection->reader.used += received;
        handle_all(server, connection);
        goes_on = received == bytes && connection->outgoing_count <= OUTGOING_MOST &&
                  reads + 1 < READS_MOST;
        /* epoll does not know of what TLS has taken out of the socket already */
        goes_on = !connection->is_lingering &&
                  (goes_on || shm_store_channel_pending(&connection->channel) > 0);
    }
    if (connection->reader.used == 0)
        shm_store_reader_fini(&connection->reader);
}

/* Throws away what comes, until the other side closes. */
static void discard(struct shm_store_server *server, struct shm_store_connection *connection)
{
    uint8_t bytes[4096];

    for (int reads = 0; reads < READS_MOST; reads++) {
        ssize_t received = recv(connection->channel.fd, bytes, sizeof bytes, MSG_DONTWAIT);

        if (received < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (received <= 0) {
            shm_store_connection_condemn(server, connection, "it was refused");
            return;
        }
    }
}

/* Who does not begin with TLS may say hello in clear text, and hears then that TLS is asked for. */
static enum shm_status begin_tls(struct shm_store_server *server,
                                 struct shm_store_connection *connection)
{
    uint8_t first = 0;
    ssize_t seen = recv(connection->channel.fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);

    if (seen < 0 && (errno == EAGAIN || errno == EINTR))
        return SHM_AGAIN;
    if (seen <= 0)
        return shm_fail(SHM_CLOSED, "the other side closed the connection");
    if (first != SHM_STORE_TLS_FIRST_BYTE) {
        connection->is_open = true;
        return SHM_OK;
    }
    return shm_store_tls_session_create(server->tls, connection->channel.fd, true, NULL,
                                        &connection->channel.session);
}

/* Goes on with the TLS handshake; true when the connection can be used. */
static bool open_channel(struct shm_store_server *server, struct shm_store_connection *connection)
{
    enum shm_status status = SHM_OK;
    short events = POLLIN;

    if (connection->channel.session == NULL)
        status = begin_tls(server, connection);
    if (status == SHM_OK && !connection->is_open)
        status = shm_store_tls_handshake(connection->channel.session, &events);
    connection->is_open = status == SHM_OK;
    connection->wants_to_write = status == SHM_AGAIN && events == POLLOUT;
    if (status == SHM_OK || status == SHM_AGAIN)
        update_events(server, connection);
    else if (status == SHM_REFUSED)
        shm_store_refuse(server, connection, 0);
    else
        shm_store_connection_condemn(server, connection, "its connection broke");
    return connection->is_open && connection->end_reason == NULL;
}

void shm_store_connection_ready(struct shm_store_server *server,
                                struct shm_store_connection *connection, uint32_t events)
{
    if (connection->end_reason != NULL)
        return;
    if (connection->is_lingering) {
        discard(server, connection);
        return;
    }
    if (!connection->is_open && !open_channel(server, connection))
        return;
    if ((events & EPOLLOUT) != 0) {
        flush(server, connection);
        handle_all(server, connection); /* what was held back */
    }
    if ((events & EPOLLIN) != 0)
        receive(server, connection);
    else if ((events & (EPOLLERR | EPOLLHUP)) != 0)
        shm_store_connection_condemn(server, connection, "its connection broke");
}
