/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixture.h"

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    start_server(&fixture, 2);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    shm_store_server_destroy(fixture.server);
    return 0;
}

static void test_set_and_get(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);

    assert_int_equal(shm_store_set(client, "k", slice_of("one"), soon()), SHM_OK);
    expect_stored(client, "k", "one");
    assert_int_equal(shm_store_set(client, "k", slice_of(""), soon()), SHM_OK);
    expect_stored(client, "k", "");
    leave(client);
}

static void test_many_keys_in_one_get(void **state)
{
    (void)state;
    const char *keys[11] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_values values;

    for (int i = 0; i < 10; i++)
        assert_int_equal(shm_store_set(client, keys[i], slice_of(keys[9 - i]), soon()), SHM_OK);
    assert_int_equal(shm_store_get(client, keys, 10, soon(), &values), SHM_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(values.values[i].bytes, 1);
        assert_memory_equal(values.values[i].data, keys[9 - i], 1);
    }
    shm_store_values_free(&values);
    assert_int_equal(shm_store_get(client, keys, 11, soon(), &values), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "11 keys in one call to the store, expected 1..10");
    leave(client);
}

static void test_large_values(void **state)
{
    (void)state;
    size_t bytes = 40u << 20;
    char *data = malloc(bytes + 1);
    const char *key = "large";
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_values values;

    for (size_t i = 0; i < bytes; i++)
        data[i] = (char)(i * 7 + i / 255);
    assert_int_equal(shm_store_set(client, key, (struct shm_store_slice){data, bytes}, soon()),
                     SHM_OK);
    assert_int_equal(shm_store_get(client, &key, 1, soon(), &values), SHM_OK);
    assert_int_equal(values.values[0].bytes, bytes);
    assert_int_equal(memcmp(values.values[0].data, data, bytes), 0);
    shm_store_values_free(&values);
    assert_int_equal(shm_store_set(client, key,
                                   (struct shm_store_slice){data, SHM_STORE_VALUE_BYTES_MAX + 1},
                                   soon()),
                     SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "a value of 67108865 bytes, at most 67108864 fit");
    free(data);
    leave(client);
}

static void test_the_longest_key(void **state)
{
    (void)state;
    char key[SHM_STORE_KEY_BYTES_MAX + 2];
    struct shm_store_client *client = join(&fixture, 0);

    memset(key, 'k', sizeof key);
    key[SHM_STORE_KEY_BYTES_MAX] = '\0';
    assert_int_equal(shm_store_set(client, key, slice_of("v"), soon()), SHM_OK);
    expect_stored(client, key, "v");
    key[SHM_STORE_KEY_BYTES_MAX] = 'k';
    key[SHM_STORE_KEY_BYTES_MAX + 1] = '\0';
    assert_int_equal(shm_store_set(client, key, slice_of("v"), soon()), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "a key of 2049 bytes, expected 1..2048");
    assert_int_equal(shm_store_set(client, "", slice_of("v"), soon()), SHM_INVALID_VALUE);
    leave(client);
}

static void test_add_counts_in_decimal_text(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    int64_t sum = 0;

    assert_int_equal(shm_store_add(client, "n", 5, soon(), &sum), SHM_OK);
    assert_int_equal(sum, 5);
    assert_int_equal(shm_store_add(client, "n", -12, soon(), &sum), SHM_OK);
    assert_int_equal(sum, -7);
    expect_stored(client, "n", "-7");
    assert_int_equal(shm_store_set(client, "n", slice_of("9223372036854775807"), soon()), SHM_OK);
    assert_int_equal(shm_store_add(client, "n", 0, soon(), &sum), SHM_OK);
    assert_true(sum == INT64_MAX);
    assert_int_equal(shm_store_add(client, "n", 1, soon(), &sum), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "adding 1 does not fit in 64 bits");
    expect_stored(client, "n", "9223372036854775807");
    leave(client);
}

