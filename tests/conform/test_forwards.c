/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the tests of forwards/ and, here, those of what fits nowhere else. */
#include "forwards/forwards.h"

#include <stdio.h>

static void test_deprecated_atomics(void **state)
{
    (void)state;
#define CHECK_OLD(function, number)                                                                \
    do {                                                                                           \
        assert_string_equal(one_pe_call, "shmem_" function);                                       \
        assert_int_equal(one_pe_number, number);                                                   \
    } while (0)
#define CHECK_EXTENDED(name, type)                                                                 \
    {                                                                                              \
        type word = 0;                                                                             \
        shmem_##name##_set(&word, (type)-4, 1);                                                    \
        CHECK_OLD(#name "_set", 1);                                                                \
        assert_true(shmem_##name##_fetch(&word, 2) == (type)-4);                                   \
        CHECK_OLD(#name "_fetch", 2);                                                              \
        assert_true(shmem_##name##_swap(&word, 8, 3) == (type)-4 && word == 8);                    \
        CHECK_OLD(#name "_swap", 3);                                                               \
    }
#define CHECK(name, type)                                                                          \
    CHECK_EXTENDED(name, type)                                                                     \
    {                                                                                              \
        type word = 8;                                                                             \
        assert_true(shmem_##name##_cswap(&word, 8, 10, 1) == 8);                                   \
        CHECK_OLD(#name "_cswap", 1);                                                              \
        shmem_##name##_add(&word, 5, 2);                                                           \
        CHECK_OLD(#name "_add", 2);                                                                \
        assert_true(shmem_##name##_fadd(&word, 5, 3) == 15);                                       \
        CHECK_OLD(#name "_fadd", 3);                                                               \
        shmem_##name##_inc(&word, 4);                                                              \
        CHECK_OLD(#name "_inc", 4);                                                                \
        assert_true(shmem_##name##_finc(&word, 5) == 21 && word == 22);                            \
        CHECK_OLD(#name "_finc", 5);                                                               \
    }
    CHECK(int, int)
    CHECK(long, long)
    CHECK(longlong, long long)
    CHECK_EXTENDED(float, float)
    CHECK_EXTENDED(double, double)
#undef CHECK
}

static void test_life_and_order(void **state)
{
    int provided = 0, initialized = 0, pes[2] = {3, 6};

    (void)state;
    CHECK_VOID(shmem_init, (), "face_init");
    assert_int_equal(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 7);
    CHECK_CALL("shmem_init_thread", "face_init_thread");
    assert_int_equal(provided, SHMEM_THREAD_MULTIPLE);
    CHECK_VOID(shmem_query_thread, (&provided), "face_query_thread");
    CHECK_VOID(shmem_query_initialized, (&initialized), "face_query_initialized");
    assert_true(provided == 2 && initialized == 1);
    CHECK_VOID(start_pes, (12), "face_start_pes");
    assert_int_equal(one_pe_number, 12);
    CHECK_VOID(shmem_fence, (), "face_fence");
    CHECK_VOID(shmem_quiet, (), "face_quiet");
    CHECK_VOID(shmem_pe_quiet, (pes, 2), "face_pe_quiet");
    assert_int_equal(one_pe_number, 6);
    CHECK_VOID(shmem_barrier_all, (), "face_barrier_all");
    CHECK_VOID(shmem_sync_all, (), "face_sync_all");
    CHECK_VOID(shmem_finalize, (), "face_finalize");
}

static void test_queries(void **state)
{
    int major = 0, minor = 0, object = 0;
    char name[SHMEM_MAX_NAME_LEN] = "unchanged";
    shmemx_info_item_t item;

    (void)state;
    assert_int_equal(shmem_my_pe(), 0);
    CHECK_CALL("shmem_my_pe", "face_my_pe");
    assert_int_equal(_my_pe(), 0);
    CHECK_CALL("_my_pe", "face_my_pe");
    assert_int_equal(shmem_n_pes(), 1);
    CHECK_CALL("shmem_n_pes", "face_n_pes");
    assert_int_equal(_num_pes(), 1);
    CHECK_CALL("_num_pes", "face_n_pes");
    CHECK_VOID(shmem_info_get_version, (&major, &minor), "face_info_get_version");
    assert_true(major == 3 && minor == 4);
    CHECK_VOID(shmem_info_get_name, (name), "face_info_get_name");
    assert_string_equal(name, "");
    assert_true(shmemx_info_item(0, &item) == 1 && shmemx_info_item(1, &item) == 0);
    CHECK_CALL("shmemx_info_item", "face_info_item");
    assert_true(shmem_pe_accessible(0) == 1 && shmem_pe_accessible(1) == 0);
    assert_true(shmem_addr_accessible(&object, 0) == 1 && shmem_addr_accessible(NULL, 0) == 0);
    assert_true(shmem_ptr(&object, 0) == &object && shmem_ptr(&object, 1) == NULL);
    CHECK_CALL("shmem_ptr", "face_ptr");
}

static void test_memory(void **state)
{
    char *block = shmem_malloc(10);

    (void)state;
    CHECK_CALL("shmem_malloc", "face_malloc");
    block = shmem_realloc(block, 20);
    CHECK_CALL("shmem_realloc", "face_realloc");
    block = shrealloc(block, 30);
    CHECK_CALL("shrealloc", "face_realloc");
    CHECK_VOID(shmem_free, (block), "face_free");
    block = shmalloc(10);
    CHECK_CALL("shmalloc", "face_malloc");
    CHECK_VOID(shfree, (block), "face_free");
    block = shmem_calloc(3, 5);
    CHECK_CALL("shmem_calloc", "face_calloc");
    assert_int_equal(block[14], 0);
    shmem_free(block);
    block = shmem_align(256, 512);
    CHECK_CALL("shmem_align", "face_align");
    assert_int_equal(one_pe_number, 512);
    shmem_free(block);
    block = shmemalign(256, 512);
    CHECK_CALL("shmemalign", "face_align");
    assert_int_equal(one_pe_number, 512);
    shmem_free(block);
    block = shmem_malloc_with_hints(8, SHMEM_MALLOC_SIGNAL_REMOTE);
    CHECK_CALL("shmem_malloc_with_hints", "face_malloc_with_hints");
    assert_int_equal(one_pe_number, SHMEM_MALLOC_SIGNAL_REMOTE);
    shmem_free(block);
}

static void test_calls_that_do_nothing(void **state)
{
    int object = 5;

    (void)state;
    CHECK_VOID(shmem_pcontrol, (6), "face_pcontrol");
    assert_int_equal(one_pe_number, 6);
    CHECK_VOID(shmem_pcontrol, (7, "more", &object), "face_pcontrol");
    assert_int_equal(one_pe_number, 7);
    CHECK_VOID(shmem_set_cache_inv, (), "face_cache");
    CHECK_VOID(shmem_clear_cache_inv, (), "face_cache");
    CHECK_VOID(shmem_udcflush, (), "face_cache");
    CHECK_VOID(shmem_set_cache_line_inv, (&object), "face_cache");
    CHECK_VOID(shmem_clear_cache_line_inv, (&object), "face_cache");
    CHECK_VOID(shmem_udcflush_line, (&object), "face_cache");
    assert_int_equal(object, 5);
}

static int run_the_rest(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deprecated_atomics),
        cmocka_unit_test(test_life_and_order),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_calls_that_do_nothing),
    };

    return cmocka_run_group_tests_name("the rest", tests, NULL, NULL);
}

/* ---- is there a function that no test has called? ---- */

/* shmem_global_exit ends the process: global_exit_program.c. A profiling twin is the same function
 * as the one without the p, which test_called.py sees. */
static bool is_tested_elsewhere(const char *name)
{
    return strncmp(name, "pshmem_", 7) == 0 || strcmp(name, "shmem_global_exit") == 0;
}

static int count_uncalled(const char *path)
{
    FILE *list = fopen(path, "r");
    char name[128];
    int listed = 0;
    int uncalled = 0;

    if (list == NULL) {
        perror(path);
        return 1;
    }
    for (; fscanf(list, "%127s", name) == 1; listed++) {
        if (!is_tested_elsewhere(name) && !one_pe_has_called(name)) {
            fprintf(stderr, "no test has called %s\n", name);
            uncalled++;
        }
    }
    fclose(list);
    if (listed == 0)
        fprintf(stderr, "%s lists no functions\n", path);
    return listed == 0 ? 1 : uncalled;
}

int main(int count, char **arguments)
{
    int failed = run_plain_forms() + run_forms_on_contexts() + run_aclshmem() +
                 run_aclshmem_waits() + run_waits() + run_teams() + run_collectives() +
                 run_active_sets() + run_the_rest();

    if (count != 2) {
        fprintf(stderr, "usage: %s LIST_OF_SYMBOLS\n", arguments[0]);
        return 2;
    }
    failed += count_uncalled(arguments[1]);
    return failed > 0;
}
