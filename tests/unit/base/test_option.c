/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/option.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KIB 1024ull
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)
#define TIB (GIB * 1024)

static void assert_detail(const char *wanted)
{
    if (strstr(shm_error_detail(), wanted) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", wanted, shm_error_detail());
}

/* ---- sizes ---- */

static void sizes_are_parsed(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"0", 0},
        {"1", 1},
        {"00017", 17},
        {"4096", 4096},
        {"20m", 20971520},
        {"20M", 20 * MIB},
        {"20k", 20 * KIB},
        {"20kk", 20 * KIB},
        {"20km", 20 * KIB},
        {"20Mabc", 20 * MIB},
        {"20MiB", 20 * MIB},
        {"7G", 7 * GIB},
        {"7g", 7 * GIB},
        {"99T", 99 * TIB},
        {"99t", 99 * TIB},
        {"3.1M", 3250586}, /* 3250585.6 */
        {".5m", 524288},
        {"1.5G", GIB + GIB / 2},
        {"1.", 1},
        {"1.k", 1024},
        {"0.0", 0},
        {"0.1", 1},
        {"1.5", 2},
        {"1.0000000000000000000000000000000000000001", 2},
        {"1.0000000000000000000000000000000000000000", 1},
        {"0.0009765625k", 1}, /* 2^-10 */
        {"0.00097656250001k", 2},
        {"0.0009765624k", 1},
        {".25k", 256},
        {"0.3333333333333333333k", 342},        /* 341.33 */
        {"9007199254740993", 9007199254740993}, /* 2^53 + 1 is not a double */
        {"8796093022208.000001k", 9007199254740993},
        {"9223372036854775807", 9223372036854775807},
        {"8388607T", 8388607 * TIB},
        {"8388607.999999999999T", 9223372036854775807},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t bytes = 12345;

        if (shm_parse_bytes(cases[i].text, &bytes) != SHM_OK || bytes != cases[i].bytes)
            fail_msg("\"%s\" gave %llu, expected %llu", cases[i].text, (unsigned long long)bytes,
                     (unsigned long long)cases[i].bytes);
    }
}

static void wrong_sizes_are_refused(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "\"\" is not a size; expected a number of bytes such as 4096, or one with a suffix"},
        {" 1", "\" 1\" is not a size"},
        {"1 ", "is not a size"},
        {"1 k", "is not a size"},
        {"-1", "is not a size"},
        {"+5", "is not a size"},
        {"1e3", "is not a size"},
        {"0x10", "is not a size"},
        {"k", "is not a size"},
        {".", "is not a size"},
        {".k", "is not a size"},
        {"1.2.3", "is not a size"},
        {"1..2", "is not a size"},
        {"1,5", "is not a size"},
        {"inf", "is not a size"},
        {"nan", "is not a size"},
        {"5b", "is not a size"},
        {"5p", "is not a size"},
        {"20M5", "is not a size"},
        {"20M ", "is not a size"},
        {"20k.", "is not a size"},
        {"1\n", "is not a size"},
        {"9223372036854775808",
         "\"9223372036854775808\" is too large for a size; expected at most"},
        {"9223372036854775807.5", "is too large"},
        {"18446744073709551615", "is too large"},
        {"18446744073709551616", "is too large"},
        {"18446744073709551617", "is too large"},
        {"99999999999999999999999999", "is too large"},
        {"8388608T", "is too large"},
        {"8388607.99999999999999999999T", "is too large"},
        {"9007199254740992k", "is too large"},
        {"18014398509481984k", "is too large"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t bytes = 12345;

        if (shm_parse_bytes(cases[i].text, &bytes) != SHM_INVALID_VALUE)
            fail_msg("\"%s\" was accepted", cases[i].text);
        assert_detail(cases[i].reason);
        assert_int_equal(bytes, 12345);
    }
}

/* ---- numbers and seconds ---- */

static void integers_are_parsed(void **state)
{
    static const struct {
        const char *text;
        int64_t least, most, value;
    } cases[] = {
        {"0", 0, 10, 0},
        {"-0", 0, 10, 0},
        {"10", 0, 10, 10},
        {"-10", -10, 10, -10},
        {"007", 0, 10, 7},
        {"9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 12345;

        assert_int_equal(shm_parse_integer(cases[i].text, cases[i].least, cases[i].most, &value),
                         SHM_OK);
        assert_true(value == cases[i].value);
    }
}

static void wrong_integers_are_refused(void **state)
{
    static const char *const cases[] = {"",
                                        "-",
                                        "x",
                                        "1x",
                                        " 1",
                                        "1 ",
                                        "+1",
                                        "1.0",
                                        "1e1",
                                        "0x1",
                                        "--1",
                                        "-11",
                                        "11",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551617"};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 12345;

        if (shm_parse_integer(cases[i], -10, 10, &value) != SHM_INVALID_VALUE)
            fail_msg("\"%s\" was accepted", cases[i]);
        assert_detail("; expected a whole number, -10 to 10");
        assert_detail(cases[i]);
        assert_int_equal(value, 12345);
    }
}

static void seconds_are_parsed(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"0", 0}, {"1", 1}, {"1.5", 1.5}, {".25", 0.25}, {"3.", 3}, {"86400", 86400}, {"0.1", 0.1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double seconds = -1;

        assert_int_equal(shm_parse_seconds(cases[i].text, 0, 1e6, &seconds), SHM_OK);
        assert_true(seconds == cases[i].seconds);
    }
}

