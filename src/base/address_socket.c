/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses as they are: nothing here asks a name server, for which a program that is linked
 * statically, as the launcher may be, would need the C library after all. */
#include "base/address.h"
#include "base/cleanup.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>

/* ---- address to text ---- */

static void format_v6(const struct shm_address *address, char text[SHM_ADDRESS_TEXT_BYTES])
{
    const struct sockaddr_in6 *socket = (const struct sockaddr_in6 *)&address->socket;
    char host[INET6_ADDRSTRLEN] = "";
    char interface[IF_NAMESIZE] = "";
    const char *mark = socket->sin6_scope_id == 0 ? "" : "%";

    inet_ntop(AF_INET6, &socket->sin6_addr, host, sizeof host);
    if (socket->sin6_scope_id != 0 && if_indextoname(socket->sin6_scope_id, interface) == NULL)
        snprintf(interface, sizeof interface, "%u", socket->sin6_scope_id);
    snprintf(text, SHM_ADDRESS_TEXT_BYTES, "tcp6://[%s%s%s]:%u", host, mark, interface,
             ntohs(socket->sin6_port));
}

void shm_address_format(const struct shm_address *address, char text[SHM_ADDRESS_TEXT_BYTES])
{
    const struct sockaddr_in *socket = (const struct sockaddr_in *)&address->socket;
    char host[INET_ADDRSTRLEN] = "";

    if (socket->sin_family == AF_INET6) {
        format_v6(address, text);
    } else if (socket->sin_family == AF_INET) {
        inet_ntop(AF_INET, &socket->sin_addr, host, sizeof host);
        snprintf(text, SHM_ADDRESS_TEXT_BYTES, "tcp://%s:%u", host, ntohs(socket->sin_port));
    } else {
        snprintf(text, SHM_ADDRESS_TEXT_BYTES, "address of family %u", socket->sin_family);
    }
}

uint16_t shm_address_port(const struct shm_address *address)
{
    if (address->socket.ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)&address->socket)->sin6_port);
    return ntohs(((const struct sockaddr_in *)&address->socket)->sin_port);
}

/* ---- listening ---- */

static enum shm_status listen_error(const struct shm_address *address, const char *what)
{
    int error = errno;
    char text[SHM_ADDRESS_TEXT_BYTES];

    shm_address_format(address, text);
    return shm_fail_errno(SHM_SMEM_ERROR, error, "%s %s", what, text);
}

enum shm_status shm_address_listen(const struct shm_address *address, int *out_fd)
{
    const int on = 1;
    int family = address->socket.ss_family;
    auto_fd int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return listen_error(address, "creating a socket for");
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0)
        return listen_error(address, "setting options of the socket for");
    if (family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) != 0)
        return listen_error(address, "setting options of the socket for");
    if (bind(fd, (const struct sockaddr *)&address->socket, address->bytes) != 0)
        return listen_error(address, "binding");
    if (listen(fd, INT_MAX) != 0) /* the system cuts it to what it allows */
        return listen_error(address, "listening at");
    *out_fd = take_fd(&fd);
    return SHM_OK;
}

enum shm_status shm_address_of_socket(int fd, struct shm_address *out_address)
{
    struct shm_address address = {.bytes = sizeof address.socket};
    int type = 0;
    socklen_t type_bytes = sizeof type;

    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_bytes) != 0 ||
        getsockname(fd, (struct sockaddr *)&address.socket, &address.bytes) != 0)
        return shm_fail_errno(SHM_INVALID_PARAM, errno, "the address of descriptor %d", fd);
    if (type != SOCK_STREAM ||
        (address.socket.ss_family != AF_INET && address.socket.ss_family != AF_INET6) ||
        shm_address_port(&address) == 0)
        return shm_fail(SHM_INVALID_PARAM, "descriptor %d is not a bound TCP socket", fd);
    *out_address = address;
    return SHM_OK;
}

void shm_address_keep_alive(int fd)
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
