/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges and blocks with bytes in common; an instance of which only the reach is filled. */
#include "core/core.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAP_BYTES 4096
#define STATIC_BYTES 256
#define ELEMENTS 24

/* Two slices of heap and static data behind it; the static data of PE 0 has a second address. */
static char slices[2 * (HEAP_BYTES + STATIC_BYTES)];
static char static_data[STATIC_BYTES];
static char private_data[64];

static int start(void **state)
{
    struct shm_instance *instance = calloc(1, sizeof *instance);

    assert_non_null(instance);
    instance->reach =
        (struct shm_reach){.heap_begin = (uintptr_t)slices,
                           .heap_bytes = HEAP_BYTES,
                           .static_begin = (uintptr_t)static_data,
                           .static_bytes = STATIC_BYTES,
                           .static_shift = (intptr_t)(slices + HEAP_BYTES - static_data),
                           .stride = HEAP_BYTES + STATIC_BYTES,
                           .n_pes = 2,
                           .is_debugging = true};
    *state = instance;
    return 0;
}

static int end(void **state)
{
    free(*state);
    return 0;
}

static void expect(const struct shm_instance *instance, const void *dest, const void *source,
                   uint64_t bytes, enum shm_status status)
{
    assert_int_equal(shm_check_overlap(instance, dest, bytes, source, bytes, false), status);
    assert_int_equal(shm_check_overlap(instance, source, bytes, dest, bytes, false), status);
}

static void test_ranges(void **state)
{
    const struct shm_instance *instance = *state;

    for (int distance = -20; distance <= 20; distance++) {
        enum shm_status status = distance > -8 && distance < 8 ? SHM_INVALID_VALUE : SHM_OK;

        expect(instance, slices + 100, slices + 100 + distance, 8, status);
        expect(instance, private_data + 30, private_data + 30 + distance, 8, status);
    }
    expect(instance, slices, slices, 0, SHM_OK);
    expect(instance, slices, (void *)UINTPTR_MAX, 8, SHM_OK);
}

static void test_ranges_of_different_lengths(void **state)
{
    const struct shm_instance *instance = *state;

    for (int at = 0; at < 64; at++) {
        enum shm_status expected = at + 8 > 20 && at < 40 ? SHM_INVALID_VALUE : SHM_OK;

        assert_int_equal(shm_check_overlap(instance, slices + at, 8, slices + 20, 20, false),
                         expected);
        assert_int_equal(shm_check_overlap(instance, slices + 20, 20, slices + at, 8, false),
                         expected);
        /* a range may be without an end */
        assert_int_equal(shm_check_overlap(instance, slices + at, SIZE_MAX, slices + 20, 8, true),
                         at == 20 ? SHM_OK : SHM_INVALID_VALUE);
    }
    assert_int_equal(shm_check_overlap(instance, slices + 5, 0, slices, 20, false), SHM_OK);
    assert_int_equal(shm_check_overlap(instance, slices, 20, slices + 5, 0, false), SHM_OK);
}

static void test_the_same_address(void **state)
{
    const struct shm_instance *instance = *state;

    assert_int_equal(shm_check_overlap(instance, slices, 8, slices, 8, true), SHM_OK);
    assert_int_equal(shm_check_overlap(instance, slices, 8, slices + 1, 8, true),
                     SHM_INVALID_VALUE);
    assert_non_null(strstr(shm_error_detail(), "expected the same address or no byte in common"));
}

/* Both addresses of static data are the same place; the line shows the program's. */
static void test_static_data(void **state)
{
    const struct shm_instance *instance = *state;
    char *own = slices + HEAP_BYTES;
    char *other = own + HEAP_BYTES + STATIC_BYTES;
    char detail[200];

    expect(instance, static_data + 8, static_data, 8, SHM_OK);
    expect(instance, static_data + 4, static_data, 8, SHM_INVALID_VALUE);
    expect(instance, own + 8, static_data, 8, SHM_OK);
    expect(instance, other, static_data, 8, SHM_OK);
    assert_int_equal(shm_check_overlap(instance, own + 5, 9, static_data, 6, false),
                     SHM_INVALID_VALUE);
    snprintf(detail, sizeof detail,
             "source = %p (6 bytes) and dest = %p (9 bytes) overlap, expected no byte in common",
             (void *)static_data, (void *)(static_data + 5));
    assert_string_equal(shm_error_detail(), detail);
}

