/* SPDX-License-Identifier: BSD-3-Clause */
#include "device_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 3000 /* more than a stream holds */

static int threads_of_process(void)
{
    char line[200];
    int threads = -1;
    FILE *status = fopen("/proc/self/status", "re");

    assert_non_null(status);
    while (threads < 0 && fgets(line, sizeof line, status) != NULL)
        sscanf(line, "Threads: %d", &threads);
    fclose(status);
    return threads;
}

static void test_order(void **state)
{
    int *list = calloc(MANY, sizeof *list);
    int count = 0;
    void *stream;

    (void)state;
    assert_int_equal(shm_stream_create(&stream), SHM_OK);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(add_note(stream, list, &count, i), SHM_OK);
    assert_int_equal(shm_stream_synchronise(stream, LATE_NS), SHM_OK);
    assert_int_equal(count, MANY);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(list[i], i);
    assert_int_equal(shm_stream_destroy(stream), SHM_OK);
    free(list);
}

static void test_lazy_thread(void **state)
{
    int before = threads_of_process();
    int list[1], count = 0;
    void *stream;
    bool is_idle = false;

    (void)state;
    assert_int_equal(shm_stream_create(&stream), SHM_OK);
    assert_int_equal(shm_stream_query(stream, &is_idle), SHM_OK);
    assert_true(is_idle);
    assert_int_equal(threads_of_process(), before);
    assert_int_equal(add_note(stream, list, &count, 1), SHM_OK);
    assert_int_equal(shm_stream_synchronise(stream, LATE_NS), SHM_OK);
    assert_int_equal(threads_of_process(), before + 1);
    assert_int_equal(shm_stream_destroy(stream), SHM_OK);
    assert_int_equal(threads_of_process(), before);
}

static void test_destroy_with_work(void **state)
{
    int list[100], count = 0;
    sem_t gate;
    void *stream;

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(shm_stream_create(&stream), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, NULL), SHM_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(add_note(stream, list, &count, i), SHM_OK);
    assert_int_equal(count, 0);
    sem_post(&gate);
    assert_int_equal(shm_stream_destroy(stream), SHM_OK);
    assert_int_equal(count, 100);
    sem_destroy(&gate);
}

static void test_time_limit(void **state)
{
    sem_t gate;
    void *stream;
    bool is_idle = true;

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(shm_stream_create(&stream), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, NULL), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, NULL), SHM_OK);
    assert_int_equal(shm_stream_query(stream, &is_idle), SHM_OK);
    assert_false(is_idle);
    assert_int_equal(shm_stream_synchronise(stream, SOON_NS), SHM_TIMEOUT_ERROR);
    expect_detail("has 2 operations left and is in a gate");
    sem_post(&gate);
    sem_post(&gate);
    assert_int_equal(shm_stream_synchronise(stream, LATE_NS), SHM_OK);
    assert_int_equal(shm_stream_destroy(stream), SHM_OK);
    sem_destroy(&gate);
}

struct full_case {
    void *stream;
    sem_t *gate;
    _Atomic int added;
};

static void *fill(void *argument)
{
    struct full_case *full = argument;

    for (int i = 0; i < SHM_STREAM_TASKS + 1; i++) {
        if (add_gate(full->stream, full->gate, NULL) != SHM_OK)
            return NULL;
        atomic_fetch_add(&full->added, 1);
    }
    return full;
}

/* The thread that adds one task too many sleeps until there is room for it. */
static void test_full(void **state)
{
    struct full_case full = {.added = 0};
    sem_t gate;
    pthread_t thread;
    void *result;

    (void)state;
    sem_init(&gate, 0, 0);
    full.gate = &gate;
    assert_int_equal(shm_stream_create(&full.stream), SHM_OK);
    assert_int_equal(pthread_create(&thread, NULL, fill, &full), 0);
    while (atomic_load(&full.added) < SHM_STREAM_TASKS)
        usleep(1000);
    usleep(20000);
    assert_int_equal(atomic_load(&full.added), SHM_STREAM_TASKS);
    for (int i = 0; i < SHM_STREAM_TASKS + 1; i++)
        sem_post(&gate);
    pthread_join(thread, &result);
    assert_ptr_equal(result, &full);
    assert_int_equal(shm_stream_destroy(full.stream), SHM_OK);
    sem_destroy(&gate);
}

#define STREAMS 64

static void test_many_streams(void **state)
{
    static int lists[STREAMS][50];
    int counts[STREAMS] = {0};
    void *streams[STREAMS];

    (void)state;
    for (int i = 0; i < STREAMS; i++)
        assert_int_equal(shm_stream_create(&streams[i]), SHM_OK);
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < STREAMS; i++)
            assert_int_equal(add_note(streams[i], lists[i], &counts[i], i + round), SHM_OK);
    assert_int_equal(shm_streams_synchronise(), SHM_OK);
    for (int i = 0; i < STREAMS; i++) {
        assert_int_equal(counts[i], 50);
        assert_int_equal(lists[i][49], i + 49);
        assert_int_equal(shm_stream_destroy(streams[i]), SHM_OK);
    }
}

