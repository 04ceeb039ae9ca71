/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/address.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/random.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define HOST_BYTES 256        /* a name of 253 characters, or a literal with its interface */
#define PAUSE_MOST_MS 250u    /* between two rounds of attempts */
#define ATTEMPT_MOST_MS 3000u /* for one address, so that a silent one does not hide the others */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";

struct target {
    char host[HOST_BYTES];
    uint16_t port;
    int family;
};

/* ---- text to address ---- */

static enum shm_status malformed(const char *text)
{
    return shm_fail(SHM_INVALID_PARAM,
                    "address \"%.300s\": expected tcp://host:port or tcp6://[host]:port", text);
}

static enum shm_status parse_port(const char *text, const char *port, uint16_t least_port,
                                  uint16_t *out_port)
{
    size_t count = strspn(port, digits);
    unsigned value = 0;

    if (count == 0 || count > 5 || port[count] != '\0')
        return malformed(text);
    for (size_t i = 0; i < count; i++)
        value = value * 10 + (unsigned)(port[i] - '0');
    if (value < least_port || value > UINT16_MAX)
        return shm_fail(SHM_INVALID_PARAM, "address \"%.300s\": port %u, expected %u..65535", text,
                        value, least_port);
    *out_port = (uint16_t)value;
    return SHM_OK;
}

/* Cuts scheme, host and port apart. */
static enum shm_status split(const char *text, uint16_t least_port, struct target *target)
{
    bool is_v6 = strncmp(text, "tcp6://[", 8) == 0;
    const char *host = text + (is_v6 ? 8 : 6);
    const char *end;
    size_t host_bytes;

    if (!is_v6 && strncmp(text, "tcp://", 6) != 0)
        return malformed(text);
    end = strstr(host, is_v6 ? "]:" : ":");
    if (end == NULL)
        return malformed(text);
    host_bytes = (size_t)(end - host);
    if (host_bytes == 0 || host_bytes >= sizeof target->host)
        return malformed(text);
    memcpy(target->host, host, host_bytes);
    target->host[host_bytes] = '\0';
    target->family = is_v6 ? AF_INET6 : AF_INET;
    return parse_port(text, end + (is_v6 ? 2 : 1), least_port, &target->port);
}

/* A name, which is not a number in disguise ("127.1", "0x7f000001"): its last label holds a letter
 * and does not look hexadecimal. */
static bool is_name(const char *host)
{
    size_t bytes = strlen(host);
    const char *last;
    char allowed[sizeof letters + sizeof digits + 2];

    snprintf(allowed, sizeof allowed, "%s%s-.", letters, digits);
    if (bytes > 253 || strspn(host, allowed) != bytes)
        return false;
    if (host[0] == '.' || host[0] == '-' || strstr(host, "..") != NULL)
        return false;
    last = strrchr(host, '.');
    if (last != NULL && last[1] == '\0') { /* a final dot is allowed: look at the label before */
        while (last > host && last[-1] != '.')
            last--;
    } else {
        last = last == NULL ? host : last + 1;
    }
    return strpbrk(last, letters) != NULL && strncasecmp(last, "0x", 2) != 0;
}

static bool is_literal(const struct target *target)
{
    struct in_addr v4;
    struct in6_addr v6;
    char plain[HOST_BYTES];
    char *interface;

    if (target->family == AF_INET)
        return inet_pton(AF_INET, target->host, &v4) == 1;
    snprintf(plain, sizeof plain, "%s", target->host);
    interface = strchr(plain, '%');
    if (interface != NULL) {
        *interface++ = '\0';
        if (interface[0] == '\0' || strlen(interface) >= IF_NAMESIZE)
            return false;
    }
    return inet_pton(AF_INET6, plain, &v6) == 1;
}

static void collect(const struct addrinfo *found, uint16_t port, struct shm_address_list *list)
{
    for (; found != NULL && list->count < SHM_ADDRESS_LIST_MAX; found = found->ai_next) {
        struct shm_address *entry = &list->entries[list->count];

        if (found->ai_addrlen > sizeof entry->socket)
            continue;
        *entry = (struct shm_address){.bytes = found->ai_addrlen};
        memcpy(&entry->socket, found->ai_addr, found->ai_addrlen);
        if (entry->socket.ss_family == AF_INET6)
            ((struct sockaddr_in6 *)&entry->socket)->sin6_port = htons(port);
        else
            ((struct sockaddr_in *)&entry->socket)->sin_port = htons(port);
        list->count++;
    }
}

enum shm_status shm_address_parse(const char *text, uint16_t least_port,
                                  struct shm_address_list *out_list)
{
    struct target target = {.port = 0};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    struct shm_address_list list = {.count = 0};
    enum shm_status status = split(text, least_port, &target);
    int error;

