/* SPDX-License-Identifier: BSD-3-Clause */
/* Hostile, clumsy and numerous connections: none of them may disturb the members. */
#include "fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

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

/* Two members, one of which has a request under way, must get on as if nothing were. */
static void expect_undisturbed(struct shm_store_client *client)
{
    int64_t sum = 0;

    assert_int_equal(shm_store_add(client, "undisturbed", 1, soon(), &sum), SHM_OK);
    assert_true(sum > 0);
}

static void test_garbage_is_dropped(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    static const char http[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static const uint8_t zeros[64];
    uint8_t ones[64];
    int fd = raw_connect(&fixture);

    raw_send(fd, http, sizeof http);
    expect_closed(fd);
    fd = raw_connect(&fixture);
    raw_send(fd, zeros, sizeof zeros);
    expect_closed(fd);
    fd = raw_connect(&fixture);
    memset(ones, 0xff, sizeof ones);
    raw_send(fd, ones, sizeof ones);
    expect_closed(fd);
    expect_undisturbed(client);
    leave(client);
}

static void test_a_stranger_may_say_nothing_but_hello(void **state)
{
    (void)state;
    struct shm_store_frame frame = {.operation = SHM_STORE_GOODBYE};
    struct shm_store_frame short_hello = {
        .operation = SHM_STORE_HELLO, .value_count = 1, .values = {{"short", 5}}};
    struct shm_store_client *client = join(&fixture, 0);
    uint8_t flat[128];
    int fd = raw_connect(&fixture);

    raw_send(fd, flat, flat_frame(&frame, flat));
    expect_closed(fd);
    fd = raw_connect(&fixture);
    raw_send(fd, flat, flat_frame(&short_hello, flat));
    expect_closed(fd);
    expect_undisturbed(client);
    leave(client);
}

static void test_half_a_hello_holds_nobody_up(void **state)
{
    (void)state;
    struct shm_store_hello hello = good_hello(&fixture, 1);
    uint8_t flat[128];
    size_t bytes = flat_hello(&hello, flat);
    struct shm_store_frame reply;
    int fd = raw_connect(&fixture);
    struct shm_store_client *client;

    raw_send(fd, flat, bytes / 2);
    client = join(&fixture, 0);
    expect_undisturbed(client);
    raw_send(fd, flat + bytes / 2, bytes - bytes / 2);
    raw_receive(fd, flat, sizeof flat, &reply);
    assert_int_equal(reply.status, SHM_OK);
    close(fd);
    leave(client);
}

static void test_a_slow_member_is_served_byte_by_byte(void **state)
{
    (void)state;
    struct shm_store_frame set = {.operation = SHM_STORE_SET,
                                  .key_count = 1,
                                  .value_count = 1,
                                  .sequence = 42,
                                  .keys = {{"slow", 4}},
                                  .values = {{"loris", 5}}};
    struct shm_store_frame reply;
    uint8_t flat[128];
    size_t bytes = flat_frame(&set, flat);
    int fd = raw_join(&fixture, 1);
    struct shm_store_client *client = join(&fixture, 0);

    for (size_t i = 0; i < bytes; i++) {
        raw_send(fd, flat + i, 1);
        expect_undisturbed(client);
    }
    raw_receive(fd, flat, sizeof flat, &reply);
    assert_int_equal(reply.sequence, 42);
    assert_int_equal(reply.status, SHM_OK);
    expect_stored(client, "slow", "loris");
    close(fd);
    leave(client);
}

/* Sends a frame as rank 1, which the server must take for the end of that rank. */
static void expect_failure(const uint8_t *flat, size_t bytes)
{
    struct shm_store_client *client;
    struct shm_store_event event = {.kind = SHM_OK};
    uint64_t deadline = soon();
    int fd;

    start_server(&fixture, 4);
    client = join(&fixture, 0);
    fd = raw_join(&fixture, 1);
    raw_send(fd, flat, bytes);
    expect_closed(fd);
    while (event.kind == SHM_OK && !shm_deadline_passed(deadline))
        shm_store_poll(client, &event);
    assert_int_equal(event.kind, SHM_PEER_LOST);
    assert_int_equal(event.rank, 1);
    assert_int_equal(shm_store_barrier(client, soon()), SHM_PEER_LOST);
    assert_string_equal(shm_error_detail(), "PE 1 failed: it broke the protocol of the store");
    leave(client);
    shm_store_server_destroy(fixture.server);
}

static void test_violations_count_as_failures(void **state)
{
    (void)state;
    struct shm_store_frame get = {
        .operation = SHM_STORE_GET, .key_count = 1, .number = 60000, .keys = {{"never", 5}}};
    struct shm_store_frame set = {.operation = SHM_STORE_SET, .key_count = 1, .keys = {{"key", 3}}};
    struct shm_store_frame reply = {.operation = SHM_STORE_REPLY};
    struct shm_store_frame meet = {.operation = SHM_STORE_MEET,
                                   .key_count = 2,
                                   .number = 60000,
                                   .keys = {{"count", 5}, {"ready", 5}}};
    uint8_t flat[256];
    size_t bytes = flat_frame(&set, flat); /* a key without a value */

    expect_failure(flat, bytes);
    bytes = flat_frame(&reply, flat);
    expect_failure(flat, bytes);
    bytes = flat_frame(&get, flat);
    bytes += flat_frame(&get, flat + bytes); /* a second one while the first one waits */
    expect_failure(flat, bytes);
    bytes = flat_frame(&meet, flat);
    bytes += flat_frame(&meet, flat + bytes); /* again, before the others have come */
    expect_failure(flat, bytes);
    meet.key_count = 1; /* nothing to wait for */
    bytes = flat_frame(&meet, flat);
    expect_failure(flat, bytes);
    flat_frame(&set, flat);
    memset(flat, 0xff, 4); /* a length of 4 GiB */
    expect_failure(flat, 24);
    flat_frame(&set, flat);
    flat[7] = 200; /* 200 values */
    expect_failure(flat, 24);
}

/* A declared length costs nothing until the bytes come. */
static void test_declared_lengths_are_not_allocated(void **state)
{
    (void)state;
    struct shm_store_frame set = {.operation = SHM_STORE_SET, .key_count = 10, .value_count = 10};
    struct shm_store_client *client = join(&fixture, 0);
    uint8_t head[SHM_STORE_HEAD_BYTES_MAX];
    int fds[3];

    for (int i = 0; i < 10; i++) {
        set.keys[i].bytes = SHM_STORE_KEY_BYTES_MAX;
        set.values[i].bytes = SHM_STORE_VALUE_BYTES_MAX;
    }
    for (uint32_t i = 0; i < 3; i++) {
        fds[i] = raw_join(&fixture, 1 + i);
        raw_send(fds[i], head, shm_store_frame_write_head(&set, head));
    }
    expect_undisturbed(client);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    leave(client);
}

static void test_scanners_leave_no_trace(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);

    for (int i = 0; i < 300; i++) {
        close(raw_connect(&fixture));
        if (i % 50 == 0)
            expect_undisturbed(client);
    }
    expect_undisturbed(client);
    leave(client);
}

