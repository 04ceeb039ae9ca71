/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <errno.h>
#include <pthread.h>
#include <string.h>

static void test_detail(void **state)
{
    (void)state;
    assert_string_equal(shm_error_detail(), "");
    assert_int_equal(shm_fail(SHM_INVALID_VALUE, "size %d", 7), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "size 7");
    /* a detail may be made from the one before */
    assert_int_equal(shm_fail(SHM_PEER_LOST, "outer: %s", shm_error_detail()), SHM_PEER_LOST);
    assert_string_equal(shm_error_detail(), "outer: size 7");
    assert_int_equal(shm_fail_errno(SHM_INNER_ERROR, ENOENT, "opening %s", "it"), SHM_INNER_ERROR);
    assert_string_equal(shm_error_detail(), "opening it: No such file or directory");
    shm_error_restore("earlier");
    assert_string_equal(shm_error_detail(), "earlier");
}

static void test_long_detail(void **state)
{
    char text[3 * SHM_DETAIL_BYTES];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(shm_fail(SHM_PROTOCOL, "%s", text), SHM_PROTOCOL);
    assert_int_equal(strlen(shm_error_detail()), SHM_DETAIL_BYTES - 1);
}

static void *read_detail(void *argument)
{
    (void)argument;
    return (void *)(intptr_t)shm_error_detail()[0];
}

static void test_threads(void **state)
{
    pthread_t thread;
    void *first = NULL;

    (void)state;
    assert_int_equal(shm_fail(SHM_TIMEOUT_ERROR, "mine"), SHM_TIMEOUT_ERROR);
    assert_int_equal(pthread_create(&thread, NULL, read_detail, NULL), 0);
    pthread_join(thread, &first);
    assert_int_equal((intptr_t)first, '\0');
}

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(shm_status_text(SHM_OK), "success");
    assert_string_equal(shm_status_text(SHM_MISMATCH), "the PEs disagree");
    assert_string_equal(shm_status_text((enum shm_status)12345), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detail),
        cmocka_unit_test(test_long_detail),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
