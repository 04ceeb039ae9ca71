/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/channel_internal.h"

#include "base/clock.h"
#include "base/socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define RECORD_BYTES 16384u /* what TLS puts into one record at most */

void shm_store_channel_close(struct shm_store_channel *channel)
{
    shm_store_tls_session_destroy(channel->session);
    channel->session = NULL;
    if (channel->fd >= 0)
        close(channel->fd);
    channel->fd = -1;
}

enum shm_status shm_store_channel_receive(struct shm_store_channel *channel, void *room,
                                          size_t bytes, size_t *out_received)
{
    ssize_t received;

    if (channel->session != NULL)
        return shm_store_tls_receive(channel->session, room, bytes, out_received);
    do
        received = recv(channel->fd, room, bytes, MSG_DONTWAIT);
    while (received < 0 && errno == EINTR);
    if (received < 0 && errno == EAGAIN)
        return SHM_AGAIN;
    if (received <= 0)
        return shm_fail(SHM_CLOSED, "the other side closed the connection");
    *out_received = (size_t)received;
    return SHM_OK;
}

/* One record rather than many small ones: a frame often consists of small pieces. The same pieces
 * give the same bytes again. */
static enum shm_status send_record(struct shm_store_tls_session *session,
                                   const struct iovec *pieces, size_t count, size_t *out_sent)
{
    uint8_t record[RECORD_BYTES];
    size_t used = 0;

    if (count == 1 || pieces[0].iov_len >= RECORD_BYTES)
        return shm_store_tls_send(session, pieces[0].iov_base, pieces[0].iov_len, out_sent);
    for (size_t i = 0; i < count && used < sizeof record; i++) {
        size_t rest = sizeof record - used;
        size_t bytes = pieces[i].iov_len < rest ? pieces[i].iov_len : rest;

        memcpy(record + used, pieces[i].iov_base, bytes);
        used += bytes;
    }
    return shm_store_tls_send(session, record, used, out_sent);
}

enum shm_status shm_store_channel_send(struct shm_store_channel *channel, struct iovec *pieces,
                                       size_t count, size_t *out_sent)
{
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
    ssize_t sent;

    if (channel->session != NULL)
        return send_record(channel->session, pieces, count, out_sent);
    do
        sent = sendmsg(channel->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent < 0 && errno == EAGAIN)
        return SHM_AGAIN;
    if (sent < 0)
        return shm_fail_errno(SHM_CLOSED, errno, "sending on a socket");
    *out_sent = (size_t)sent;
    return SHM_OK;
}

size_t shm_store_channel_pending(const struct shm_store_channel *channel)
{
    return channel->session == NULL ? 0 : shm_store_tls_pending(channel->session);
}

/* ---- for clients ---- */

static enum shm_status wait_for(int fd, short events, uint64_t deadline_ns, const char *what)
{
    struct pollfd waited = {.fd = fd, .events = events};
    int ready;

    do
        ready = poll(&waited, 1, shm_deadline_left_ms(deadline_ns));
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed while %s", what);
    return ready > 0 ? SHM_OK : shm_fail_errno(SHM_INNER_ERROR, errno, "poll on a socket");
}

enum shm_status shm_store_channel_secure(struct shm_store_channel *channel,
                                         struct shm_store_tls *tls, const char *host,
                                         uint64_t deadline_ns)
{
    short events = 0;
    enum shm_status status =
        shm_store_tls_session_create(tls, channel->fd, false, host, &channel->session);

    if (status == SHM_OK)
        status = shm_store_tls_handshake(channel->session, &events);
    while (status == SHM_AGAIN) {
        status = wait_for(channel->fd, events, deadline_ns, "waiting for the TLS handshake");
        if (status == SHM_OK)
            status = shm_store_tls_handshake(channel->session, &events);
    }
    return status;
}

enum shm_status shm_store_channel_send_all(struct shm_store_channel *channel, const void *data,
                                           size_t bytes, uint64_t deadline_ns)
{
    const char *rest = data;

    if (channel->session == NULL)
        return shm_socket_send(channel->fd, data, bytes, deadline_ns);
    while (bytes > 0) {
        size_t sent = 0;
        enum shm_status status = shm_store_tls_send(channel->session, rest, bytes, &sent);

        if (status == SHM_AGAIN)
            status = wait_for(channel->fd, POLLOUT, deadline_ns, "sending to the store");
        if (status != SHM_OK)
            return status;
        rest += sent;
        bytes -= sent;
    }
    return SHM_OK;
}
