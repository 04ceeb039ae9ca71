/* SPDX-License-Identifier: BSD-3-Clause */
#include "device_test.h"

struct fixture {
    sem_t gate;
    void *streams[2];
    void *event;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    sem_init(&fixture.gate, 0, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(shm_stream_create(&fixture.streams[i]), SHM_OK);
    assert_int_equal(shm_event_create(&fixture.event), SHM_OK);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i < 2; i++)
        assert_int_equal(shm_stream_destroy(fixture->streams[i]), SHM_OK);
    assert_true(fixture->event == NULL || shm_event_destroy(fixture->event) == SHM_OK);
    sem_destroy(&fixture->gate);
    return 0;
}

static bool is_complete(const struct fixture *fixture)
{
    bool is_it;

    assert_int_equal(shm_event_query(fixture->event, &is_it), SHM_OK);
    return is_it;
}

static bool is_idle(void *stream)
{
    bool is_it;

    assert_int_equal(shm_stream_query(stream, &is_it), SHM_OK);
    return is_it;
}

/* What the second stream does comes behind what the first one did. */
static void test_order_across_streams(void **state)
{
    struct fixture *fixture = *state;
    int list[2], count = 0;

    assert_int_equal(add_gate(fixture->streams[0], &fixture->gate, NULL), SHM_OK);
    assert_int_equal(add_note(fixture->streams[0], list, &count, 1), SHM_OK);
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_wait_in(fixture->event, fixture->streams[1]), SHM_OK);
    assert_int_equal(add_note(fixture->streams[1], list, &count, 2), SHM_OK);
    assert_int_equal(shm_stream_synchronise(fixture->streams[1], SOON_NS), SHM_TIMEOUT_ERROR);
    expect_detail("is in aclrtStreamWaitEvent");
    assert_int_equal(count, 0);
    assert_false(is_complete(fixture));
    sem_post(&fixture->gate);
    assert_int_equal(shm_stream_synchronise(fixture->streams[1], LATE_NS), SHM_OK);
    assert_true(count == 2 && list[0] == 1 && list[1] == 2);
    assert_true(is_complete(fixture));
}

static void test_not_recorded(void **state)
{
    struct fixture *fixture = *state;

    assert_false(is_complete(fixture));
    assert_int_equal(shm_event_synchronise(fixture->event, 0), SHM_OK);
    assert_int_equal(shm_event_wait_in(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_stream_synchronise(fixture->streams[0], LATE_NS), SHM_OK);
    assert_int_equal(shm_event_reset(fixture->event, fixture->streams[0]), SHM_OK);
}

static void test_synchronise(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(add_gate(fixture->streams[0], &fixture->gate, NULL), SHM_OK);
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_synchronise(fixture->event, SOON_NS), SHM_TIMEOUT_ERROR);
    expect_detail("is not complete");
    sem_post(&fixture->gate);
    assert_int_equal(shm_event_synchronise(fixture->event, LATE_NS), SHM_OK);
    assert_true(is_complete(fixture));
}

/* A wait is for the record of its moment: a later one does not hold it up. */
static void test_recorded_again(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_wait_in(fixture->event, fixture->streams[1]), SHM_OK);
    assert_int_equal(add_gate(fixture->streams[0], &fixture->gate, NULL), SHM_OK);
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_stream_synchronise(fixture->streams[1], LATE_NS), SHM_OK);
    assert_false(is_complete(fixture));
    sem_post(&fixture->gate);
    assert_int_equal(shm_event_synchronise(fixture->event, LATE_NS), SHM_OK);
}

static void test_reset(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_reset(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_stream_synchronise(fixture->streams[0], LATE_NS), SHM_OK);
    assert_false(is_complete(fixture));
    /* one that was recorded again behind the call stays */
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(add_gate(fixture->streams[0], &fixture->gate, NULL), SHM_OK);
    assert_int_equal(shm_event_reset(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[1]), SHM_OK);
    sem_post(&fixture->gate);
    assert_int_equal(shm_stream_synchronise(fixture->streams[0], LATE_NS), SHM_OK);
    assert_int_equal(shm_event_synchronise(fixture->event, LATE_NS), SHM_OK);
    assert_true(is_complete(fixture));
}

/* Streams and waits outlive the event. */
static void test_destroyed_early(void **state)
{
    struct fixture *fixture = *state;
    void *event = fixture->event;

    assert_int_equal(add_gate(fixture->streams[0], &fixture->gate, NULL), SHM_OK);
    assert_int_equal(shm_event_record(event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_wait_in(event, fixture->streams[1]), SHM_OK);
    assert_int_equal(shm_event_reset(event, fixture->streams[1]), SHM_OK);
    assert_int_equal(shm_event_destroy(event), SHM_OK);
    fixture->event = NULL;
    assert_int_equal(shm_event_destroy(event), SHM_INVALID_PARAM);
    assert_non_null(
        strstr(shm_error_detail(), "expected an event that was made and not destroyed"));
    assert_int_equal(shm_event_record(event, NULL), SHM_INVALID_PARAM);
    assert_int_equal(shm_event_wait_in(event, NULL), SHM_INVALID_PARAM);
    assert_int_equal(shm_event_synchronise(event, 0), SHM_INVALID_PARAM);
    assert_false(is_idle(fixture->streams[1]));
    sem_post(&fixture->gate);
    assert_int_equal(shm_stream_synchronise(fixture->streams[1], LATE_NS), SHM_OK);
}

static void test_distance(void **state)
{
    struct fixture *fixture = *state;
    int64_t there = 0, back = 0;
    void *end;

    assert_int_equal(shm_event_create(&end), SHM_OK);
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_stream_synchronise(fixture->streams[0], LATE_NS), SHM_OK);
    assert_int_equal(shm_event_distance(fixture->event, end, &there), SHM_AGAIN);
    expect_detail("end = ");
    assert_int_equal(shm_event_distance(end, fixture->event, &there), SHM_AGAIN);
    expect_detail("start = ");
    assert_int_equal(shm_event_record(end, fixture->streams[1]), SHM_OK);
    assert_int_equal(shm_event_synchronise(end, LATE_NS), SHM_OK);
    assert_int_equal(shm_event_distance(fixture->event, end, &there), SHM_OK);
    assert_int_equal(shm_event_distance(end, fixture->event, &back), SHM_OK);
    assert_true(there > 0 && back == -there);
    assert_int_equal(shm_event_destroy(end), SHM_OK);
}

/* A record that found no stream leaves the event as it was. */
static void test_bad_stream(void **state)
{
    struct fixture *fixture = *state;
    void *wrong = fixture->event;

    assert_int_equal(shm_event_record(fixture->event, wrong), SHM_INVALID_PARAM);
    assert_false(is_complete(fixture));
    assert_int_equal(shm_event_record(fixture->event, fixture->streams[0]), SHM_OK);
    assert_int_equal(shm_event_synchronise(fixture->event, LATE_NS), SHM_OK);
    assert_int_equal(shm_event_record(fixture->event, wrong), SHM_INVALID_PARAM);
    assert_true(is_complete(fixture));
    assert_int_equal(shm_event_reset(fixture->event, wrong), SHM_INVALID_PARAM);
    assert_int_equal(shm_event_wait_in(fixture->event, wrong), SHM_INVALID_PARAM);
    assert_true(is_complete(fixture));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_order_across_streams),
        TEST(test_not_recorded),
        TEST(test_synchronise),
        TEST(test_recorded_again),
        TEST(test_reset),
        TEST(test_destroyed_early),
        TEST(test_distance),
        TEST(test_bad_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
