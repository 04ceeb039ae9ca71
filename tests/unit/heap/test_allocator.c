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

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRAIN 64u
#define HEAP_BYTES (1u << 20)

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

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

/* ---- against a model that is too simple to be wrong ---- */

#define TRIES 16
#define MODEL_BLOCKS 8192

struct model_block {
    uint64_t offset, bytes, asked; /* asked 0 = free */
};

struct model {
    struct model_block blocks[MODEL_BLOCKS];
    size_t count;
};

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static void model_insert(struct model *model, size_t at, struct model_block block)
{
    assert_true(model->count < MODEL_BLOCKS);
    memmove(&model->blocks[at + 1], &model->blocks[at],
            (model->count - at) * sizeof model->blocks[0]);
    model->blocks[at] = block;
    model->count++;
}

static void model_remove(struct model *model, size_t at)
{
    model->count--;
    memmove(&model->blocks[at], &model->blocks[at + 1],
            (model->count - at) * sizeof model->blocks[0]);
}

/* The first gap of at least `least` bytes, of the first `tries` such ones, in which it fits. */
static size_t model_search(const struct model *model, uint64_t bytes, uint64_t alignment,
                           uint64_t least, size_t tries)
{
    for (size_t i = 0; i < model->count && tries > 0; i++) {
        const struct model_block *block = &model->blocks[i];

        if (block->asked != 0 || block->bytes < least)
            continue;
        if (round_up(block->offset, alignment) + bytes <= block->offset + block->bytes)
            return i;
        tries--;
    }
    return SIZE_MAX;
}

static size_t model_place(const struct model *model, uint64_t bytes, uint64_t alignment,
                          uint64_t page)
{
    size_t at;

    if (alignment == GRAIN || alignment == page)
        return model_search(model, bytes, alignment, bytes, SIZE_MAX);
    at = model_search(model, bytes, alignment, bytes, TRIES);
    if (at == SIZE_MAX)
        at = model_search(model, bytes, alignment, bytes + alignment - GRAIN, SIZE_MAX);
    if (at == SIZE_MAX)
        at = model_search(model, bytes, alignment, bytes, SIZE_MAX);
    return at;
}

static uint64_t model_take(struct model *model, uint64_t asked, uint64_t alignment)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t least = asked >= page ? page : GRAIN;
    uint64_t bytes = round_up(asked, GRAIN);
    struct model_block gap;
    uint64_t offset;
    size_t at;

    alignment = alignment > least ? alignment : least;
    at = model_place(model, bytes, alignment, page);
    if (at == SIZE_MAX)
        return UINT64_MAX;
    gap = model->blocks[at];
    offset = round_up(gap.offset, alignment);
    model->blocks[at] = (struct model_block){offset, bytes, asked};
    if (offset + bytes < gap.offset + gap.bytes)
        model_insert(
            model, at + 1,
            (struct model_block){offset + bytes, gap.offset + gap.bytes - offset - bytes, 0});
    if (offset > gap.offset)
        model_insert(model, at, (struct model_block){gap.offset, offset - gap.offset, 0});
    return offset;
}

static void model_give(struct model *model, size_t at)
{
    model->blocks[at].asked = 0;
    if (at + 1 < model->count && model->blocks[at + 1].asked == 0) {
        model->blocks[at].bytes += model->blocks[at + 1].bytes;
        model_remove(model, at + 1);
    }
    if (at > 0 && model->blocks[at - 1].asked == 0) {
        model->blocks[at - 1].bytes += model->blocks[at].bytes;
        model_remove(model, at);
    }
}

static bool model_resize(struct model *model, size_t at, uint64_t asked)
{
    struct model_block *block = &model->blocks[at];
    bool has_gap = at + 1 < model->count && block[1].asked == 0;
    uint64_t end = block->offset + block->bytes + (has_gap ? block[1].bytes : 0);
    uint64_t bytes = round_up(asked, GRAIN);

    if (block->offset + bytes > end)
        return false;
    if (has_gap)
        model_remove(model, at + 1);
    block->bytes = bytes;
    block->asked = asked;
    if (block->offset + bytes < end)
        model_insert(model, at + 1,
                     (struct model_block){block->offset + bytes, end - block->offset - bytes, 0});
    return true;
}

