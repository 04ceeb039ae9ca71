/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixture.h"

#define FLAT_BYTES 32768

static struct shm_store_frame example(void)
{
    return (struct shm_store_frame){.operation = SHM_STORE_CAS,
                                    .flags = 0x81,
                                    .key_count = 1,
                                    .value_count = 2,
                                    .sequence = 0x01020304,
                                    .status = -1003,
                                    .number = 0x1122334455667788ull,
                                    .keys = {{"key", 3}},
                                    .values = {{"", 0}, {"value", 5}}};
}

static void test_a_frame_survives_the_way_through_bytes(void **state)
{
    (void)state;
    struct shm_store_frame frame = example();
    struct shm_store_frame parsed;
    uint8_t flat[FLAT_BYTES];
    size_t bytes = flat_frame(&frame, flat);

    assert_int_equal(bytes, 24 + 12 + 8);
    assert_int_equal(shm_store_frame_parse(flat, bytes, FLAT_BYTES, &parsed), SHM_OK);
    assert_int_equal(parsed.bytes, bytes);
    assert_int_equal(parsed.operation, SHM_STORE_CAS);
    assert_int_equal(parsed.flags, 0x81);
    assert_int_equal(parsed.sequence, 0x01020304);
    assert_int_equal(parsed.status, -1003);
    assert_true(parsed.number == 0x1122334455667788ull);
    assert_int_equal(parsed.keys[0].bytes, 3);
    assert_memory_equal(parsed.keys[0].data, "key", 3);
    assert_int_equal(parsed.values[0].bytes, 0);
    assert_int_equal(parsed.values[1].bytes, 5);
    assert_memory_equal(parsed.values[1].data, "value", 5);
}

static void test_bytes_are_little_endian(void **state)
{
    (void)state;
    struct shm_store_frame frame = example();
    static const uint8_t head[] = {44,   0,    0,    0,    SHM_STORE_CAS, 0x81, 1,    2,
                                   4,    3,    2,    1,    0x15,          0xfc, 0xff, 0xff,
                                   0x88, 0x77, 0x66, 0x55, 0x44,          0x33, 0x22, 0x11};
    uint8_t flat[FLAT_BYTES];

    flat_frame(&frame, flat);
    assert_memory_equal(flat, head, sizeof head);
}

static void test_every_part_of_a_frame_is_incomplete(void **state)
{
    (void)state;
    struct shm_store_frame frame = example();
    struct shm_store_frame parsed;
    uint8_t flat[FLAT_BYTES];
    size_t bytes = flat_frame(&frame, flat);

    for (size_t part = 0; part < bytes; part++)
        assert_int_equal(shm_store_frame_parse(flat, part, FLAT_BYTES, &parsed), SHM_AGAIN);
}

static void expect_violation(const uint8_t *flat, size_t bytes, const char *reason)
{
    struct shm_store_frame parsed;

    assert_int_equal(shm_store_frame_parse(flat, bytes, FLAT_BYTES, &parsed), SHM_PROTOCOL);
    assert_string_equal(shm_error_detail(), reason);
}

