/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes as long as the server's patience with strangers: it belongs to the slow suite. */
#include "fixture.h"

static void test_silent_strangers_are_dropped_in_the_end(void **state)
{
    (void)state;
    struct fixture fixture;
    struct shm_store_client *client;
    struct shm_store_hello hello;
    uint8_t flat[128];
    int silent;
    int half;

    start_server(&fixture, 2);
    hello = good_hello(&fixture, 1);
    client = join(&fixture, 0);
    silent = raw_connect(&fixture);
    half = raw_connect(&fixture);
    raw_send(half, flat, flat_hello(&hello, flat) - 1);
    expect_closed(silent);
    expect_closed(half);
    /* members may be silent as long as they like */
    assert_int_equal(shm_store_set(client, "k", slice_of("v"), soon()), SHM_OK);
    leave(client);
    assert_int_equal(shm_store_server_stop(fixture.server, soon()), SHM_OK);
    shm_store_server_destroy(fixture.server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silent_strangers_are_dropped_in_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
