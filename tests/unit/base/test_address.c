/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/address.h"
#include "base/clock.h"
#include "base/socket.h"

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
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void expect_text(const char *text, const char *formatted)
{
    struct shm_address_list list;
    char back[SHM_ADDRESS_TEXT_BYTES];

    assert_int_equal(shm_address_parse(text, 0, &list), SHM_OK);
    assert_int_equal(list.count, 1);
    shm_address_format(&list.entries[0], back);
    assert_string_equal(back, formatted);
}

static void test_literals_keep_their_text(void **state)
{
    (void)state;
    expect_text("tcp://127.0.0.1:4711", "tcp://127.0.0.1:4711");
    expect_text("tcp://0.0.0.0:0", "tcp://0.0.0.0:0");
    expect_text("tcp://10.20.30.40:65535", "tcp://10.20.30.40:65535");
    expect_text("tcp6://[::1]:9999", "tcp6://[::1]:9999");
    expect_text("tcp6://[2001:db8:0:0::1]:80", "tcp6://[2001:db8::1]:80");
    expect_text("tcp6://[::ffff:1.2.3.4]:80", "tcp6://[::ffff:1.2.3.4]:80");
    expect_text("tcp6://[fe80::1%lo]:1234", "tcp6://[fe80::1%lo]:1234");
}

static void test_names_are_resolved(void **state)
{
    (void)state;
    struct shm_address_list list;

    assert_int_equal(shm_address_parse("tcp://localhost:8888", 0, &list), SHM_OK);
    assert_true(list.count >= 1);
    assert_int_equal(list.entries[0].socket.ss_family, AF_INET);
    assert_int_equal(shm_address_port(&list.entries[0]), 8888);
}

static void expect_malformed(const char *text)
{
    struct shm_address_list list = {.count = 77};
    char expected[512];

    snprintf(expected, sizeof expected,
             "address \"%.300s\": expected tcp://host:port or tcp6://[host]:port", text);
    assert_int_equal(shm_address_parse(text, 0, &list), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(), expected);
    assert_int_equal(list.count, 77);
}

static void test_malformed_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "127.0.0.1:80",
        "udp://127.0.0.1:80",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:",
        "tcp://:80",
        "tcp://127.0.0.1:8x",
        "tcp://127.0.0.1:+80",
        "tcp://127.0.0.1: 80",
        "tcp://127.0.0.1:80 ",
        "tcp://127.0.0.1:123456",
        "tcp://127.1:80",
        "tcp://1:80",
        "tcp://300.0.0.1:80",
        "tcp://0x7f000001:80",
        "tcp://a.0x7f:80",
        "tcp://1.2.3.4.5:80",
        "tcp://ho st:80",
        "tcp://ho_st:80",
        "tcp://-host:80",
        "tcp://.host:80",
        "tcp://ho..st:80",
        "tcp://[::1]:80",
        "tcp://::1:80",
        "tcp6://::1:80",
        "tcp6://[::1]",
        "tcp6://[::1]80",
        "tcp6://[::1:80",
        "tcp6://[]:80",
        "tcp6://[1.2.3.4]:80",
        "tcp6://[::1%]:80",
        "tcp6://[::1%an-interface-of-long-name]:80",
        "tcp6://[12345::1]:80",
    };
    char long_name[400] = "tcp://";

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_malformed(texts[i]);
    memset(long_name + 6, 'a', 254);
    strcpy(long_name + 260, ":80");
    expect_malformed(long_name);
}

static void test_ports_have_a_least_value(void **state)
{
    (void)state;
    struct shm_address_list list;

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:1025", 1025, &list), SHM_OK);
    assert_int_equal(shm_address_parse("tcp://127.0.0.1:1024", 1025, &list), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(),
                        "address \"tcp://127.0.0.1:1024\": port 1024, expected 1025..65535");
    assert_int_equal(shm_address_parse("tcp://127.0.0.1:65536", 0, &list), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(),
                        "address \"tcp://127.0.0.1:65536\": port 65536, expected 0..65535");
}

static void test_unknown_interface(void **state)
{
    (void)state;
    struct shm_address_list list;

    assert_int_equal(shm_address_parse("tcp6://[fe80::1%nosuch0]:80", 0, &list), SHM_INVALID_PARAM);
    assert_non_null(strstr(shm_error_detail(), "tcp6://[fe80::1%nosuch0]:80"));
    assert_non_null(strstr(shm_error_detail(), "unknown host"));
}

