/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/rma.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

static void expect_extent(ptrdiff_t stride, size_t block, size_t count, size_t element_bytes,
                          uint64_t below, uint64_t bytes)
{
    uint64_t got_below = 99;
    uint64_t got_bytes = 99;

    assert_int_equal(
        shm_strided_extent(stride, block, count, element_bytes, &got_below, &got_bytes), SHM_OK);
    assert_int_equal(got_below, below);
    assert_int_equal(got_bytes, bytes);
}

static void test_extent(void **state)
{
    uint64_t below;
    uint64_t bytes;

    (void)state;
    expect_extent(1, 1, 10, 4, 0, 40);
    expect_extent(3, 1, 10, 4, 0, 112);
    expect_extent(-3, 1, 10, 4, 108, 112);
    expect_extent(5, 2, 3, 8, 0, 96);
    expect_extent(-5, 2, 3, 8, 80, 96);
    expect_extent(7, 3, 0, 8, 0, 0);
    expect_extent(7, 0, 3, 8, 0, 0);
    expect_extent(PTRDIFF_MIN, 1, 1, 1, 0, 1);
    assert_int_equal(shm_strided_extent(PTRDIFF_MAX, 1, 3, 8, &below, &bytes), SHM_INVALID_VALUE);
    assert_int_equal(shm_strided_extent(PTRDIFF_MIN, 1, 3, 8, &below, &bytes), SHM_INVALID_VALUE);
    assert_int_equal(shm_strided_extent(1, 1, SIZE_MAX, 8, &below, &bytes), SHM_INVALID_VALUE);
    assert_int_equal(shm_strided_extent(1, SIZE_MAX / 2, 1, 8, &below, &bytes), SHM_INVALID_VALUE);
}

/* Copies with every element size and compares with a copy byte by byte. */
static void expect_copy(size_t element_bytes, ptrdiff_t to_stride, ptrdiff_t from_stride,
                        size_t block)
{
    enum { BYTES = 4096, MIDDLE = 2048, COUNT = 5 };

    static unsigned char from[BYTES], to[BYTES], expected[BYTES];
    struct shm_strided copy = {to + MIDDLE, from + MIDDLE, to_stride,    from_stride,
                               block,       COUNT,         element_bytes};

    for (int i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 31 + i / 256);
    memset(to, 0xaa, sizeof to);
    memset(expected, 0xaa, sizeof expected);
    for (ptrdiff_t i = 0; i < COUNT; i++) {
        for (size_t byte = 0; byte < block * element_bytes; byte++)
            expected[MIDDLE + i * to_stride * (ptrdiff_t)element_bytes + (ptrdiff_t)byte] =
                from[MIDDLE + i * from_stride * (ptrdiff_t)element_bytes + (ptrdiff_t)byte];
    }
    shm_copy_strided(&copy);
    assert_memory_equal(to, expected, sizeof to);
}

static void test_copy(void **state)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3};
    static const ptrdiff_t strides[] = {1, 2, 7, -1, -3};

    (void)state;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (size_t i = 0; i < 25; i++) {
            expect_copy(sizes[size], strides[i / 5], strides[i % 5], 1);
            if (strides[i / 5] == 7)
                expect_copy(sizes[size], 7, strides[i % 5], 4);
        }
    }
}

static void test_atomics(void **state)
{
    uint64_t word = 0xfffffffffffffff0u;
    uint32_t small[2] = {0xfffffff0u, 5};

    (void)state;
    assert_int_equal(shm_atomic(SHM_ATOMIC_ADD, &word, 8, 0x20, 0), 0xfffffffffffffff0u);
    assert_int_equal(word, 0x10);
    assert_int_equal(shm_atomic(SHM_ATOMIC_SWAP, &word, 8, 7, 0), 0x10);
    assert_int_equal(shm_atomic(SHM_ATOMIC_COMPARE_SWAP, &word, 8, 9, 8), 7);
    assert_int_equal(word, 7);
    assert_int_equal(shm_atomic(SHM_ATOMIC_COMPARE_SWAP, &word, 8, 9, 7), 7);
    assert_int_equal(shm_atomic(SHM_ATOMIC_FETCH, &word, 8, 0, 0), 9);
    assert_int_equal(shm_atomic(SHM_ATOMIC_OR, &word, 8, 6, 0), 9);
    assert_int_equal(shm_atomic(SHM_ATOMIC_AND, &word, 8, 0xd, 0), 15);
    assert_int_equal(shm_atomic(SHM_ATOMIC_XOR, &word, 8, 0xff, 0), 13);
    assert_int_equal(word, 0xf2);
    shm_atomic(SHM_ATOMIC_SET, &word, 8, 1, 0);
    assert_int_equal(word, 1);
    assert_int_equal(shm_atomic(SHM_ATOMIC_ADD, small, 4, 0x20, 0), 0xfffffff0u);
    assert_int_equal(small[0], 0x10);
    assert_int_equal(small[1], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extent),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_atomics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
