/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHM_STORE_TLS_OPENSSL_INTERNAL_H
#define SHM_STORE_TLS_OPENSSL_INTERNAL_H

#include "store/tls_internal.h"

#include <openssl/ssl.h>

struct shm_store_tls {
    SSL_CTX *context;
    BIO_METHOD *socket_method;
};

/** Checks one certificate of a chain, after OpenSSL did: host names, lists of revoked ones. */
int shm_store_tls_verify(int is_accepted, X509_STORE_CTX *chain);

/** Reads and writes a socket without waiting and without SIGPIPE; NULL without memory. */
BIO_METHOD *shm_store_tls_socket_method(void);

#endif
