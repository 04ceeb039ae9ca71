/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/pe_list_internal.h"

#include "fixture.h"

static void expect_list(const char *marks, const char *expected, uint32_t count)
{
    char text[64];
    uint8_t bytes[64];
    uint32_t n_pes = (uint32_t)strlen(marks);

    for (uint32_t i = 0; i < n_pes; i++)
        bytes[i] = (uint8_t)(marks[i] == 'x' ? 6 : 1);
    assert_int_equal(shm_store_pe_list(bytes, n_pes, 4, text, sizeof text), count);
    assert_string_equal(text, expected);
}

static void test_ranges_are_compact(void **state)
{
    (void)state;
    expect_list("....", "", 0);
    expect_list("x", "0", 1);
    expect_list("...x.xxx", "3 and 5-7", 4);
    expect_list("xx.x.xxx.", "0-1, 3 and 5-7", 6);
    expect_list("xxxx", "0-3", 4);
}

static void test_a_long_list_is_cut_and_counted(void **state)
{
    (void)state;
    static uint8_t marks[60000];
    char text[64];

    for (size_t i = 0; i < sizeof marks; i += 2)
        marks[i] = 1;
    assert_int_equal(shm_store_pe_list(marks, sizeof marks, 1, text, sizeof text), 30000);
    assert_string_equal(text, "0, 2, 4, 6, 8, 10, 12, 14 and 29992 more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_are_compact),
        cmocka_unit_test(test_a_long_list_is_cut_and_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
