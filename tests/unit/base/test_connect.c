/* SPDX-License-Identifier: BSD-3-Clause */
/* Connecting where the queue of the listener is full, and pauses that grow. */
#include "base/address.h"
#include "base/backoff.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CALLERS 4 /* more than a queue of length 0 holds */

struct full_listener {
    struct shm_address_list list;
    int fd;
    int callers[CALLERS];
};

/* Its queue is full when a connection is not made at once. */
static void fill(struct full_listener *full)
{
    const struct shm_address *address = &full->list.entries[0];

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &full->list), SHM_OK);
    assert_int_equal(shm_address_listen(&full->list.entries[0], &full->fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(full->fd, &full->list.entries[0]), SHM_OK);
    assert_int_equal(listen(full->fd, 0), 0);
    for (int i = 0; i < CALLERS; i++) {
        full->callers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        assert_true(full->callers[i] >= 0);
        if (connect(full->callers[i], (const struct sockaddr *)&address->socket, address->bytes) !=
            0)
            assert_int_equal(errno, EINPROGRESS);
    }
}

static void close_all(struct full_listener *full)
{
    for (int i = 0; i < CALLERS; i++)
        close(full->callers[i]);
    close(full->fd);
}

static void test_a_full_listener_ends_at_the_deadline(void **state)
{
    struct full_listener full;
    char text[SHM_ADDRESS_TEXT_BYTES];
    char expected[SHM_DETAIL_BYTES];
    int fd = -1;

    (void)state;
    fill(&full);
    shm_address_format(&full.list.entries[0], text);
    snprintf(expected, sizeof expected,
             "the time limit passed while connecting to %s (1 of 1 addresses, attempt 1); last "
             "reason: no answer, nobody may be there or too many at once",
             text);
    assert_int_equal(shm_address_connect(&full.list, shm_deadline_after_ms(100), &fd),
                     SHM_TIMEOUT_ERROR);
    assert_string_equal(shm_error_detail(), expected);
    assert_int_equal(fd, -1);
    close_all(&full);
}

/* Behind the silent one another one answers. */
static void test_a_full_listener_does_not_hide_the_next(void **state)
{
    struct full_listener full;
    struct shm_address_list free_one;
    int listener = -1;
    int fd = -1;

    (void)state;
    fill(&full);
    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &free_one), SHM_OK);
    assert_int_equal(shm_address_listen(&free_one.entries[0], &listener), SHM_OK);
    assert_int_equal(shm_address_of_socket(listener, &full.list.entries[1]), SHM_OK);
    full.list.count = 2;
    assert_int_equal(shm_address_connect(&full.list, shm_deadline_after_ms(60000), &fd), SHM_OK);
    close(fd);
    close(listener);
    close_all(&full);
}

struct late_server {
    int fd;
    _Atomic bool is_over;
};

static void *accept_late(void *argument)
{
    struct late_server *server = argument;
    struct pollfd waited = {.fd = server->fd, .events = POLLIN};

    usleep(50000);
    while (!atomic_load(&server->is_over)) {
        int fd = poll(&waited, 1, 10) > 0 ? accept(server->fd, NULL, NULL) : -1;

        if (fd >= 0)
            close(fd);
    }
    return NULL;
}

static void test_a_full_listener_is_asked_again(void **state)
{
    struct full_listener full;
    struct late_server server = {.is_over = false};
    pthread_t thread;
    int fd = -1;

    (void)state;
    fill(&full);
    server.fd = full.fd;
    assert_int_equal(pthread_create(&thread, NULL, accept_late, &server), 0);
    assert_int_equal(shm_address_connect(&full.list, shm_deadline_after_ms(60000), &fd), SHM_OK);
    atomic_store(&server.is_over, true);
    pthread_join(thread, NULL);
    close(fd);
    close_all(&full);
}

static void test_pauses_grow(void **state)
{
    struct shm_backoff backoff = {.ms = 1, .most_ms = 6};
    uint64_t pause_ns;

    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(shm_backoff_draw(&backoff, &pause_ns), SHM_OK);
        assert_in_range(pause_ns, SHM_NS_PER_MS / 2, SHM_NS_PER_MS);
    }
    for (uint64_t expected = 2; expected <= 4; expected *= 2) {
        assert_int_equal(shm_backoff_sleep(&backoff, 0), SHM_OK);
        assert_int_equal(backoff.ms, expected);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(shm_backoff_sleep(&backoff, 1), SHM_OK); /* a deadline that has passed */
        assert_int_equal(backoff.ms, 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_listener_ends_at_the_deadline),
        cmocka_unit_test(test_a_full_listener_does_not_hide_the_next),
        cmocka_unit_test(test_a_full_listener_is_asked_again),
        cmocka_unit_test(test_pauses_grow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
