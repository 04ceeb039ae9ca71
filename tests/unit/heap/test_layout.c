/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>
#include <unistd.h>

static void test_parts_follow_each_other(void **state)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct shm_heap_layout layout;

    (void)state;
    assert_int_equal(shm_heap_layout_make(100, page + 1, (5ull << 20) + 1, 4, &layout), SHM_OK);
    assert_int_equal(layout.control_bytes, page);
    assert_int_equal(layout.static_offset, page);
    assert_int_equal(layout.static_bytes, 2 * page);
    assert_int_equal(layout.heap_offset, 64ull << 20);
    assert_int_equal(layout.heap_bytes, (5ull << 20) + page);
    assert_int_equal(layout.stride, 128ull << 20);
}

/* What was asked for stays free of the leader's token. */
static void test_token_has_room_behind_the_control_area(void **state)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct shm_heap_layout layout;

    (void)state;
    assert_int_equal(shm_heap_layout_make(page - SHM_HEAP_TOKEN_BYTES, 0, page, 1, &layout),
                     SHM_OK);
    assert_int_equal(layout.control_bytes, page);
    assert_int_equal(shm_heap_layout_make(page - SHM_HEAP_TOKEN_BYTES + 1, 0, page, 1, &layout),
                     SHM_OK);
    assert_int_equal(layout.control_bytes, 2 * page);
}

static void test_heap_and_static_data_may_be_empty(void **state)
{
    struct shm_heap_layout layout;

    (void)state;
    assert_int_equal(shm_heap_layout_make(1, 0, 0, 1, &layout), SHM_OK);
    assert_int_equal(layout.static_bytes, 0);
    assert_int_equal(layout.heap_bytes, 0);
    assert_int_equal(layout.stride, SHM_HEAP_ALIGNMENT);
}

static void assert_too_large(uint64_t control_bytes, uint64_t static_bytes, uint64_t heap_bytes,
                             int n_pes, const char *reason)
{
    struct shm_heap_layout layout = {.stride = 7};

    assert_int_equal(shm_heap_layout_make(control_bytes, static_bytes, heap_bytes, n_pes, &layout),
                     SHM_INVALID_VALUE);
    if (strstr(shm_error_detail(), reason) == NULL)
        fail_msg("the detail \"%s\" does not say \"%s\"", shm_error_detail(), reason);
    assert_int_equal(layout.stride, 7);
}

static void test_limits_of_the_address_space(void **state)
{
    struct shm_heap_layout layout;
    uint64_t most = 1ull << 46;

    (void)state;
    assert_int_equal(shm_heap_layout_make(1, 0, most - SHM_HEAP_ALIGNMENT, 1, &layout), SHM_OK);
    assert_int_equal(layout.stride, most);
    assert_too_large(1, 0, most, 1, "at most 70368744177664 bytes per PE are possible");
    assert_too_large(1, 0, most - SHM_HEAP_ALIGNMENT, 2,
                     "2 PEs of 70368744177664 bytes each (SHMEM_SYMMETRIC_SIZE 70368677068800)");
    assert_too_large(1, 0, 1ull << 32, 16384, "at most 4294967296 bytes per PE");
    assert_too_large(1, 0, UINT64_MAX, 1, "SHMEM_SYMMETRIC_SIZE");
    assert_too_large(1, UINT64_MAX, 1, 1, "static data of 18446744073709551615 bytes");
    assert_too_large(UINT64_MAX, 0, 1, 1, "a control area");
    assert_too_large(1, 0, 1, 0, "0 PEs");
}

static void test_host_heap_lies_behind_the_heap(void **state)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct shm_heap_layout layout;

    (void)state;
    assert_int_equal(shm_heap_layout_make(1, 0, 65ull << 20, 4, &layout), SHM_OK);
    assert_int_equal(layout.host_bytes, 0);
    assert_true(shm_heap_layout_add_host(&layout, page + 1, 4));
    assert_int_equal(layout.heap_offset, 64ull << 20);
    assert_int_equal(layout.host_offset, 192ull << 20);
    assert_int_equal(layout.host_bytes, 2 * page);
    assert_int_equal(layout.stride, 256ull << 20);
}

/* Heaps of 16384 PEs that fit only without host heaps, and those that just fit with them. */
static void test_host_heap_needs_addresses(void **state)
{
    struct shm_heap_layout layout;
    struct shm_heap_layout before;

    (void)state;
    assert_int_equal(shm_heap_layout_make(1, 0, 3ull << 30, 16384, &layout), SHM_OK);
    before = layout;
    assert_false(shm_heap_layout_add_host(&layout, 3ull << 30, 16384));
    assert_false(shm_heap_layout_add_host(&layout, UINT64_MAX, 16384));
    assert_false(shm_heap_layout_add_host(&layout, (1ull << 30) - SHM_HEAP_ALIGNMENT + 1, 16384));
    assert_memory_equal(&layout, &before, sizeof layout);
    assert_true(shm_heap_layout_add_host(&layout, (1ull << 30) - SHM_HEAP_ALIGNMENT, 16384));
    assert_int_equal(layout.stride, 4ull << 30);
    assert_int_equal(shm_heap_layout_make(1, 0, 40ull << 30, 700, &layout), SHM_OK);
    assert_true(shm_heap_layout_add_host(&layout, 40ull << 30, 700));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_follow_each_other),
        cmocka_unit_test(test_token_has_room_behind_the_control_area),
        cmocka_unit_test(test_heap_and_static_data_may_be_empty),
        cmocka_unit_test(test_limits_of_the_address_space),
        cmocka_unit_test(test_host_heap_lies_behind_the_heap),
        cmocka_unit_test(test_host_heap_needs_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
