/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_tree_check.h"

#define HEAP_BYTES (1u << 20)

static struct shm_allocator *make_allocator(uint64_t bytes)
{
    struct shm_allocator *allocator = NULL;

    assert_int_equal(shm_allocator_create(bytes, &allocator), SHM_OK);
    return allocator;
}

static uint64_t take(struct shm_allocator *allocator, uint64_t bytes, uint64_t alignment)
{
    uint64_t offset = UINT64_MAX;

    assert_int_equal(shm_allocator_take(allocator, bytes, alignment, &offset), SHM_OK);
    return offset;
}

static struct shm_allocator_usage usage_of(const struct shm_allocator *allocator)
{
    struct shm_allocator_usage usage;

    shm_allocator_usage(allocator, &usage);
    return usage;
}

static void assert_all_free(const struct shm_allocator *allocator, uint64_t bytes)
{
    struct shm_allocator_usage usage = usage_of(allocator);

    assert_int_equal(usage.total_bytes, bytes);
    assert_int_equal(usage.free_bytes, bytes);
    assert_int_equal(usage.largest_gap_bytes, bytes);
    assert_int_equal(usage.blocks, 0);
}

static void assert_detail(const char *part)
{
    if (strstr(shm_error_detail(), part) == NULL)
        fail_msg("the detail \"%s\" does not say \"%s\"", shm_error_detail(), part);
}

/* ---- single calls ---- */

static void test_empty_heap_has_room_for_nothing(void **state)
{
    struct shm_allocator *allocator = make_allocator(0);
    uint64_t offset = 7;

    (void)state;
    assert_int_equal(shm_allocator_take(allocator, 1, 0, &offset), SHM_MALLOC_FAILED);
    assert_detail("1 bytes asked for, the symmetric heap has 0 in all");
    assert_int_equal(offset, 7);
    assert_int_equal(shm_allocator_give(allocator, 0), SHM_NOT_FOUND);
    assert_detail("outside the symmetric heap of 0 bytes");
    assert_all_free(allocator, 0);
    shm_allocator_destroy(allocator);
}

static void test_blocks_are_aligned(void **state)
{
    struct shm_allocator *allocator = make_allocator(2 * SHM_HEAP_ALIGNMENT);
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    (void)state;
    assert_int_equal(take(allocator, 1, 0), 0);
    assert_int_equal(take(allocator, 65, 8), 64);
    assert_int_equal(take(allocator, 1, 1), 192);
    assert_int_equal(take(allocator, page, 0), page);
    assert_int_equal(take(allocator, page - 1, 0), 2 * page);
    assert_int_equal(take(allocator, 64, 1024), 1024);
    assert_int_equal(take(allocator, 100, SHM_HEAP_ALIGNMENT), SHM_HEAP_ALIGNMENT);
    assert_int_equal(take(allocator, 2 * page, 64), 3 * page);
    assert_int_equal(take(allocator, 1, 0), 256);
    shm_allocator_destroy(allocator);
}

static void test_senseless_requests_are_refused(void **state)
{
    struct shm_allocator *allocator = make_allocator(HEAP_BYTES);
    uint64_t offset = 7;

    (void)state;
    assert_int_equal(shm_allocator_take(allocator, 0, 0, &offset), SHM_INVALID_VALUE);
    assert_detail("0 bytes");
    assert_int_equal(shm_allocator_take(allocator, 8, 24, &offset), SHM_INVALID_VALUE);
    assert_detail("an alignment of 24 bytes, expected a power of two");
    assert_int_equal(shm_allocator_take(allocator, 8, 128u << 20, &offset), SHM_MALLOC_FAILED);
    assert_detail("an alignment of 134217728 bytes, this heap has at most 67108864");
    assert_int_equal(shm_allocator_take(allocator, UINT64_MAX, 0, &offset), SHM_MALLOC_FAILED);
    assert_int_equal(shm_allocator_take(allocator, UINT64_MAX - 63, 4096, &offset),
                     SHM_MALLOC_FAILED);
    assert_int_equal(offset, 7);
    assert_all_free(allocator, HEAP_BYTES);
    shm_allocator_destroy(allocator);
}

