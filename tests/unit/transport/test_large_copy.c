/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport/transport.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>
#include <string.h>

#define LARGE SHM_COPY_LARGE_BYTES
#define MARGIN 256
#define ROOM (2 * LARGE + 4 * MARGIN)

typedef void copy_fn(void *to, const void *from, size_t bytes);

struct buffers {
    unsigned char *bytes, *expected;
};

static void fill(struct buffers *buffers)
{
    uint32_t value = 1;

    for (size_t i = 0; i < ROOM; i++) {
        value = value * 1664525u + 1013904223u;
        buffers->bytes[i] = buffers->expected[i] = (unsigned char)(value >> 24);
    }
}

static int make(void **state)
{
    struct buffers *buffers = malloc(sizeof *buffers);

    buffers->bytes = malloc(ROOM);
    buffers->expected = malloc(ROOM);
    *state = buffers;
    return 0;
}

static int drop(void **state)
{
    struct buffers *buffers = *state;

    free(buffers->bytes);
    free(buffers->expected);
    free(buffers);
    return 0;
}

/* Within one buffer, so that what lies before and behind is compared, too. */
static void check(struct buffers *buffers, copy_fn *copy, size_t to, size_t from, size_t bytes)
{
    fill(buffers);
    memmove(buffers->expected + to, buffers->expected + from, bytes);
    copy(buffers->bytes + to, buffers->bytes + from, bytes);
    assert_memory_equal(buffers->bytes, buffers->expected, ROOM);
}

static void inline_copy(void *to, const void *from, size_t bytes)
{
    shm_copy_bytes(to, from, bytes);
}

static void test_apart(void **state)
{
    static copy_fn *const copies[] = {shm_copy_by_string, shm_copy_large, inline_copy};
    static const size_t offsets[] = {0, 1, 8, 63, 64};
    static const size_t sizes[] = {0, 1, 63, 4096, LARGE - 1, LARGE};

    for (size_t c = 0; c < sizeof copies / sizeof *copies; c++) {
        for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
            size_t s = (o + c) % (sizeof sizes / sizeof *sizes);

            check(*state, copies[c], LARGE + 2 * MARGIN + offsets[o], MARGIN, sizes[s]);
            check(*state, copies[c], MARGIN, LARGE + 2 * MARGIN + offsets[o], LARGE + 3);
        }
    }
}

/* By memmove where dest begins inside of source, upwards where source begins inside of dest. */
static void test_overlapping(void **state)
{
    static const size_t distances[] = {0, 1, 64, 4097, LARGE - 1, LARGE};

    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        check(*state, shm_copy_large, MARGIN + distances[i], MARGIN, LARGE);
        check(*state, shm_copy_large, MARGIN, MARGIN + distances[i], LARGE);
        check(*state, shm_copy_by_string, MARGIN, MARGIN + distances[i], LARGE);
    }
}

/* Blocks of a strided layout, too. */
static void test_strided_blocks(void **state)
{
    struct buffers *buffers = *state;
    struct shm_strided copy = {.to_stride = 1,
                               .from_stride = 1,
                               .block = LARGE / 8,
                               .count = 1,
                               .element_bytes = 8,
                               .to = buffers->bytes + LARGE + MARGIN,
                               .from = buffers->bytes};

    fill(buffers);
    memmove(buffers->expected + LARGE + MARGIN, buffers->expected, LARGE);
    shm_copy_strided(&copy);
    assert_memory_equal(buffers->bytes, buffers->expected, ROOM);
}

static void test_same_answer(void **state)
{
    bool first = shm_copy_has_string();

    (void)state;
    assert_int_equal(shm_copy_has_string(), first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_apart, make, drop),
        cmocka_unit_test_setup_teardown(test_overlapping, make, drop),
        cmocka_unit_test_setup_teardown(test_strided_blocks, make, drop),
        cmocka_unit_test(test_same_answer),
    };

    return cmocka_run_group_tests_name("large copy", tests, NULL, NULL);
}
