/* SPDX-License-Identifier: BSD-3-Clause */
/* One connection over OpenSSL. */
#include "store/tls_openssl_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define ALERT_FIRST_BYTE 0x15
#define HOST_BYTES 256
#define REASON_BYTES 300
#define SUBJECT_BYTES 160

struct shm_store_tls_session {
    pthread_mutex_t mutex; /* a client sends while another thread receives; never held in a wait */
    SSL *ssl;
    int fd;
    bool is_server;
    bool has_heard;            /* at least a byte */
    char host[HOST_BYTES];     /* "" = any */
    char reason[REASON_BYTES]; /* why the other side's certificate is not accepted */
};

/* ---- sockets ---- */

static int socket_write(BIO *bio, const char *data, int bytes)
{
    const struct shm_store_tls_session *session = BIO_get_data(bio);
    ssize_t sent = send(session->fd, data, (size_t)bytes, MSG_NOSIGNAL | MSG_DONTWAIT);

    BIO_clear_retry_flags(bio);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        BIO_set_retry_write(bio);
    return (int)sent;
}

/* What is no TLS at all is better explained here than by OpenSSL. The server has looked before. */
static void check_first_byte(struct shm_store_tls_session *session, uint8_t first)
{
    if (first != SHM_STORE_TLS_FIRST_BYTE && first != ALERT_FIRST_BYTE)
        snprintf(session->reason, sizeof session->reason, "%s",
                 "this PE asks for it, but PE 0 serves the store without it");
    session->has_heard = true;
}

static int socket_read(BIO *bio, char *room, int bytes)
{
    struct shm_store_tls_session *session = BIO_get_data(bio);
    ssize_t received = recv(session->fd, room, (size_t)bytes, MSG_DONTWAIT);

    BIO_clear_retry_flags(bio);
    if (received < 0 && (errno == EAGAIN || errno == EINTR))
        BIO_set_retry_read(bio);
    if (received > 0 && !session->has_heard)
        check_first_byte(session, (uint8_t)room[0]);
    return (int)received;
}

static long socket_control(BIO *bio, int command, long number, void *pointer)
{
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH; /* nothing is held back */
}

BIO_METHOD *shm_store_tls_socket_method(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");

    if (method == NULL)
        return NULL;
    BIO_meth_set_write(method, socket_write);
    BIO_meth_set_read(method, socket_read);
    BIO_meth_set_ctrl(method, socket_control);
    return method;
}

/* ---- whom we accept ---- */

static bool has_address(X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool has = false;

    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++)
        has = has || sk_GENERAL_NAME_value(names, i)->type == GEN_IPADD;
    GENERAL_NAMES_free(names);
    return has;
}

static bool is_address(const char *host)
{
    uint8_t bytes[sizeof(struct in6_addr)];

    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

static int check_host(const struct shm_store_tls_session *session, X509 *certificate)
{
    if (session->host[0] == '\0')
        return X509_V_OK;
    if (!is_address(session->host))
        return X509_check_host(certificate, session->host, 0, 0, NULL) == 1
                   ? X509_V_OK
                   : X509_V_ERR_HOSTNAME_MISMATCH;
    return !has_address(certificate) || X509_check_ip_asc(certificate, session->host, 0) == 1
               ? X509_V_OK
               : X509_V_ERR_IP_ADDRESS_MISMATCH;
}

/* OpenSSL escapes what is not printable in a subject. */
static void note_reason(struct shm_store_tls_session *session, X509 *certificate, int error)
{
    char subject[SUBJECT_BYTES] = "unknown";

    if (certificate != NULL)
        X509_NAME_oneline(X509_get_subject_name(certificate), subject, sizeof subject);
    snprintf(session->reason, sizeof session->reason,
             "the certificate \"%s\" of %s is not accepted: %s", subject,
             session->is_server ? "a PE" : "the store", X509_verify_cert_error_string(error));
}

int shm_store_tls_verify(int is_accepted, X509_STORE_CTX *chain)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct shm_store_tls_session *session = SSL_get_app_data(ssl);
    int depth = X509_STORE_CTX_get_error_depth(chain);
    int error = X509_STORE_CTX_get_error(chain);

    /* an authority that nobody gave a list for is trusted; a PE or store needs one */
    if (is_accepted == 0 && depth > 0 && error == X509_V_ERR_UNABLE_TO_GET_CRL)
        error = X509_V_OK;
    if (is_accepted != 0 && depth == 0)
        error = check_host(session, X509_STORE_CTX_get_current_cert(chain));
    else if (is_accepted != 0)
        error = X509_V_OK;
    X509_STORE_CTX_set_error(chain, error);
    if (error != X509_V_OK)
        note_reason(session, X509_STORE_CTX_get_current_cert(chain), error);
    return error == X509_V_OK;
}

/* ---- life ---- */

static enum shm_status attach(struct shm_store_tls_session *session, struct shm_store_tls *tls)
{
    BIO *socket_bio = NULL;