static void test_exhaustion_says_what_is_left(void **state)
{
    struct shm_allocator *allocator = make_allocator(65536);
    uint64_t first = take(allocator, 16384, 0);
    uint64_t offset = 7;

    (void)state;
    take(allocator, 16384, 0);
    assert_int_equal(shm_allocator_give(allocator, first), SHM_OK);
    assert_int_equal(shm_allocator_take(allocator, 40000, 0, &offset), SHM_MALLOC_FAILED);
    assert_detail("no gap for 40000 bytes aligned to 4096: 49152 bytes are free, the largest gap "
                  "has 32768, the symmetric heap 65536 in all");
    assert_int_equal(take(allocator, 32768, 0), 32768);
    assert_int_equal(take(allocator, 16384, 0), 0);
    assert_int_equal(shm_allocator_take(allocator, 1, 0, &offset), SHM_MALLOC_FAILED);
    assert_int_equal(offset, 7);
    assert_int_equal(usage_of(allocator).free_bytes, 0);
    assert_int_equal(usage_of(allocator).blocks, 3);
    shm_allocator_destroy(allocator);
}

static void test_wrong_offsets_are_explained(void **state)
{
    struct shm_allocator *allocator = make_allocator(HEAP_BYTES);
    uint64_t block = take(allocator, 200, 0);
    uint64_t bytes = 7;

    (void)state;
    assert_int_equal(shm_allocator_give(allocator, block + 64), SHM_NOT_FOUND);
    assert_detail("offset 64 lies inside the block of 200 bytes that starts at 0");
    assert_int_equal(shm_allocator_give(allocator, 1), SHM_NOT_FOUND);
    assert_detail("offset 1 lies inside the block");
    assert_int_equal(shm_allocator_give(allocator, 4096), SHM_NOT_FOUND);
    assert_detail("offset 4096 lies in free space");
    assert_int_equal(shm_allocator_give(allocator, HEAP_BYTES), SHM_NOT_FOUND);
    assert_detail("offset 1048576 lies outside the symmetric heap of 1048576 bytes");
    assert_int_equal(shm_allocator_block(allocator, block, &bytes), SHM_OK);
    assert_int_equal(bytes, 200);
    assert_int_equal(shm_allocator_give(allocator, block), SHM_OK);
    assert_int_equal(shm_allocator_give(allocator, block), SHM_NOT_FOUND);
    assert_detail("offset 0 lies in free space: the block was given back before");
    assert_int_equal(shm_allocator_block(allocator, block, &bytes), SHM_NOT_FOUND);
    assert_int_equal(bytes, 200);
    assert_int_equal(shm_allocator_resize(allocator, block, 10), SHM_NOT_FOUND);
    assert_all_free(allocator, HEAP_BYTES);
    shm_allocator_destroy(allocator);
}

static void test_neighbouring_gaps_become_one(void **state)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct shm_allocator *allocator = make_allocator(192);
        uint64_t blocks[3];

        for (int k = 0; k < 3; k++)
            blocks[k] = take(allocator, 64, 0);
        for (int k = 0; k < 3; k++)
            assert_int_equal(shm_allocator_give(allocator, blocks[orders[i][k]]), SHM_OK);
        assert_all_free(allocator, 192);
        assert_int_equal(take(allocator, 192, 0), 0);
        shm_allocator_destroy(allocator);
    }
}