static void test_add_refuses_what_is_not_a_number(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "x",
                                        "1x",
                                        " 1",
                                        "+1",
                                        "-",
                                        "1-1",
                                        "0x1",
                                        "9223372036854775808",
                                        "111111111111111111111111111111111"};
    struct shm_store_client *client = join(&fixture, 0);
    int64_t sum = 77;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(shm_store_set(client, "n", slice_of(texts[i]), soon()), SHM_OK);
        assert_int_equal(shm_store_add(client, "n", 1, soon(), &sum), SHM_INVALID_VALUE);
        assert_string_equal(shm_error_detail(),
                            "the value to add to is not a decimal integer of 64 bits");
        assert_int_equal(sum, 77);
        expect_stored(client, "n", texts[i]);
    }
    leave(client);
}

static void test_append_gives_the_length(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    uint64_t bytes = 0;

    assert_int_equal(shm_store_append(client, "s", slice_of("abc"), soon(), &bytes), SHM_OK);
    assert_int_equal(bytes, 3);
    assert_int_equal(shm_store_append(client, "s", slice_of("de"), soon(), &bytes), SHM_OK);
    assert_int_equal(bytes, 5);
    expect_stored(client, "s", "abcde");
    leave(client);
}

static void test_append_stops_at_the_limit(void **state)
{
    (void)state;
    char *data = calloc(1, SHM_STORE_VALUE_BYTES_MAX);
    struct shm_store_client *client = join(&fixture, 0);
    uint64_t bytes = 0;

    assert_int_equal(shm_store_append(client, "s",
                                      (struct shm_store_slice){data, SHM_STORE_VALUE_BYTES_MAX},
                                      soon(), &bytes),
                     SHM_OK);
    assert_int_equal(bytes, SHM_STORE_VALUE_BYTES_MAX);
    assert_int_equal(shm_store_append(client, "s", slice_of("x"), soon(), &bytes),
                     SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(),
                        "the value would have 67108865 bytes, at most 67108864 fit");
    free(data);
    leave(client);
}

static void test_remove_counts(void **state)
{
    (void)state;
    const char *keys[] = {"a", "nothing", "b"};
    struct shm_store_client *client = join(&fixture, 0);
    uint64_t removed = 9;

    assert_int_equal(shm_store_set(client, "a", slice_of("1"), soon()), SHM_OK);
    assert_int_equal(shm_store_set(client, "b", slice_of("2"), soon()), SHM_OK);
    assert_int_equal(shm_store_server_key_count(fixture.server), 2);
    assert_int_equal(shm_store_remove(client, keys, 3, soon(), &removed), SHM_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(shm_store_server_key_count(fixture.server), 0);
    leave(client);
}

static void test_cas_swaps_only_what_is_expected(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    bool swapped = true;

    assert_int_equal(shm_store_cas(client, "c", slice_of("x"), slice_of("y"), soon(), &swapped),
                     SHM_OK);
    assert_false(swapped);
    assert_int_equal(shm_store_server_key_count(fixture.server), 0);
    assert_int_equal(shm_store_cas(client, "c", slice_of(""), slice_of("y"), soon(), &swapped),
                     SHM_OK);
    assert_true(swapped);
    expect_stored(client, "c", "y");
    assert_int_equal(shm_store_cas(client, "c", slice_of("z"), slice_of("q"), soon(), &swapped),
                     SHM_OK);
    assert_false(swapped);
    expect_stored(client, "c", "y");
    leave(client);
}

static enum shm_status add_a_thousand(struct worker *worker)
{
    enum shm_status status = SHM_OK;
    int64_t sum;

    for (int i = 0; status == SHM_OK && i < 1000; i++)
        status = shm_store_add(worker->client, "shared", 1, soon(), &sum);
    return status;
}

static void test_threads_share_a_client(void **state)
{
    (void)state;
    struct worker workers[4];
    struct shm_store_client *client = join(&fixture, 0);

    for (uint32_t i = 0; i < 4; i++)
        start_worker(&workers[i], &fixture, client, i, add_a_thousand);
    for (int i = 0; i < 4; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].status, SHM_OK);
    }
    expect_stored(client, "shared", "4000");
    leave(client);
}

static enum shm_status wait_for_two(struct worker *worker)
{
    const char *keys[] = {"late-1", "late-2"};
    struct shm_store_values values;
    enum shm_status status = shm_store_get(worker->client, keys, 2, soon(), &values);

