/* SPDX-License-Identifier: BSD-3-Clause */
/* The build without OpenSSL: TLS is refused when it is asked for, so that no session ever is. */
#include "store/tls_internal.h"

static enum shm_status refuse(void)
{
    return shm_fail(SHM_NOT_SUPPORTED,
                    "TLS is asked for, but this build has none (it was built without OpenSSL)");
}

enum shm_status shm_store_tls_create(const struct shm_bootstrap_tls *settings,
                                     struct shm_store_tls **out_tls)
{
    (void)settings;
    (void)out_tls;
    return refuse();
}

void shm_store_tls_destroy(struct shm_store_tls *tls)
{
    (void)tls;
}

enum shm_status shm_store_tls_session_create(struct shm_store_tls *tls, int fd, bool is_server,
                                             const char *host,
                                             struct shm_store_tls_session **out_session)
{
    (void)tls;
    (void)fd;
    (void)is_server;
    (void)host;
    (void)out_session;
    return refuse();
}

void shm_store_tls_session_destroy(struct shm_store_tls_session *session)
{
    (void)session;
}

enum shm_status shm_store_tls_handshake(struct shm_store_tls_session *session, short *out_events)
{
    (void)session;
    (void)out_events;
    return refuse();
}

enum shm_status shm_store_tls_receive(struct shm_store_tls_session *session, void *room,
                                      size_t bytes, size_t *out_received)
{
    (void)session;
    (void)room;
    (void)bytes;
    (void)out_received;
    return refuse();
}

enum shm_status shm_store_tls_send(struct shm_store_tls_session *session, const void *data,
                                   size_t bytes, size_t *out_sent)
{
    (void)session;
    (void)data;
    (void)bytes;
    (void)out_sent;
    return refuse();
}

size_t shm_store_tls_pending(struct shm_store_tls_session *session)
{
    (void)session;
    return 0;
}
