/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce_kernel.h"
#include "reference.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdalign.h>
#include <stdio.h>

#define MOST_COUNT 1000
#define ELEMENT_BYTES 16
#define SHIFTS 5 /* places of the first element behind a multiple of 64 bytes */
#define GUARD 0x5a
#define GUARD_BYTES 64
#define ARRAY_BYTES (MOST_COUNT * ELEMENT_BYTES + 2 * GUARD_BYTES + SHIFTS * ELEMENT_BYTES)

struct array {
    alignas(64) unsigned char bytes[ARRAY_BYTES];
};

/* Three arrays, each at another place behind a multiple of 64. */
static struct array first, second, out;
static unsigned char expected[MOST_COUNT * ELEMENT_BYTES];

struct sample {
    enum shm_vector vector;
    enum shm_reduction reduction;
    enum shm_element element;
    size_t count;
    size_t shift;
};

static unsigned char *place(struct array *array, const struct sample *sample, size_t extra)
{
    return array->bytes + GUARD_BYTES +
           (sample->shift + extra) % SHIFTS * shm_element_bytes(sample->element);
}

/* All around the elements must be as it was. */
static void expect_guards(const struct array *array, const unsigned char *begin, size_t bytes)
{
    for (const unsigned char *at = array->bytes; at < array->bytes + ARRAY_BYTES; at++) {
        if (at == begin)
            at += bytes;
        if (*at != GUARD)
            fail_msg("byte %td from the elements was written", at - begin);
    }
}

static void expect_same(const struct sample *sample, const void *result, const char *form)
{
    if (!is_same(sample->element, result, expected, sample->count))
        fail_msg("%s, vector %d, reduction %d, element %d, count %zu, shift %zu", form,
                 (int)sample->vector, (int)sample->reduction, (int)sample->element, sample->count,
                 sample->shift);
}

static void check(const struct sample *sample)
{
    const struct shm_reduce_kernel *kernel =
        shm_reduce_kernel(sample->vector, sample->reduction, sample->element);
    size_t bytes = sample->count * shm_element_bytes(sample->element);
    unsigned char *a = place(&first, sample, 0);
    unsigned char *b = place(&second, sample, 1);
    unsigned char *c = place(&out, sample, 2);

    memset(&first, GUARD, sizeof first);
    memset(&second, GUARD, sizeof second);
    memset(&out, GUARD, sizeof out);
    fill_awkward(sample->element, a, sample->count, 1);
    fill_awkward(sample->element, b, sample->count, 2);
    memcpy(expected, a, bytes);
    reference_combine(sample->reduction, sample->element, expected, b, sample->count);

    kernel->pair(c, a, b, sample->count);
    expect_same(sample, c, "pair");
    kernel->into(a, b, sample->count);
    expect_same(sample, a, "into");
    expect_guards(&first, a, bytes);
    expect_guards(&out, c, bytes);
}

static void for_each_kernel(void (*check_one)(const struct sample *sample), size_t count,
                            enum shm_vector vector)
{
    struct sample sample = {.count = count, .vector = vector};

    for (int reduction = 0; reduction < SHM_REDUCTIONS; reduction++) {
        for (int element = 0; element < SHM_ELEMENTS; element++) {
            sample.reduction = (enum shm_reduction)reduction;
            sample.element = (enum shm_element)element;
            sample.shift = (sample.shift + 1) % SHIFTS;
            if (is_legal(sample.reduction, sample.element))
                check_one(&sample);
        }
    }
}

/* All that this processor has. */
static void for_each_legal(void (*check_one)(const struct sample *sample), size_t count)
{
    for (int vector = SHM_VECTOR_BASELINE; vector < SHM_VECTORS; vector++) {
        if (shm_vector_is_there((enum shm_vector)vector))
            for_each_kernel(check_one, count, (enum shm_vector)vector);
    }
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t count = 0; count <= 70; count++)
        for_each_legal(check, count);
    for_each_legal(check, MOST_COUNT);
}

static void check_shifts(const struct sample *sample)
{
    struct sample shifted = *sample;

    for (shifted.shift = 0; shifted.shift < SHIFTS; shifted.shift++)
        check(&shifted);
}

static void test_shifts(void **state)
{
    (void)state;
    for_each_legal(check_shifts, 37);
}

