/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sockets. All descriptors are close-on-exec; all waits end at a deadline (base/clock.h); no
 * function raises SIGPIPE.
 */
#ifndef SHM_BASE_SOCKET_H
#define SHM_BASE_SOCKET_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* ---- any stream socket ---- */

/** Sends all bytes. SHM_CLOSED when the peer is gone, SHM_TIMEOUT_ERROR past the deadline. */
SHM_MUST_CHECK enum shm_status shm_socket_send(int fd, const void *data, size_t bytes,
                                               uint64_t deadline_ns);

/** Receives exactly `bytes` bytes. Errors as for shm_socket_send(). */
SHM_MUST_CHECK enum shm_status shm_socket_receive(int fd, void *data, size_t bytes,
                                                  uint64_t deadline_ns);

/* ---- Unix sockets of the abstract name space: nothing on disk, gone with the process ---- */

/**
 * Listens at the abstract name `name` (at most 100 characters). The socket keeps message
 * boundaries (SOCK_SEQPACKET) and is non-blocking.
 */
SHM_MUST_CHECK enum shm_status shm_abstract_listen(const char *name, int *out_fd);

/** Connects to it, once; gives up after 20 s on a listener that does not accept. SHM_NOT_FOUND when
 *  nobody listens there. */
SHM_MUST_CHECK enum shm_status shm_abstract_connect(const char *name, int *out_fd);

/** Sends one message (at least 1 byte) with a descriptor; `descriptor` -1 sends none. */
SHM_MUST_CHECK enum shm_status shm_socket_send_descriptor(int fd, const void *message, size_t bytes,
                                                          int descriptor);

/**
 * Receives one message of at most `capacity` bytes and the descriptor that came with it (-1 when
 * none did). Waits until the deadline; SHM_CLOSED when the peer closed; SHM_PROTOCOL when the
 * message was longer or carried more than one descriptor (all are closed then).
 */
SHM_MUST_CHECK enum shm_status shm_socket_receive_descriptor(int fd, void *message, size_t capacity,
                                                             uint64_t deadline_ns,
                                                             size_t *out_bytes,
                                                             int *out_descriptor);

#endif
