/* SPDX-License-Identifier: BSD-3-Clause */
/** TCP addresses in text form, listening and connecting. No reverse look-up is ever made. */
#ifndef SHM_BASE_ADDRESS_H
#define SHM_BASE_ADDRESS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/** Room for any address in text form, "tcp6://[...%interface]:65535" included. */
#define SHM_ADDRESS_TEXT_BYTES 320

/** At most this many addresses of one host name are tried. */
#define SHM_ADDRESS_LIST_MAX 16

struct shm_address {
    struct sockaddr_storage socket;
    socklen_t bytes;
};

struct shm_address_list {
    struct shm_address entries[SHM_ADDRESS_LIST_MAX];
    size_t count;
};

/**
 * Parses "tcp://host:port" (host: IPv4 literal or a name of letters, digits, "-", "." of up to
 * 253 characters) or "tcp6://[host]:port" (IPv6 literal, "%interface" allowed, or a name) and
 * resolves it to every address of the host. `least_port` is the smallest port accepted (0 or 1025).
 * SHM_INVALID_PARAM on a malformed text or an unknown host; the detail quotes the text.
 */
SHM_MUST_CHECK enum shm_status shm_address_parse(const char *text, uint16_t least_port,
                                                 struct shm_address_list *out_list);

/** Writes the numeric form, for example "tcp://127.0.0.1:4711", into `text`. */
void shm_address_format(const struct shm_address *address, char text[SHM_ADDRESS_TEXT_BYTES]);

/** Port of an address, in host byte order. */
uint16_t shm_address_port(const struct shm_address *address);

/** Binds and listens (port 0: any free one), non-blocking, backlog as large as the system allows.
 *  SHM_SMEM_ERROR when the port is busy or the address is not of this machine. */
SHM_MUST_CHECK enum shm_status shm_address_listen(const struct shm_address *address, int *out_fd);

/** The address a bound socket has. SHM_INVALID_PARAM when it is not a bound TCP socket. */
SHM_MUST_CHECK enum shm_status shm_address_of_socket(int fd, struct shm_address *out_address);

/**
 * Connects to the first address that answers, trying all of them again with pauses that grow from
 * 1 ms (with jitter) until the deadline. An attempt that is not answered ends after 2 to
 * 4 s. The socket has TCP_NODELAY and is blocking.
 * SHM_TIMEOUT_ERROR past the deadline, with the last reason.
 */
SHM_MUST_CHECK enum shm_status shm_address_connect(const struct shm_address_list *list,
                                                   uint64_t deadline_ns, int *out_fd);

/** Has the kernel ask for a sign of life after 10 s of silence and give the connection up 15 s
 *  later: a machine that vanishes sends nothing. What a listener is told holds for its connections.
 */
void shm_address_keep_alive(int fd);

#endif
