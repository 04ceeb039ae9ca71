/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/memory_internal.h"

#include "core/agree.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory_limit.h"

#include <stdio.h>
#include <string.h>

#define PES 6
#define MIB (1ull << 20)
#define GIB (1ull << 30)

/* Six alike PEs on one node with 8 GiB left. */
static void make_alike(struct shm_introduction pes[PES])
{
    for (int pe = 0; pe < PES; pe++)
        pes[pe] = (struct shm_introduction){.byte_order = SHM_INTRODUCTION_BYTE_ORDER,
                                            .abi = SHM_INTRODUCTION_ABI,
                                            .version = "1.2.3",
                                            .heap_bytes = 512 * MIB,
                                            .static_bytes = 4096,
                                            .static_digest = 77,
                                            .node_digest = 1,
                                            .memory_available = 8 * GIB,
                                            .limiter = SHM_MEMORY_LIMITED_BY_MACHINE};
}

static void expect_mismatch(struct shm_introduction pes[PES], const char *text)
{
    assert_int_equal(shm_agree_on_program(pes, PES), SHM_MISMATCH);
    if (strstr(shm_error_detail(), text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", shm_error_detail(), text);
    make_alike(pes);
}

static void test_program(void **state)
{
    struct shm_introduction pes[PES];

    (void)state;
    make_alike(pes);
    assert_int_equal(shm_agree_on_program(pes, PES), SHM_OK);
    pes[3].byte_order = 0x04030201;
    expect_mismatch(pes, "PE 3 and PE 0 differ in the byte order");
    pes[1].abi = 9;
    expect_mismatch(pes, "PE 1 and PE 0 differ in the library's ABI: 9 and 4");
    strcpy(pes[5].version, "1.2.4");
    expect_mismatch(pes, "PE 5 and PE 0 differ in the library version: 1.2.4 and 1.2.3");
    pes[2].heap_bytes = 1;
    expect_mismatch(pes, "PE 2 and PE 0 differ in the heap size in bytes");
    pes[4].static_bytes = 8192;
    expect_mismatch(pes, "PE 4 and PE 0 differ in the bytes of static data");
    pes[4].static_digest = 78;
    expect_mismatch(pes, "PE 4 and PE 0 differ in the layout of static data");
    memset(pes[5].version, 'x', sizeof pes[5].version); /* without an end */
    expect_mismatch(pes, "PE 5 and PE 0 differ in the library version: xxxxxxxxxxxxxxx and");
}

static uint64_t agreed_heap(const struct shm_introduction pes[PES])
{
    uint64_t bytes = 0;

    assert_int_equal(shm_agree_on_heap(pes, PES, 0.5, &bytes), SHM_OK);
    return bytes;
}

static void test_default_heap(void **state)
{
    struct shm_introduction pes[PES];

    (void)state;
    make_alike(pes);
    assert_int_equal(agreed_heap(pes), 512 * MIB);
    for (int pe = 0; pe < PES; pe++)
        pes[pe].memory_available = 600 * MIB; /* 100 MiB for each, half of it */
    assert_int_equal(agreed_heap(pes), 50 * MIB);
    for (int pe = 0; pe < PES; pe++) {
        pes[pe].node_digest = (uint64_t)(1 + pe % 2); /* two nodes of three PEs */
        pes[pe].memory_available = pe % 2 == 0 ? 8 * GIB : 300 * MIB;
    }
    assert_int_equal(agreed_heap(pes), 50 * MIB);
    for (int pe = 0; pe < PES; pe++)
        pes[pe].memory_available = 1;
    assert_int_equal(agreed_heap(pes), 0);
    pes[2].is_overcommitted = 1;
    assert_int_equal(agreed_heap(pes), 512 * MIB);
}

static void test_asked_heap(void **state)
{
    struct shm_introduction pes[PES];
    uint64_t bytes = 0;

    (void)state;
    make_alike(pes);
    for (int pe = 0; pe < PES; pe++) {
        pes[pe].has_own_heap_size = 1;
        pes[pe].heap_bytes = 2 * GIB;
    }
    assert_int_equal(shm_agree_on_heap(pes, PES, 0.5, &bytes), SHM_INVALID_VALUE);
    assert_non_null(strstr(shm_error_detail(), "2147483648 bytes for each of 6 PEs"));
    assert_non_null(strstr(shm_error_detail(), "machine has left"));
    assert_non_null(strstr(shm_error_detail(), "SHMEM_SYMMETRIC_SIZE"));
    for (int pe = 0; pe < PES; pe++)
        pes[pe].heap_bytes = 8 * GIB / PES; /* the last byte of it */
    assert_int_equal(agreed_heap(pes), 8 * GIB / PES);
    for (int pe = 0; pe < PES; pe++) {
        pes[pe].heap_bytes++;
        pes[pe].limiter = SHM_MEMORY_LIMITED_BY_CGROUP;
    }
    assert_int_equal(shm_agree_on_heap(pes, PES, 0.5, &bytes), SHM_INVALID_VALUE);
    assert_non_null(strstr(shm_error_detail(), "container has left"));
    pes[0].is_overcommitted = 1;
    assert_int_equal(agreed_heap(pes), 8 * GIB / PES + 1);
}

static void test_host_heaps(void **state)
{
    struct shm_introduction pes[PES];

    (void)state;
    make_alike(pes);
    assert_false(shm_agree_on_host(pes, PES));
    for (int pe = 0; pe < PES; pe++)
        pes[pe].has_host_room = 1;
    assert_true(shm_agree_on_host(pes, PES));
    pes[PES - 1].has_host_room = 0;
    assert_false(shm_agree_on_host(pes, PES));
}

static void test_memory_for_host_heaps(void **state)
{
    struct shm_host_offer offer = {.host_bytes = GIB,
                                   .growth_bytes = 8 * GIB,
                                   .available = 8 * GIB,
                                   .node_count = 4,
                                   .limiter = SHM_MEMORY_LIMITED_BY_CGROUP};

    (void)state;
    assert_int_equal(shm_host_offer_check(&offer, 3, false), SHM_OK);
    offer.growth_bytes++;
    assert_int_equal(shm_host_offer_check(&offer, 3, true), SHM_OK);
    assert_int_equal(shm_host_offer_check(&offer, 3, false), SHM_MALLOC_FAILED);
    assert_non_null(strstr(shm_error_detail(), "host heaps of 1073741824 bytes for each of 4 PEs "
                                               "do not fit: the node of PE 3 may need 8589934593 "
                                               "bytes for all heaps, and the container has "
                                               "8589934592 left"));
    offer.status = SHM_MALLOC_FAILED;
    assert_int_equal(shm_host_offer_check(&offer, 2, true), SHM_MALLOC_FAILED);
    assert_string_equal(shm_error_detail(), "PE 2 has no memory to keep book of a host heap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_default_heap),
        cmocka_unit_test(test_asked_heap),
        cmocka_unit_test(test_host_heaps),
        cmocka_unit_test(test_memory_for_host_heaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
