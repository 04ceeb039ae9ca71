/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/instance.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>

static const struct shm_reach reach = {
    .heap_begin = 0x100000,
    .heap_bytes = 0x1000,
    .static_begin = 0x9000,
    .static_bytes = 0x100,
    .static_shift = 0x80000 - 0x9000,
    .stride = 0x1000000,
    .my_pe = 2,
    .n_pes = 5,
};

static uintptr_t remote(uintptr_t address, uint64_t bytes, int pe)
{
    return (uintptr_t)shm_reach_remote(&reach, (void *)address, bytes, pe);
}

static void test_heap(void **state)
{
    (void)state;
    assert_int_equal(remote(0x100000, 8, 2), 0x100000);
    assert_int_equal(remote(0x100010, 8, 4), 0x2100010);
    assert_int_equal(remote(0x100ff8, 8, 3), 0x1100ff8);
    assert_int_equal(remote(0x101000, 0, 3), 0x1101000);
}

static void test_lower_pes(void **state)
{
    (void)state;
    assert_int_equal(remote(0x100008, 8, 0), (uintptr_t)0x100008 - 2 * (uintptr_t)0x1000000);
}

static void test_static_data(void **state)
{
    (void)state;
    assert_int_equal(remote(0x9000, 8, 2), 0x80000);
    assert_int_equal(remote(0x90f8, 8, 3), 0x10800f8);
}

static void test_outside(void **state)
{
    (void)state;
    assert_int_equal(remote(0xfffff, 8, 2), 0);
    assert_int_equal(remote(0x100ff9, 8, 2), 0);
    assert_int_equal(remote(0x101000, 1, 2), 0);
    assert_int_equal(remote(0x100008, UINT64_MAX, 2), 0);
    assert_int_equal(remote(0x100008, UINT64_MAX - 7, 2), 0);
    assert_int_equal(remote(0x8fff, 1, 2), 0);
    assert_int_equal(remote(0x90f9, 8, 2), 0);
    assert_int_equal(remote(0, 1, 2), 0);
    assert_int_equal(remote(UINTPTR_MAX, 1, 2), 0);
}

static void test_host_heap(void **state)
{
    struct shm_reach with_host = reach;

    (void)state;
    with_host.host_begin = 0x102000;
    assert_null(shm_reach_remote(&with_host, (void *)0x102000, 0, 3)); /* there is none yet */
    with_host.host_bytes = 0x800;
    assert_int_equal((uintptr_t)shm_reach_remote(&with_host, (void *)0x102000, 8, 3), 0x1102000);
    assert_int_equal((uintptr_t)shm_reach_remote(&with_host, (void *)0x1027f8, 8, 1),
                     0x1027f8 - 0x1000000ull);
    assert_null(shm_reach_remote(&with_host, (void *)0x1027f9, 8, 3));
    assert_null(shm_reach_remote(&with_host, (void *)0x101fff, 1, 3)); /* between the heaps */
    assert_null(shm_reach_remote(&with_host, (void *)0x100ff8, 0x1010, 3));
    assert_null(shm_reach_remote(&with_host, (void *)0x102000, UINT64_MAX, 3));
    assert_true(shm_reach_has_heap(&with_host, (void *)0x102000, 8));
    assert_false(shm_reach_has_heap(&reach, (void *)0x102000, 8));
}

/* Kernels are compiled for these. */
static void test_scratch(void **state)
{
    struct shm_instance *instance = NULL;

    (void)state;
    assert_int_equal(shm_instance_create(&instance), SHM_OK);
    assert_int_equal(instance->scratch[SHM_SCRATCH_MTE].offset, 0);
    assert_int_equal(instance->scratch[SHM_SCRATCH_MTE].bytes, 16384);
    assert_int_equal(instance->scratch[SHM_SCRATCH_SDMA].offset, 195584);
    assert_int_equal(instance->scratch[SHM_SCRATCH_SDMA].bytes, 64);
    assert_int_equal(instance->scratch[SHM_SCRATCH_RDMA].offset, 194560);
    assert_int_equal(instance->scratch[SHM_SCRATCH_RDMA].bytes, 128);
    assert_int_equal(instance->scratch[SHM_SCRATCH_UDMA].offset, 193536);
    assert_int_equal(instance->scratch[SHM_SCRATCH_UDMA].bytes, 128);
    shm_instance_destroy(instance);
}

static void test_pes(void **state)
{
    struct shm_instance instance = {.reach = reach};

    (void)state;
    assert_true(shm_instance_has_pe(&instance, 0));
    assert_true(shm_instance_has_pe(&instance, 4));
    assert_false(shm_instance_has_pe(&instance, 5));
    assert_false(shm_instance_has_pe(&instance, -1));
}

static void test_options(void **state)
{
    struct shm_options options;
    size_t count;
    const struct shm_option *list = shm_options_list(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        unsetenv(list[i].name);
        if (list[i].old_name != NULL)
            unsetenv(list[i].old_name);
    }
    assert_int_equal(shm_options_load(&options), SHM_OK);
    assert_int_equal(options.symmetric_bytes, 512ull << 20);
    assert_true(options.static_data);
    assert_false(options.debug);
    assert_false(shm_options_has_symmetric_size());
    setenv("SMA_SYMMETRIC_SIZE", "1k", 1);
    assert_int_equal(shm_options_load(&options), SHM_OK);
    assert_int_equal(options.symmetric_bytes, 1024);
    setenv("SHMEM_SYMMETRIC_SIZE", "2k", 1);
    assert_int_equal(shm_options_load(&options), SHM_OK);
    assert_int_equal(options.symmetric_bytes, 2048);
    assert_true(shm_options_has_symmetric_size());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap),      cmocka_unit_test(test_lower_pes),
        cmocka_unit_test(test_outside),   cmocka_unit_test(test_static_data),
        cmocka_unit_test(test_pes),       cmocka_unit_test(test_options),
        cmocka_unit_test(test_host_heap), cmocka_unit_test(test_scratch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
