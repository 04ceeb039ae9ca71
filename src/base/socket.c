/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/socket.h"

#include "base/cleanup.h"
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>

#define CONNECT_LIMIT_S 20

static enum shm_status wait_for(int fd, short events, uint64_t deadline_ns)
{
    struct pollfd waited = {.fd = fd, .events = events};

    for (;;) {
        int ready = poll(&waited, 1, shm_deadline_left_ms(deadline_ns));

        if (ready > 0)
            return SHM_OK;
        if (ready == 0)
            return shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed while waiting on a socket");
        if (errno != EINTR)
            return shm_fail_errno(SHM_INNER_ERROR, errno, "poll on a socket");
    }
}

static enum shm_status stream_error(const char *what)
{
    if (errno == EPIPE || errno == ECONNRESET)
        return shm_fail_errno(SHM_CLOSED, errno, "%s", what);
    return shm_fail_errno(SHM_INNER_ERROR, errno, "%s", what);
}

enum shm_status shm_socket_send(int fd, const void *data, size_t bytes, uint64_t deadline_ns)
{
    const char *rest = data;

    while (bytes > 0) {
        ssize_t sent = send(fd, rest, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent >= 0) {
            rest += sent;
            bytes -= (size_t)sent;
        } else if (errno == EAGAIN) {
            enum shm_status status = wait_for(fd, POLLOUT, deadline_ns);

            if (status != SHM_OK)
                return status;
        } else if (errno != EINTR) {
            return stream_error("sending on a socket");
        }
    }
    return SHM_OK;
}

enum shm_status shm_socket_receive(int fd, void *data, size_t bytes, uint64_t deadline_ns)
{
    char *rest = data;

    while (bytes > 0) {
        ssize_t received = recv(fd, rest, bytes, MSG_DONTWAIT);

        if (received > 0) {
            rest += received;
            bytes -= (size_t)received;
        } else if (received == 0) {
            return shm_fail(SHM_CLOSED, "the peer closed the connection");
        } else if (errno == EAGAIN) {
            enum shm_status status = wait_for(fd, POLLIN, deadline_ns);

            if (status != SHM_OK)
                return status;
        } else if (errno != EINTR) {
            return stream_error("receiving on a socket");
        }
    }
    return SHM_OK;
}

static enum shm_status abstract_address(const char *name, struct sockaddr_un *address,
                                        socklen_t *out_bytes)
{
    size_t bytes = strlen(name);

    if (bytes == 0 || bytes > 100)
        return shm_fail(SHM_INVALID_VALUE,
                        "abstract socket name of %zu characters, expected 1..100", bytes);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path + 1, name, bytes);
    *out_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + bytes);
    return SHM_OK;
}

enum shm_status shm_abstract_listen(const char *name, int *out_fd)
{
    struct sockaddr_un address;
    socklen_t bytes = 0;
    enum shm_status status = abstract_address(name, &address, &bytes);
    auto_fd int fd = -1;

    if (status != SHM_OK)
        return status;
    fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "creating a Unix socket");
    if (bind(fd, (struct sockaddr *)&address, bytes) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "binding the abstract socket %s", name);
    if (listen(fd, SOMAXCONN) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "listening at the abstract socket %s", name);
    *out_fd = take_fd(&fd);
    return SHM_OK;
}

enum shm_status shm_abstract_connect(const char *name, int *out_fd)
{
    struct timeval limit = {.tv_sec = CONNECT_LIMIT_S}; /* for a listener that does not accept */
    struct sockaddr_un address;
    socklen_t bytes = 0;
    enum shm_status status = abstract_address(name, &address, &bytes);
    auto_fd int fd = -1;

    if (status != SHM_OK)
        return status;
    fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "creating a Unix socket");
    while (connect(fd, (struct sockaddr *)&address, bytes) != 0) {
        if (errno == ECONNREFUSED || errno == ENOENT)
            return shm_fail_errno(SHM_NOT_FOUND, errno, "connecting to the abstract socket %s",
                                  name);
        if (errno != EINTR)
            return shm_fail_errno(SHM_INNER_ERROR, errno, "connecting to the abstract socket %s",
                                  name);
    }
    *out_fd = take_fd(&fd);
    return SHM_OK;
}

/* Room for one descriptor, aligned as the kernel wants it. */
union descriptor_control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
};

enum shm_status shm_socket_send_descriptor(int fd, const void *message, size_t bytes,
                                           int descriptor)
{
    struct iovec body = {.iov_base = (void *)message, .iov_len = bytes};
    union descriptor_control control = {.bytes = {0}};
    struct msghdr envelope = {.msg_iov = &body, .msg_iovlen = 1};
    ssize_t sent;

    if (descriptor >= 0) {
        struct cmsghdr *header;

        envelope.msg_control = &control;
        envelope.msg_controllen = sizeof control.bytes;
        header = CMSG_FIRSTHDR(&envelope);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    do
        sent = sendmsg(fd, &envelope, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return stream_error("sending a message with a descriptor");
    if ((size_t)sent != bytes)
        return shm_fail(SHM_INNER_ERROR, "a message of %zu bytes was cut to %zd", bytes, sent);
    return SHM_OK;
}

/* Takes the descriptors out of a received message: keeps the first, closes any further one. */
static int collect_descriptors(struct msghdr *envelope, int *out_descriptor)
{
    int count = 0;

    *out_descriptor = -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(envelope); header != NULL;
         header = CMSG_NXTHDR(envelope, header)) {
        size_t held;

        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        held = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < held; i++, count++) {
            int descriptor;

            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            if (*out_descriptor < 0)
                *out_descriptor = descriptor;
            else
                close(descriptor);
        }
    }
    return count;
}

enum shm_status shm_socket_receive_descriptor(int fd, void *message, size_t capacity,
                                              uint64_t deadline_ns, size_t *out_bytes,
                                              int *out_descriptor)
{
    struct iovec body = {.iov_base = message, .iov_len = capacity};
    union descriptor_control control;
    struct msghdr envelope = {.msg_iov = &body,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof control.bytes};
    ssize_t received;
    int descriptors;

    for (;;) {
        enum shm_status status;

        received = recvmsg(fd, &envelope, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (received >= 0)
            break;
        if (errno != EAGAIN && errno != EINTR)
            return stream_error("receiving a message with a descriptor");
        status = wait_for(fd, POLLIN, deadline_ns);
        if (status != SHM_OK)
            return status;
    }
    descriptors = collect_descriptors(&envelope, out_descriptor);
    if (descriptors == 0 && received == 0)
        return shm_fail(SHM_CLOSED, "the peer closed the connection");
    if (received == 0 || descriptors > 1 || (envelope.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
        if (*out_descriptor >= 0)
            close(*out_descriptor);
        *out_descriptor = -1;
        return shm_fail(SHM_PROTOCOL,
                        "a message was not of 1 to %zu bytes or carried more than one "
                        "descriptor",
                        capacity);
    }
    *out_bytes = (size_t)received;
    return SHM_OK;
}