static void test_violations_are_seen_before_the_bulk_arrives(void **state)
{
    (void)state;
    struct shm_store_frame frame = example();
    uint8_t good[FLAT_BYTES];
    uint8_t flat[FLAT_BYTES];

    flat_frame(&frame, good);

    memcpy(flat, good, sizeof flat);
    flat[0] = 23;
    expect_violation(flat, 24, "a frame of 23 bytes, expected 24..32768");
    flat[0] = 1;
    flat[1] = 0x80;
    expect_violation(flat, 24, "a frame of 32769 bytes, expected 24..32768");

    memcpy(flat, good, sizeof flat);
    flat[4] = 11;
    expect_violation(flat, 24, "a frame with the unknown operation 11");

    memcpy(flat, good, sizeof flat);
    flat[6] = 11;
    expect_violation(flat, 24, "a frame with 11 keys and 2 values, at most 10 are allowed");

    memcpy(flat, good, sizeof flat);
    flat[0] = 35;
    expect_violation(flat, 24, "a frame of 35 bytes with 1 keys and 2 values");

    memcpy(flat, good, sizeof flat);
    flat[24] = 0;
    expect_violation(flat, 36, "a key of 0 bytes, expected 1..2048");
    flat[24] = 1;
    flat[25] = 8;
    expect_violation(flat, 36, "a key of 2049 bytes, expected 1..2048");

    memcpy(flat, good, sizeof flat);
    flat[28] = 1;
    flat[31] = 4;
    expect_violation(flat, 36, "a value of 67108865 bytes, at most 67108864 are allowed");

    memcpy(flat, good, sizeof flat);
    flat[28] = 6;
    expect_violation(flat, 36, "a frame of 44 bytes whose items need more");
    flat[28] = 0;
    flat[32] = 4;
    expect_violation(flat, 36, "a frame of 44 bytes whose items end at 43");
}

static void test_the_largest_frame_fits_the_length(void **state)
{
    (void)state;
    assert_true(SHM_STORE_FRAME_BYTES_MAX <= UINT32_MAX);
}

static void put(struct shm_store_reader *reader, const void *data, size_t bytes)
{
    uint8_t *room;
    size_t room_bytes;

    while (bytes > 0) {
        assert_int_equal(shm_store_reader_room(reader, &room, &room_bytes), SHM_OK);
        assert_true(room_bytes > 0);
        if (room_bytes > bytes)
            room_bytes = bytes;
        memcpy(room, data, room_bytes);
        reader->used += room_bytes;
        data = (const char *)data + room_bytes;
        bytes -= room_bytes;
    }
}

static void test_a_reader_keeps_what_is_not_consumed(void **state)
{
    (void)state;
    struct shm_store_frame frame = example();
    struct shm_store_frame parsed;
    struct shm_store_reader reader = {0};
    uint8_t flat[FLAT_BYTES];
    size_t bytes = flat_frame(&frame, flat);
    void *block = NULL;

    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_AGAIN);
    put(&reader, flat, bytes);
    put(&reader, flat, bytes);
    put(&reader, flat, 30);
    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_OK);
    shm_store_reader_drop(&reader, parsed.bytes);
    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_OK);
    assert_int_equal(shm_store_reader_take(&reader, parsed.bytes, &block), SHM_OK);
    assert_memory_equal(parsed.values[1].data, "value", 5);
    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_AGAIN);
    put(&reader, flat + 30, bytes - 30);
    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_OK);
    shm_store_reader_drop(&reader, parsed.bytes);
    assert_null(reader.data);
    free(block);
}

static void test_a_reader_grows_only_as_bytes_arrive(void **state)
{
    (void)state;
    struct shm_store_frame frame = example();
    struct shm_store_frame parsed;
    struct shm_store_reader reader = {0};
    static char big[20000];
    uint8_t flat[FLAT_BYTES];
    size_t bytes;

    frame.values[1] = (struct shm_store_slice){big, sizeof big};
    bytes = flat_frame(&frame, flat);
    put(&reader, flat, 40);
    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_AGAIN);
    assert_true(reader.capacity <= 4096);
    put(&reader, flat + 40, bytes - 40);
    assert_int_equal(shm_store_reader_peek(&reader, FLAT_BYTES, &parsed), SHM_OK);
    assert_true(reader.capacity <= 2 * bytes);
    shm_store_reader_fini(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_frame_survives_the_way_through_bytes),
        cmocka_unit_test(test_bytes_are_little_endian),
        cmocka_unit_test(test_every_part_of_a_frame_is_incomplete),
        cmocka_unit_test(test_violations_are_seen_before_the_bulk_arrives),
        cmocka_unit_test(test_the_largest_frame_fits_the_length),
        cmocka_unit_test(test_a_reader_keeps_what_is_not_consumed),
        cmocka_unit_test(test_a_reader_grows_only_as_bytes_arrive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