static int listen_on(const char *text, struct shm_address_list *out_list)
{
    int fd = -1;

    assert_int_equal(shm_address_parse(text, 0, out_list), SHM_OK);
    assert_int_equal(shm_address_listen(&out_list->entries[0], &fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(fd, &out_list->entries[0]), SHM_OK);
    assert_int_not_equal(shm_address_port(&out_list->entries[0]), 0);
    return fd;
}

static void test_listen_and_connect(void **state)
{
    (void)state;
    struct shm_address_list list;
    int listener = listen_on("tcp://127.0.0.1:0", &list);
    int no_delay = 0;
    socklen_t bytes = sizeof no_delay;
    int fd = -1;

    assert_true((fcntl(listener, F_GETFL) & O_NONBLOCK) != 0);
    assert_true((fcntl(listener, F_GETFD) & FD_CLOEXEC) != 0);
    assert_int_equal(shm_address_connect(&list, shm_deadline_after_ms(10000), &fd), SHM_OK);
    assert_true((fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, &bytes), 0);
    assert_int_not_equal(no_delay, 0);
    close(fd);
    close(listener);
}

static void test_a_busy_port_cannot_be_bound(void **state)
{
    (void)state;
    struct shm_address_list list;
    int listener = listen_on("tcp://127.0.0.1:0", &list);
    char text[SHM_ADDRESS_TEXT_BYTES];
    char expected[SHM_DETAIL_BYTES];
    int fd = -1;

    shm_address_format(&list.entries[0], text);
    snprintf(expected, sizeof expected, "binding %s: Address already in use", text);
    assert_int_equal(shm_address_listen(&list.entries[0], &fd), SHM_SMEM_ERROR);
    assert_string_equal(shm_error_detail(), expected);
    assert_int_equal(fd, -1);
    close(listener);
}

static void test_a_foreign_address_cannot_be_bound(void **state)
{
    (void)state;
    struct shm_address_list list;
    int fd = -1;

    assert_int_equal(shm_address_parse("tcp://192.0.2.1:0", 0, &list), SHM_OK);
    assert_int_equal(shm_address_listen(&list.entries[0], &fd), SHM_SMEM_ERROR);
    assert_string_equal(shm_error_detail(),
                        "binding tcp://192.0.2.1:0: Cannot assign requested address");
}

static void test_only_bound_tcp_sockets_have_an_address(void **state)
{
    (void)state;
    struct shm_address address;
    int fds[2];
    int fd;

    assert_int_equal(shm_address_of_socket(-1, &address), SHM_INVALID_PARAM);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(shm_address_of_socket(fds[0], &address), SHM_INVALID_PARAM);
    close(fds[0]);
    close(fds[1]);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(shm_address_of_socket(fd, &address), SHM_INVALID_PARAM);
    assert_non_null(strstr(shm_error_detail(), "is not a bound TCP socket"));
    close(fd);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    assert_int_equal(shm_address_of_socket(fds[0], &address), SHM_INVALID_PARAM);
    close(fds[0]);
    close(fds[1]);
}

/* A port that was free a moment ago. */
static void find_free(struct shm_address_list *list)
{
    close(listen_on("tcp://127.0.0.1:0", list));
}

static void test_nobody_there_ends_at_the_deadline(void **state)
{
    (void)state;
    struct shm_address_list list;
    char text[SHM_ADDRESS_TEXT_BYTES];
    char expected[SHM_DETAIL_BYTES];
    unsigned attempts = 0;
    int fd = -1;

    find_free(&list);
    shm_address_format(&list.entries[0], text);
    assert_int_equal(shm_address_connect(&list, shm_deadline_after_ms(30), &fd), SHM_TIMEOUT_ERROR);
    assert_int_equal(sscanf(shm_error_detail(),
                            "the time limit passed while connecting to %*s (1 of 1 addresses, "
                            "attempt %u)",
                            &attempts),
                     1);
    assert_true(attempts >= 1);
    snprintf(expected, sizeof expected,
             "the time limit passed while connecting to %s (1 of 1 addresses, attempt %u); last "
             "reason: Connection refused",
             text, attempts);
    assert_string_equal(shm_error_detail(), expected);
    assert_int_equal(fd, -1);
    list.count = 0;
    assert_int_equal(shm_address_connect(&list, 0, &fd), SHM_INVALID_PARAM);
}

static void test_all_addresses_are_tried(void **state)
{
    (void)state;
    struct shm_address_list list;
    struct shm_address_list free_one;
    int listener = listen_on("tcp://127.0.0.1:0", &list);
    int fd = -1;

    find_free(&free_one);
    list.entries[2] = list.entries[0];
    list.entries[0] = free_one.entries[0];
    list.entries[1] = free_one.entries[0];
    list.count = 3;
    assert_int_equal(shm_address_connect(&list, shm_deadline_after_ms(10000), &fd), SHM_OK);
    close(fd);
    close(listener);
}

static void *listen_late(void *argument)
{
    struct shm_address_list *list = argument;
    struct timespec pause = {.tv_nsec = 20000000};
    int fd = -1;

    nanosleep(&pause, NULL);
    if (shm_address_listen(&list->entries[0], &fd) != SHM_OK)
        return NULL;
    while (accept(fd, NULL, NULL) < 0)
        nanosleep(&pause, NULL);
    close(fd);
    return list;
}

static void test_a_listener_may_come_later(void **state)
{
    (void)state;
    struct shm_address_list list;
    pthread_t thread;
    void *listened = NULL;
    int fd = -1;

    find_free(&list);
    assert_int_equal(pthread_create(&thread, NULL, listen_late, &list), 0);
    assert_int_equal(shm_address_connect(&list, shm_deadline_after_ms(20000), &fd), SHM_OK);
    pthread_join(thread, &listened);
    assert_non_null(listened);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals_keep_their_text),
        cmocka_unit_test(test_names_are_resolved),
        cmocka_unit_test(test_malformed_texts),
        cmocka_unit_test(test_ports_have_a_least_value),
        cmocka_unit_test(test_unknown_interface),
        cmocka_unit_test(test_listen_and_connect),
        cmocka_unit_test(test_a_busy_port_cannot_be_bound),
        cmocka_unit_test(test_a_foreign_address_cannot_be_bound),
        cmocka_unit_test(test_only_bound_tcp_sockets_have_an_address),
        cmocka_unit_test(test_nobody_there_ends_at_the_deadline),
        cmocka_unit_test(test_all_addresses_are_tried),
        cmocka_unit_test(test_a_listener_may_come_later),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