/* Marks the elements of one side of a strided copy in a map. */
static void mark(bool *map, int first, ptrdiff_t stride, const struct shm_strided *copy)
{
    for (size_t i = 0; i < copy->count; i++) {
        for (size_t k = 0; k < copy->block; k++)
            map[first + (int)i * (int)stride + (int)k] = true;
    }
}

static bool have_common_element(const struct shm_strided *copy, int to, int from)
{
    bool maps[2][8 * ELEMENTS] = {{false}};

    mark(maps[0], to, copy->to_stride, copy);
    mark(maps[1], from, copy->from_stride, copy);
    for (int i = 0; i < 8 * ELEMENTS; i++) {
        if (maps[0][i] && maps[1][i])
            return true;
    }
    return false;
}

/* All small copies within an array of 4-byte elements, against a map of its elements. */
static void try_copies(struct shm_instance *instance, size_t block, size_t count)
{
    uint32_t *words = (uint32_t *)(void *)slices;
    int middle = 4 * ELEMENTS;

    for (ptrdiff_t to_stride = -4; to_stride <= 4; to_stride++) {
        for (ptrdiff_t from_stride = -4; from_stride <= 4; from_stride++) {
            for (int from = middle - ELEMENTS; from <= middle + ELEMENTS; from++) {
                struct shm_strided copy = {words + middle, words + from, to_stride, from_stride,
                                           block,          count,        4};
                enum shm_status expected =
                    have_common_element(&copy, middle, from) ? SHM_INVALID_VALUE : SHM_OK;

                if (to_stride == 0 || from_stride == 0)
                    continue;
                if (shm_strided_put(instance, &copy, 0) != expected ||
                    shm_strided_get(instance, &copy, 0) != expected)
                    fail_msg("%zu blocks of %zu, strides %td and %td, %d apart", count, block,
                             to_stride, from_stride, from - middle);
            }
        }
    }
}

static void test_blocks(void **state)
{
    for (size_t block = 1; block <= 3; block++) {
        for (size_t count = 0; count <= 6; count++)
            try_copies(*state, block, count);
    }
}

static void test_blocks_of_static_data(void **state)
{
    struct shm_instance *instance = *state;
    long *words = (long *)(void *)static_data;
    struct shm_strided copy = {words, words + 1, 2, 2, 1, 8, sizeof(long)};
    char detail[200];

    assert_int_equal(shm_strided_put(instance, &copy, 0), SHM_OK);
    assert_int_equal(shm_strided_get(instance, &copy, 0), SHM_OK);
    copy.from = words + 14;
    assert_int_equal(shm_strided_put(instance, &copy, 1), SHM_OK);
    assert_int_equal(shm_strided_get(instance, &copy, 1), SHM_OK);
    assert_int_equal(shm_strided_put(instance, &copy, 0), SHM_INVALID_VALUE);
    snprintf(detail, sizeof detail,
             "blocks of source = %p and dest = %p overlap, expected no byte in common",
             (const void *)copy.from, (void *)copy.to);
    assert_string_equal(shm_error_detail(), detail);
    assert_int_equal(shm_strided_get(instance, &copy, 0), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), detail);
}

static void test_blocks_without_debug(void **state)
{
    struct shm_instance *instance = *state;
    long *words = (long *)(void *)static_data;
    struct shm_strided copy = {words, words + 1, 1, 1, 1, 8, sizeof(long)};

    instance->reach.is_debugging = false;
    assert_int_equal(shm_strided_put(instance, &copy, 0), SHM_OK);
    assert_int_equal(shm_strided_get(instance, &copy, 0), SHM_OK);
}

#define WITH_INSTANCE(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_INSTANCE(test_ranges),
        WITH_INSTANCE(test_ranges_of_different_lengths),
        WITH_INSTANCE(test_the_same_address),
        WITH_INSTANCE(test_static_data),
        WITH_INSTANCE(test_blocks),
        WITH_INSTANCE(test_blocks_of_static_data),
        WITH_INSTANCE(test_blocks_without_debug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
