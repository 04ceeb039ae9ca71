/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective memory of a job of one PE, with and without SHMEM_DEBUG. */
#include "core/guard_internal.h"

#include "../thread_job.h"
#include "core/core.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

#define HEAP_BYTES (1u << 20)

static struct thread_job job;
static struct shm_instance *pe;

static void start(bool has_debug)
{
    struct thread_job_request request = {
        .n_pes = 1, .heap_bytes = HEAP_BYTES, .has_debug = has_debug};

    thread_job_start(&job, &request);
    pe = job.pes[0];
    assert_int_equal(shm_allocator_create(HEAP_BYTES, &pe->sides[SHM_SIDE_DEVICE].allocator),
                     SHM_OK);
    assert_int_equal(shm_memory_history_create(pe), SHM_OK);
}

static int start_with_debug(void **state)
{
    (void)state;
    start(true);
    return 0;
}

static int start_without(void **state)
{
    (void)state;
    start(false);
    return 0;
}

static int end(void **state)
{
    (void)state;
    thread_job_end(&job);
    return 0;
}

static char *take(uint64_t bytes)
{
    void *block = NULL;

    assert_int_equal(shm_memory_take(pe, SHM_SIDE_DEVICE, "take", bytes, 0, &block), SHM_OK);
    assert_non_null(block);
    return block;
}

static char *resize(char *block, uint64_t bytes)
{
    void *moved = NULL;

    assert_int_equal(shm_memory_resize(pe, "resize", block, bytes, &moved), SHM_OK);
    return moved;
}

static void assert_detail(const char *part)
{
    if (strstr(shm_error_detail(), part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, shm_error_detail());
}

static void test_whole_blocks_may_be_written(void **state)
{
    char *blocks[100];
    void *moved = NULL;

    (void)state;
    for (int i = 0; i < 100; i++) {
        blocks[i] = take((uint64_t)i * 41 + 1);
        memset(blocks[i], i, (size_t)i * 41 + 1);
    }
    assert_int_equal(shm_guard_check_all(pe), SHM_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(shm_memory_resize(pe, "resize", blocks[i], 2000, &moved), SHM_OK);
        memset(moved, ~i, 2000);
        moved = resize(moved, 700);
        memset(moved, i, 700);
        assert_int_equal(shm_guard_check_all(pe), SHM_OK);
        assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", moved), SHM_OK);
    }
}

static void test_each_byte_of_a_guard_counts(void **state)
{
    char detail[100];

    (void)state;
    for (int i = 0; i < SHM_GUARD_BYTES; i++) {
        char *block = take(100);

        block[100 + i] ^= 1;
        assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block), SHM_INVALID_VALUE);
        snprintf(detail, sizeof detail,
                 "ptr = %p: 1 byte behind the block's 100 bytes was overwritten (first at offset "
                 "%d)",
                 (void *)block, 100 + i);
        assert_string_equal(shm_error_detail(), detail);
        assert_ptr_equal(take(100), block); /* it was given back all the same */
        assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block), SHM_OK);
    }
}

static void test_any_fill_is_noticed(void **state)
{
    (void)state;
    for (int value = 0; value < 256; value++) {
        char *block = take(5);

        memset(block, value, 5 + 2);
        assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block), SHM_INVALID_VALUE);
        assert_detail("behind the block's 5 bytes");
    }
}

static void test_resize_checks_and_renews_guards(void **state)
{
    char *block = resize(take(1000), 10);
    void *moved = NULL;

    (void)state;
    block[10] ^= 1;
    assert_int_equal(shm_memory_resize(pe, "resize", block, 20, &moved), SHM_INVALID_VALUE);
    assert_detail("1 byte behind the block's 10 bytes was overwritten (first at offset 10)");
    assert_null(moved);
    block[10] ^= 1;
    block = resize(block, 5000);
    take(1);
    block = resize(block, 100000); /* moves */
    assert_int_equal(shm_guard_check_all(pe), SHM_OK);
    block[100000 + 63] ^= 1;
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block), SHM_INVALID_VALUE);
    assert_detail("(first at offset 100063)");
}

static void test_all_guards_are_checked_at_the_end(void **state)
{
    char *blocks[3];
    char detail[100];

    (void)state;
    for (int i = 0; i < 3; i++)
        blocks[i] = take(30);
    blocks[1][33] ^= 1;
    blocks[1][31] ^= 1;
    blocks[2][30] ^= 1;
    assert_int_equal(shm_guard_check_all(pe), SHM_INVALID_VALUE);
    snprintf(detail, sizeof detail,
             "block at %p: 2 bytes behind the block's 30 bytes were overwritten (first at offset "
             "31)",
             (void *)blocks[1]);
    assert_string_equal(shm_error_detail(), detail);
}

static void test_freed_blocks_are_remembered(void **state)
{
    char *first = take(64);
    char *second = take(64);

    (void)state;
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", first), SHM_OK);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", first), SHM_NOT_FOUND);
    assert_detail("was freed already: a block of 64 bytes, by give, 1 memory call ago");
    for (int i = 0; i < SHM_FREED_BLOCKS - 1; i++)
        assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", take(1000)), SHM_OK);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", first), SHM_NOT_FOUND);
    assert_detail("was freed already: a block of 64 bytes, by give, 512 memory calls ago");
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", second), SHM_OK);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", first), SHM_NOT_FOUND);
    assert_detail("lies in free space: it was freed before, or was never taken");
}

