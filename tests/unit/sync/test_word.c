/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/float_bits.h"
#include "sync/sync.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <limits.h>
#include <math.h>
#include <string.h>

static bool is(const void *word, enum shm_word_kind kind, enum shm_comparison comparison,
               uint64_t value)
{
    struct shm_word_test test = {word, value, kind, comparison};

    return shm_word_is(&test);
}

/* less, equal, greater: what each comparison says of the word */
static void expect(const void *word, enum shm_word_kind kind, uint64_t value, int order)
{
    assert_int_equal(is(word, kind, SHM_CMP_EQ, value), order == 0);
    assert_int_equal(is(word, kind, SHM_CMP_NE, value), order != 0);
    assert_int_equal(is(word, kind, SHM_CMP_GT, value), order > 0);
    assert_int_equal(is(word, kind, SHM_CMP_GE, value), order >= 0);
    assert_int_equal(is(word, kind, SHM_CMP_LT, value), order < 0);
    assert_int_equal(is(word, kind, SHM_CMP_LE, value), order <= 0);
}

static void test_signs(void **state)
{
    int8_t i8 = -5;
    uint8_t u8 = 0xfb;
    int16_t i16 = -5;
    uint16_t u16 = 0xfffb;
    int32_t i32 = -5;
    uint32_t u32 = 0xfffffffb;
    int64_t i64 = INT64_MIN;
    uint64_t u64 = 1ull << 63;

    (void)state;
    expect(&i8, SHM_WORD_I8, 3, -1);
    expect(&i8, SHM_WORD_I8, (uint64_t)-5, 0);
    expect(&u8, SHM_WORD_U8, 3, 1);
    expect(&u8, SHM_WORD_U8, 0xfb, 0);
    expect(&i16, SHM_WORD_I16, 3, -1);
    expect(&i16, SHM_WORD_I16, (uint64_t)-5, 0);
    expect(&u16, SHM_WORD_U16, 3, 1);
    expect(&i32, SHM_WORD_I32, 3, -1);
    expect(&i32, SHM_WORD_I32, (uint64_t)-6, 1);
    expect(&u32, SHM_WORD_U32, 0xfffffffb, 0);
    expect(&u32, SHM_WORD_U32, 0xfffffffc, -1);
    expect(&i64, SHM_WORD_I64, 0, -1);
    expect(&u64, SHM_WORD_U64, 0, 1);
    expect(&u64, SHM_WORD_U64, UINT64_MAX, -1);
}

static void test_chars(void **state)
{
    char word = (char)-5;

    (void)state;
    expect(&word, SHM_WORD_CHAR, 3, CHAR_MIN < 0 ? -1 : 1);
    expect(&word, SHM_WORD_CHAR, (uint64_t)word, 0);
}

static void test_floats(void **state)
{
    float words[] = {-1.5f, 0.25f, -0.0f, INFINITY};
    float number = NAN;

    (void)state;
    expect(words, SHM_WORD_F32, shm_bits_of_f32(-1.25f), -1);
    expect(words, SHM_WORD_F32, shm_bits_of_f32(-1.5f), 0);
    expect(words, SHM_WORD_F32, shm_bits_of_f32(1.0f), -1);
    expect(words + 1, SHM_WORD_F32, shm_bits_of_f32(0.125f), 1);
    expect(words + 2, SHM_WORD_F32, shm_bits_of_f32(0.0f), 0);
    expect(words + 3, SHM_WORD_F32, shm_bits_of_f32(1e30f), 1);
    /* what is no number is not equal, and nothing else either */
    for (int comparison = SHM_CMP_EQ; comparison <= SHM_CMP_LE; comparison++)
        assert_int_equal(
            is(&number, SHM_WORD_F32, (enum shm_comparison)comparison, shm_bits_of_f32(number)),
            comparison == SHM_CMP_NE);
}

/* Only the word's own bytes count. */
static void test_widths(void **state)
{
    uint8_t bytes[8] = {7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    uint16_t shorts[4] = {7, 0xffff, 0xffff, 0xffff};
    uint32_t ints[2] = {7, 0xffffffff};

    (void)state;
    expect(bytes, SHM_WORD_U8, 7, 0);
    expect(bytes, SHM_WORD_I8, 7, 0);
    expect(shorts, SHM_WORD_U16, 7, 0);
    expect(shorts, SHM_WORD_I16, 7, 0);
    expect(ints, SHM_WORD_U32, 7, 0);
    expect(ints, SHM_WORD_I32, 7, 0);
}

static bool is_listed(const void *argument, int pe)
{
    return ((const char *)argument)[pe] == 'x';
}

static void expect_list(const char *pes, const char *expected)
{
    char text[32] = "";

    shm_pe_list(text, sizeof text, (int)strlen(pes), is_listed, pes);
    assert_string_equal(text, expected);
}

static void test_pe_list(void **state)
{
    (void)state;
    expect_list("", "");
    expect_list("....", "");
    expect_list("x", "PE 0");
    expect_list("xx", "PEs 0-1");
    expect_list(".x.xxx.x", "PEs 1, 3-5, 7");
    expect_list("x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.", "PEs 0, 2, 4, 6, 8, 10, 12, 14, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs),  cmocka_unit_test(test_widths),  cmocka_unit_test(test_chars),
        cmocka_unit_test(test_floats), cmocka_unit_test(test_pe_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
