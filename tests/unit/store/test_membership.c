/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"
#include "fixture.h"

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    start_server(&fixture, 4);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    shm_store_server_destroy(fixture.server);
    return 0;
}

/* ---- coming ---- */

static void expect_refusal(struct shm_store_identity identity, const char *reason)
{
    struct shm_store_client *client = NULL;
    const char *told;

    assert_int_equal(shm_store_connect(&fixture.addresses, &identity, soon(), &client),
                     SHM_REFUSED);
    told = strstr(shm_error_detail(), reason);
    assert_non_null(told);
    assert_string_equal(told, reason);
    assert_null(client);
}

static void test_refusals_give_the_reason(void **state)
{
    (void)state;
    struct shm_store_client *first = join(&fixture, 1);

    expect_refusal((struct shm_store_identity){.rank = 2, .n_ranks = 4, .job_id = JOB_ID ^ 1},
                   ": PE 2 has the job id of another job");
    expect_refusal(
        (struct shm_store_identity){.rank = 2, .n_ranks = 4, .job_id = JOB_ID ^ 1ull << 63},
        ": PE 2 has the job id of another job");
    expect_refusal((struct shm_store_identity){.rank = 2, .n_ranks = 5, .job_id = JOB_ID},
                   ": PE 2 counts 5 PEs in the job, the store counts 4");
    expect_refusal((struct shm_store_identity){.rank = 4, .n_ranks = 4, .job_id = JOB_ID},
                   ": PE number 4, expected 0..3");
    expect_refusal((struct shm_store_identity){.rank = 1, .n_ranks = 4, .job_id = JOB_ID},
                   ": PE 1 is connected already");
    leave(first);
    expect_refusal((struct shm_store_identity){.rank = 1, .n_ranks = 4, .job_id = JOB_ID},
                   ": PE 1 has left the job already");
}

/* The first one still works while others are refused in its name. */
static void test_a_refused_double_does_not_disturb(void **state)
{
    (void)state;
    struct shm_store_client *first = join(&fixture, 1);

    expect_refusal((struct shm_store_identity){.rank = 1, .n_ranks = 4, .job_id = JOB_ID},
                   ": PE 1 is connected already");
    assert_int_equal(shm_store_set(first, "k", slice_of("v"), soon()), SHM_OK);
    expect_stored(first, "k", "v");
    leave(first);
}

static void expect_raw_refusal(struct shm_store_hello hello, const char *reason)
{
    struct shm_store_frame reply;
    uint8_t flat[512];
    int fd = raw_connect(&fixture);

    raw_send(fd, flat, flat_hello(&hello, flat));
    raw_receive(fd, flat, sizeof flat, &reply);
    assert_int_equal(reply.operation, SHM_STORE_REPLY);
    assert_int_equal(reply.status, SHM_REFUSED);
    assert_int_equal(reply.values[0].bytes, strlen(reason));
    assert_memory_equal(reply.values[0].data, reason, strlen(reason));
    expect_closed(fd);
}

static void test_foreign_protocols_are_refused(void **state)
{
    (void)state;
    struct shm_store_hello hello = good_hello(&fixture, 0);

    hello.magic = 0xcafe;
    expect_raw_refusal(hello, "magic number 0x0000cafe, expected 0x534d4853");
    hello = good_hello(&fixture, 0);
    hello.version = 7;
    expect_raw_refusal(hello, "protocol version 7, the store has 2");
}

/* ---- going ---- */

static enum shm_status long_barrier(struct worker *worker)
{
    return shm_store_barrier(worker->client, shm_deadline_after_ms(600000));
}

static enum shm_status long_allgather(struct worker *worker)
{
    char all[4];

    return shm_store_allgather(worker->client, "x", 1, all, shm_deadline_after_ms(600000));
}