static void wrong_seconds_are_refused(void **state)
{
    static const char *const cases[] = {
        "",    ".",   "-1",    "+1", "1s",  "1e3",  "inf",
        "nan", "0x1", "1.2.3", " 1", "0.4", "10.1", "99999999999999999999"};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double seconds = 12345;

        if (shm_parse_seconds(cases[i], 0.5, 10, &seconds) != SHM_INVALID_VALUE)
            fail_msg("\"%s\" was accepted", cases[i]);
        assert_detail("; expected seconds, fractions allowed, 0.5 to 10");
        assert_true(seconds == 12345);
    }
}

/* ---- the table ---- */

struct values {
    bool flag;
    char guard_flag;
    uint64_t bytes;
    double seconds;
    int64_t number;
    const char *text;
    int choice;
    int guard_choice;
};

static const struct shm_option table[] = {
    {"OPTION_TEST_FLAG", NULL, SHM_OPTION_FLAG, offsetof(struct values, flag), "0", 0, 0, NULL, ""},
    {"OPTION_TEST_BYTES", "OPTION_TEST_OLD_BYTES", SHM_OPTION_BYTES, offsetof(struct values, bytes),
     "1.5k", 1024, 1e9, NULL, ""},
    {"OPTION_TEST_SECONDS", NULL, SHM_OPTION_SECONDS, offsetof(struct values, seconds), "2.5", 0,
     100, NULL, ""},
    {"OPTION_TEST_NUMBER", NULL, SHM_OPTION_NUMBER, offsetof(struct values, number), "-3", -5, 5,
     NULL, ""},
    {"OPTION_TEST_TEXT", NULL, SHM_OPTION_TEXT, offsetof(struct values, text), NULL, 0, 0, NULL,
     ""},
    {"OPTION_TEST_CHOICE", NULL, SHM_OPTION_CHOICE, offsetof(struct values, choice), "core", 0, 0,
     "none|core|coreless", ""},
};

static int clear_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        unsetenv(table[i].name);
    unsetenv("OPTION_TEST_OLD_BYTES");
    return 0;
}

static void defaults_are_parsed(void **state)
{
    struct values values;

    (void)state;
    memset(&values, 0x5a, sizeof values);
    assert_int_equal(shm_options_read(table, COUNT(table), &values), SHM_OK);
    assert_false(values.flag);
    assert_int_equal(values.guard_flag, 0x5a);
    assert_int_equal(values.bytes, 1536);
    assert_true(values.seconds == 2.5);
    assert_int_equal(values.number, -3);
    assert_null(values.text);
    assert_int_equal(values.choice, 1);
    assert_int_equal(values.guard_choice, 0x5a5a5a5a);
}

static void environment_is_read(void **state)
{
    struct values values;

    (void)state;
    setenv("OPTION_TEST_FLAG", "1", 1);
    setenv("OPTION_TEST_BYTES", "1m", 1);
    setenv("OPTION_TEST_OLD_BYTES", "2m", 1);
    setenv("OPTION_TEST_SECONDS", "0.5", 1);
    setenv("OPTION_TEST_NUMBER", "4", 1);
    setenv("OPTION_TEST_TEXT", "some text", 1);
    setenv("OPTION_TEST_CHOICE", "CoreLess", 1);
    assert_int_equal(shm_options_read(table, COUNT(table), &values), SHM_OK);
    assert_true(values.flag);
    assert_int_equal(values.bytes, 1048576);
    assert_true(values.seconds == 0.5);
    assert_int_equal(values.number, 4);
    assert_string_equal(values.text, "some text");
    assert_int_equal(values.choice, 2);
}