static void assert_same_usage(const struct shm_allocator *allocator, const struct model *model)
{
    struct shm_allocator_usage usage = usage_of(allocator);
    uint64_t free_bytes = 0;
    uint64_t largest = 0;
    uint64_t blocks = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct model_block *block = &model->blocks[i];

        blocks += block->asked != 0;
        if (block->asked != 0)
            continue;
        free_bytes += block->bytes;
        largest = block->bytes > largest ? block->bytes : largest;
    }
    assert_int_equal(usage.free_bytes, free_bytes);
    assert_int_equal(usage.largest_gap_bytes, largest);
    assert_int_equal(usage.blocks, blocks);
}

static uint64_t random_bytes(uint64_t *random)
{
    static const uint64_t limits[] = {64, 300, 2000, 9000, 40000};

    return 1 + next_random(random) % limits[next_random(random) % 5];
}

static void step_take(struct shm_allocator *allocator, struct model *model, uint64_t *random)
{
    uint64_t asked = random_bytes(random);
    uint64_t alignment = next_random(random) % 2 == 0 ? 0 : 1ull << next_random(random) % 17;
    uint64_t expected = model_take(model, asked, alignment);
    uint64_t offset = UINT64_MAX;
    enum shm_status status = shm_allocator_take(allocator, asked, alignment, &offset);

    assert_int_equal(status, expected == UINT64_MAX ? SHM_MALLOC_FAILED : SHM_OK);
    assert_int_equal(offset, expected);
}

/* Gives or resizes the block at a random place, or tries what must not work there. */
static void step_change(struct shm_allocator *allocator, struct model *model, uint64_t *random,
                        bool does_resize)
{
    size_t at = next_random(random) % model->count;
    struct model_block block = model->blocks[at];
    uint64_t asked = random_bytes(random);
    uint64_t bytes = 0;

    if (block.asked == 0) {
        assert_int_equal(shm_allocator_give(allocator, block.offset), SHM_NOT_FOUND);
        return;
    }
    assert_int_equal(shm_allocator_block(allocator, block.offset, &bytes), SHM_OK);
    assert_int_equal(bytes, block.asked);
    if (does_resize) {
        enum shm_status expected = model_resize(model, at, asked) ? SHM_OK : SHM_MALLOC_FAILED;

        assert_int_equal(shm_allocator_resize(allocator, block.offset, asked), expected);
    } else {
        model_give(model, at);
        assert_int_equal(shm_allocator_give(allocator, block.offset), SHM_OK);
    }
}

static void test_random_calls_match_a_simple_model(void **state)
{
    struct shm_allocator *allocator = make_allocator(HEAP_BYTES);
    struct model *model = calloc(1, sizeof *model);
    uint64_t random = 20240601;

    (void)state;
    assert_non_null(model);
    model->blocks[model->count++] = (struct model_block){0, HEAP_BYTES, 0};
    for (int i = 0; i < 100000; i++) {
        /* phases in which the heap fills and phases in which it drains */
        uint64_t takes = i / 5000 % 2 == 0 ? 6 : 3;
        uint64_t kind = next_random(&random) % 10;

        if (kind < takes)
            step_take(allocator, model, &random);
        else
            step_change(allocator, model, &random, kind == 9);
        if (i % 100 == 0)
            assert_same_usage(allocator, model);
    }
    for (size_t at = 0; at < model->count;) {
        if (model->blocks[at].asked != 0) {
            assert_int_equal(shm_allocator_give(allocator, model->blocks[at].offset), SHM_OK);
            model_give(model, at);
            at = 0;
        } else {
            at++;
        }
    }
    assert_all_free(allocator, HEAP_BYTES);
    free(model);
    shm_allocator_destroy(allocator);
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
        uint64_t bytes = random_bytes(&random);
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
        cmocka_unit_test(test_two_allocators_agree),
        cmocka_unit_test(test_a_million_blocks),
        cmocka_unit_test(test_unusual_alignment_among_many_gaps),
        cmocka_unit_test(test_blocks_are_found_from_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