    if (status != SHM_OK)
        return status;
    if (memcmp(values.values[0].data, "one", 3) != 0 ||
        memcmp(values.values[1].data, "two", 3) != 0)
        status = SHM_MISMATCH;
    shm_store_values_free(&values);
    return status;
}

/* The key it waits for first comes last, and one that it saw goes away again. */
static void test_get_waits_until_all_keys_are_there_at_once(void **state)
{
    (void)state;
    struct worker worker;
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_client *other = join(&fixture, 1);
    const char *first = "late-1";
    uint64_t removed;

    start_worker(&worker, &fixture, other, 1, wait_for_two);
    assert_int_equal(shm_store_set(client, "late-1", slice_of("xxx"), soon()), SHM_OK);
    assert_int_equal(shm_store_remove(client, &first, 1, soon(), &removed), SHM_OK);
    assert_int_equal(shm_store_set(client, "late-2", slice_of("two"), soon()), SHM_OK);
    assert_int_equal(shm_store_set(client, "late-1", slice_of("one"), soon()), SHM_OK);
    pthread_join(worker.thread, NULL);
    assert_int_equal(worker.status, SHM_OK);
    leave(client);
    leave(other);
}

static void test_nothing_works_after_goodbye(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 1);
    struct shm_store_event event;

    assert_int_equal(shm_store_goodbye(client, soon()), SHM_OK);
    assert_int_equal(shm_store_set(client, "k", slice_of("v"), soon()), SHM_CLOSED);
    assert_string_equal(shm_error_detail(), "PE 1 has left the store already");
    shm_store_poll(client, &event);
    assert_int_equal(event.kind, SHM_OK);
    shm_store_close(client);
}

/* A listener that accepts into its backlog and says nothing. */
static void test_a_silent_store_ends_at_the_deadline(void **state)
{
    (void)state;
    struct shm_address_list any;
    struct shm_store_identity identity = {.rank = 0, .n_ranks = 1};
    struct shm_store_client *client = NULL;
    int fd = -1;

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &any), SHM_OK);
    assert_int_equal(shm_address_listen(&any.entries[0], &fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(fd, &any.entries[0]), SHM_OK);
    assert_int_equal(shm_store_connect(&any, &identity, shm_deadline_after_ms(50), &client),
                     SHM_TIMEOUT_ERROR);
    assert_non_null(strstr(shm_error_detail(), "joining the store at tcp://127.0.0.1:"));
    assert_non_null(strstr(shm_error_detail(), "the store does not answer"));
    assert_null(client);
    close(fd);
}

static void *answer_garbage(void *argument)
{
    int fd = accept(*(int *)argument, NULL, NULL);

    while (fd < 0)
        fd = accept(*(int *)argument, NULL, NULL);
    if (send(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, MSG_NOSIGNAL) != 28)
        abort();
    close(fd);
    return NULL;
}

static void test_another_service_is_recognised(void **state)
{
    (void)state;
    struct shm_address_list any;
    struct shm_store_identity identity = {.rank = 0, .n_ranks = 1};
    struct shm_store_client *client = NULL;
    pthread_t thread;
    int fd = -1;

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &any), SHM_OK);
    assert_int_equal(shm_address_listen(&any.entries[0], &fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(fd, &any.entries[0]), SHM_OK);
    pthread_create(&thread, NULL, answer_garbage, &fd);
    assert_int_equal(shm_store_connect(&any, &identity, soon(), &client), SHM_PROTOCOL);
    assert_non_null(strstr(shm_error_detail(), "a frame of 1347703880 bytes"));
    pthread_join(thread, NULL);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_set_and_get, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_keys_in_one_get, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_longest_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_add_counts_in_decimal_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_add_refuses_what_is_not_a_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_append_gives_the_length, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_append_stops_at_the_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_remove_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cas_swaps_only_what_is_expected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads_share_a_client, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_get_waits_until_all_keys_are_there_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_works_after_goodbye, set_up, tear_down),
        cmocka_unit_test(test_a_silent_store_ends_at_the_deadline),
        cmocka_unit_test(test_another_service_is_recognised),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