static void test_stale_handles(void **state)
{
    void *first, *second;
    bool is_idle;

    (void)state;
    assert_int_equal(shm_stream_create(&first), SHM_OK);
    assert_int_equal(shm_stream_destroy(first), SHM_OK);
    assert_int_equal(shm_stream_create(&second), SHM_OK); /* in the same place */
    assert_int_equal(shm_stream_destroy(first), SHM_INVALID_PARAM);
    expect_detail("expected a stream that was made and not destroyed");
    assert_int_equal(shm_stream_synchronise(first, 0), SHM_INVALID_PARAM);
    assert_int_equal(shm_stream_query((void *)&is_idle, &is_idle), SHM_INVALID_PARAM);
    assert_int_equal(add_gate((void *)17, NULL, NULL), SHM_INVALID_PARAM);
    assert_int_equal(shm_event_destroy(second), SHM_INVALID_PARAM);
    assert_int_equal(shm_stream_destroy(NULL), SHM_INVALID_PARAM);
    expect_detail("default stream");
    assert_int_equal(shm_stream_destroy(second), SHM_OK);
}

struct own_case {
    void *stream;
    enum shm_status synchronised, destroyed, overfilled;
    int list[SHM_STREAM_TASKS], count;
};

/* What a task may not do to its own stream. */
static void use_own_stream(void *payload)
{
    struct own_case *own = *(struct own_case **)payload;

    own->synchronised = shm_stream_synchronise(own->stream, 0);
    own->destroyed = shm_stream_destroy(own->stream);
    for (int i = 0; i < SHM_STREAM_TASKS - 1; i++)
        if (add_note(own->stream, own->list, &own->count, i) != SHM_OK)
            return;
    own->overfilled = add_note(own->stream, own->list, &own->count, 0);
}

static void test_own_stream(void **state)
{
    struct own_case *own = calloc(1, sizeof *own);

    (void)state;
    assert_int_equal(shm_stream_create(&own->stream), SHM_OK);
    assert_int_equal(
        shm_stream_add(own->stream, &(struct shm_task_request){.run = use_own_stream,
                                                               .payload = &own,
                                                               .payload_bytes = sizeof own,
                                                               .name = "own"}),
        SHM_OK);
    assert_int_equal(shm_stream_synchronise(own->stream, LATE_NS), SHM_OK);
    assert_int_equal(shm_stream_destroy(own->stream), SHM_OK);
    assert_int_equal(own->synchronised, SHM_INVALID_PARAM);
    assert_int_equal(own->destroyed, SHM_INVALID_PARAM);
    assert_int_equal(own->overfilled, SHM_INVALID_PARAM);
    assert_int_equal(own->count, SHM_STREAM_TASKS - 1);
    free(own);
}

static void test_drain(void **state)
{
    int owner, other;
    int before = threads_of_process();
    int list[1], count = 0;
    sem_t gate, later;
    void *stream;

    (void)state;
    sem_init(&gate, 0, 0);
    sem_init(&later, 0, 0);
    assert_int_equal(shm_stream_create(&stream), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, &owner), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, &other), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, &owner), SHM_OK);
    assert_int_equal(add_gate(stream, &later, &other), SHM_OK);
    assert_int_equal(shm_streams_drain(&(struct shm_task_owner){.owner = &owner}, SOON_NS),
                     SHM_TIMEOUT_ERROR);
    expect_detail("has 2 operations left and is in a gate");
    for (int i = 0; i < 3; i++)
        sem_post(&gate);
    assert_int_equal(shm_streams_drain(&(struct shm_task_owner){.owner = &owner}, LATE_NS),
                     SHM_OK); /* not the last one */
    assert_int_equal(shm_streams_drain(&(struct shm_task_owner){.owner = &other}, SOON_NS),
                     SHM_TIMEOUT_ERROR);
    sem_post(&later);
    assert_int_equal(shm_stream_destroy(stream), SHM_OK);

    /* the default stream: its thread ends, and another begins */
    for (int round = 1; round <= 2; round++) {
        count = 0;
        assert_int_equal(add_note(NULL, list, &count, round), SHM_OK);
        assert_int_equal(shm_streams_drain(NULL, LATE_NS), SHM_OK);
        assert_true(count == 1 && list[0] == round);
        assert_int_equal(threads_of_process(), before);
    }
    sem_destroy(&gate);
    sem_destroy(&later);
}

static void look_at_signals(void *payload)
{
    sigset_t blocked;

    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    **(int **)payload = sigismember(&blocked, SIGTERM) && sigismember(&blocked, SIGUSR1);
}

