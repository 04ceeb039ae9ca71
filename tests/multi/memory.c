/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective memory: same offsets everywhere, alignment, zeroing, growth, exhaustion. */
#include "check.h"

#include <string.h>

/* The other PEs' block must lie at the same place in their heaps: write there and look. */
static void check_symmetric(long *block, size_t words)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int left = (me + n_pes - 1) % n_pes;

    shmem_long_p(&block[words - 1], 1000 + me, (me + 1) % n_pes);
    shmem_barrier_all();
    CHECK(block[words - 1] == 1000 + left, "got %ld", block[words - 1]);
    shmem_barrier_all();
}

static void check_alignment(void)
{
    for (size_t alignment = 1; alignment <= 64u << 20; alignment *= 2) {
        long *block = shmem_align(alignment, 3 * sizeof(long));

        CHECK(block != NULL, "alignment %zu", alignment);
        CHECK((uintptr_t)block % alignment == 0, "%p for alignment %zu", (void *)block, alignment);
        CHECK((uintptr_t)block % 64 == 0, "%p is not aligned to 64", (void *)block);
        check_symmetric(block, 3);
        shmem_free(block);
    }
    for (size_t bytes = 4096; bytes < 100000; bytes = bytes * 3 + 1) {
        void *block = shmem_malloc(bytes);

        CHECK((uintptr_t)block % 4096 == 0, "%zu bytes at %p are not page-aligned", bytes, block);
        shmem_free(block);
    }
}

static void check_edges(void)
{
    CHECK(shmem_malloc(0) == NULL, "malloc(0)");
    CHECK(shmem_calloc(0, 8) == NULL, "calloc(0, 8)");
    CHECK(shmem_calloc(8, 0) == NULL, "calloc(8, 0)");
    CHECK(shmem_calloc(SIZE_MAX, 2) == NULL, "calloc that overflows");
    CHECK(shmem_malloc(SIZE_MAX) == NULL, "malloc(SIZE_MAX)");
    CHECK(shmem_malloc((size_t)1 << 45) == NULL, "malloc of more than the heap");
    CHECK(shmem_align(64, 0) == NULL, "align(64, 0)");
    CHECK(shmem_realloc(NULL, 0) == NULL, "realloc(NULL, 0)");
    shmem_free(NULL);
}

static void check_zeroing(void)
{
    unsigned char *block = shmem_malloc(50000);

    memset(block, 0xff, 50000);
    shmem_free(block);
    block = shmem_calloc(5, 10000);
    for (int i = 0; i < 50000; i++)
        CHECK(block[i] == 0, "byte %d is %d", i, block[i]);
    shmem_free(block);
}

static void check_growth(void)
{
    int me = shmem_my_pe();
    long *block = shmem_realloc(NULL, 10 * sizeof(long));
    long *neighbour;

    for (int i = 0; i < 10; i++)
        block[i] = me * 100 + i;
    neighbour = shmem_malloc(64); /* so that growth has to move the block */
    block = shmem_realloc(block, 100000 * sizeof(long));
    for (int i = 0; i < 10; i++)
        CHECK(block[i] == me * 100 + i, "word %d is %ld", i, block[i]);
    check_symmetric(block, 100000);
    block = shmem_realloc(block, 5 * sizeof(long));
    for (int i = 0; i < 5; i++)
        CHECK(block[i] == me * 100 + i, "word %d is %ld", i, block[i]);
    CHECK(shmem_realloc(block, (size_t)1 << 45) == NULL, "growth beyond the heap");
    for (int i = 0; i < 5; i++)
        CHECK(block[i] == me * 100 + i, "a refused growth changed word %d", i);
    CHECK(shmem_realloc(block, 0) == NULL, "realloc to nothing");
    shmem_free(neighbour);
}

/* NULL on every PE at the same call, and everything is there again afterwards. */
static void check_exhaustion(void)
{
    enum { BLOCK = 1 << 20, MOST = 100000 };

    static void *blocks[MOST];
    static long counts[64];
    int count = 0;
    int me = shmem_my_pe();

    while (count < MOST && (blocks[count] = shmem_malloc(BLOCK)) != NULL)
        count++;
    CHECK(count > 0 && count < MOST, "%d blocks", count);
    for (int pe = 0; pe < shmem_n_pes() && pe < 64; pe++)
        shmem_long_p(&counts[me % 64], count, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes() && pe < 64; pe++)
        CHECK(counts[pe] == count, "PE %d got %ld blocks, this one %d", pe, counts[pe], count);
    for (int i = 0; i < count; i++)
        shmem_free(blocks[i]);
    blocks[0] = shmem_malloc((size_t)count * BLOCK);
    CHECK(blocks[0] != NULL, "freed blocks did not become one");
    shmem_free(blocks[0]);
}

static void check_pointers(void)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    long *block = shmem_malloc_with_hints(2 * sizeof(long), SHMEM_MALLOC_ATOMICS_REMOTE);
    int local;

    *block = -1;
    shmem_barrier_all();
    CHECK(shmem_ptr(block, me) == block, "own pointer");
    for (int pe = 0; pe < n_pes; pe++) {
        long *there = shmem_ptr(block, pe);

        CHECK(there != NULL, "PE %d", pe);
        CHECK((char *)shmem_ptr(block + 1, pe) - (char *)there == sizeof(long), "PE %d", pe);
        if (pe == (me + 1) % n_pes)
            *there = 77 + me;
    }
    shmem_barrier_all();
    CHECK(*block == 77 + (me + n_pes - 1) % n_pes, "got %ld", *block);
    CHECK(shmem_ptr(&local, me) == NULL, "the stack");
    CHECK(shmem_ptr(block, -1) == NULL && shmem_ptr(block, n_pes) == NULL, "no such PE");
    shmem_free(block);
}

int main(void)
{
    long *block;

    shmem_init();
    check_edges();
    check_alignment();
    check_zeroing();
    check_growth();
    check_pointers();
    check_exhaustion();
    block = shmalloc(64);
    check_symmetric(block, 8);
    block = shrealloc(block, 128);
    check_symmetric(block, 16);
    shfree(block);
    block = shmemalign(256, 64);
    CHECK((uintptr_t)block % 256 == 0, "%p", (void *)block);
    shfree(block);
    shmem_finalize();
    return 0;
}