/* Waits until `key` has the value `expected`. */
static void wait_for_value(struct shm_store_client *client, const char *key, const char *expected)
{
    for (;;) {
        struct shm_store_values values;
        bool is_there;

        assert_int_equal(shm_store_get(client, &key, 1, soon(), &values), SHM_OK);
        is_there = values.values[0].bytes == strlen(expected) &&
                   memcmp(values.values[0].data, expected, strlen(expected)) == 0;
        shm_store_values_free(&values);
        if (is_there)
            return;
    }
}

static void expect_event(struct shm_store_client *client, enum shm_status kind, uint32_t rank,
                         int exit_status)
{
    struct shm_store_event event = {.kind = SHM_OK};
    uint64_t deadline = soon();

    while (event.kind == SHM_OK && !shm_deadline_passed(deadline))
        shm_store_poll(client, &event);
    assert_int_equal(event.kind, kind);
    assert_int_equal(event.rank, rank);
    assert_int_equal(event.exit_status, exit_status);
}

static void test_a_failed_rank_ends_the_waits_of_the_others(void **state)
{
    (void)state;
    struct worker workers[3];
    struct shm_store_client *victim = join(&fixture, 3);
    struct shm_store_event event;
    const char *key = "group/0/count";
    struct shm_store_values values;

    for (uint32_t rank = 0; rank < 3; rank++)
        start_worker(&workers[rank], &fixture, join(&fixture, rank), rank, long_barrier);
    wait_for_value(victim, key, "3");
    shm_store_close(victim);
    for (uint32_t rank = 0; rank < 3; rank++) {
        pthread_join(workers[rank].thread, NULL);
        assert_int_equal(workers[rank].status, SHM_PEER_LOST);
        assert_string_equal(workers[rank].detail, "PE 3 failed: its connection broke");
        shm_store_poll(workers[rank].client, &event);
        assert_int_equal(event.kind, SHM_PEER_LOST);
        assert_int_equal(event.rank, 3);
    }
    /* later waits end as well, other requests still work */
    assert_int_equal(shm_store_get(workers[0].client, &key, 1, soon(), &values), SHM_PEER_LOST);
    assert_string_equal(shm_error_detail(), "PE 3 failed: its connection broke");
    assert_int_equal(shm_store_barrier(workers[1].client, soon()), SHM_PEER_LOST);
    assert_int_equal(shm_store_set(workers[2].client, "k", slice_of("v"), soon()), SHM_OK);
    for (uint32_t rank = 0; rank < 3; rank++)
        leave(workers[rank].client);
}

static void test_poll_sees_a_failure_without_any_call(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_client *victim = join(&fixture, 2);
    struct shm_store_event event;

    shm_store_poll(client, &event);
    assert_int_equal(event.kind, SHM_OK);
    shm_store_close(victim);
    expect_event(client, SHM_PEER_LOST, 2, 0);
    expect_event(client, SHM_PEER_LOST, 2, 0);
    expect_refusal((struct shm_store_identity){.rank = 2, .n_ranks = 4, .job_id = JOB_ID},
                   ": PE 2 has failed before");
    leave(client);
}

/* A complete job is closed: who comes now waits for the next one at the same address. */
static void test_nobody_listens_once_all_have_joined(void **state)
{
    (void)state;
    struct shm_store_identity next = {.rank = 1, .n_ranks = 4, .job_id = JOB_ID ^ 2};
    struct shm_store_client *clients[4];
    struct shm_store_client *early = NULL;

    for (uint32_t rank = 0; rank < 4; rank++)
        clients[rank] = join(&fixture, rank);
    assert_int_equal(
        shm_store_connect(&fixture.addresses, &next, shm_deadline_after_ms(200), &early),
        SHM_TIMEOUT_ERROR);
    for (uint32_t rank = 0; rank < 4; rank++)
        leave(clients[rank]);
}

static void test_who_joins_later_hears_of_it(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_client *late;

    shm_store_close(join(&fixture, 2));
    expect_event(client, SHM_PEER_LOST, 2, 0);
    late = join(&fixture, 1);
    expect_event(late, SHM_PEER_LOST, 2, 0);
    leave(client);
    leave(late);
}

