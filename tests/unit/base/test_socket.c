/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/socket.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

static void make_pair(int type, int ends[2])
{
    assert_int_equal(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends), 0);
}

static void close_pair(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static int lowest_free_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    close(fd);
    return fd;
}

#define STREAM_BYTES (8u << 20) /* far more than a socket holds */

static void *send_stream(void *argument)
{
    const int *fd = argument;
    char *data = malloc(STREAM_BYTES);
    enum shm_status status;

    for (size_t i = 0; i < STREAM_BYTES; i++)
        data[i] = (char)(i * 7);
    status = shm_socket_send(*fd, data, STREAM_BYTES, shm_deadline_after_ms(20000));
    free(data);
    return (void *)(intptr_t)status;
}

static void test_stream(void **state)
{
    char *data = malloc(STREAM_BYTES);
    void *sent = NULL;
    pthread_t sender;
    int ends[2];

    (void)state;
    make_pair(SOCK_STREAM, ends);
    assert_int_equal(pthread_create(&sender, NULL, send_stream, &ends[0]), 0);
    assert_int_equal(shm_socket_receive(ends[1], data, STREAM_BYTES, shm_deadline_after_ms(20000)),
                     SHM_OK);
    pthread_join(sender, &sent);
    assert_int_equal((intptr_t)sent, SHM_OK);
    for (size_t i = 0; i < STREAM_BYTES; i++) {
        if (data[i] != (char)(i * 7))
            fail_msg("byte %zu", i);
    }
    free(data);
    close_pair(ends);
}

static void test_limits_and_ends(void **state)
{
    static char data[4 << 20];
    char byte;
    int ends[2];

    (void)state;
    make_pair(SOCK_STREAM, ends);
    assert_int_equal(shm_socket_receive(ends[0], &byte, 1, shm_deadline_after_ms(20)),
                     SHM_TIMEOUT_ERROR);
    assert_int_equal(shm_socket_send(ends[0], data, sizeof data, shm_deadline_after_ms(20)),
                     SHM_TIMEOUT_ERROR);
    close(ends[1]);
    assert_int_equal(shm_socket_send(ends[0], &byte, 1, 0), SHM_CLOSED);
    assert_int_equal(shm_socket_receive(ends[0], &byte, 1, 0), SHM_CLOSED);
    close(ends[0]);
}

static void test_descriptor(void **state)
{
    char message[16] = "";
    size_t bytes = 0;
    int passed = -1;
    int pipe_ends[2];
    int ends[2];

    (void)state;
    make_pair(SOCK_SEQPACKET, ends);
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    assert_int_equal(shm_socket_send_descriptor(ends[0], "hello", 6, pipe_ends[1]), SHM_OK);
    assert_int_equal(
        shm_socket_receive_descriptor(ends[1], message, sizeof message, 0, &bytes, &passed),
        SHM_OK);
    assert_int_equal(bytes, 6);
    assert_string_equal(message, "hello");
    assert_int_equal(fcntl(passed, F_GETFD), FD_CLOEXEC);
    assert_int_equal(write(passed, "x", 1), 1);
    assert_int_equal(read(pipe_ends[0], message, 1), 1);
    assert_int_equal(message[0], 'x');
    close(passed);
    assert_int_equal(shm_socket_send_descriptor(ends[0], "bye", 4, -1), SHM_OK);
    assert_int_equal(
        shm_socket_receive_descriptor(ends[1], message, sizeof message, 0, &bytes, &passed),
        SHM_OK);
    assert_int_equal(passed, -1);
    close_pair(pipe_ends);
    close_pair(ends);
}

/* Two descriptors, or one with an empty or an overlong message: nothing may stay open. */
static void send_descriptors(int fd, size_t message_bytes, int count)
{
    union {
        char bytes[CMSG_SPACE(2 * sizeof(int))];
        struct cmsghdr header;
    } control = {.bytes = {0}};

    char message[64] = "";
    struct iovec body = {message, message_bytes};
    struct msghdr envelope = {.msg_iov = &body,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = CMSG_SPACE((size_t)count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&envelope);
    int passed[2] = {STDERR_FILENO, STDERR_FILENO};

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(header), passed, (size_t)count * sizeof(int));
    assert_int_equal(sendmsg(fd, &envelope, 0), (ssize_t)message_bytes);
}

static void test_bad_messages(void **state)
{
    static const struct {
        size_t bytes;
        int descriptors;
    } cases[] = {{4, 2}, {0, 1}, {17, 1}};

    char message[16];
    size_t bytes = 0;
    int passed = -1;
    int lowest;
    int ends[2];

    (void)state;
    make_pair(SOCK_SEQPACKET, ends);
    lowest = lowest_free_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        send_descriptors(ends[0], cases[i].bytes, cases[i].descriptors);
        assert_int_equal(shm_socket_receive_descriptor(ends[1], message, sizeof message,
                                                       shm_deadline_after_ms(1000), &bytes,
                                                       &passed),
                         SHM_PROTOCOL);
        assert_int_equal(lowest_free_descriptor(), lowest);
    }
    assert_int_equal(shm_socket_receive_descriptor(ends[1], message, sizeof message,
                                                   shm_deadline_after_ms(20), &bytes, &passed),
                     SHM_TIMEOUT_ERROR);
    close(ends[0]);
    assert_int_equal(
        shm_socket_receive_descriptor(ends[1], message, sizeof message, 0, &bytes, &passed),
        SHM_CLOSED);
    close(ends[1]);
}

static void test_abstract(void **state)
{
    char name[60];
    char message[8];
    size_t bytes = 0;
    int passed = -1;
    int server = -1;
    int other = -1;
    int client = -1;
    int accepted;

    (void)state;
    snprintf(name, sizeof name, "shmem-test-%ld", (long)getpid());
    assert_int_equal(shm_abstract_connect(name, &client), SHM_NOT_FOUND);
    assert_int_equal(shm_abstract_listen(name, &server), SHM_OK);
    assert_int_equal(shm_abstract_listen(name, &other), SHM_INNER_ERROR);
    assert_int_equal(shm_abstract_connect(name, &client), SHM_OK);
    accepted = accept4(server, NULL, NULL, SOCK_CLOEXEC);
    assert_true(accepted >= 0);
    assert_int_equal(shm_socket_send_descriptor(client, "hi", 3, -1), SHM_OK);
    assert_int_equal(
        shm_socket_receive_descriptor(accepted, message, sizeof message, 0, &bytes, &passed),
        SHM_OK);
    assert_string_equal(message, "hi");
    close(client);
    close(accepted);
    close(server);
    assert_int_equal(shm_abstract_connect(name, &client), SHM_NOT_FOUND);
    assert_int_equal(shm_abstract_listen("", &server), SHM_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream),     cmocka_unit_test(test_limits_and_ends),
        cmocka_unit_test(test_descriptor), cmocka_unit_test(test_bad_messages),
        cmocka_unit_test(test_abstract),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