    session->ssl = SSL_new(tls->context);
    if (session->ssl != NULL)
        socket_bio = BIO_new(tls->socket_method);
    if (socket_bio == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a TLS connection");
    BIO_set_data(socket_bio, session);
    BIO_set_init(socket_bio, 1);
    SSL_set_bio(session->ssl, socket_bio, socket_bio);
    SSL_set_app_data(session->ssl, session);
    if (session->is_server)
        SSL_set_accept_state(session->ssl);
    else
        SSL_set_connect_state(session->ssl);
    /* helps a server that has several names; an address is no name */
    if (session->host[0] != '\0' && !is_address(session->host) &&
        SSL_set_tlsext_host_name(session->ssl, session->host) != 1)
        return shm_fail(SHM_INVALID_PARAM, "the host name %s does not fit into TLS", session->host);
    return SHM_OK;
}

enum shm_status shm_store_tls_session_create(struct shm_store_tls *tls, int fd, bool is_server,
                                             const char *host,
                                             struct shm_store_tls_session **out_session)
{
    struct shm_store_tls_session *session;
    enum shm_status status;

    if (host != NULL && strlen(host) >= HOST_BYTES)
        return shm_fail(SHM_INVALID_PARAM, "a host name of %zu characters, expected at most %d",
                        strlen(host), HOST_BYTES - 1);
    session = calloc(1, sizeof *session);
    if (session == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a TLS connection");
    pthread_mutex_init(&session->mutex, NULL);
    session->is_server = is_server;
    session->fd = fd;
    snprintf(session->host, sizeof session->host, "%s", host == NULL ? "" : host);
    status = attach(session, tls);
    if (status != SHM_OK) {
        shm_store_tls_session_destroy(session);
        return status;
    }
    *out_session = session;
    return SHM_OK;
}

void shm_store_tls_session_destroy(struct shm_store_tls_session *session)
{
    if (session == NULL)
        return;
    SSL_free(session->ssl);
    pthread_mutex_destroy(&session->mutex);
    free(session);
}

/* ---- bytes ---- */

/* Says which side did not accept the other, and why. */
static enum shm_status explain(const struct shm_store_tls_session *session)
{
    unsigned long code = ERR_peek_error();
    const char *other = session->is_server ? "a PE" : "the store";
    int reason = ERR_GET_REASON(code);
    const char *text = ERR_reason_error_string(code);

    if (session->reason[0] != '\0')
        return shm_fail(SHM_REFUSED, "TLS: %s", session->reason);
    if (ERR_GET_LIB(code) == ERR_LIB_SSL && reason > SSL_AD_REASON_OFFSET &&
        reason <= SSL_AD_REASON_OFFSET + 255)
        return shm_fail(SHM_REFUSED, "TLS: %s did not accept us or our certificate: %s", other,
                        SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET));
    return shm_fail(SHM_REFUSED, "TLS with %s failed: %s", other,
                    text == NULL ? "unknown reason" : text);
}

/* What a call that did not succeed means. */
static enum shm_status judge(const struct shm_store_tls_session *session, int result,
                             short *out_events)
{
    switch (SSL_get_error(session->ssl, result)) {
    case SSL_ERROR_WANT_READ:
        *out_events = POLLIN;
        return SHM_AGAIN;
    case SSL_ERROR_WANT_WRITE:
        *out_events = POLLOUT;
        return SHM_AGAIN;
    case SSL_ERROR_SSL:
        return explain(session);
    default:
        return shm_fail(SHM_CLOSED, "the other side closed the TLS connection");
    }
}

enum shm_status shm_store_tls_handshake(struct shm_store_tls_session *session, short *out_events)
{
    enum shm_status status = SHM_OK;
    int result;

    pthread_mutex_lock(&session->mutex);
    ERR_clear_error();
    result = SSL_do_handshake(session->ssl);
    if (result != 1)
        status = judge(session, result, out_events);
    pthread_mutex_unlock(&session->mutex);
    return status;
}

enum shm_status shm_store_tls_receive(struct shm_store_tls_session *session, void *room,
                                      size_t bytes, size_t *out_received)
{
    enum shm_status status = SHM_OK;
    size_t received = 0;
    short events;
    int result;

    pthread_mutex_lock(&session->mutex);
    ERR_clear_error();
    result = SSL_read_ex(session->ssl, room, bytes, &received);
    if (result != 1)
        status = judge(session, result, &events);
    pthread_mutex_unlock(&session->mutex);
    if (status == SHM_OK)
        *out_received = received;
    return status;
}

enum shm_status shm_store_tls_send(struct shm_store_tls_session *session, const void *data,
                                   size_t bytes, size_t *out_sent)
{
    enum shm_status status = SHM_OK;
    size_t sent = 0;
    short events;
    int result;

    pthread_mutex_lock(&session->mutex);
    ERR_clear_error();
    result = SSL_write_ex(session->ssl, data, bytes, &sent);
    if (result != 1)
        status = judge(session, result, &events);
    pthread_mutex_unlock(&session->mutex);
    if (status == SHM_OK)
        *out_sent = sent;
    return status;
}

size_t shm_store_tls_pending(struct shm_store_tls_session *session)
{
    size_t pending;

    pthread_mutex_lock(&session->mutex);
    pending = (size_t)SSL_pending(session->ssl);
    pthread_mutex_unlock(&session->mutex);
    return pending;
}
