/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading certificates and keys, and that nothing of what was said can be read on the way. */
#include "tls.h"

#include <poll.h>

/* ---- keys ---- */

static int open_sesame(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    static const char password[] = "open sesame";

    if (cipher_bytes != 4 || memcmp(cipher, "\0abc", 4) != 0 || *plain_bytes < sizeof password)
        return 1;
    memcpy(plain, password, sizeof password - 1);
    *plain_bytes = sizeof password - 1;
    return 0;
}

static void test_key_whose_password_the_callback_decrypts(void **state)
{
    (void)state;
    char info[1024];
    struct shm_bootstrap_tls settings = settings_of(&world.locked, info, sizeof info);
    struct shm_store_tls *tls = NULL;
    struct fixture fixture;

    settings.password = "\0abc"; /* cipher text may contain any byte */
    settings.password_bytes = 4;
    settings.decrypt = open_sesame;
    assert_int_equal(shm_store_tls_create(&settings, &tls), SHM_OK);
    start_server_with(&fixture, 1, tls);
    leave(join(&fixture, 0));
    stop(&fixture);
    shm_store_tls_destroy(tls);
}

static void expect_useless(const struct shm_bootstrap_tls *settings, const char *said)
{
    struct shm_store_tls *tls = NULL;

    assert_int_equal(shm_store_tls_create(settings, &tls), SHM_INVALID_PARAM);
    assert_null(tls);
    expect_detail(said);
}

static void test_key_of_no_use(void **state)
{
    (void)state;
    char info[1024];
    struct shm_bootstrap_tls settings = settings_of(&world.locked, info, sizeof info);

    expect_useless(&settings, "TLS: reading the private key tls_pk: "); /* nobody is asked for it */
    settings.password = "closed sesame";
    settings.password_bytes = strlen(settings.password);
    expect_useless(&settings, "TLS: reading the private key tls_pk: ");
    settings.decrypt = open_sesame; /* another cipher text than it knows */
    expect_useless(&settings, "the decrypt handler returned 1");
    settings = settings_of(&world.good, info, sizeof info);
    settings.key = world.foreign.key;
    settings.key_bytes = strlen(settings.key);
    expect_useless(&settings, "does not belong to the certificate of tlsCert");
    settings.key = "/a/path/to/a/key.pem";
    settings.key_bytes = strlen(settings.key);
    expect_useless(&settings, "tls_pk is not a key in PEM form");
    settings.key = "-----BEGIN PRIVATE KEY-----\nbm8ga2V5\n-----END PRIVATE KEY-----\n";
    settings.key_bytes = strlen(settings.key);
    expect_useless(&settings, "TLS: reading the private key tls_pk: ");
    settings.key = NULL;
    expect_useless(&settings, "there is no private key");
}

/* ---- files ---- */

static void expect_useless_info(const char *info, const char *said)
{
    struct shm_bootstrap_tls settings = {.bytes = sizeof settings,
                                         .info = info,
                                         .info_bytes = strlen(info),
                                         .key = world.good.key,
                                         .key_bytes = strlen(world.good.key)};

    expect_useless(&settings, said);
}

static void test_missing_files(void **state)
{
    (void)state;
    char info[1024];

    snprintf(info, sizeof info, "tlsCaFile: %s; tlsCert: /nowhere/c.pem", world.authority.file);
    expect_useless_info(info, "tlsCert /nowhere/c.pem: No such file");
    snprintf(info, sizeof info, "tlsCaFile: %s, /nowhere/a.pem; tlsCert: %s", world.authority.file,
             world.good.file);
    expect_useless_info(info, "tlsCaFile /nowhere/a.pem: ");
    snprintf(info, sizeof info, "tlsCaFile: %s; tlsCert: %s; tlsCrlFile: /nowhere/r.pem",
             world.authority.file, world.good.file);
    expect_useless_info(info, "tlsCrlFile /nowhere/r.pem: ");
    /* a file that holds something else */
    snprintf(info, sizeof info, "tlsCaFile: %s; tlsCert: %s; tlsCrlFile: %s", world.authority.file,
             world.good.file, world.good.file);
    expect_useless_info(info, "tlsCrlFile ");
    snprintf(info, sizeof info, "tlsCaFile: %s; tlsCert: %s/revoked.crl", world.authority.file,
             world.folder);
    expect_useless_info(info, "tlsCert ");
    expect_useless_info("", "names no tlsCert");
}

/* ---- what a listener on the way can read ---- */

