/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/vector.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

static void test_wishes(void **state)
{
    (void)state;
    for (int wish = SHM_VECTOR_BASELINE; wish < SHM_VECTORS; wish++) {
        enum shm_vector vector = SHM_VECTORS;
        enum shm_status status = shm_vector_choose((enum shm_vector)wish, &vector);

        if (shm_vector_is_there((enum shm_vector)wish)) {
            assert_int_equal(status, SHM_OK);
            assert_int_equal(vector, wish);
        } else {
            assert_int_equal(status, SHM_INVALID_VALUE);
            assert_non_null(
                strstr(shm_error_detail(), "expected instructions that this processor"));
            assert_int_equal(vector, SHM_VECTORS);
        }
    }
}

/* The best, and something on every machine. */
static void test_auto(void **state)
{
    enum shm_vector vector = SHM_VECTOR_AUTO;

    (void)state;
    assert_int_equal(shm_vector_choose(SHM_VECTOR_AUTO, &vector), SHM_OK);
    assert_true(vector >= SHM_VECTOR_BASELINE && shm_vector_is_there(vector));
    for (int better = (int)vector + 1; better < SHM_VECTORS; better++)
        assert_false(shm_vector_is_there((enum shm_vector)better));
    assert_true(shm_vector_is_there(SHM_VECTOR_BASELINE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wishes), cmocka_unit_test(test_auto)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
