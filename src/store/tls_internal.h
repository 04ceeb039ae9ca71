/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * TLS for one connection. Two builds of it: over OpenSSL, and one that refuses to create anything.
 * Nothing here waits. All calls on a session may come from any thread.
 */
#ifndef SHM_STORE_TLS_INTERNAL_H
#define SHM_STORE_TLS_INTERNAL_H

#include "store/store.h"

#define SHM_STORE_TLS_FILES_MAX 16    /* in one list of the information text */
#define SHM_STORE_TLS_FIRST_BYTE 0x16 /* of whoever opens a connection with TLS */

/* ---- tls_settings.c ---- */

struct shm_store_tls_files {
    char *paths[SHM_STORE_TLS_FILES_MAX];
    size_t count;
};

/** The files that an information text names. */
struct shm_store_tls_paths {
    char *certificate;
    struct shm_store_tls_files authorities; /* at least one */
    struct shm_store_tls_files revocations;
};

/**
 * Reads "key: value; key: value". SHM_INVALID_PARAM when it is malformed or certificate or
 * authorities are missing. The output holds memory also after a failure.
 */
SHM_MUST_CHECK enum shm_status shm_store_tls_paths_parse(const char *info, size_t bytes,
                                                         struct shm_store_tls_paths *out_paths);
void shm_store_tls_paths_fini(struct shm_store_tls_paths *paths);

/**
 * Gives the password of the private key in clear text, zero-terminated; the caller wipes it.
 * SHM_INVALID_PARAM when the callback fails.
 */
#define SHM_STORE_TLS_PASSWORD_BYTES 4096
SHM_MUST_CHECK enum shm_status
shm_store_tls_password(const struct shm_bootstrap_tls *settings,
                       char out_password[SHM_STORE_TLS_PASSWORD_BYTES]);

/* ---- sessions ---- */

struct shm_store_tls_session;

/**
 * Prepares one side of a connection over `fd`, which stays the caller's. `host`: as whom the
 * store's certificate must be made out (a client's only); NULL = anybody that the authorities vouch
 * for. An address must be in the certificate only when the certificate names addresses.
 */
SHM_MUST_CHECK enum shm_status
shm_store_tls_session_create(struct shm_store_tls *tls, int fd, bool is_server, const char *host,
                             struct shm_store_tls_session **out_session);

/** Says nothing to the other side; accepts NULL. */
void shm_store_tls_session_destroy(struct shm_store_tls_session *session);

/** Goes on with the handshake. SHM_AGAIN with the events of poll() to wait for; SHM_CLOSED;
 *  SHM_REFUSED when a side does not accept the other. */
SHM_MUST_CHECK enum shm_status shm_store_tls_handshake(struct shm_store_tls_session *session,
                                                       short *out_events);

/** Receives at least one byte, or SHM_AGAIN, SHM_CLOSED, SHM_REFUSED. */
SHM_MUST_CHECK enum shm_status shm_store_tls_receive(struct shm_store_tls_session *session,
                                                     void *room, size_t bytes,
                                                     size_t *out_received);

/** Sends at least one byte, or as above. After SHM_AGAIN the next call must bring the same bytes.
 */
SHM_MUST_CHECK enum shm_status shm_store_tls_send(struct shm_store_tls_session *session,
                                                  const void *data, size_t bytes, size_t *out_sent);

/** Bytes that were received and decrypted, and that poll() does not know of. */
size_t shm_store_tls_pending(struct shm_store_tls_session *session);

#endif