struct proxy {
    int listen_fd;
    const struct fixture *behind;
    uint8_t *seen;
    size_t seen_bytes;
    size_t room;
    pthread_t thread;
};

/* Passes on what there is; false at the end. */
static bool pass(struct proxy *proxy, int from, int to)
{
    uint8_t bytes[16384];
    ssize_t received = recv(from, bytes, sizeof bytes, 0);

    if (received <= 0 || proxy->seen_bytes + (size_t)received > proxy->room)
        return false;
    memcpy(proxy->seen + proxy->seen_bytes, bytes, (size_t)received);
    proxy->seen_bytes += (size_t)received;
    return shm_socket_send(to, bytes, (size_t)received, soon()) == SHM_OK;
}

static void *run_proxy(void *argument)
{
    struct proxy *proxy = argument;
    struct pollfd ends[2] = {{.fd = proxy->listen_fd, .events = POLLIN}, {.fd = -1}};
    bool goes_on = poll(ends, 1, LONG_MS) == 1;

    ends[0].fd = accept4(proxy->listen_fd, NULL, NULL, SOCK_CLOEXEC);
    goes_on = goes_on && ends[0].fd >= 0 &&
              shm_address_connect(&proxy->behind->addresses, soon(), &ends[1].fd) == SHM_OK;
    ends[1].events = POLLIN;
    while (goes_on && poll(ends, 2, LONG_MS) > 0) {
        for (int i = 0; goes_on && i < 2; i++)
            if (ends[i].revents != 0)
                goes_on = pass(proxy, ends[i].fd, ends[1 - i].fd);
    }
    close(ends[0].fd);
    close(ends[1].fd);
    return NULL;
}

static void start_proxy(struct proxy *proxy, struct shm_address_list *out_address)
{
    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, out_address), SHM_OK);
    assert_int_equal(shm_address_listen(&out_address->entries[0], &proxy->listen_fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(proxy->listen_fd, &out_address->entries[0]), SHM_OK);
    out_address->count = 1;
    proxy->room = 1u << 20;
    proxy->seen = malloc(proxy->room);
    assert_non_null(proxy->seen);
    assert_int_equal(pthread_create(&proxy->thread, NULL, run_proxy, proxy), 0);
}

static bool was_seen(const struct proxy *proxy, const char *text)
{
    return memmem(proxy->seen, proxy->seen_bytes, text, strlen(text)) != NULL;
}

/* A member says and hears things through a proxy; the test looks for them in what passed. */
static void expect_seen(struct shm_store_tls *tls, bool expected)
{
    struct fixture fixture;
    struct proxy proxy = {.behind = &fixture};
    struct shm_address_list at_proxy;
    struct shm_store_identity identity = {.rank = 1, .n_ranks = 2, .job_id = JOB_ID, .tls = tls};
    const uint64_t job_id = JOB_ID;
    struct shm_store_client *direct;
    struct shm_store_client *client;

    start_server_with(&fixture, 2, tls);
    start_proxy(&proxy, &at_proxy);
    direct = join(&fixture, 0);
    assert_int_equal(shm_store_connect(&at_proxy, &identity, soon(), &client), SHM_OK);
    assert_int_equal(shm_store_set(client, "the/key", slice_of("the value"), soon()), SHM_OK);
    assert_int_equal(shm_store_set(direct, "other/key", slice_of("the answer"), soon()), SHM_OK);
    expect_stored(client, "other/key", "the answer");
    leave(client);
    leave(direct);
    pthread_join(proxy.thread, NULL);
    stop(&fixture);
    close(proxy.listen_fd);
    assert_true(proxy.seen_bytes > 100);
    assert_int_equal(was_seen(&proxy, "the/key"), expected);
    assert_int_equal(was_seen(&proxy, "the value"), expected);
    assert_int_equal(was_seen(&proxy, "other/key"), expected);
    assert_int_equal(was_seen(&proxy, "the answer"), expected);
    assert_int_equal(memmem(proxy.seen, proxy.seen_bytes, &job_id, sizeof job_id) != NULL,
                     expected);
    free(proxy.seen);
}

static void test_nothing_can_be_read_on_the_way(void **state)
{
    (void)state;
    struct shm_store_tls *tls = load(&world.good, false);

    expect_seen(NULL, true); /* the proxy does see what is not encrypted */
    expect_seen(tls, false);
    shm_store_tls_destroy(tls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_whose_password_the_callback_decrypts),
        cmocka_unit_test(test_key_of_no_use),
        cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_nothing_can_be_read_on_the_way),
    };

    return cmocka_run_group_tests(tests, world_build, world_remove);
}
