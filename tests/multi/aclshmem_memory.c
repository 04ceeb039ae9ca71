/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective memory of ACLSHMEM: the symmetric heap (DEVICE_SIDE) and the host heap (HOST_SIDE). */
#include "own_pes.h"

#define EXTRA ACLSHMEM_EXTRA_SIZE

static const aclshmem_mem_type_t sides[] = {DEVICE_SIDE, HOST_SIDE};

/* ---- before init and after finalize ---- */

static void expect_nothing(void)
{
    for (int i = 0; i < 2; i++) {
        EXPECT(aclshmemx_malloc(64, sides[i]) == NULL);
        EXPECT(aclshmemx_calloc(1, 64, sides[i]) == NULL);
        EXPECT(aclshmemx_align(64, 64, sides[i]) == NULL);
        EXPECT(aclshmemx_get_heap_base(sides[i]) == NULL);
        aclshmemx_free(NULL, sides[i]);
    }
    EXPECT(aclshmem_malloc(64) == NULL && aclshmem_calloc(1, 64) == NULL);
    EXPECT(aclshmem_align(64, 64) == NULL);
    aclshmem_free(NULL);
}

static void be_early_and_late(int pe, int n_pes, const void *address)
{
    expect_nothing();
    join(pe, n_pes, address);
    EXPECT(aclshmemx_malloc(64, HOST_SIDE) != NULL);
    EXPECT(aclshmem_finalize() == 0);
    expect_nothing();
}

static void test_early_and_late(void **state)
{
    (void)state;
    run_job(2, be_early_and_late);
}

/* ---- the rules of each side ---- */

static bool is_zero(const char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (block[i] != 0)
            return false;
    }
    return true;
}

static void check_sizes(aclshmem_mem_type_t side)
{
    char *block;

    EXPECT(aclshmemx_malloc(0, side) == NULL);
    EXPECT((block = aclshmemx_malloc(4096, side)) != NULL);
    aclshmemx_free(block, side);
    EXPECT((block = aclshmemx_malloc(HEAP, side)) != NULL);
    memset(block, 0xee, HEAP);
    aclshmemx_free(block, side);
    EXPECT(aclshmemx_malloc(HEAP + EXTRA + 1, side) == NULL);
    EXPECT(aclshmemx_calloc(16, 0, side) == NULL && aclshmemx_calloc(0, 16, side) == NULL);
    EXPECT((block = aclshmemx_calloc(16, 4, side)) != NULL && is_zero(block, 64));
    aclshmemx_free(block, side);
    EXPECT((block = aclshmemx_calloc(16, HEAP / 16, side)) != NULL && is_zero(block, HEAP));
    aclshmemx_free(block, side);
    EXPECT(aclshmemx_calloc(16, (HEAP + EXTRA) / 16 + 1, side) == NULL);
    EXPECT(aclshmemx_calloc(SIZE_MAX, 2, side) == NULL);
    EXPECT(aclshmemx_malloc(SIZE_MAX, side) == NULL);
    EXPECT((block = aclshmemx_malloc(64, side)) != NULL);
    aclshmemx_free(block, side);
}

static void check_alignment(aclshmem_mem_type_t side)
{
    char *block;

    EXPECT(aclshmemx_align(16, 0, side) == NULL);
    for (size_t alignment = 1; alignment <= 64 * MIB; alignment *= 2) {
        EXPECT((block = aclshmemx_align(alignment, 128, side)) != NULL);
        EXPECT((uintptr_t)block % alignment == 0);
        aclshmemx_free(block, side);
    }
    EXPECT((block = aclshmemx_align(16, HEAP, side)) != NULL);
    aclshmemx_free(block, side);
    EXPECT(aclshmemx_align(16, HEAP + EXTRA + 1, side) == NULL);
    EXPECT(aclshmemx_align(17, 128, side) == NULL && aclshmemx_align(0, 128, side) == NULL);
}

/* 2nd and 4th MiB free: no room for 2; with the 3rd there is room for 3. */
static void check_merging(aclshmem_mem_type_t side)
{
    char *blocks[4];
    char *merged;

    for (int i = 0; i < 4; i++)
        EXPECT((blocks[i] = aclshmemx_malloc(MIB, side)) != NULL);
    aclshmemx_free(blocks[1], side);
    aclshmemx_free(blocks[1], side); /* twice: harmless */
    aclshmemx_free(blocks[2] + 8, side);
    aclshmemx_free(blocks[3], side);
    EXPECT(aclshmemx_malloc(2 * MIB, side) == NULL);
    aclshmemx_free(blocks[2], side); /* the pointer into it was ignored */
    EXPECT((merged = aclshmemx_malloc(3 * MIB, side)) != NULL);
    aclshmemx_free(merged, side);
    aclshmemx_free(blocks[0], side);
}