static void test_goodbye_is_not_a_failure(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_event event;

    leave(join(&fixture, 2));
    /* the server has seen the end of that connection when it knows the rank as gone */
    expect_refusal((struct shm_store_identity){.rank = 2, .n_ranks = 4, .job_id = JOB_ID},
                   ": PE 2 has left the job already");
    shm_store_poll(client, &event);
    assert_int_equal(event.kind, SHM_OK);
    leave(client);
}

static void test_an_abort_reaches_all(void **state)
{
    (void)state;
    struct worker workers[2];
    struct shm_store_client *idle = join(&fixture, 2);
    struct shm_store_client *aborter = join(&fixture, 3);

    for (uint32_t rank = 0; rank < 2; rank++)
        start_worker(&workers[rank], &fixture, join(&fixture, rank), rank, long_barrier);
    wait_for_value(idle, "group/0/count", "2");
    assert_int_equal(shm_store_abort(aborter, -7, soon()), SHM_OK);
    shm_store_close(aborter); /* that it breaks off afterwards is no news */
    for (uint32_t rank = 0; rank < 2; rank++) {
        pthread_join(workers[rank].thread, NULL);
        assert_int_equal(workers[rank].status, SHM_ABORTED);
        assert_string_equal(workers[rank].detail, "PE 3 asked the job to exit with status -7");
        expect_event(workers[rank].client, SHM_ABORTED, 3, -7);
        leave(workers[rank].client);
    }
    expect_event(idle, SHM_ABORTED, 3, -7);
    leave(idle);
}

/* One thread waits in a barrier; the abort of another one must not wait for it. */
static void test_an_abort_passes_a_waiting_call(void **state)
{
    (void)state;
    struct worker worker;
    struct shm_store_client *client = join(&fixture, 0);
    struct shm_store_client *other = join(&fixture, 1);
    struct shm_store_event event;

    start_worker(&worker, &fixture, client, 0, long_barrier);
    wait_for_value(other, "group/0/count", "1");
    shm_store_poll(client, &event);
    assert_int_equal(event.kind, SHM_OK);
    assert_int_equal(shm_store_abort(client, 5, soon()), SHM_OK);
    pthread_join(worker.thread, NULL);
    assert_int_equal(worker.status, SHM_ABORTED);
    assert_string_equal(worker.detail, "PE 0 asked the job to exit with status 5");
    expect_event(other, SHM_ABORTED, 0, 5);
    leave(client);
    leave(other);
}

static void test_a_vanished_store_is_the_failure_of_pe_0(void **state)
{
    (void)state;
    struct worker workers[2];
    struct shm_store_client *idle = join(&fixture, 0);
    const char *key = "group/0/data";
    struct shm_store_values values;

    start_worker(&workers[0], &fixture, join(&fixture, 1), 1, long_allgather);
    start_worker(&workers[1], &fixture, join(&fixture, 2), 2, long_allgather);
    assert_int_equal(shm_store_get(idle, &key, 1, soon(), &values), SHM_OK);
    shm_store_values_free(&values);
    shm_store_server_destroy(fixture.server);
    fixture.server = NULL;
    for (int i = 0; i < 2; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].status, SHM_PEER_LOST);
        assert_string_equal(workers[i].detail, "PE 0 failed: the store is gone");
        expect_event(workers[i].client, SHM_PEER_LOST, 0, 0);
        shm_store_close(workers[i].client);
    }
    expect_event(idle, SHM_PEER_LOST, 0, 0);
    assert_int_equal(shm_store_set(idle, "k", slice_of("v"), soon()), SHM_PEER_LOST);
    assert_string_equal(shm_error_detail(), "PE 0 failed: the store is gone");
    shm_store_close(idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refusals_give_the_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_refused_double_does_not_disturb, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_foreign_protocols_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_failed_rank_ends_the_waits_of_the_others, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_poll_sees_a_failure_without_any_call, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_nobody_listens_once_all_have_joined, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_who_joins_later_hears_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_goodbye_is_not_a_failure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_abort_reaches_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_abort_passes_a_waiting_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_vanished_store_is_the_failure_of_pe_0, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
