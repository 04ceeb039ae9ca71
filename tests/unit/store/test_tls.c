/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is accepted over TLS, who is not, and what both sides say then. */
#include "tls.h"

#include <openssl/ssl.h>

#define BIG_BYTES (3u << 20)

static void test_members_meet_and_exchange_large_values(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;
    struct shm_store_client *clients[3];
    struct shm_store_values values;
    const char *key = "big";
    uint8_t *big = malloc(BIG_BYTES);

    assert_non_null(big);
    for (size_t i = 0; i < BIG_BYTES; i++)
        big[i] = (uint8_t)(i * 31 + (i >> 8));
    start_server_with(&fixture, 3, tls);
    for (uint32_t rank = 0; rank < 3; rank++)
        clients[rank] = join(&fixture, rank);
    for (int round = 0; round < 4; round++) {
        struct shm_store_slice value = {.data = big, .bytes = BIG_BYTES - (size_t)round};

        assert_int_equal(shm_store_set(clients[1], key, value, soon()), SHM_OK);
        assert_int_equal(shm_store_get(clients[2], &key, 1, soon(), &values), SHM_OK);
        assert_int_equal(values.values[0].bytes, value.bytes);
        assert_memory_equal(values.values[0].data, big, value.bytes);
        shm_store_values_free(&values);
    }
    for (uint32_t rank = 0; rank < 3; rank++)
        leave(clients[rank]);
    stop(&fixture);
    shm_store_tls_destroy(tls);
    free(big);
}

/* One client that the server at 127.0.0.1 or it itself must refuse. */
static void expect_refused(const struct credentials *servers, const struct credentials *clients,
                           const char *host, const char *said, const char *logged)
{
    struct shm_store_tls *server_tls = load(servers, true);
    struct shm_store_tls *client_tls = load(clients, clients != &world.revoked);
    bool is_trusted =
        servers != &world.foreign && servers != &world.expired && servers != &world.revoked;
    struct fixture fixture;

    start_server_with(&fixture, 2, server_tls);
    assert_int_equal(try_join(&fixture, 1, client_tls, host), SHM_REFUSED);
    expect_detail("joining the store at tcp://127.0.0.1:");
    expect_detail(said);
    expect_logged(logged);
    /* the server goes on */
    assert_int_equal(try_join(&fixture, 0, server_tls, NULL), is_trusted ? SHM_OK : SHM_REFUSED);
    stop(&fixture);
    shm_store_tls_destroy(client_tls);
    shm_store_tls_destroy(server_tls);
}

static void test_certificate_of_another_authority(void **state)
{
    (void)state;
    expect_refused(&world.good, &world.foreign, "localhost",
                   "the store did not accept us or our certificate: unknown CA",
                   "\"/CN=foreign\" of a PE is not accepted: unable to get local issuer");
    expect_refused(&world.foreign, &world.good, "localhost",
                   "\"/CN=foreign\" of the store is not accepted: unable to get local issuer",
                   "a PE did not accept us or our certificate: unknown CA");
}

static void test_expired_certificate(void **state)
{
    (void)state;
    expect_refused(&world.good, &world.expired, "localhost",
                   "the store did not accept us or our certificate: certificate expired",
                   "\"/CN=expired\" of a PE is not accepted: certificate has expired");
    expect_refused(&world.expired, &world.good, "localhost",
                   "\"/CN=expired\" of the store is not accepted: certificate has expired",
                   "a PE did not accept us or our certificate: certificate expired");
}

static bool is_end_announced(const struct credentials *credentials)
{
    off_t before = lseek(world.log_fd, 0, SEEK_END);

    shm_store_tls_destroy(load(credentials, false));
    return lseek(world.log_fd, 0, SEEK_END) > before;
}

