/* SPDX-License-Identifier: BSD-3-Clause */
/* Certificates, keys and rules, loaded once for all connections. */
#include "store/tls_openssl_internal.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/option.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#define PEM_BEGIN "-----BEGIN "
#define AHEAD_VARIABLE "ACCLINK_CERT_CHECK_AHEAD_DAYS"
#define AHEAD_LEAST 7
#define AHEAD_MOST 180
#define AHEAD_USUAL 30

/* Adds what OpenSSL says; its queue of errors is empty afterwards. */
static enum shm_status fail(const char *what, const char *path)
{
    const char *reason = ERR_reason_error_string(ERR_peek_error());

    if (reason == NULL) /* an error of the system */
        reason = ERR_SYSTEM_ERROR(ERR_peek_error()) ? strerror(ERR_GET_REASON(ERR_peek_error()))
                                                    : "unknown reason";
    ERR_clear_error();
    return shm_fail(SHM_INVALID_PARAM, "TLS: %s%s%s: %s", what, path == NULL ? "" : " ",
                    path == NULL ? "" : path, reason);
}

static enum shm_status set_rules(SSL_CTX *context)
{
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1)
        return fail("setting the least version", NULL);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
    /* nobody comes twice */
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    if (SSL_CTX_set_num_tickets(context, 0) != 1)
        return fail("turning tickets off", NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                       shm_store_tls_verify);
    return SHM_OK;
}

static enum shm_status load_authorities(SSL_CTX *context, const struct shm_store_tls_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (SSL_CTX_load_verify_locations(context, files->paths[i], NULL) != 1)
            return fail("reading the certificates of tlsCaFile", files->paths[i]);
    return SHM_OK;
}

static enum shm_status load_revocations(SSL_CTX *context, const struct shm_store_tls_files *files)
{
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());

    if (files->count == 0)
        return SHM_OK;
    if (lookup == NULL)
        return fail("preparing lists of revoked certificates", NULL);
    for (size_t i = 0; i < files->count; i++)
        if (X509_load_crl_file(lookup, files->paths[i], X509_FILETYPE_PEM) <= 0)
            return fail("reading the revoked certificates of tlsCrlFile", files->paths[i]);
    X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
    return SHM_OK;
}

/* Never asks a terminal: without this function OpenSSL would. */
static int tell_password(char *room, int bytes, int is_writing, void *password)
{
    size_t used = strlen(password);

    (void)is_writing;
    if (used == 0 || used > (size_t)bytes)
        return -1;
    memcpy(room, password, used);
    return (int)used;
}

static enum shm_status read_key(const struct shm_bootstrap_tls *settings, char *password,
                                EVP_PKEY **out_key)
{
    BIO *text = BIO_new_mem_buf(settings->key, (int)settings->key_bytes);

    if (text == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the private key");
    *out_key = PEM_read_bio_PrivateKey(text, NULL, tell_password, password);
    BIO_free(text);
    return *out_key != NULL ? SHM_OK : fail("reading the private key tls_pk", NULL);
}

static enum shm_status load_key(SSL_CTX *context, const struct shm_bootstrap_tls *settings)
{
    char password[SHM_STORE_TLS_PASSWORD_BYTES];
    EVP_PKEY *key = NULL;
    enum shm_status status;

    if (settings->key == NULL || settings->key_bytes == 0)
        return shm_fail(SHM_INVALID_PARAM, "TLS is asked for, but there is no private key");
    if (settings->key_bytes > INT32_MAX ||
        memmem(settings->key, settings->key_bytes, PEM_BEGIN, strlen(PEM_BEGIN)) == NULL)
        return shm_fail(SHM_INVALID_PARAM,
                        "the private key tls_pk is not a key in PEM form (\"%s...\")", PEM_BEGIN);
    status = shm_store_tls_password(settings, password);
    if (status == SHM_OK)
        status = read_key(settings, password, &key);
    explicit_bzero(password, sizeof password);
    if (status != SHM_OK)
        return status;
    if (SSL_CTX_use_PrivateKey(context, key) != 1)
        status = fail("the private key does not belong to the certificate of tlsCert", NULL);
    EVP_PKEY_free(key);
    return status;
}

/* From so many days before its end on, a certificate is worth a line. */
static int days_ahead(void)
{
    const char *text = getenv(AHEAD_VARIABLE);
    int64_t days = AHEAD_USUAL;

    if (text != NULL && shm_parse_integer(text, AHEAD_LEAST, AHEAD_MOST, &days) != SHM_OK) {
        days = AHEAD_USUAL;
        shm_log(SHM_LOG_WARN, "store", AHEAD_VARIABLE "=%s, expected %d to %d: %d is taken", text,
                AHEAD_LEAST, AHEAD_MOST, AHEAD_USUAL);
    }
    return (int)days;
}

/* One that has ended is refused when the PEs meet. */
static void announce_end(const SSL_CTX *context, const char *path)
{
    const X509 *certificate = SSL_CTX_get0_certificate(context);
    int days = 0;
    int seconds = 0;

    if (certificate == NULL ||
        ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate)) != 1 || days < 0 ||
        seconds < 0 || days >= days_ahead())
        return;
    shm_log(SHM_LOG_WARN, "store", "TLS: the certificate %s ends in %d days and %d hours", path,
            days, seconds / 3600);
}

static enum shm_status load(SSL_CTX *context, const struct shm_bootstrap_tls *settings,
                            const struct shm_store_tls_paths *paths)
{
    enum shm_status status = set_rules(context);

    if (status == SHM_OK)
        status = load_authorities(context, &paths->authorities);
    if (status == SHM_OK)
        status = load_revocations(context, &paths->revocations);
    if (status == SHM_OK && SSL_CTX_use_certificate_chain_file(context, paths->certificate) != 1)
        status = fail("reading the certificate of tlsCert", paths->certificate);
    if (status == SHM_OK)
        announce_end(context, paths->certificate);
    return status != SHM_OK ? status : load_key(context, settings);
}

static enum shm_status create(const struct shm_bootstrap_tls *settings,
                              const struct shm_store_tls_paths *paths,
                              struct shm_store_tls **out_tls)
{
    struct shm_store_tls *tls = calloc(1, sizeof *tls);
    enum shm_status status = SHM_OK;

    if (tls == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for TLS");
    /* a job may say goodbye while the process exits, when OpenSSL must still be whole */
    OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL);
    ERR_clear_error();
    tls->context = SSL_CTX_new(TLS_method());
    tls->socket_method = shm_store_tls_socket_method();
    if (tls->context == NULL || tls->socket_method == NULL)
        status = fail("starting OpenSSL", NULL);
    if (status == SHM_OK)
        status = load(tls->context, settings, paths);
    if (status != SHM_OK) {
        shm_store_tls_destroy(tls);
        return status;
    }
    *out_tls = tls;
    return SHM_OK;
}

enum shm_status shm_store_tls_create(const struct shm_bootstrap_tls *settings,
                                     struct shm_store_tls **out_tls)
{
    struct shm_store_tls_paths paths;
    enum shm_status status =
        shm_store_tls_paths_parse(settings->info, settings->info_bytes, &paths);

    if (status == SHM_OK)
        status = create(settings, &paths, out_tls);
    shm_store_tls_paths_fini(&paths);
    return status;
}

void shm_store_tls_destroy(struct shm_store_tls *tls)
{
    if (tls == NULL)
        return;
    SSL_CTX_free(tls->context);
    BIO_meth_free(tls->socket_method);
    free(tls);
}