static void old_names_are_read_when_the_new_one_is_unset(void **state)
{
    struct values values;

    (void)state;
    assert_null(shm_option_setting(&table[1]));
    setenv("OPTION_TEST_OLD_BYTES", "2m", 1);
    assert_string_equal(shm_option_setting(&table[1]), "2m");
    assert_int_equal(shm_options_read(table, COUNT(table), &values), SHM_OK);
    assert_int_equal(values.bytes, 2097152);
    setenv("OPTION_TEST_OLD_BYTES", "x", 1);
    assert_int_equal(shm_options_read(table, COUNT(table), &values), SHM_INVALID_VALUE);
    assert_detail("OPTION_TEST_OLD_BYTES: \"x\" is not a size");
    setenv("OPTION_TEST_BYTES", "1m", 1);
    assert_string_equal(shm_option_setting(&table[1]), "1m");
    assert_null(shm_option_setting(&table[0]));
}

static void flags_know_the_words_for_no(void **state)
{
    static const struct {
        const char *text;
        bool is_set;
    } cases[] = {{"", false},   {"0", false},     {"no", false}, {"off", false}, {"false", false},
                 {"No", false}, {"FALSE", false}, {"1", true},   {"yes", true},  {"on", true},
                 {"00", true},  {"none", true},   {"true", true}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct values values;

        setenv("OPTION_TEST_FLAG", cases[i].text, 1);
        assert_int_equal(shm_options_read(table, COUNT(table), &values), SHM_OK);
        if (values.flag != cases[i].is_set)
            fail_msg("\"%s\" gave %d", cases[i].text, values.flag);
    }
}

static void wrong_settings_name_variable_value_and_what_is_accepted(void **state)
{
    static const struct {
        const char *name, *text, *detail;
    } cases[] = {
        {"OPTION_TEST_BYTES", "1000",
         "OPTION_TEST_BYTES: \"1000\"; expected a size of 1024 to "
         "1000000000 bytes"},
        {"OPTION_TEST_BYTES", "1g", "OPTION_TEST_BYTES: \"1g\"; expected a size of 1024 to"},
        {"OPTION_TEST_BYTES", "abc", "OPTION_TEST_BYTES: \"abc\" is not a size; expected"},
        {"OPTION_TEST_SECONDS", "101",
         "OPTION_TEST_SECONDS: \"101\"; expected seconds, fractions "
         "allowed, 0 to 100"},
        {"OPTION_TEST_NUMBER", "6", "OPTION_TEST_NUMBER: \"6\"; expected a whole number, -5 to 5"},
        {"OPTION_TEST_NUMBER", "", "OPTION_TEST_NUMBER: \"\"; expected a whole number"},
        {"OPTION_TEST_CHOICE", "cor",
         "OPTION_TEST_CHOICE: \"cor\"; expected one of none|core|coreless"},
        {"OPTION_TEST_CHOICE", "", "OPTION_TEST_CHOICE: \"\"; expected one of"},
        {"OPTION_TEST_CHOICE", "none|core", "OPTION_TEST_CHOICE: \"none|core\"; expected one of"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct values values;
        struct values before;

        memset(&values, 0x5a, sizeof values);
        before = values;
        setenv(cases[i].name, cases[i].text, 1);
        assert_int_equal(shm_options_read(table, COUNT(table), &values), SHM_INVALID_VALUE);
        assert_detail(cases[i].detail);
        assert_memory_equal(&values, &before, sizeof values);
        unsetenv(cases[i].name);
    }
}

static void wide_ranges_reach_the_ends_of_the_type(void **state)
{
    static const struct shm_option wide = {
        "OPTION_TEST_NUMBER", NULL, SHM_OPTION_NUMBER, 0, "0", -0x1p63, 0x1p63, NULL, ""};
    int64_t number = 0;

    (void)state;
    setenv("OPTION_TEST_NUMBER", "9223372036854775807", 1);
    assert_int_equal(shm_options_read(&wide, 1, &number), SHM_OK);
    assert_true(number == INT64_MAX);
    setenv("OPTION_TEST_NUMBER", "-9223372036854775808", 1);
    assert_int_equal(shm_options_read(&wide, 1, &number), SHM_OK);
    assert_true(number == INT64_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_parsed),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(integers_are_parsed),
        cmocka_unit_test(wrong_integers_are_refused),
        cmocka_unit_test(seconds_are_parsed),
        cmocka_unit_test(wrong_seconds_are_refused),
        cmocka_unit_test_setup(defaults_are_parsed, clear_environment),
        cmocka_unit_test_setup(environment_is_read, clear_environment),
        cmocka_unit_test_setup(old_names_are_read_when_the_new_one_is_unset, clear_environment),
        cmocka_unit_test_setup(flags_know_the_words_for_no, clear_environment),
        cmocka_unit_test_setup(wrong_settings_name_variable_value_and_what_is_accepted,
                               clear_environment),
        cmocka_unit_test_setup(wide_ranges_reach_the_ends_of_the_type, clear_environment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
