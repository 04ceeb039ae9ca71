/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of ACLSHMEM. */
#define FUNCTION(name) aclshmem_##name
#define NAME(name) "aclshmem_" #name
#define FIRST
#define IN_CONTEXT SHMEM_CTX_INVALID
#include "aclshmem/given.h"
#include "forms.h"

static void test_typed_copies(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_COPY(name, type, put)                                                                    \
    CHECK_COPY(name, type, get)                                                                    \
    CHECK_COPY(name, type, put_nbi)                                                                \
    CHECK_COPY(name, type, get_nbi)                                                                \
    CHECK_SCALAR(name, type)                                                                       \
    CHECK_STRIDED(name, type, iput)                                                                \
    CHECK_STRIDED(name, type, iget)
    FOR_ACLSHMEM_TYPES(CHECK)
#undef CHECK
}

static void test_untyped_copies(void **state)
{
    (void)state;
#define CHECK(bits)                                                                                \
    CHECK_SIZED(put, bits, , "face_put")                                                           \
    CHECK_SIZED(get, bits, , "face_get")                                                           \
    CHECK_SIZED(put, bits, _nbi, "face_put_nbi")                                                   \
    CHECK_SIZED(get, bits, _nbi, "face_get_nbi")                                                   \
    CHECK_SIZED_STRIDED(iput, bits)                                                                \
    CHECK_SIZED_STRIDED(iget, bits)
    FOR_SIZES(CHECK)
#undef CHECK
    CHECK_MEM(putmem, "face_put")
    CHECK_MEM(putmem_nbi, "face_put_nbi")
    CHECK_MEM(getmem, "face_get")
    CHECK_MEM(getmem_nbi, "face_get_nbi")
}

static int decrypt(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    assert_null(plain);
    assert_int_equal(*plain_bytes, cipher_bytes);
    return cipher[cipher_bytes - 1];
}

static void test_tls(void **state)
{
    (void)state;
    assert_int_equal(aclshmemx_set_conf_store_tls(true, "d", 20), ACLSHMEM_SUCCESS);
    CHECK_CALL("aclshmemx_set_conf_store_tls", "face_set_conf_store_tls");
    assert_int_equal(one_pe_number, 'd' + 20);
    assert_int_equal(aclshmemx_set_conf_store_tls(false, NULL, 0), ACLSHMEM_INVALID_PARAM);
    assert_int_equal(one_pe_number, 0);
    assert_int_equal(aclshmemx_set_config_store_tls_key("key", 2, "password", 4, decrypt), 's');
    CHECK_CALL("aclshmemx_set_config_store_tls_key", "face_set_config_store_tls_key");
    assert_int_equal(one_pe_number, 'e');
}

static void take_message(int level, const char *text)
{
    one_pe_number = level + text[0];
}

static void test_log(void **state)
{
    (void)state;
    assert_int_equal(aclshmemx_set_log_level(-5), ACLSHMEM_INVALID_VALUE);
    CHECK_CALL("aclshmemx_set_log_level", "face_set_log_level");
    assert_int_equal(one_pe_number, -5);
    assert_int_equal(aclshmemx_set_extern_logger(take_message), ACLSHMEM_INNER_ERROR);
    CHECK_CALL("aclshmemx_set_extern_logger", "face_set_extern_logger");
    assert_int_equal(one_pe_number, 7 + 'a');
}

static void test_life(void **state)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t uid = ACLSHMEM_UNIQUEID_INITIALIZER;

    (void)state;
    assert_int_equal(aclshmemx_get_uniqueid(&uid), 0);
    CHECK_CALL("aclshmemx_get_uniqueid", "face_get_uniqueid");
    assert_int_equal(aclshmemx_set_attr_uniqueid_args(1, 2, 3, &uid, &attributes), 0);
    CHECK_CALL("aclshmemx_set_attr_uniqueid_args", "face_set_attr_uniqueid_args");
    assert_true(attributes.my_pe == 1 && attributes.n_pes == 2 && attributes.local_mem_size == 3);
    assert_ptr_equal(attributes.comm_args, &uid);
    assert_int_equal(aclshmemx_init_attr(ACLSHMEMX_INIT_MAX, &attributes), 0);
    assert_int_equal(one_pe_number, 2147483648);
    assert_int_equal(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, NULL), ACLSHMEM_INVALID_PARAM);
    CHECK_CALL("aclshmemx_init_attr", "face_init_attr");
    assert_int_equal(aclshmemx_init_status(), ACLSHMEM_STATUS_IS_INITIALIZED);
    CHECK_CALL("aclshmemx_init_status", "face_init_status");
    assert_int_equal(aclshmem_finalize(), ACLSHMEM_NOT_INITED);
    CHECK_CALL("aclshmem_finalize", "face_finalize");
    CHECK_VOID(aclshmem_global_exit, (44), "face_global_exit");
    assert_int_equal(one_pe_number, 44);
    CHECK_VOID(aclshmem_barrier_all, (), "face_barrier_all");
}