static void test_resize_in_place(void **state)
{
    struct shm_allocator *allocator = make_allocator(1024);
    uint64_t first = take(allocator, 256, 0);
    uint64_t second = take(allocator, 256, 0);
    uint64_t bytes = 0;

    (void)state;
    assert_int_equal(shm_allocator_resize(allocator, first, 257), SHM_MALLOC_FAILED);
    assert_detail("no room behind the block at offset 0: it has 256 bytes, 0 are free behind it, "
                  "320 are wanted");
    assert_int_equal(shm_allocator_resize(allocator, first, 250), SHM_OK);
    assert_int_equal(shm_allocator_block(allocator, first, &bytes), SHM_OK);
    assert_int_equal(bytes, 250);
    assert_int_equal(usage_of(allocator).free_bytes, 512);
    assert_int_equal(shm_allocator_resize(allocator, first, 1), SHM_OK);
    assert_int_equal(usage_of(allocator).free_bytes, 704);
    assert_int_equal(take(allocator, 192, 0), 64);
    assert_int_equal(shm_allocator_resize(allocator, second, 769), SHM_MALLOC_FAILED);
    assert_int_equal(shm_allocator_resize(allocator, second, 300), SHM_OK);
    assert_int_equal(shm_allocator_resize(allocator, second, 768), SHM_OK);
    assert_int_equal(usage_of(allocator).free_bytes, 0);
    assert_int_equal(usage_of(allocator).largest_gap_bytes, 0);
    assert_int_equal(shm_allocator_resize(allocator, second, 0), SHM_INVALID_VALUE);
    assert_int_equal(shm_allocator_resize(allocator, second, 64), SHM_OK);
    assert_int_equal(usage_of(allocator).largest_gap_bytes, 704);
    assert_int_equal(usage_of(allocator).blocks, 3);
    shm_allocator_destroy(allocator);
}

/* ---- many calls ---- */

static void test_random_calls_match_a_simple_model(void **state)
{
    struct pair pair = pair_create(HEAP_BYTES, 20240601);

    (void)state;
    for (int i = 0; i < 100000; i++) {
        /* phases in which the heap fills and phases in which it drains */
        step(&pair, i / 5000 % 2 == 0 ? 6 : 3);
        if (i % 100 == 0)
            check_pair(&pair);
    }
    for (size_t at = 0; at < pair.model->count;) {
        if (pair.model->blocks[at].asked != 0) {
            step_give(&pair, at);
            at = 0;
        } else {
            at++;
        }
    }
    check_pair(&pair);
    assert_all_free(pair.allocator, HEAP_BYTES);
    pair_destroy(&pair);
}

/* With blocks enough for nodes to fill up, split and join. */
static void test_random_calls_with_thousands_of_blocks(void **state)
{
    struct pair pair = pair_create(HEAP_BYTES, 20240602);

    (void)state;
    pair.size_kinds = 2;
    for (int i = 0; i < 60000; i++) {
        step(&pair, i / 10000 % 2 == 0 ? 8 : 2);
        if (i % 20 == 0)
            check_pair(&pair);
    }
    pair_destroy(&pair);
}

static void test_two_allocators_agree(void **state)
{
    struct shm_allocator *first = make_allocator(HEAP_BYTES);
    struct shm_allocator *second = make_allocator(HEAP_BYTES);
    uint64_t random = 7;
    uint64_t held[64];
    size_t count = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t bytes = random_bytes(&random, 5);
        uint64_t one = UINT64_MAX;
        uint64_t other = UINT64_MAX;

        if (count == 64 || (count > 0 && next_random(&random) % 3 == 0)) {
            size_t at = next_random(&random) % count;

            assert_int_equal(shm_allocator_give(first, held[at]), SHM_OK);
            assert_int_equal(shm_allocator_give(second, held[at]), SHM_OK);
            held[at] = held[--count];
            continue;
        }
        assert_int_equal(shm_allocator_take(first, bytes, 256, &one),
                         shm_allocator_take(second, bytes, 256, &other));
        assert_int_equal(one, other);
        if (one != UINT64_MAX)
            held[count++] = one;
    }
    shm_allocator_destroy(first);
    shm_allocator_destroy(second);
}