static void test_many_strangers_do_not_keep_members_out(void **state)
{
    (void)state;

    enum { COUNT = 1200 };

    int *fds = malloc(COUNT * sizeof *fds);
    struct shm_store_client *client;

    for (int i = 0; i < COUNT; i++)
        fds[i] = raw_connect(&fixture);
    client = join(&fixture, 0);
    expect_undisturbed(client);
    expect_closed(fds[0]); /* the oldest had to make room */
    for (int i = 1; i < COUNT; i++)
        close(fds[i]);
    leave(client);
    free(fds);
}

static void test_out_of_descriptors_is_survived(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    struct rlimit old;
    struct rlimit tight;
    int waiting = raw_connect(&fixture);
    int spare;
    struct timespec used_before, used_after;
    clockid_t server_clock;
    int fd;

    /* by the second answer the server has accepted all connections */
    expect_undisturbed(client);
    expect_undisturbed(client);
    spare = fcntl(0, F_DUPFD_CLOEXEC, 0);
    close(spare);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    tight = old;
    tight.rlim_cur = (rlim_t)spare + 1; /* room for our own end only */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
    fd = raw_connect(&fixture);
    assert_int_equal(pthread_getcpuclockid(fixture.server->thread, &server_clock), 0);
    clock_gettime(server_clock, &used_before);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    clock_gettime(server_clock, &used_after);
    expect_undisturbed(client);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    /* it did not spin: it was woken a few times */
    assert_true((used_after.tv_sec - used_before.tv_sec) * 1000000000l + used_after.tv_nsec -
                    used_before.tv_nsec <
                100000000l);
    leave(join(&fixture, 1));
    close(fd);
    close(waiting);
    leave(client);
}