static void test_queries(void **state)
{
    int major = 0, minor = 0, object = 0;
    char name[ACLSHMEM_MAX_NAME_LEN] = "unchanged";

    (void)state;
    assert_int_equal(aclshmem_my_pe(), 0);
    CHECK_CALL("aclshmem_my_pe", "face_my_pe");
    assert_int_equal(aclshmem_n_pes(), 1);
    CHECK_CALL("aclshmem_n_pes", "face_n_pes");
    CHECK_VOID(aclshmem_info_get_version, (&major, &minor), "face_info_get_version");
    assert_true(major == 3 && minor == 4);
    CHECK_VOID(aclshmem_info_get_name, (name), "face_info_get_name");
    assert_string_equal(name, "");
    assert_true(aclshmem_ptr(&object, 0) == &object && aclshmem_ptr(&object, 1) == NULL);
    CHECK_CALL("aclshmem_ptr", "face_ptr");
}

static void test_memory(void **state)
{
    char *block = aclshmem_malloc(4);

    (void)state;
    CHECK_CALL("aclshmem_malloc", "face_malloc");
    CHECK_VOID(aclshmem_free, (block), "face_free");
    block = aclshmem_calloc(3, 5);
    CHECK_CALL("aclshmem_calloc", "face_calloc");
    assert_int_equal(block[14], 0);
    aclshmem_free(block);
    block = aclshmem_align(64, 128);
    CHECK_CALL("aclshmem_align", "face_align");
    assert_int_equal(one_pe_number, 128);
    aclshmem_free(block);
    assert_ptr_equal(aclshmemx_get_heap_base(DEVICE_SIDE), &one_pe_aclshmem);
    CHECK_CALL("aclshmemx_get_heap_base", "face_heap_base");
    assert_int_equal(one_pe_aclshmem.mem_type, DEVICE_SIDE);
}

