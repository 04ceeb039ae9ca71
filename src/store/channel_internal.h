/* SPDX-License-Identifier: BSD-3-Clause */
/** The bytes of one connection: as they are, or through TLS. */
#ifndef SHM_STORE_CHANNEL_INTERNAL_H
#define SHM_STORE_CHANNEL_INTERNAL_H

#include "store/tls_internal.h"

#include <sys/uio.h>

struct shm_store_channel {
    int fd;
    struct shm_store_tls_session *session; /* NULL: plain */
};

/** Ends the session if there is one and closes the descriptor. */
void shm_store_channel_close(struct shm_store_channel *channel);

/** Receives what is there: at least one byte, or SHM_AGAIN (without a detail), SHM_CLOSED,
 *  SHM_REFUSED. */
SHM_MUST_CHECK enum shm_status shm_store_channel_receive(struct shm_store_channel *channel,
                                                         void *room, size_t bytes,
                                                         size_t *out_received);

/** Sends what the socket takes of the pieces; errors as above. After SHM_AGAIN the next call must
 *  bring the same bytes. */
SHM_MUST_CHECK enum shm_status shm_store_channel_send(struct shm_store_channel *channel,
                                                      struct iovec *pieces, size_t count,
                                                      size_t *out_sent);

/** Bytes that were received and that poll() does not know of. */
size_t shm_store_channel_pending(const struct shm_store_channel *channel);

/* ---- for clients, which wait ---- */

/** Begins to speak TLS. SHM_REFUSED when the other side does not speak it, or one side does not
 *  accept the other. */
SHM_MUST_CHECK enum shm_status shm_store_channel_secure(struct shm_store_channel *channel,
                                                        struct shm_store_tls *tls, const char *host,
                                                        uint64_t deadline_ns);

/** Sends all bytes; errors as for shm_socket_send(). */
SHM_MUST_CHECK enum shm_status shm_store_channel_send_all(struct shm_store_channel *channel,
                                                          const void *data, size_t bytes,
                                                          uint64_t deadline_ns);

#endif