static void test_signals_blocked(void **state)
{
    int is_blocked = -1;
    int *result = &is_blocked;
    sigset_t before, after;

    (void)state;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_int_equal(shm_stream_add(NULL, &(struct shm_task_request){.run = look_at_signals,
                                                                     .payload = &result,
                                                                     .payload_bytes = sizeof result,
                                                                     .name = "signals"}),
                     SHM_OK);
    assert_int_equal(shm_stream_synchronise(NULL, LATE_NS), SHM_OK);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(is_blocked, 1);
    assert_int_equal(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
}

/* The thread checker cannot follow a child of a process with threads that starts one itself. */
#if defined(__SANITIZE_THREAD__)
#define CAN_START_THREADS false
#else
#define CAN_START_THREADS true
#endif

/* In the child: 0 when everything is as it should be. */
static int use_after_fork(void *stream, void *event)
{
    int list[1], count = 0;
    bool is_it;

    if (shm_stream_synchronise(stream, LATE_NS) != SHM_INVALID_PARAM)
        return 1;
    if (strstr(shm_error_detail(), "belongs to the parent process") == NULL)
        return 2;
    if (shm_stream_destroy(stream) != SHM_INVALID_PARAM ||
        shm_event_query(event, &is_it) != SHM_INVALID_PARAM)
        return 3;
    if (add_note(stream, list, &count, 1) != SHM_INVALID_PARAM)
        return 4;
    if (!CAN_START_THREADS)
        return 0;
    if (add_note(NULL, list, &count, 5) != SHM_OK ||
        shm_stream_synchronise(NULL, LATE_NS) != SHM_OK)
        return 5;
    return count == 1 && shm_streams_drain(NULL, LATE_NS) == SHM_OK ? 0 : 6;
}

static void test_fork(void **state)
{
    sem_t gate;
    void *stream, *event;
    int status = -1;
    pid_t child;

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(shm_stream_create(&stream), SHM_OK);
    assert_int_equal(shm_event_create(&event), SHM_OK);
    assert_int_equal(add_gate(stream, &gate, NULL), SHM_OK);
    assert_int_equal(add_gate(NULL, &gate, NULL), SHM_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(use_after_fork(stream, event));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sem_post(&gate);
    sem_post(&gate);
    assert_int_equal(shm_streams_drain(NULL, LATE_NS), SHM_OK); /* the parent's go on */
    assert_int_equal(shm_event_destroy(event), SHM_OK);
    assert_int_equal(shm_stream_destroy(stream), SHM_OK);
    sem_destroy(&gate);
}

static void test_payload_limit(void **state)
{
    char bytes[SHM_TASK_BYTES + 1] = "";

    (void)state;
    assert_int_equal(shm_stream_add(NULL, &(struct shm_task_request){.run = run_note,
                                                                     .payload = bytes,
                                                                     .payload_bytes = sizeof bytes,
                                                                     .name = "large"}),
                     SHM_INNER_ERROR);
}

/* ---- tasks that may be refused ---- */

struct checked_case {
    void *stream;
    int list[1], count;
    enum shm_status status;
    _Atomic bool is_closed;
    _Atomic bool has_begun;
};

static enum shm_status check_open(const void *owner)
{
    const struct checked_case *checked = owner;

    return atomic_load(&checked->is_closed) ? shm_fail(SHM_NOT_INITED, "it is closed") : SHM_OK;
}

static void *add_checked(void *argument)
{
    struct checked_case *checked = argument;
    struct note note = {checked->list, &checked->count, 1};

    atomic_store(&checked->has_begun, true);
    checked->status =
        shm_stream_add(checked->stream, &(struct shm_task_request){.run = run_note,
                                                                   .check = check_open,
                                                                   .payload = &note,
                                                                   .payload_bytes = sizeof note,
                                                                   .name = "a checked note",
                                                                   .owner = checked});
    return NULL;
}

/* Who waits for room may be refused when there is some: what is drained after the close is all. */
static void test_refused_when_there_is_room(void **state)
{
    struct checked_case checked = {.status = SHM_OK};
    struct shm_task_owner owner = {.owner = &checked};
    pthread_t thread;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(shm_stream_create(&checked.stream), SHM_OK);
    add_checked(&checked);
    assert_int_equal(checked.status, SHM_OK);
    assert_int_equal(shm_streams_drain(&owner, LATE_NS), SHM_OK);
    assert_int_equal(checked.count, 1);
    for (int i = 0; i < SHM_STREAM_TASKS; i++)
        assert_int_equal(add_gate(checked.stream, &gate, NULL), SHM_OK);
    atomic_store(&checked.has_begun, false);
    assert_int_equal(pthread_create(&thread, NULL, add_checked, &checked), 0);
    while (!atomic_load(&checked.has_begun))
        usleep(1000);
    usleep(20000); /* it waits for room by now, or comes later: the same to it */
    atomic_store(&checked.is_closed, true);
    assert_int_equal(shm_streams_drain(&owner, LATE_NS), SHM_OK);
    for (int i = 0; i < SHM_STREAM_TASKS; i++)
        sem_post(&gate);
    pthread_join(thread, NULL);
    assert_int_equal(checked.status, SHM_NOT_INITED);
    assert_int_equal(shm_stream_destroy(checked.stream), SHM_OK);
    assert_int_equal(checked.count, 1);
    sem_destroy(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_lazy_thread),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_destroy_with_work),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_many_streams),
        cmocka_unit_test(test_stale_handles),
        cmocka_unit_test(test_own_stream),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_signals_blocked),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_payload_limit),
        cmocka_unit_test(test_refused_when_there_is_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
