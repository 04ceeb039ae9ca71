/* SPDX-License-Identifier: BSD-3-Clause */
/* The host heap of ACLSHMEM: its memory is symmetric, it is checked under SHMEM_DEBUG, and there
 * may be none. */
#include "own_pes.h"

#include <shmem.h>
#include <sys/resource.h>

static const aclshmem_mem_type_t sides[] = {DEVICE_SIDE, HOST_SIDE};

static bool is_zero(const char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (block[i] != 0)
            return false;
    }
    return true;
}

/* ---- host memory is symmetric ---- */

static void move_data(long *words, int pe, int n_pes)
{
    int right = (pe + 1) % n_pes;
    int left = (pe + n_pes - 1) % n_pes;
    long value = 100 + pe;

    aclshmem_putmem(&words[0], &value, sizeof value, right);
    aclshmem_int64_p((int64_t *)&words[1], 200 + pe, right);
    aclshmem_barrier_all();
    EXPECT(words[0] == 100 + left && words[1] == 200 + left);
    EXPECT(aclshmem_int64_g((int64_t *)&words[1], right) == 200 + pe);
    aclshmem_getmem(&value, &words[0], sizeof value, right);
    EXPECT(value == 100 + pe);
    aclshmem_int64_iput((int64_t *)&words[8], (int64_t *)&words[0], 3, 1, 2, right);
    aclshmem_barrier_all();
    EXPECT(words[8] == 100 + (left + n_pes - 1) % n_pes);
    EXPECT(words[11] == 200 + (left + n_pes - 1) % n_pes);
}

/* Every PE waits for its left one, which puts with a signal. */
static void wait_for_data(long *words, int pe, int n_pes)
{
    int32_t *signal = (int32_t *)&words[16];
    long value = 300 + pe;

    aclshmemx_putmem_signal(&words[17], &value, sizeof value, signal, 5, ACLSHMEM_SIGNAL_SET,
                            (pe + 1) % n_pes);
    aclshmem_int32_wait_until(signal, ACLSHMEM_CMP_EQ, 5);
    EXPECT(words[17] == 300 + (pe + n_pes - 1) % n_pes);
}

/* Atomics, a lock and collectives of OpenSHMEM take addresses of the host heap too. */
static void use_openshmem(long *words, long *large, int n_pes)
{
    long sum = (long)n_pes * (n_pes - 1) / 2;

    for (int other = 0; other < n_pes; other++)
        shmem_long_atomic_add(&words[20], 1, other);
    shmem_set_lock(&words[21]);
    shmem_long_p(&words[22], shmem_long_g(&words[22], 0) + 1, 0);
    shmem_clear_lock(&words[21]);
    shmem_barrier_all();
    EXPECT(words[20] == n_pes && shmem_long_g(&words[22], 0) == n_pes);
    for (int i = 0; i < 20000; i++)
        large[i] = shmem_my_pe();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, large, large, 20000);
    EXPECT(large[0] == sum && large[19999] == sum);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &words[23], &words[20], 1, 0);
    EXPECT(words[23] == n_pes);
}

static void use_host_memory(int pe, int n_pes, const void *address)
{
    long *words;
    long *large;

    for (int round = 0; round < 2; round++) {
        join(pe, n_pes, address);
        words = aclshmemx_calloc(32, sizeof *words, HOST_SIDE);
        large = aclshmemx_malloc(20000 * sizeof *large, HOST_SIDE);
        EXPECT(words != NULL && large != NULL);
        move_data(words, pe, n_pes);
        wait_for_data(words, pe, n_pes);
        use_openshmem(words, large, n_pes);
        aclshmemx_free(large, HOST_SIDE);
        EXPECT(aclshmem_finalize() == 0);
    }
}

static void test_host_memory(void **state)
{
    (void)state;
    run_job(3, use_host_memory);
}

/* Neither into the gap behind a heap nor across it. */
static void cross_the_border(int pe, int n_pes, const void *address)
{
    char *device;
    char *host;
    char bytes[16];

    join(pe, n_pes, address);
    device = aclshmem_calloc(1, HEAP);
    host = aclshmemx_calloc(1, HEAP, HOST_SIDE);
    EXPECT(device != NULL && host != NULL);
    memset(bytes, 0xff, sizeof bytes);
    aclshmem_putmem(device + HEAP - 8, bytes, 16, (pe + 1) % n_pes);
    aclshmem_putmem(device, device, (size_t)(host + 8 - device), (pe + 1) % n_pes);
    aclshmem_putmem(host - 8, bytes, 16, (pe + 1) % n_pes);
    aclshmem_putmem(host + HEAP - 8, bytes, 16, (pe + 1) % n_pes);
    aclshmem_barrier_all();
    EXPECT(is_zero(device, HEAP) && is_zero(host, HEAP));
    EXPECT(aclshmem_finalize() == 0);
}

