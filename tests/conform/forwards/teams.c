/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams and contexts. */
#include "forwards.h"

#define CHECK_RESULT(name, arguments, face)                                                        \
    do {                                                                                           \
        assert_int_equal(name arguments, ONE_PE_RESULT);                                           \
        CHECK_CALL(#name, face);                                                                   \
    } while (0)

static void test_queries(void **state)
{
    shmem_team_config_t config;
    int object;

    (void)state;
    CHECK_RESULT(shmem_team_my_pe, (A_TEAM), "face_team_my_pe");
    CHECK_GIVEN(.team = A_TEAM);
    CHECK_RESULT(shmem_team_n_pes, (A_TEAM), "face_team_n_pes");
    CHECK_GIVEN(.team = A_TEAM);
    CHECK_RESULT(shmem_team_translate_pe, (A_TEAM, 3, ANOTHER_TEAM), "face_team_translate_pe");
    CHECK_GIVEN(.team = A_TEAM, .pe = 3, .other_team = ANOTHER_TEAM);
    assert_ptr_equal(shmem_team_ptr(A_TEAM, &object, 4), &one_pe_given);
    CHECK_CALL("shmem_team_ptr", "face_team_ptr");
    CHECK_GIVEN(.team = A_TEAM, .source = &object, .pe = 4);
    CHECK_RESULT(shmem_team_get_config, (A_TEAM, 1L << 40, &config), "face_team_get_config");
    CHECK_GIVEN(.team = A_TEAM, .mask = 1L << 40, .dest = &config);
}

static void test_making_teams(void **state)
{
    const shmem_team_config_t configs[2] = {{0}, {0}};
    shmem_team_t teams[2];

    (void)state;
    CHECK_RESULT(shmem_team_split_strided, (A_TEAM, 2, -3, 4, &configs[0], 1L << 40, &teams[0]),
                 "face_team_split_strided");
    CHECK_GIVEN(.team = A_TEAM, .triplet = {2, -3, 4},
                .settings = {{&configs[0], 1L << 40, &teams[0]}});
    CHECK_RESULT(shmem_team_split_2d,
                 (A_TEAM, 5, &configs[0], 1L << 40, &teams[0], &configs[1], 1L << 41, &teams[1]),
                 "face_team_split_2d");
    CHECK_GIVEN(.team = A_TEAM, .pe = 5,
                .settings = {{&configs[0], 1L << 40, &teams[0]},
                             {&configs[1], 1L << 41, &teams[1]}});
    CHECK_VOID(shmem_team_destroy, (A_TEAM), "face_team_destroy");
    CHECK_GIVEN(.team = A_TEAM);
}

static void test_contexts(void **state)
{
    shmem_ctx_t ctx;
    shmem_team_t team;

    (void)state;
    CHECK_RESULT(shmem_ctx_create, (1L << 40, &ctx), "face_ctx_create");
    CHECK_GIVEN(.options = 1L << 40, .dest = &ctx);
    CHECK_RESULT(shmem_team_create_ctx, (A_TEAM, 1L << 40, &ctx), "face_team_create_ctx");
    CHECK_GIVEN(.team = A_TEAM, .options = 1L << 40, .dest = &ctx);
    CHECK_RESULT(shmem_ctx_get_team, (A_CONTEXT, &team), "face_ctx_get_team");
    CHECK_GIVEN(.ctx = A_CONTEXT, .dest = &team);
    CHECK_VOID(shmem_ctx_destroy, (A_CONTEXT), "face_ctx_destroy");
    CHECK_GIVEN(.ctx = A_CONTEXT);
}

static void test_sessions_and_order(void **state)
{
    const shmem_ctx_session_config_t config = {0};
    const int pes[2] = {0};

    (void)state;
    CHECK_VOID(shmem_ctx_session_start, (A_CONTEXT, 1L << 40, &config, 1L << 41),
               "face_ctx_session_start");
    CHECK_GIVEN(.ctx = A_CONTEXT, .options = 1L << 40, .source = &config, .mask = 1L << 41);
    CHECK_VOID(shmem_ctx_session_stop, (A_CONTEXT), "face_ctx_session_stop");
    CHECK_GIVEN(.ctx = A_CONTEXT);
    CHECK_VOID(shmem_ctx_fence, (A_CONTEXT), "face_ctx_fence");
    CHECK_GIVEN(.ctx = A_CONTEXT);
    CHECK_VOID(shmem_ctx_quiet, (A_CONTEXT), "face_ctx_quiet");
    CHECK_GIVEN(.ctx = A_CONTEXT);
    CHECK_VOID(shmem_ctx_pe_quiet, (A_CONTEXT, pes, 2), "face_ctx_pe_quiet");
    CHECK_GIVEN(.ctx = A_CONTEXT, .source = pes, .bytes = 2);
}

static void test_the_default_context_has_the_numbers_of_the_job(void **state)
{
    int cell = 0;

    (void)state;
    shmem_ctx_int_p(SHMEM_CTX_DEFAULT, &cell, 3, 4);
    CHECK_CALL("shmem_ctx_int_p", "face_p");
    check_pe(SHMEM_CTX_INVALID, 4);
    assert_int_equal(cell, 3);
}

int run_teams(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_making_teams),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_sessions_and_order),
        cmocka_unit_test(test_the_default_context_has_the_numbers_of_the_job),
    };

    return cmocka_run_group_tests_name("teams and contexts", tests, NULL, NULL);
}