static void check_many_rounds(aclshmem_mem_type_t side)
{
    void *kept[100][2];
    void *block;

    for (size_t i = 0; i < 100; i++) {
        void *freed = aclshmemx_malloc(100 + i, side);

        kept[i][0] = aclshmemx_calloc(i + 1, 24, side);
        kept[i][1] = aclshmemx_align(256, 64 + i, side);
        EXPECT(freed != NULL && kept[i][0] != NULL && kept[i][1] != NULL);
        aclshmemx_free(freed, side);
    }
    for (int i = 0; i < 100; i++) {
        aclshmemx_free(kept[i][0], side);
        aclshmemx_free(kept[i][1], side);
    }
    EXPECT((block = aclshmemx_malloc(HEAP / 2, side)) != NULL);
    aclshmemx_free(block, side);
}

/* A pointer of the other side, a variable and a number that is no side do no harm. */
static void check_strangers(aclshmem_mem_type_t side)
{
    aclshmem_mem_type_t other = side == HOST_SIDE ? DEVICE_SIDE : HOST_SIDE;
    char *block = aclshmemx_malloc(HEAP, side);
    int variable;

    EXPECT(block != NULL);
    aclshmemx_free(block, other);
    aclshmemx_free(&variable, side);
    aclshmemx_free(block, (aclshmem_mem_type_t)2);
    EXPECT(aclshmemx_malloc(64, side) == NULL); /* the block is still there */
    EXPECT(aclshmemx_malloc(64, (aclshmem_mem_type_t)2) == NULL);
    EXPECT(aclshmemx_calloc(1, 64, (aclshmem_mem_type_t)-1) == NULL);
    EXPECT(aclshmemx_align(64, 64, (aclshmem_mem_type_t)7) == NULL);
    aclshmemx_free(block, side);
    EXPECT((block = aclshmemx_malloc(HEAP, side)) != NULL);
    aclshmemx_free(block, side);
}

static void check_rules(int pe, int n_pes, const void *address)
{
    join(pe, n_pes, address);
    for (int i = 0; i < 2; i++) {
        check_sizes(sides[i]);
        check_alignment(sides[i]);
        check_merging(sides[i]);
        check_many_rounds(sides[i]);
        check_strangers(sides[i]);
    }
    EXPECT(aclshmem_finalize() == 0);
}

static void test_rules(void **state)
{
    (void)state;
    run_job(2, check_rules);
}

/* ---- where the heaps lie ---- */

static void check_places(int pe, int n_pes, const void *address)
{
    char *device;
    char *host;
    char *block;

    join(pe, n_pes, address);
    device = aclshmemx_get_heap_base(DEVICE_SIDE);
    EXPECT(device != NULL && aclshmemx_get_heap_base(HOST_SIDE) == NULL);
    EXPECT(aclshmemx_get_heap_base((aclshmem_mem_type_t)7) == NULL);
    aclshmemx_free(device, HOST_SIDE); /* there is none yet */
    block = aclshmemx_malloc(64, HOST_SIDE);
    host = aclshmemx_get_heap_base(HOST_SIDE);
    EXPECT(block == host && host >= device + HEAP);
    for (int other = 0; other < n_pes; other++) {
        ptrdiff_t distance = (char *)aclshmem_ptr(device, other) - device;

        EXPECT((char *)aclshmem_ptr(host, other) == host + distance);
        EXPECT((char *)aclshmem_ptr(host + HEAP - 1, other) == host + HEAP - 1 + distance);
        EXPECT((char *)aclshmem_ptr(host + 8, other) - (char *)aclshmem_ptr(host, other) == 8);
        EXPECT(aclshmem_ptr(host + HEAP, other) == NULL && aclshmem_ptr(host - 1, other) == NULL);
        EXPECT(aclshmem_ptr(device + HEAP, other) == NULL);
    }
    EXPECT(aclshmem_ptr(host, pe) == host);
    EXPECT(aclshmem_ptr(host, -1) == NULL && aclshmem_ptr(host, n_pes) == NULL);
    EXPECT(aclshmem_ptr(&host, pe) == NULL && aclshmem_ptr(NULL, pe) == NULL);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_places(void **state)
{
    (void)state;
    run_job(3, check_places);
}

/* Odd sizes are rounded up to pages, for both sides alike. */
static void check_odd_size(int pe, int n_pes, const void *address)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, address);

    attributes.local_mem_size = 5000;
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
    for (int i = 0; i < 2; i++) {
        EXPECT(aclshmemx_malloc(5000 + EXTRA + 1, sides[i]) == NULL);
        EXPECT(aclshmemx_malloc(5000, sides[i]) != NULL);
    }
    EXPECT(aclshmem_finalize() == 0);
}

static void test_odd_size(void **state)
{
    (void)state;
    run_job(2, check_odd_size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_early_and_late),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_odd_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