/* Thirty days before its end, or as many as the environment says. */
static void test_certificate_that_ends_soon(void **state)
{
    struct certificate_wish wish = {.name = "soon", .serial = 20};
    struct credentials soon_over, later_over;

    (void)state;
    wish.ends_in_s = 10 * CERTIFICATES_DAY + 3 * 3600 + 60;
    credentials_make(&soon_over, &world.authority, world.folder, &wish);
    wish = (struct certificate_wish){
        .name = "later", .serial = 21, .ends_in_s = 31 * CERTIFICATES_DAY};
    credentials_make(&later_over, &world.authority, world.folder, &wish);
    unsetenv("ACCLINK_CERT_CHECK_AHEAD_DAYS");
    assert_true(is_end_announced(&soon_over));
    expect_logged("soon.pem ends in 10 days and 3 hours");
    assert_false(is_end_announced(&later_over));
    assert_false(is_end_announced(&world.expired));
    setenv("ACCLINK_CERT_CHECK_AHEAD_DAYS", "10", 1);
    assert_false(is_end_announced(&soon_over));
    setenv("ACCLINK_CERT_CHECK_AHEAD_DAYS", "180", 1);
    assert_true(is_end_announced(&later_over));
    setenv("ACCLINK_CERT_CHECK_AHEAD_DAYS", "181", 1);
    assert_true(is_end_announced(&later_over)); /* a line about the setting */
    expect_logged("ACCLINK_CERT_CHECK_AHEAD_DAYS=181, expected 7 to 180: 30 is taken");
    unsetenv("ACCLINK_CERT_CHECK_AHEAD_DAYS");
}

static void test_revoked_certificate(void **state)
{
    (void)state;
    expect_refused(&world.good, &world.revoked, "localhost",
                   "the store did not accept us or our certificate: certificate revoked",
                   "\"/CN=revoked\" of a PE is not accepted: certificate revoked");
    expect_refused(&world.revoked, &world.good, "localhost",
                   "\"/CN=revoked\" of the store is not accepted: certificate revoked",
                   "a PE did not accept us or our certificate: certificate revoked");
}

static void test_certificate_of_another_host(void **state)
{
    (void)state;
    expect_refused(&world.elsewhere, &world.good, "localhost",
                   "\"/CN=elsewhere\" of the store is not accepted: hostname mismatch",
                   "a PE did not accept us or our certificate: bad certificate");
    expect_refused(&world.elsewhere, &world.good, "127.0.0.1",
                   "\"/CN=elsewhere\" of the store is not accepted: IP address mismatch",
                   "a PE did not accept us or our certificate: bad certificate");
    expect_refused(&world.nameless, &world.good, "localhost",
                   "\"/CN=nameless\" of the store is not accepted: hostname mismatch",
                   "a PE did not accept us or our certificate: bad certificate");
}

static void expect_joined(const struct credentials *servers, const char *host)
{
    struct shm_store_tls *server_tls = load(servers, true);
    struct shm_store_tls *client_tls = load(&world.good, true);
    struct fixture fixture;

    start_server_with(&fixture, 2, server_tls);
    if (try_join(&fixture, 1, client_tls, host) != SHM_OK)
        fail_msg("%s", shm_error_detail());
    stop(&fixture);
    shm_store_tls_destroy(client_tls);
    shm_store_tls_destroy(server_tls);
}

/* PEs often know PE 0 by an address that no certificate names: then the authority's word counts. */
static void test_certificate_of_this_host(void **state)
{
    (void)state;
    expect_joined(&world.good, "localhost");
    expect_joined(&world.good, "127.0.0.1");
    expect_joined(&world.nameless, "127.0.0.1");
    expect_joined(&world.nameless, NULL);
    expect_joined(&world.elsewhere, NULL);
}

static void test_plain_client_of_a_store_with_tls(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;

    start_server_with(&fixture, 2, tls);
    assert_int_equal(try_join(&fixture, 1, NULL, NULL), SHM_REFUSED);
    expect_detail("PE 1 came without TLS, which this job asks for");
    expect_logged("refused a connection: PE 1 came without TLS");
    assert_int_equal(try_join(&fixture, 1, tls, NULL), SHM_OK);
    stop(&fixture);
    shm_store_tls_destroy(tls);
}

static void test_client_with_tls_of_a_plain_store(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;

    start_server(&fixture, 2);
    assert_int_equal(try_join(&fixture, 1, tls, NULL), SHM_REFUSED);
    expect_detail("TLS: this PE asks for it, but PE 0 serves the store without it");
    expect_logged("refused a connection: it came with TLS, but this job goes without");
    assert_int_equal(try_join(&fixture, 1, NULL, NULL), SHM_OK);
    stop(&fixture);
    shm_store_tls_destroy(tls);
}

/* The start of what a client says: a record of 500 bytes of which a few come. */
static const uint8_t half_hello[] = {0x16, 3, 1, 1, 0xf4, 1, 0, 1, 0xf0, 3, 3, 7, 7, 7};

