/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes as long as the server's patience with strangers: it belongs to the slow suite. */
#include "tls.h"

static void test_half_a_handshake_is_dropped_in_the_end(void **state)
{
    (void)state;
    static const uint8_t half_hello[] = {SHM_STORE_TLS_FIRST_BYTE, 3, 1, 1, 0xf4, 1, 0, 1};
    struct shm_store_tls *tls = load(&world.good, false);
    struct fixture fixture;
    struct shm_store_client *client;
    int half;

    start_server_with(&fixture, 2, tls);
    client = join(&fixture, 0);
    half = raw_connect(&fixture);
    raw_send(half, half_hello, sizeof half_hello);
    expect_closed(half);
    assert_int_equal(shm_store_set(client, "k", slice_of("v"), soon()), SHM_OK);
    leave(client);
    stop(&fixture);
    shm_store_tls_destroy(tls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_a_handshake_is_dropped_in_the_end),
    };

    return cmocka_run_group_tests(tests, world_build, world_remove);
}