/* Numbers from whose sums and products none may come out; the first is none already. */
static void fill_strange(enum shm_element element, unsigned char *array, size_t bytes, size_t from)
{
    static const double strange[] = {NAN, 0, -0.0, INFINITY, -INFINITY, 1, -1, 1e300, 5e-324};
    size_t kinds = sizeof strange / sizeof *strange - from;
    bool is_float = element == SHM_ELEMENT_F32 || element == SHM_ELEMENT_C32;
    size_t step = is_float ? sizeof(float) : sizeof(double);

    memset(array, 0, bytes);
    for (size_t i = 0; i + step <= bytes; i += step) {
        double number = strange[from + mix(i + from) % kinds];
        float rounded = (float)number;

        memcpy(array + i, is_float ? (void *)&rounded : (void *)&number, step);
    }
}

/* The same as by the baseline. Which one comes out of two that are no numbers, nobody promises. */
static void check_bits(const struct sample *sample)
{
    size_t bytes = sample->count * shm_element_bytes(sample->element);
    unsigned char *a = place(&first, sample, 0);
    unsigned char *b = place(&second, sample, 1);
    unsigned char *c = place(&out, sample, 2);

    if (sample->element == SHM_ELEMENT_F80)
        return; /* has bytes without meaning */
    fill_strange(sample->element, a, bytes, is_complex(sample->element)); /* a product has two */
    fill_strange(sample->element, b, bytes, 1);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, sample->reduction, sample->element)
        ->pair(expected, a, b, sample->count);
    shm_reduce_kernel(sample->vector, sample->reduction, sample->element)
        ->pair(c, a, b, sample->count);
    if (memcmp(c, expected, bytes) != 0)
        fail_msg("vector %d, reduction %d, element %d: other bits than by the baseline",
                 (int)sample->vector, (int)sample->reduction, (int)sample->element);
}

static void test_bits(void **state)
{
    (void)state;
    for_each_legal(check_bits, MOST_COUNT - 3);
}

static void test_table(void **state)
{
    (void)state;
    for (int reduction = 0; reduction < SHM_REDUCTIONS; reduction++) {
        for (int element = 0; element < SHM_ELEMENTS; element++) {
            bool is_there = shm_reduce_kernel(SHM_VECTOR_BASELINE, (enum shm_reduction)reduction,
                                              (enum shm_element)element) != NULL;

            assert_int_equal(is_there,
                             is_legal((enum shm_reduction)reduction, (enum shm_element)element));
        }
    }
    assert_null(shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCTIONS, SHM_ELEMENT_I8));
    assert_null(shm_reduce_kernel(SHM_VECTOR_BASELINE, (enum shm_reduction) - 1, SHM_ELEMENT_I8));
    assert_null(shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_SUM, SHM_ELEMENTS));
    assert_null(shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_SUM, (enum shm_element) - 1));
}

static void test_element_bytes(void **state)
{
    static const size_t bytes[SHM_ELEMENTS] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, sizeof(long double),
                                               8, 16};

    (void)state;
    for (int element = 0; element < SHM_ELEMENTS; element++)
        assert_int_equal(shm_element_bytes((enum shm_element)element), bytes[element]);
    assert_int_equal(shm_element_bytes(SHM_ELEMENT_CHAR), 1);
    assert_int_equal(SHM_ELEMENT_CHAR == SHM_ELEMENT_I8, (char)-1 < 0);
}

/* What the kinds of elements mean, in numbers that can be seen to be right. */
static void test_meaning(void **state)
{
    int8_t i8 = -128, i8_other = -1;
    uint8_t u8 = 200, u8_other = 100;
    int32_t i32 = INT32_MIN, i32_other = 1;
    double f64 = -0.5, f64_other = 2;
    float c32[2] = {1, 2}, c32_other[2] = {3, -4};

    (void)state;
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_SUM, SHM_ELEMENT_I8)->into(&i8, &i8_other, 1);
    assert_int_equal(i8, 127);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_MIN, SHM_ELEMENT_I8)->into(&i8, &i8_other, 1);
    assert_int_equal(i8, -1);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_SUM, SHM_ELEMENT_U8)->into(&u8, &u8_other, 1);
    assert_int_equal(u8, 44);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_MAX, SHM_ELEMENT_U8)->into(&u8, &u8_other, 1);
    assert_int_equal(u8, 100);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_MAX, SHM_ELEMENT_I32)
        ->into(&i32, &i32_other, 1);
    assert_int_equal(i32, 1);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_PROD, SHM_ELEMENT_F64)
        ->into(&f64, &f64_other, 1);
    assert_true(f64 == -1);
    shm_reduce_kernel(SHM_VECTOR_BASELINE, SHM_REDUCE_PROD, SHM_ELEMENT_C32)
        ->into(c32, c32_other, 1);
    assert_true(c32[0] == 11 && c32[1] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),        cmocka_unit_test(test_shifts),
        cmocka_unit_test(test_bits),          cmocka_unit_test(test_table),
        cmocka_unit_test(test_element_bytes), cmocka_unit_test(test_meaning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