static void test_half_a_handshake_holds_nobody_up(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;
    struct shm_store_client *clients[2];
    int stays;
    int goes;
    int silent;

    start_server_with(&fixture, 2, tls);
    silent = raw_connect(&fixture);
    stays = raw_connect(&fixture);
    raw_send(stays, half_hello, sizeof half_hello);
    goes = raw_connect(&fixture);
    raw_send(goes, half_hello, 3);
    close(goes);
    clients[0] = join(&fixture, 0);
    clients[1] = join(&fixture, 1);
    assert_int_equal(shm_store_set(clients[0], "k", slice_of("v"), soon()), SHM_OK);
    expect_stored(clients[1], "k", "v");
    leave(clients[0]);
    leave(clients[1]);
    stop(&fixture);
    close(silent);
    close(stays);
    shm_store_tls_destroy(tls);
}

static void test_garbage_instead_of_a_handshake(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;
    uint8_t garbage[600];
    int fd;

    start_server_with(&fixture, 2, tls);
    memset(garbage, 0xff, sizeof garbage);
    memcpy(garbage, half_hello, 5);
    fd = raw_connect(&fixture);
    raw_send(fd, garbage, sizeof garbage);
    expect_logged("refused a connection: TLS with a PE failed");
    close(fd);
    memset(garbage, 'x', sizeof garbage);
    fd = raw_connect(&fixture);
    raw_send(fd, garbage, sizeof garbage);
    expect_closed(fd);
    assert_int_equal(try_join(&fixture, 0, tls, NULL), SHM_OK);
    stop(&fixture);
    shm_store_tls_destroy(tls);
}

/* Something that accepts and stays silent in the middle of the handshake. */
static void test_client_gives_up_on_a_silent_store(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct shm_store_identity identity = {.rank = 1, .n_ranks = 2, .job_id = JOB_ID, .tls = tls};
    struct shm_address_list any;
    struct shm_store_client *client;
    int fd = -1;

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &any), SHM_OK);
    assert_int_equal(shm_address_listen(&any.entries[0], &fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(fd, &any.entries[0]), SHM_OK);
    any.count = 1;
    assert_int_equal(shm_store_connect(&any, &identity, shm_deadline_after_ms(200), &client),
                     SHM_TIMEOUT_ERROR);
    expect_detail("TLS handshake");
    close(fd);
    shm_store_tls_destroy(tls);
}

/* Shakes hands with the version given at most; tells whether that worked. */
static bool shake_hands(const struct fixture *fixture, int version)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl;
    int fd = raw_connect(fixture);
    bool is_done;

    SSL_CTX_set_security_level(context, 0); /* so that old versions are offered at all */
    SSL_CTX_set_min_proto_version(context, version);
    SSL_CTX_set_max_proto_version(context, version);
    assert_int_equal(SSL_CTX_use_certificate_file(context, world.good.file, SSL_FILETYPE_PEM), 1);
    {
        BIO *text = BIO_new_mem_buf(world.good.key, -1);
        EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, NULL, NULL);

        assert_int_equal(SSL_CTX_use_PrivateKey(context, key), 1);
        EVP_PKEY_free(key);
        BIO_free(text);
    }
    ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    is_done = SSL_connect(ssl) == 1;
    assert_true(!is_done || SSL_version(ssl) == version);
    SSL_free(ssl);
    SSL_CTX_free(context);
    close(fd);
    return is_done;
}

static void test_versions(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;

    start_server_with(&fixture, 2, tls);
    assert_true(shake_hands(&fixture, TLS1_3_VERSION));
    assert_true(shake_hands(&fixture, TLS1_2_VERSION));
    assert_false(shake_hands(&fixture, TLS1_1_VERSION));
    expect_logged("refused a connection: TLS with a PE failed: unsupported protocol");
    stop(&fixture);
    shm_store_tls_destroy(tls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_meet_and_exchange_large_values),
        cmocka_unit_test(test_certificate_of_another_authority),
        cmocka_unit_test(test_expired_certificate),
        cmocka_unit_test(test_certificate_that_ends_soon),
        cmocka_unit_test(test_revoked_certificate),
        cmocka_unit_test(test_certificate_of_another_host),
        cmocka_unit_test(test_certificate_of_this_host),
        cmocka_unit_test(test_plain_client_of_a_store_with_tls),
        cmocka_unit_test(test_client_with_tls_of_a_plain_store),
        cmocka_unit_test(test_half_a_handshake_holds_nobody_up),
        cmocka_unit_test(test_garbage_instead_of_a_handshake),
        cmocka_unit_test(test_client_gives_up_on_a_silent_store),
        cmocka_unit_test(test_versions),
    };

    return cmocka_run_group_tests(tests, world_build, world_remove);
}