static void test_stop_waits_for_goodbyes(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 2);

    leave(join(&fixture, 0));
    assert_int_equal(shm_store_server_stop(fixture.server, shm_deadline_after_ms(50)),
                     SHM_TIMEOUT_ERROR);
    assert_string_equal(shm_error_detail(), "PE 2 did not say goodbye");
    shm_store_close(client);
}

static void *leave_later(void *client)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    if (shm_store_goodbye(client, soon()) != SHM_OK)
        abort();
    shm_store_close(client);
    return NULL;
}

static void *fail_later(void *client)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    shm_store_close(client);
    return NULL;
}

static void test_stop_returns_when_all_are_gone(void **state)
{
    (void)state;
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, leave_later, join(&fixture, 0));
    pthread_create(&threads[1], NULL, fail_later, join(&fixture, 1));
    assert_int_equal(shm_store_server_stop(fixture.server, soon()), SHM_OK);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

/* A signal that the server's thread does not block would end the process here. */
static void test_the_thread_takes_no_signals(void **state)
{
    (void)state;
    struct shm_store_client *client = join(&fixture, 0);
    sigset_t usr1;

    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    kill(getpid(), SIGUSR1);
    expect_undisturbed(client);
    signal(SIGUSR1, SIG_IGN);
    pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
    leave(client);
}

static void test_impossible_servers(void **state)
{
    (void)state;
    struct shm_store_server *server = NULL;
    struct shm_address_list any;
    int fds[2];
    int fd = -1;

    assert_int_equal(pipe(fds), 0);
    assert_int_equal(shm_store_server_create(fds[0], 1, JOB_ID, NULL, &server), SHM_INVALID_PARAM);
    assert_int_equal(fcntl(fds[0], F_GETFD), -1); /* it was taken over */
    close(fds[1]);
    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &any), SHM_OK);
    assert_int_equal(shm_address_listen(&any.entries[0], &fd), SHM_OK);
    assert_int_equal(shm_store_server_create(fd, 0, JOB_ID, NULL, &server), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "a store of 0 PEs, expected 1..65536");
    assert_int_equal(fcntl(fd, F_GETFD), -1);
    assert_null(server);
    shm_store_server_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_garbage_is_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_stranger_may_say_nothing_but_hello, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_half_a_hello_holds_nobody_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_slow_member_is_served_byte_by_byte, set_up,
                                        tear_down),
        cmocka_unit_test(test_violations_count_as_failures),
        cmocka_unit_test_setup_teardown(test_declared_lengths_are_not_allocated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scanners_leave_no_trace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_strangers_do_not_keep_members_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_descriptors_is_survived, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stop_waits_for_goodbyes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stop_returns_when_all_are_gone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_thread_takes_no_signals, set_up, tear_down),
        cmocka_unit_test(test_impossible_servers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