static void test_a_million_blocks(void **state)
{
    enum { COUNT = 1000000 };
    struct shm_allocator *allocator = make_allocator(64ull * COUNT);
    uint32_t *order = malloc(COUNT * sizeof *order);
    uint64_t random = 99;
    uint64_t offset;

    (void)state;
    assert_non_null(order);
    for (uint32_t i = 0; i < COUNT; i++) {
        order[i] = i;
        if (take(allocator, 64, 0) != 64ull * i)
            fail_msg("block %u lies elsewhere", i);
    }
    assert_int_equal(usage_of(allocator).blocks, COUNT);
    assert_int_equal(shm_allocator_take(allocator, 1, 0, &offset), SHM_MALLOC_FAILED);
    for (uint32_t i = COUNT - 1; i > 0; i--) {
        uint32_t k = (uint32_t)(next_random(&random) % (i + 1));
        uint32_t held = order[i];

        order[i] = order[k];
        order[k] = held;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (shm_allocator_give(allocator, 64ull * order[i]) != SHM_OK)
            fail_msg("giving block %u: %s", order[i], shm_error_detail());
    }
    assert_all_free(allocator, 64ull * COUNT);
    free(order);
    shm_allocator_destroy(allocator);
}

/* Many gaps that are large enough but lie badly must not hide the one that fits, nor the answer
 * that none does. */
static void test_unusual_alignment_among_many_gaps(void **state)
{
    struct shm_allocator *allocator = make_allocator(HEAP_BYTES);
    uint64_t offset = 7;

    (void)state;
    for (uint64_t at = 0; at < HEAP_BYTES; at += 64)
        assert_int_equal(take(allocator, 64, 0), at);
    for (uint64_t at = 64; at < HEAP_BYTES; at += 256) {
        assert_int_equal(shm_allocator_give(allocator, at), SHM_OK);
        assert_int_equal(shm_allocator_give(allocator, at + 64), SHM_OK);
    }
    assert_int_equal(shm_allocator_take(allocator, 128, 256, &offset), SHM_MALLOC_FAILED);
    assert_int_equal(offset, 7);
    assert_int_equal(shm_allocator_give(allocator, 512 * 1024), SHM_OK);
    assert_int_equal(take(allocator, 128, 256), 512 * 1024);
    assert_int_equal(take(allocator, 128, 64), 64);
    shm_allocator_destroy(allocator);
}

static void test_blocks_are_found_from_anywhere(void **state)
{
    struct shm_allocator *allocator = make_allocator(HEAP_BYTES);
    uint64_t begin = 7;
    uint64_t bytes = 7;

    (void)state;
    assert_false(shm_allocator_find_next(allocator, 0, &begin, &bytes));
    assert_int_equal(take(allocator, 100, 0), 0);
    assert_int_equal(take(allocator, 64, 0), 128);
    assert_int_equal(take(allocator, 64, 0), 192);
    assert_int_equal(shm_allocator_give(allocator, 128), SHM_OK);
    for (uint64_t offset = 0; offset < 256; offset++) {
        assert_true(shm_allocator_find_next(allocator, offset, &begin, &bytes));
        assert_int_equal(begin, offset < 100 ? 0 : 192);
        assert_int_equal(bytes, offset < 100 ? 100 : 64);
    }
    begin = bytes = 7;
    assert_false(shm_allocator_find_next(allocator, 256, &begin, &bytes));
    assert_false(shm_allocator_find_next(allocator, UINT64_MAX, &begin, &bytes));
    assert_int_equal(begin, 7);
    assert_int_equal(bytes, 7);
    shm_allocator_destroy(allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_heap_has_room_for_nothing),
        cmocka_unit_test(test_blocks_are_aligned),
        cmocka_unit_test(test_senseless_requests_are_refused),
        cmocka_unit_test(test_exhaustion_says_what_is_left),
        cmocka_unit_test(test_wrong_offsets_are_explained),
        cmocka_unit_test(test_neighbouring_gaps_become_one),
        cmocka_unit_test(test_resize_in_place),
        cmocka_unit_test(test_random_calls_match_a_simple_model),
        cmocka_unit_test(test_random_calls_with_thousands_of_blocks),
        cmocka_unit_test(test_two_allocators_agree),
        cmocka_unit_test(test_a_million_blocks),
        cmocka_unit_test(test_unusual_alignment_among_many_gaps),
        cmocka_unit_test(test_blocks_are_found_from_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
