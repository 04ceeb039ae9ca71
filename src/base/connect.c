/* SPDX-License-Identifier: BSD-3-Clause */
/* Connecting to an address at which many may arrive at once, or nobody listens yet. */
#include "base/address.h"
#include "base/backoff.h"
#include "base/cleanup.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>

#define PAUSE_FIRST_MS 1u /* between two rounds of attempts */
#define PAUSE_MOST_MS 250u

/* How long an attempt waits for an answer, half of it at least: a silent address must not hide the
 * others. A listener whose queue is full is silent, too. The kernel asks it again after a second,
 * which costs nothing; a new attempt looks for a free port, which takes long where most are taken.
 */
#define ANSWER_MOST_MS 4000u

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
static int try_all(const struct shm_address_list *list, uint64_t answer_ns, uint64_t deadline_ns,
                   size_t *out_last, int *out_fd)
{
    int error = 0;

    for (size_t i = 0; i < list->count; i++) {
        uint64_t limit = shm_deadline_min(deadline_ns, shm_now_ns() + answer_ns);

        *out_last = i;
        error = attempt(&list->entries[i], limit, out_fd);
        if (error == 0 || shm_deadline_passed(deadline_ns))
            break;
    }
    return error;
}

/* Nothing that waiting could mend: the loopback interface of this network name space is down. */
static bool is_loopback_down(const struct shm_address *address, int error)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->socket;

    return error == ENETUNREACH && address->socket.ss_family == AF_INET &&
           ntohl(v4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static enum shm_status connect_error(const struct shm_address_list *list, size_t last,
                                     unsigned rounds, int error)
{
    char text[SHM_ADDRESS_TEXT_BYTES];

    shm_address_format(&list->entries[last], text);
    return shm_fail(SHM_TIMEOUT_ERROR,
                    "the time limit passed while connecting to %s (%zu of %zu addresses, "
                    "attempt %u); last reason: %s",
                    text, last + 1, list->count, rounds,
                    error == ETIMEDOUT ? "no answer, nobody may be there or too many at once"
                                       : strerror(error));
}

enum shm_status shm_address_connect(const struct shm_address_list *list, uint64_t deadline_ns,
                                    int *out_fd)
{
    struct shm_backoff pause = {.ms = PAUSE_FIRST_MS, .most_ms = PAUSE_MOST_MS};
    const struct shm_backoff answer = {.ms = ANSWER_MOST_MS, .most_ms = ANSWER_MOST_MS};

    if (list->count == 0 || list->count > SHM_ADDRESS_LIST_MAX)
        return shm_fail(SHM_INVALID_PARAM, "a list of %zu addresses to connect to, expected 1..%d",
                        list->count, SHM_ADDRESS_LIST_MAX);
    for (unsigned rounds = 1;; rounds++) {
        uint64_t answer_ns;
        size_t last = 0;
        int error = 0;
        enum shm_status status = shm_backoff_draw(&answer, &answer_ns);

        if (status == SHM_OK)
            error = try_all(list, answer_ns, deadline_ns, &last, out_fd);
        if (status != SHM_OK || error == 0)
            return status;
        if (is_loopback_down(&list->entries[last], error))
            return shm_fail(SHM_SMEM_ERROR, "the loopback interface is down here, and the PEs of a "
                                            "machine meet there: ip link set lo up");
        status = shm_backoff_sleep(&pause, deadline_ns);
        if (status != SHM_OK)
            return status;
        if (shm_deadline_passed(deadline_ns))
            return connect_error(list, last, rounds, error);
    }
}