    if (status != SHM_OK)
        return status;
    if (is_literal(&target))
        hints.ai_flags = AI_NUMERICHOST; /* never asks a name server */
    else if (!is_name(target.host))
        return malformed(text);
    hints.ai_family = target.family;
    error = getaddrinfo(target.host, NULL, &hints, &found);
    if (error != 0)
        return shm_fail(SHM_INVALID_PARAM, "address \"%.300s\": unknown host: %s", text,
                        error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
    collect(found, target.port, &list);
    freeaddrinfo(found);
    if (list.count == 0)
        return shm_fail(SHM_INVALID_PARAM, "address \"%.300s\": the host has no address", text);
    *out_list = list;
    return SHM_OK;
}

/* ---- connecting ---- */

/* Waits for a connect() under way; returns 0 or an errno value. */
static int finish_connect(int fd, uint64_t deadline_ns)
{
    struct pollfd waited = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t bytes = sizeof error;
    int ready;

    do
        ready = poll(&waited, 1, shm_deadline_left_ms(deadline_ns));
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return ETIMEDOUT;
    if (ready < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0)
        return errno;
    return error;
}

/* A connect() to a free local port can meet itself: both ends are one socket then. */
static bool is_connected_to_itself(int fd)
{
    struct sockaddr_storage mine = {.ss_family = AF_UNSPEC};
    struct sockaddr_storage peer = {.ss_family = AF_UNSPEC};
    socklen_t mine_bytes = sizeof mine;
    socklen_t peer_bytes = sizeof peer;

    return getsockname(fd, (struct sockaddr *)&mine, &mine_bytes) == 0 &&
           getpeername(fd, (struct sockaddr *)&peer, &peer_bytes) == 0 &&
           mine_bytes == peer_bytes && memcmp(&mine, &peer, mine_bytes) == 0;
}

/* One attempt at one address; returns 0 or an errno value. */
static int attempt(const struct shm_address *address, uint64_t deadline_ns, int *out_fd)
{
    const int on = 1;
    int error = 0;
    auto_fd int fd =
        socket(address->socket.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return errno;
    if (connect(fd, (const struct sockaddr *)&address->socket, address->bytes) != 0)
        error = errno == EINPROGRESS || errno == EINTR ? finish_connect(fd, deadline_ns) : errno;
    if (error != 0)
        return error;
    if (is_connected_to_itself(fd))
        return ECONNREFUSED;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) != 0)
        return errno;
    *out_fd = take_fd(&fd);
    return 0;
}

/* One attempt at each address in turn; returns 0 or the errno value of the last one. */
static int try_all(const struct shm_address_list *list, uint64_t deadline_ns, size_t *out_last,
                   int *out_fd)
{
    int error = 0;

    for (size_t i = 0; i < list->count; i++) {
        uint64_t limit = shm_deadline_min(deadline_ns, shm_deadline_after_ms(ATTEMPT_MOST_MS));

        *out_last = i;
        error = attempt(&list->entries[i], limit, out_fd);
        if (error == 0 || shm_deadline_passed(deadline_ns))
            break;
    }
    return error;
}

/* Sleeps for half of `pause_ms` to all of it, but not past the deadline. */
static enum shm_status pause_with_jitter(unsigned pause_ms, uint64_t deadline_ns)
{
    uint32_t random = 0;
    enum shm_status status = shm_random_fill(&random, sizeof random);
    uint64_t pause_ns = pause_ms * SHM_NS_PER_MS / 2;
    uint64_t end_ns;
    struct timespec end;

    if (status != SHM_OK)
        return status;
    pause_ns += random % pause_ns;
    end_ns = shm_deadline_min(shm_now_ns() + pause_ns, deadline_ns);
    end.tv_sec = (time_t)(end_ns / SHM_NS_PER_SECOND);
    end.tv_nsec = (long)(end_ns % SHM_NS_PER_SECOND);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        continue;
    return SHM_OK;
}

/* Nothing that waiting could mend: the loopback interface of this network name space is down. */
static bool is_loopback_down(const struct shm_address *address, int error)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->socket;

    return error == ENETUNREACH && address->socket.ss_family == AF_INET &&
           ntohl(v4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static enum shm_status connect_error(const struct shm_address_list *list, size_t last, int error)
{
    char text[SHM_ADDRESS_TEXT_BYTES];

    shm_address_format(&list->entries[last], text);
    return shm_fail_errno(SHM_TIMEOUT_ERROR, error,
                          "the time limit passed while connecting to %s (%zu of %zu addresses); "
                          "last reason",
                          text, last + 1, list->count);
}

enum shm_status shm_address_connect(const struct shm_address_list *list, uint64_t deadline_ns,
                                    int *out_fd)
{
    if (list->count == 0 || list->count > SHM_ADDRESS_LIST_MAX)
        return shm_fail(SHM_INVALID_PARAM, "a list of %zu addresses to connect to, expected 1..%d",
                        list->count, SHM_ADDRESS_LIST_MAX);
    for (unsigned pause_ms = 1;; pause_ms *= 2) {
        size_t last = 0;
        int error = try_all(list, deadline_ns, &last, out_fd);
        enum shm_status status;

        if (error == 0)
            return SHM_OK;
        if (is_loopback_down(&list->entries[last], error))
            return shm_fail(SHM_SMEM_ERROR, "the loopback interface is down here, and the PEs of a "
                                            "machine meet there: ip link set lo up");
        if (pause_ms > PAUSE_MOST_MS)
            pause_ms = PAUSE_MOST_MS;
        status = pause_with_jitter(pause_ms, deadline_ns);
        if (status != SHM_OK)
            return status;
        if (shm_deadline_passed(deadline_ns))
            return connect_error(list, last, error);
    }
}
