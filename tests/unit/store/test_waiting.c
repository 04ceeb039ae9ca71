/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixture.h"

#define GROUP_LIMIT_MS 400u

static struct fixture fixture;

static void start(uint32_t n_ranks)
{
    start_server(&fixture, n_ranks);
}

static void stop(void)
{
    shm_store_server_destroy(fixture.server);
}

static enum shm_status wait_for_nothing(struct worker *worker)
{
    const char *key = "never";
    struct shm_store_values values;

    return shm_store_get(worker->client, &key, 1, shm_deadline_after_ms(30), &values);
}

static void test_a_get_ends_at_its_limit(void **state)
{
    (void)state;
    struct shm_store_client *client;
    struct worker worker;

    start(1);
    client = join(&fixture, 0);
    start_worker(&worker, &fixture, client, 0, wait_for_nothing);
    pthread_join(worker.thread, NULL);
    assert_int_equal(worker.status, SHM_TIMEOUT_ERROR);
    assert_string_equal(worker.detail, "the time limit passed while waiting for key \"never\"");
    assert_int_equal(shm_store_set(client, "never", slice_of("now"), soon()), SHM_OK);
    expect_stored(client, "never", "now");
    leave(client);
    stop();
}

static void test_a_limit_that_has_passed_reads_what_is_there(void **state)
{
    (void)state;
    const char *key = "k";
    struct shm_store_values values;
    struct shm_store_client *client;

    start(1);
    client = join(&fixture, 0);
    assert_int_equal(shm_store_get(client, &key, 1, 1, &values), SHM_TIMEOUT_ERROR);
    assert_int_equal(shm_store_set(client, key, slice_of("v"), soon()), SHM_OK);
    assert_int_equal(shm_store_get(client, &key, 1, 1, &values), SHM_OK);
    shm_store_values_free(&values);
    leave(client);
    stop();
}

/* Rank 0 has the short limit; the others would wait much longer than this test may last. */
static enum shm_status group_barrier(struct worker *worker)
{
    uint64_t limit = worker->rank == 0 ? GROUP_LIMIT_MS : 600000;

    return shm_store_barrier(worker->client, shm_deadline_after_ms(limit));
}

/* Ranks in `present` call a barrier, those in `idle` are connected only. All who wait must hear
 * the expected line. */
static void expect_missing(const char *present, const char *idle, const char *expected)
{
    struct worker workers[8];
    struct shm_store_client *idlers[8];
    size_t count = strlen(present);

    for (size_t i = 0; i < strlen(idle); i++)
        idlers[i] = join(&fixture, (uint32_t)(idle[i] - '0'));
    for (size_t i = 0; i < count; i++) {
        uint32_t rank = (uint32_t)(present[i] - '0');

        workers[i].client = join(&fixture, rank);
        start_worker(&workers[i], &fixture, workers[i].client, rank, group_barrier);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_string_equal(workers[i].detail, expected);
        assert_int_equal(workers[i].status, SHM_TIMEOUT_ERROR);
        leave(workers[i].client);
    }
    for (size_t i = 0; i < strlen(idle); i++)
        leave(idlers[i]);
}

static void test_the_missing_are_named_to_everyone_at_once(void **state)
{
    (void)state;
    start(8);
    expect_missing("0124", "567", "PEs 3 and 5-7 are missing (3 never connected)");
    stop();
    start(8);
    expect_missing("0123567", "4", "PE 4 is missing");
    stop();
    start(3);
    expect_missing("01", "", "PE 2 is missing (2 never connected)");
    stop();
}

static void test_who_said_goodbye_is_named(void **state)
{
    (void)state;
    start(4);
    leave(join(&fixture, 2));
    expect_missing("0", "1", "PEs 1-3 are missing (2 said goodbye; 3 never connected)");
    stop();
}

static void test_a_refusal_explains_who_never_connected(void **state)
{
    (void)state;
    struct shm_store_identity stranger = {.rank = 1, .n_ranks = 2, .job_id = JOB_ID + 1};
    struct shm_store_client *client = NULL;

    start(2);
    assert_int_equal(shm_store_connect(&fixture.addresses, &stranger, soon(), &client),
                     SHM_REFUSED);
    expect_missing("0", "",
                   "PE 1 is missing (1 never connected; last refused: PE 1 has the job id of "
                   "another job)");
    stop();
}

static enum shm_status barrier_or_allgather(struct worker *worker)
{
    char all[2];

    if (worker->rank == 0)
        return shm_store_barrier(worker->client, shm_deadline_after_ms(GROUP_LIMIT_MS));
    return shm_store_allgather(worker->client, "x", 1, all, shm_deadline_after_ms(600000));
}

static void test_different_operations_are_told_apart(void **state)
{
    (void)state;
    struct worker workers[2];

    start(2);
    for (uint32_t rank = 0; rank < 2; rank++)
        start_worker(&workers[rank], &fixture, join(&fixture, rank), rank, barrier_or_allgather);
    for (uint32_t rank = 0; rank < 2; rank++) {
        pthread_join(workers[rank].thread, NULL);
        assert_int_equal(workers[rank].status, SHM_TIMEOUT_ERROR);
        assert_string_equal(workers[rank].detail,
                            "no PE is missing: all wait here, but not for the same operation");
        leave(workers[rank].client);
    }
    stop();
}

static enum shm_status mixed_limits(struct worker *worker)
{
    char key[32];
    const char *keys = key;
    struct shm_store_values values;
    enum shm_status status;

    for (int i = 0; i < 20; i++) {
        snprintf(key, sizeof key, "key-%u-%d", worker->rank, i);
        status = shm_store_get(worker->client, &keys, 1,
                               shm_deadline_after_ms((worker->rank * 7 + (uint32_t)i * 3) % 23),
                               &values);
        if (status != SHM_TIMEOUT_ERROR)
            return SHM_MISMATCH;
    }
    return SHM_OK;
}

/* Many timers come and go; nobody's limit is lost. */
static void test_many_limits_at_once(void **state)
{
    (void)state;
    struct worker workers[32];

    start(32);
    for (uint32_t rank = 0; rank < 32; rank++)
        start_worker(&workers[rank], &fixture, join(&fixture, rank), rank, mixed_limits);
    for (uint32_t rank = 0; rank < 32; rank++) {
        pthread_join(workers[rank].thread, NULL);
        assert_int_equal(workers[rank].status, SHM_OK);
        leave(workers[rank].client);
    }
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_get_ends_at_its_limit),
        cmocka_unit_test(test_a_limit_that_has_passed_reads_what_is_there),
        cmocka_unit_test(test_the_missing_are_named_to_everyone_at_once),
        cmocka_unit_test(test_who_said_goodbye_is_named),
        cmocka_unit_test(test_a_refusal_explains_who_never_connected),
        cmocka_unit_test(test_different_operations_are_told_apart),
        cmocka_unit_test(test_many_limits_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