static void test_border(void **state)
{
    (void)state;
    run_job(2, cross_the_border);
}

/* ---- SHMEM_DEBUG ---- */

static void differ(int pe, int n_pes, const void *address)
{
    char *block;

    setenv("SHMEM_DEBUG", "1", 1);
    join(pe, n_pes, address);
    for (int i = 0; i < 2; i++) {
        EXPECT((block = aclshmemx_malloc(64, sides[i])) != NULL);
        EXPECT(aclshmemx_malloc(4096 + (size_t)pe, sides[i]) == NULL);
        EXPECT(aclshmemx_align(pe == 0 ? 64 : 128, 64, sides[i]) == NULL);
        aclshmemx_free(block + 8 * pe, sides[i]); /* refused on all PEs */
        aclshmemx_free(block, sides[i]);
        EXPECT(aclshmemx_malloc(64, sides[i]) == block);
    }
    EXPECT(aclshmemx_malloc(64, sides[pe]) == NULL);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_differing(void **state)
{
    (void)state;
    run_job(2, differ);
}

/* Each PE learns of its own blocks. */
static void overrun(int pe, int n_pes, const void *address)
{
    char *blocks[2];

    setenv("SHMEM_DEBUG", "1", 1);
    join(pe, n_pes, address);
    for (int i = 0; i < 2; i++)
        blocks[i] = aclshmemx_malloc(100, sides[i]);
    if (pe < 2)
        blocks[pe][100] = 'x';
    EXPECT(aclshmem_finalize() == (pe < 2 ? ACLSHMEM_INVALID_VALUE : 0));
}

static void test_overrun(void **state)
{
    (void)state;
    run_job(3, overrun);
}

/* ---- no host heap ---- */

static void join_by_openshmem(int pe, int n_pes, const void *argument)
{
    (void)pe;
    (void)n_pes;
    (void)argument;
    shmem_init();
    EXPECT(aclshmemx_malloc(64, HOST_SIDE) == NULL && aclshmemx_malloc(64, DEVICE_SIDE) != NULL);
    EXPECT(aclshmemx_get_heap_base(HOST_SIDE) == NULL);
    shmem_finalize();
}

static void test_openshmem(void **state)
{
    (void)state;
    run_pes(1, join_by_openshmem, NULL);
}

/* One PE may have files that hold the symmetric heaps, not the host heaps too. */
static void limit_files(int pe, int n_pes, const void *address)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, address);
    struct rlimit limit = {3072 * MIB, 3072 * MIB};

    attributes.local_mem_size = 1024 * MIB;
    setenv("SHMEM_OVERCOMMIT", "1", 1);
    if (pe == 1)
        EXPECT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
    EXPECT(aclshmemx_malloc(64, HOST_SIDE) == NULL);
    EXPECT(aclshmem_malloc(64) != NULL);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_limit(void **state)
{
    (void)state;
    run_job(2, limit_files);
}

/* The largest symmetric heaps that fit, or nearly so: then host heaps do not. */
static void fill_memory(int pe, int n_pes, const void *address)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, address);

    attributes.local_mem_size = ACLSHMEM_MAX_LOCAL_SIZE;
    while (aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) != 0)
        attributes.local_mem_size = attributes.local_mem_size / 10 * 8;
    if (attributes.local_mem_size != ACLSHMEM_MAX_LOCAL_SIZE) { /* else the memory is too large */
        EXPECT(aclshmemx_malloc(64, HOST_SIDE) == NULL);
        EXPECT(aclshmemx_get_heap_base(HOST_SIDE) == NULL);
        EXPECT(aclshmem_malloc(64) != NULL);
    }
    EXPECT(aclshmem_finalize() == 0);
    setenv("SHMEM_OVERCOMMIT", pe == 0 ? "1" : "0", 1);
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
    EXPECT(aclshmemx_malloc(64, HOST_SIDE) != NULL);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_full_memory(void **state)
{
    (void)state;
    run_job(2, fill_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_memory), cmocka_unit_test(test_border),
        cmocka_unit_test(test_differing),   cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_openshmem),   cmocka_unit_test(test_limit),
        cmocka_unit_test(test_full_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
