/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives over an active set. */
#include "forwards.h"

/* PE_start, logPE_stride, PE_size, pSync */
#define SET 11, 12, 13, sync
#define CHECK_SET_CALL(name, arguments, face, ...)                                                 \
    do {                                                                                           \
        name arguments;                                                                            \
        CHECK_CALL(#name, face);                                                                   \
        CHECK_GIVEN(.set = {SET}, __VA_ARGS__);                                                    \
    } while (0)

static long sync[SHMEM_SYNC_SIZE];
static _Alignas(16) char areas[3][16];
static void *const dest = areas[0];
static const void *const source = areas[1];
static void *const work = areas[2];

static void test_synchronisation(void **state)
{
    (void)state;
    CHECK_VOID(shmem_barrier, (SET), "face_set_barrier");
    CHECK_GIVEN(.set = {SET});
    CHECK_VOID(shmem_sync, (SET), "face_set_barrier");
    CHECK_GIVEN(.set = {SET});
}

static void test_copies(void **state)
{
    (void)state;
#define CHECK_COPY(op, bits)                                                                       \
    CHECK_SET_CALL(shmem_##op##bits, (dest, source, 3, SET), "face_set_" #op, .dest = dest,        \
                   .source = source, .bytes = 3 * bits / 8);
#define CHECK(bits)                                                                                \
    CHECK_SET_CALL(shmem_broadcast##bits, (dest, source, 3, 2, SET), "face_set_broadcast",         \
                   .dest = dest, .source = source, .bytes = 3 * bits / 8, .pe = 2);                \
    CHECK_COPY(collect, bits)                                                                      \
    CHECK_COPY(fcollect, bits)                                                                     \
    CHECK_COPY(alltoall, bits)                                                                     \
    CHECK_SET_CALL(shmem_alltoalls##bits, (dest, source, 4, 5, 3, SET), "face_set_alltoalls",      \
                   .alltoalls = {dest, source, 4, 5, 3, bits / 8});
    CHECK(32)
    CHECK(64)
#undef CHECK
#undef CHECK_COPY
}

#define CHECK_TO_ALL(name, type, op, operation)                                                    \
    CHECK_SET_CALL(shmem_##name##_##op##_to_all, (dest, source, 3, 11, 12, 13, work, sync),        \
                   "face_set_reduce", .reduce = {dest, source, 3, operation, ELEMENT_OF(type)});

static void test_reductions(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_TO_ALL(name, type, and, SHM_REDUCE_AND)                                                  \
    CHECK_TO_ALL(name, type, or, SHM_REDUCE_OR)                                                    \
    CHECK_TO_ALL(name, type, xor, SHM_REDUCE_XOR)
    FOR_OLD_REDUCE_INTEGERS(CHECK)
#undef CHECK
#define CHECK(name, type)                                                                          \
    CHECK_TO_ALL(name, type, min, SHM_REDUCE_MIN)                                                  \
    CHECK_TO_ALL(name, type, max, SHM_REDUCE_MAX)
    FOR_OLD_REDUCE_INTEGERS(CHECK)
    FOR_REAL_TYPES(CHECK)
#undef CHECK
#define CHECK(name, type)                                                                          \
    CHECK_TO_ALL(name, type, sum, SHM_REDUCE_SUM)                                                  \
    CHECK_TO_ALL(name, type, prod, SHM_REDUCE_PROD)
    FOR_OLD_REDUCE_INTEGERS(CHECK)
    FOR_REAL_TYPES(CHECK)
    FOR_COMPLEX_TYPES(CHECK)
#undef CHECK
}

static void test_a_negative_count_stays_out_of_range(void **state)
{
    (void)state;
    shmem_int_sum_to_all(dest, source, -1, 0, 0, 1, work, sync);
    assert_true(one_pe_given.reduce.count > INT_MAX);
}

int run_active_sets(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synchronisation),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_a_negative_count_stays_out_of_range),
    };

    return cmocka_run_group_tests_name("collectives over an active set", tests, NULL, NULL);
}