static void test_moved_blocks_are_remembered(void **state)
{
    char *first = take(64);
    void *moved = NULL;

    (void)state;
    take(64);
    assert_ptr_not_equal(resize(first, 10000), first);
    assert_int_equal(shm_memory_resize(pe, "resize", first, 100, &moved), SHM_NOT_FOUND);
    assert_detail("was freed already: a block of 64 bytes, by resize, 1 memory call ago");
}

/* Runs in both modes. */
static void test_wrong_pointers_are_explained(void **state)
{
    char *block = take(100);
    char detail[200];

    (void)state;
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block + 99), SHM_NOT_FOUND);
    snprintf(detail, sizeof detail,
             "ptr = %p is no block: it lies 99 bytes behind the start of the block of 100 bytes at "
             "%p",
             (void *)(block + 99), (void *)block);
    assert_string_equal(shm_error_detail(), detail);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block + 65536), SHM_NOT_FOUND);
    assert_detail("is no block: it lies in free space");
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", detail), SHM_NOT_FOUND);
    assert_detail("is no block: it lies outside the symmetric heap (0x");
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block), SHM_OK);
}

/* The job has no host heap; nor has a pointer of the symmetric heap a place there. */
static void test_wrong_side(void **state)
{
    char *block = take(100);

    (void)state;
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_HOST, "give", block), SHM_NOT_FOUND);
    assert_detail("with mem_type = HOST_SIDE is no block there: it lies in the heap of the other");
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_HOST, "give", &pe), SHM_NOT_FOUND);
    assert_detail("lies outside the host heap");
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", block), SHM_OK);
}

static void test_no_host_heap(void **state)
{
    void *block = NULL;

    (void)state;
    assert_int_equal(shm_memory_take(pe, SHM_SIDE_HOST, "take", 64, 0, &block), SHM_MALLOC_FAILED);
    assert_detail("there is no host heap (HOST_SIDE): it needs aclshmemx_init_attr");
    assert_null(block);
}

static void test_no_room(void **state)
{
    void *block = NULL;

    (void)state;
    assert_int_equal(shm_memory_take(pe, SHM_SIDE_DEVICE, "take", UINT64_MAX, 0, &block),
                     SHM_MALLOC_FAILED);
    assert_int_equal(shm_memory_take(pe, SHM_SIDE_DEVICE, "take", HEAP_BYTES + 1, 0, &block),
                     SHM_MALLOC_FAILED);
    assert_int_equal(shm_memory_take_zeroed(pe, SHM_SIDE_DEVICE, "take", SIZE_MAX / 2, 3, &block),
                     SHM_MALLOC_FAILED);
    assert_detail("9223372036854775807 elements of 3 bytes exceed the address space");
    assert_null(block);
}

static void test_no_guards_without_debug(void **state)
{
    char *first = take(64);
    char *second = take(64);

    (void)state;
    assert_ptr_equal(second, first + 64);
    memset(first, 1, 200);
    assert_int_equal(shm_guard_check_all(pe), SHM_OK);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", first), SHM_OK);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", second), SHM_OK);
    assert_int_equal(shm_memory_give(pe, SHM_SIDE_DEVICE, "give", second), SHM_NOT_FOUND);
    assert_detail("lies in free space");
    assert_ptr_equal(take(HEAP_BYTES), first);
}

static void test_guards_need_room(void **state)
{
    void *block = NULL;

    (void)state;
    assert_int_equal(shm_memory_take(pe, SHM_SIDE_DEVICE, "take", HEAP_BYTES, 0, &block),
                     SHM_MALLOC_FAILED);
    assert_detail("1048640 bytes asked for, the symmetric heap has 1048576 in all");
    assert_detail("; 64 of the bytes are a guard (SHMEM_DEBUG)");
    take(HEAP_BYTES - SHM_GUARD_BYTES);
}

#define WITH_DEBUG(test) cmocka_unit_test_setup_teardown(test, start_with_debug, end)
#define WITHOUT(test) cmocka_unit_test_setup_teardown(test, start_without, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DEBUG(test_whole_blocks_may_be_written),
        WITH_DEBUG(test_each_byte_of_a_guard_counts),
        WITH_DEBUG(test_any_fill_is_noticed),
        WITH_DEBUG(test_resize_checks_and_renews_guards),
        WITH_DEBUG(test_all_guards_are_checked_at_the_end),
        WITH_DEBUG(test_freed_blocks_are_remembered),
        WITH_DEBUG(test_moved_blocks_are_remembered),
        WITH_DEBUG(test_wrong_pointers_are_explained),
        WITH_DEBUG(test_no_room),
        WITH_DEBUG(test_guards_need_room),
        WITHOUT(test_whole_blocks_may_be_written),
        WITHOUT(test_wrong_pointers_are_explained),
        WITHOUT(test_no_room),
        WITH_DEBUG(test_wrong_side),
        WITHOUT(test_wrong_side),
        WITH_DEBUG(test_no_host_heap),
        WITHOUT(test_no_host_heap),
        WITHOUT(test_no_guards_without_debug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
