/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/address.h"
#include "bootstrap/bootstrap.h"

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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int clear(void **state)
{
    (void)state;
    unsetenv("SHMEM_UID_SESSION_ID");
    unsetenv("SHMEM_UID_SOCK_IFNAME");
    return 0;
}

/* Makes an id, checks that its socket listens at its address, and gives that as text. */
static struct shm_unique_id make(char text[SHM_ADDRESS_TEXT_BYTES])
{
    struct shm_unique_id id;
    struct shm_address bound;
    char bound_text[SHM_ADDRESS_TEXT_BYTES];
    int listens = 0;
    socklen_t bytes = sizeof listens;
    enum shm_status status = shm_unique_id_create(&id);

    if (status != SHM_OK)
        fprintf(stderr, "%s\n", shm_error_detail());
    assert_int_equal(status, SHM_OK);
    assert_int_equal(getsockopt(id.listen_fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes), 0);
    assert_int_equal(listens, 1);
    assert_int_equal(shm_unique_id_address(&id, text, SHM_ADDRESS_TEXT_BYTES), SHM_OK);
    assert_int_equal(shm_address_of_socket(id.listen_fd, &bound), SHM_OK);
    shm_address_format(&bound, bound_text);
    assert_string_equal(text, bound_text);
    return id;
}

static void test_the_id_has_a_fixed_form(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct shm_unique_id), SHM_UNIQUE_ID_BYTES);
    assert_int_equal(offsetof(struct shm_unique_id, job_id), 8);
    assert_int_equal(offsetof(struct shm_unique_id, address), 16);
}

static void test_ids_differ(void **state)
{
    (void)state;
    char text_a[SHM_ADDRESS_TEXT_BYTES];
    char text_b[SHM_ADDRESS_TEXT_BYTES];
    struct shm_unique_id a = make(text_a);
    struct shm_unique_id b = make(text_b);
    int fd = a.listen_fd;

    assert_true(a.job_id != b.job_id);
    assert_string_not_equal(text_a, text_b);
    shm_unique_id_discard(&a);
    assert_int_equal(fcntl(fd, F_GETFD), -1);
    assert_int_equal(a.listen_fd, -1);
    shm_unique_id_discard(&a);
    shm_unique_id_discard(&b);
}

static void test_a_session_names_the_address(void **state)
{
    (void)state;
    char text[SHM_ADDRESS_TEXT_BYTES];
    char session[64];
    struct shm_unique_id id;
    uint16_t port;

    /* a port that was free a moment ago */
    setenv("SHMEM_UID_SOCK_IFNAME", "lo", 1);
    id = make(text);
    port = ntohs(((struct sockaddr_in *)(void *)id.address)->sin_port);
    shm_unique_id_discard(&id);

    snprintf(session, sizeof session, "127.0.0.1:%u", port);
    setenv("SHMEM_UID_SESSION_ID", session, 1);
    setenv("SHMEM_UID_SOCK_IFNAME", "nosuch0", 1); /* the session wins */
    id = make(text);
    assert_string_equal(text + strlen("tcp://"), session);

    /* the port is taken now */
    {
        struct shm_unique_id second = {.listen_fd = -7};

        assert_int_equal(shm_unique_id_create(&second), SHM_INVALID_PARAM);
        assert_non_null(strstr(shm_error_detail(), "Address already in use"));
        assert_int_equal(second.listen_fd, -7);
    }
    shm_unique_id_discard(&id);

    snprintf(session, sizeof session, "localhost:%u", port);
    setenv("SHMEM_UID_SESSION_ID", session, 1);
    id = make(text);
    shm_unique_id_discard(&id);
}

static void test_malformed_sessions(void **state)
{
    (void)state;
    static const char *const sessions[] = {
        "",          "192.168.1.100",    "192.168.1.100:",  "[::1:9999",
        "[::1]",     "127.0.0.1:1023",   "127.0.0.1:65536", "127.0.0.1:12x4",
        "[::1]9999", "2001:db8::1:9999", "127.0.0.1:-1"};
    char long_session[600];
    struct shm_unique_id id = {.listen_fd = -7};

    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        char start[150];

        setenv("SHMEM_UID_SESSION_ID", sessions[i], 1);
        assert_int_equal(shm_unique_id_create(&id), SHM_INVALID_PARAM);
        snprintf(start, sizeof start,
                 "SHMEM_UID_SESSION_ID=\"%s\", expected host:port or [ipv6]:port: address \"",
                 sessions[i]);
        assert_memory_equal(shm_error_detail(), start, strlen(start));
    }
    memset(long_session, 'a', sizeof long_session - 1);
    long_session[sizeof long_session - 1] = '\0';
    setenv("SHMEM_UID_SESSION_ID", long_session, 1);
    assert_int_equal(shm_unique_id_create(&id), SHM_INVALID_PARAM);
    assert_int_equal(id.listen_fd, -7);
}

