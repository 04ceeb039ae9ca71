/* SPDX-License-Identifier: BSD-3-Clause */
/* 2,000 members that are connected at once do one allgather, driven by one loop. */
#include "fixture.h"

#include <sys/resource.h>

#define CLIENTS 2000u
#define PAYLOAD_BYTES 8u
#define ENTRY_BYTES (8u + PAYLOAD_BYTES)

static struct fixture fixture;
static int fds[CLIENTS];

static void raise_limit(void)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur < 2 * CLIENTS + 100)
        skip();
}

static void send_hello(uint32_t rank)
{
    struct shm_store_hello hello = good_hello(&fixture, rank);
    uint8_t flat[128];

    fds[rank] = raw_connect(&fixture);
    raw_send(fds[rank], flat, flat_hello(&hello, flat));
}

static void send_append(uint32_t rank)
{
    uint8_t entry[ENTRY_BYTES] = {(uint8_t)rank, (uint8_t)(rank >> 8), 0, 0, PAYLOAD_BYTES};
    struct shm_store_frame frame = {.operation = SHM_STORE_APPEND,
                                    .key_count = 1,
                                    .value_count = 1,
                                    .sequence = 1,
                                    .keys = {{"data", 4}},
                                    .values = {{entry, sizeof entry}}};
    uint8_t flat[128];

    memset(entry + 8, (int)(rank % 251), PAYLOAD_BYTES);
    raw_send(fds[rank], flat, flat_frame(&frame, flat));
}

static void send_get(uint32_t rank)
{
    struct shm_store_frame frame = {.operation = SHM_STORE_GET,
                                    .flags = SHM_STORE_GROUP,
                                    .key_count = 2,
                                    .sequence = 2,
                                    .number = LONG_MS,
                                    .keys = {{"ready", 5}, {"data", 4}}};
    uint8_t flat[128];

    raw_send(fds[rank], flat, flat_frame(&frame, flat));
}

static void send_set(uint32_t rank)
{
    struct shm_store_frame frame = {.operation = SHM_STORE_SET,
                                    .key_count = 1,
                                    .value_count = 1,
                                    .sequence = 3,
                                    .keys = {{"ready", 5}},
                                    .values = {{"", 0}}};
    uint8_t flat[128];

    raw_send(fds[rank], flat, flat_frame(&frame, flat));
}

static uint64_t receive_number(uint32_t rank)
{
    struct shm_store_frame reply;
    uint8_t flat[512];

    raw_receive(fds[rank], flat, sizeof flat, &reply);
    assert_int_equal(reply.operation, SHM_STORE_REPLY);
    assert_int_equal(reply.status, SHM_OK);
    return reply.number;
}

static void receive_gathered(uint32_t rank, uint8_t *flat, size_t bytes)
{
    struct shm_store_frame reply;
    static uint8_t seen[UINT16_MAX + 1];
    const uint8_t *entry;

    assert_int_equal(shm_socket_receive(fds[rank], flat, bytes, soon()), SHM_OK);
    assert_int_equal(shm_store_frame_parse(flat, bytes, bytes, &reply), SHM_OK);
    assert_int_equal(reply.sequence, 2);
    assert_int_equal(reply.value_count, 2);
    assert_int_equal(reply.values[1].bytes, CLIENTS * ENTRY_BYTES);
    memset(seen, 0, sizeof seen);
    entry = reply.values[1].data;
    for (uint32_t i = 0; i < CLIENTS; i++, entry += ENTRY_BYTES) {
        uint32_t owner = entry[0] | (uint32_t)entry[1] << 8;

        assert_true(owner < CLIENTS && !seen[owner]);
        seen[owner] = 1;
        assert_int_equal(entry[8], owner % 251);
    }
}

static void test_2000_members_gather(void **state)
{
    (void)state;
    size_t reply_bytes = SHM_STORE_HEADER_BYTES + 8 + CLIENTS * ENTRY_BYTES;
    uint8_t *flat = malloc(reply_bytes);
    uint64_t most = 0;

    raise_limit();
    start_server(&fixture, CLIENTS);
    for (uint32_t rank = 0; rank < CLIENTS; rank++)
        send_hello(rank);
    for (uint32_t rank = 0; rank < CLIENTS; rank++)
        receive_number(rank);
    for (uint32_t rank = 0; rank < CLIENTS; rank++)
        send_append(rank);
    for (uint32_t rank = 0; rank < CLIENTS; rank++) {
        uint64_t bytes = receive_number(rank);

        most = bytes > most ? bytes : most;
    }
    assert_int_equal(most, CLIENTS * ENTRY_BYTES);
    for (uint32_t rank = 0; rank < CLIENTS; rank++)
        send_get(rank);
    send_set(0);
    /* rank 0 gets its gathered data and the answer to SET in the order in which they arose */
    for (uint32_t rank = 0; rank < CLIENTS; rank++)
        receive_gathered(rank, flat, reply_bytes);
    receive_number(0);
    for (uint32_t rank = 0; rank < CLIENTS; rank++)
        close(fds[rank]);
    assert_int_equal(shm_store_server_stop(fixture.server, soon()), SHM_OK);
    shm_store_server_destroy(fixture.server);
    free(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2000_members_gather),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
