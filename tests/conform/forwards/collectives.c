/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives over a team. */
#include "forwards.h"

#define CHECK_TEAM_CALL(name, arguments, face, ...)                                                \
    do {                                                                                           \
        assert_int_equal(name arguments, ONE_PE_RESULT);                                           \
        CHECK_CALL(#name, face);                                                                   \
        CHECK_GIVEN(.team = A_TEAM, __VA_ARGS__);                                                  \
    } while (0)

static _Alignas(16) char areas[2][16];
static void *const dest = areas[0];
static const void *const source = areas[1];

static void test_synchronisation(void **state)
{
    (void)state;
    assert_int_equal(shmem_team_sync(A_TEAM), ONE_PE_RESULT);
    CHECK_CALL("shmem_team_sync", "face_team_sync");
    CHECK_GIVEN(.team = A_TEAM);
}

static void test_typed_copies(void **state)
{
    (void)state;
#define CHECK_COPY(name, op, width)                                                                \
    CHECK_TEAM_CALL(shmem_##name##_##op, (A_TEAM, dest, source, 3), "face_" #op, .dest = dest,     \
                    .source = source, .bytes = 3 * (width));
#define CHECK(name, type)                                                                          \
    CHECK_TEAM_CALL(shmem_##name##_broadcast, (A_TEAM, dest, source, 3, 2), "face_broadcast",      \
                    .dest = dest, .source = source, .bytes = 3 * sizeof(type), .pe = 2);           \
    CHECK_COPY(name, collect, sizeof(type))                                                        \
    CHECK_COPY(name, fcollect, sizeof(type))                                                       \
    CHECK_COPY(name, alltoall, sizeof(type))                                                       \
    CHECK_TEAM_CALL(shmem_##name##_alltoalls, (A_TEAM, dest, source, 4, 5, 3), "face_alltoalls",   \
                    .alltoalls = {dest, source, 4, 5, 3, sizeof(type)});
    FOR_RMA_TYPES(CHECK)
#undef CHECK
#undef CHECK_COPY
}

static void test_untyped_copies(void **state)
{
    (void)state;
    CHECK_TEAM_CALL(shmem_broadcastmem, (A_TEAM, dest, source, 3, 2), "face_broadcast",
                    .dest = dest, .source = source, .bytes = 3, .pe = 2);
    CHECK_TEAM_CALL(shmem_collectmem, (A_TEAM, dest, source, 3), "face_collect", .dest = dest,
                    .source = source, .bytes = 3);
    CHECK_TEAM_CALL(shmem_fcollectmem, (A_TEAM, dest, source, 3), "face_fcollect", .dest = dest,
                    .source = source, .bytes = 3);
    CHECK_TEAM_CALL(shmem_alltoallmem, (A_TEAM, dest, source, 3), "face_alltoall", .dest = dest,
                    .source = source, .bytes = 3);
    CHECK_TEAM_CALL(shmem_alltoallsmem, (A_TEAM, dest, source, 4, 5, 3), "face_alltoalls",
                    .alltoalls = {dest, source, 4, 5, 3, 1});
}

#define CHECK_REDUCE(name, type, op, operation)                                                    \
    CHECK_TEAM_CALL(shmem_##name##_##op##_reduce, (A_TEAM, dest, source, 3), "face_reduce",        \
                    .reduce = {dest, source, 3, operation, ELEMENT_OF(type)});

static void test_reductions(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_REDUCE(name, type, and, SHM_REDUCE_AND)                                                  \
    CHECK_REDUCE(name, type, or, SHM_REDUCE_OR)                                                    \
    CHECK_REDUCE(name, type, xor, SHM_REDUCE_XOR)
    FOR_REDUCE_BITWISE_TYPES(CHECK)
    FOR_OLD_REDUCE_INTEGERS(CHECK)
#undef CHECK
#define CHECK(name, type)                                                                          \
    CHECK_REDUCE(name, type, min, SHM_REDUCE_MIN)                                                  \
    CHECK_REDUCE(name, type, max, SHM_REDUCE_MAX)
    FOR_RMA_TYPES(CHECK)
#undef CHECK
#define CHECK(name, type)                                                                          \
    CHECK_REDUCE(name, type, sum, SHM_REDUCE_SUM)                                                  \
    CHECK_REDUCE(name, type, prod, SHM_REDUCE_PROD)
    FOR_RMA_TYPES(CHECK)
    FOR_COMPLEX_TYPES(CHECK)
#undef CHECK
}

static void test_scans(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_TEAM_CALL(shmem_##name##_sum_inscan, (A_TEAM, dest, source, 3), "face_scan",             \
                    .reduce = {dest, source, 3, SHM_REDUCE_SUM, ELEMENT_OF(type)},                 \
                    .is_inclusive = true);                                                         \
    CHECK_TEAM_CALL(shmem_##name##_sum_exscan, (A_TEAM, dest, source, 3), "face_scan",             \
                    .reduce = {dest, source, 3, SHM_REDUCE_SUM, ELEMENT_OF(type)});
    FOR_RMA_TYPES(CHECK)
    FOR_COMPLEX_TYPES(CHECK)
#undef CHECK
}

int run_collectives(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synchronisation), cmocka_unit_test(test_typed_copies),
        cmocka_unit_test(test_untyped_copies),  cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_scans),
    };

    return cmocka_run_group_tests_name("collectives over a team", tests, NULL, NULL);
}