static void test_an_address_of_another_machine(void **state)
{
    (void)state;
    struct shm_unique_id id;

    setenv("SHMEM_UID_SESSION_ID", "192.0.2.1:4711", 1);
    assert_int_equal(shm_unique_id_create(&id), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(),
                        "binding tcp://192.0.2.1:4711: Cannot assign requested address");
}

static void test_an_interface_names_the_address(void **state)
{
    (void)state;
    static const char *const names[] = {"lo", "lo:inet4"};
    char text[SHM_ADDRESS_TEXT_BYTES];

    for (size_t i = 0; i < 2; i++) {
        struct shm_unique_id id;

        setenv("SHMEM_UID_SOCK_IFNAME", names[i], 1);
        id = make(text);
        assert_memory_equal(text, "tcp://127.", 10);
        shm_unique_id_discard(&id);
    }
}

static void test_malformed_interfaces(void **state)
{
    (void)state;
    static const char *const names[] = {
        "", ":inet4", "lo:", "lo:inet5", "lo:inet4:x", "a-name-of-22-characters"};
    struct shm_unique_id id;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv("SHMEM_UID_SOCK_IFNAME", names[i], 1);
        assert_int_equal(shm_unique_id_create(&id), SHM_INVALID_PARAM);
        assert_non_null(
            strstr(shm_error_detail(), "expected name, name:inet4 or name:inet6 of less than 22"));
    }
    setenv("SHMEM_UID_SOCK_IFNAME", "nosuch0", 1);
    assert_int_equal(shm_unique_id_create(&id), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(), "no interface that is up matches \"nosuch0\"");
    setenv("SHMEM_UID_SOCK_IFNAME", "nosuch0:inet6", 1);
    assert_int_equal(shm_unique_id_create(&id), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(),
                        "no interface that is up matches \"nosuch0\" with IPv6");
}

static void test_addresses_of_ids(void **state)
{
    (void)state;
    struct shm_unique_id id = {.listen_fd = -1, .address_bytes = sizeof(struct sockaddr_in6)};
    struct sockaddr_in6 v6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(4711), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    char text[SHM_ADDRESS_TEXT_BYTES] = "untouched";

    memcpy(id.address, &v6, sizeof v6);
    assert_int_equal(shm_unique_id_address(&id, text, 17), SHM_INVALID_PARAM);
    assert_string_equal(text, "untouched");
    assert_int_equal(shm_unique_id_address(&id, text, 18), SHM_OK);
    assert_string_equal(text, "tcp6://[::1]:4711");
    id.address_bytes = 200;
    assert_int_equal(shm_unique_id_address(&id, text, sizeof text), SHM_INVALID_PARAM);
    id.address_bytes = sizeof(struct sockaddr_in);
    assert_int_equal(shm_unique_id_address(&id, text, sizeof text), SHM_INVALID_PARAM);
    memset(&id, 0, sizeof id);
    assert_int_equal(shm_unique_id_address(&id, text, sizeof text), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(),
                        "a unique id with 0 bytes of address family 0, expected IPv4 or IPv6");
}

/* Each bit counts but those of the descriptor, which means nothing in other processes. */
static void test_a_changed_bit_is_noticed(void **state)
{
    struct shm_unique_id id;

    (void)state;
    assert_int_equal(shm_unique_id_create(&id), SHM_OK);
    assert_int_equal(shm_unique_id_check(&id), SHM_OK);
    for (size_t bit = 0; bit < 8 * sizeof id; bit++) {
        unsigned char *byte = (unsigned char *)&id + bit / 8;
        bool counts = bit >= 8 * sizeof id.listen_fd;

        *byte ^= (unsigned char)(1u << bit % 8);
        assert_int_equal(shm_unique_id_check(&id), counts ? SHM_INVALID_PARAM : SHM_OK);
        *byte ^= (unsigned char)(1u << bit % 8);
    }
    shm_unique_id_discard(&id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_id_has_a_fixed_form, clear),
        cmocka_unit_test_setup(test_a_changed_bit_is_noticed, clear),
        cmocka_unit_test_setup(test_ids_differ, clear),
        cmocka_unit_test_setup(test_a_session_names_the_address, clear),
        cmocka_unit_test_setup(test_malformed_sessions, clear),
        cmocka_unit_test_setup(test_an_address_of_another_machine, clear),
        cmocka_unit_test_setup(test_an_interface_names_the_address, clear),
        cmocka_unit_test_setup(test_malformed_interfaces, clear),
        cmocka_unit_test_setup(test_addresses_of_ids, clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