#define CHECK_RESULT(name, arguments, face)                                                        \
    do {                                                                                           \
        assert_int_equal(name arguments, ONE_PE_RESULT);                                           \
        CHECK_CALL(#name, face);                                                                   \
    } while (0)

#define CHECK_TEAMS(...) check_teams(&(struct one_pe_aclshmem){__VA_ARGS__})

static void check_teams(const struct one_pe_aclshmem *expected)
{
    const struct one_pe_aclshmem *given = &one_pe_aclshmem;

    assert_int_equal(given->team, expected->team);
    assert_int_equal(given->other_team, expected->other_team);
    assert_int_equal(given->pe, expected->pe);
    assert_int_equal(given->triplet.start, expected->triplet.start);
    assert_int_equal(given->triplet.stride, expected->triplet.stride);
    assert_int_equal(given->triplet.size, expected->triplet.size);
    assert_ptr_equal(given->config, expected->config);
    assert_ptr_equal(given->new_teams[0], expected->new_teams[0]);
    assert_ptr_equal(given->new_teams[1], expected->new_teams[1]);
}

static void test_teams(void **state)
{
    aclshmem_team_config_t config;
    aclshmem_team_t teams[2];

    (void)state;
    CHECK_RESULT(aclshmem_team_my_pe, (17), "face_team_my_pe");
    CHECK_TEAMS(.team = 17);
    CHECK_RESULT(aclshmem_team_n_pes, (17), "face_team_n_pes");
    CHECK_TEAMS(.team = 17);
    CHECK_RESULT(aclshmem_team_translate_pe, (17, 3, 18), "face_team_translate_pe");
    CHECK_TEAMS(.team = 17, .pe = 3, .other_team = 18);
    CHECK_RESULT(aclshmem_team_get_config, (17, &config), "face_team_get_config");
    CHECK_TEAMS(.team = 17, .config = &config);
    CHECK_RESULT(aclshmem_team_split_strided, (17, 2, -3, 4, teams), "face_team_split_strided");
    CHECK_TEAMS(.team = 17, .triplet = {2, -3, 4}, .new_teams = {teams});
    CHECK_RESULT(aclshmem_team_split_2d, (17, 5, teams, teams + 1), "face_team_split_2d");
    CHECK_TEAMS(.team = 17, .pe = 5, .new_teams = {teams, teams + 1});
    CHECK_VOID(aclshmem_team_destroy, (17), "face_team_destroy");
    CHECK_TEAMS(.team = 17);
    CHECK_VOID(aclshmem_barrier, (17), "face_team_barrier");
    CHECK_TEAMS(.team = 17);
    CHECK_VOID(aclshmem_sync, (17), "face_team_barrier");
    CHECK_TEAMS(.team = 17);
    CHECK_VOID(aclshmem_sync_all, (), "face_sync_all");
}

static void test_streams(void **state)
{
    const struct one_pe_aclshmem *given = &one_pe_aclshmem;
    aclshmem_handle_t handle = {18};
    int32_t word = 0;
    char to[4], from[4], stream[1];

    (void)state;
    CHECK_VOID(aclshmemx_putmem_on_stream, (to, from, 4, 3, stream), "face_put_on_stream");
    assert_true(given->to == to && given->from == from && given->bytes == 4 && given->pe == 3);
    assert_ptr_equal(given->stream, stream);
    CHECK_VOID(aclshmemx_getmem_on_stream, (to, from, 5, 2, stream), "face_get_on_stream");
    assert_true(given->to == to && given->from == from && given->bytes == 5 && given->pe == 2);
    assert_ptr_equal(given->stream, stream);
    CHECK_VOID(aclshmemx_quiet_on_stream, (stream), "face_quiet_on_stream");
    assert_ptr_equal(given->stream, stream);
    CHECK_VOID(aclshmemx_signal_op_on_stream, (&word, -7, ACLSHMEM_SIGNAL_ADD, 6, stream),
               "face_signal_on_stream");
    assert_true(given->to == &word && given->signal == -7 && given->sig_op == ACLSHMEM_SIGNAL_ADD);
    assert_true(given->pe == 6 && given->stream == stream);
    CHECK_VOID(aclshmemx_signal_wait_until_on_stream, (&word, ACLSHMEM_CMP_LT, -9, stream),
               "face_signal_wait_on_stream");
    assert_true(given->test.word == &word && given->test.value == (uint64_t)-9);
    assert_true(given->test.kind == SHM_WORD_I32 && given->test.comparison == SHM_CMP_LT);
    assert_ptr_equal(given->stream, stream);
    CHECK_VOID(aclshmemx_handle_wait, (handle, stream), "face_handle_wait");
    assert_true(given->team == 18 && given->stream == stream);
    CHECK_VOID(aclshmemx_barrier_on_stream, (17, stream), "face_barrier_on_stream");
    assert_true(given->team == 17 && given->stream == stream);
    CHECK_VOID(aclshmemx_barrier_all_on_stream, (stream), "face_barrier_on_stream");
    assert_true(given->team == ACLSHMEM_TEAM_WORLD && given->stream == stream);
}

int run_aclshmem(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_copies), cmocka_unit_test(test_untyped_copies),
        cmocka_unit_test(test_life),         cmocka_unit_test(test_queries),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_teams),
<<<<<<< HEAD
        cmocka_unit_test(test_tls),          cmocka_unit_test(test_streams),
=======
        cmocka_unit_test(test_tls),          cmocka_unit_test(test_log),
>>>>>>> 4138caf (Add aclshmemx_set_log_level and aclshmemx_set_extern_logger)
    };

    return cmocka_run_group_tests_name("ACLSHMEM", tests, NULL, NULL);
}
