/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport/transport.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <aclshmem.h>
#include <string.h>

/* The two enumerations of the interface number the engines in different orders. */
static void test_data_operations(void **state)
{
    static const struct {
        int asked;
        int engine;
    } pairs[] = {{ACLSHMEM_DATA_OP_MTE, 1},
                 {ACLSHMEM_DATA_OP_SDMA, 4},
                 {ACLSHMEM_DATA_OP_ROCE, 2},
                 {ACLSHMEM_DATA_OP_UDMA, 8}};

    (void)state;
    for (unsigned mask = 0; mask < 16; mask++) {
        int expected = 0;

        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            if ((mask & (unsigned)pairs[i].asked) != 0)
                expected |= pairs[i].engine;
        }
        assert_int_equal(shm_engines_of_data_operations(mask), expected);
    }
}

static void expect_engines(const char *text, int expected)
{
    uint8_t engines = 0;

    assert_int_equal(shm_engines_parse(text, &engines), SHM_OK);
    assert_int_equal(engines, expected);
}

static void test_names(void **state)
{
    static const char *const wrong[] = {"",     ",",    "mte,",     ",mte",    "mte,,sdma", "mt",
                                        "mtee", "mte ", "mte;sdma", "any,mte", "mte,any",   "1"};

    (void)state;
    expect_engines("mte", SHM_ENGINE_MTE);
    expect_engines("SDMA", SHM_ENGINE_SDMA);
    expect_engines("udma,mte", SHM_ENGINE_UDMA | SHM_ENGINE_MTE);
    expect_engines("mte,mte", SHM_ENGINE_MTE);
    expect_engines("roce,udma,sdma,mte", SHM_ENGINES_ALL);
    expect_engines("any", SHM_ENGINES_ALL | SHM_ENGINES_THAT_WORK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t engines = 77;

        assert_int_equal(shm_engines_parse(wrong[i], &engines), SHM_INVALID_VALUE);
        assert_int_equal(engines, 77);
        assert_non_null(strstr(shm_error_detail(), "expected any, or a list of mte, sdma, udma"));
    }
}

static void test_preference(void **state)
{
    (void)state;
    assert_int_equal(shm_engine_first(0), SHM_ENGINE_NONE);
    assert_int_equal(shm_engine_first(SHM_ENGINES_ALL), SHM_ENGINE_MTE);
    assert_int_equal(shm_engine_first(SHM_ENGINES_ALL & ~SHM_ENGINE_MTE), SHM_ENGINE_SDMA);
    assert_int_equal(shm_engine_first(SHM_ENGINE_ROCE | SHM_ENGINE_UDMA), SHM_ENGINE_UDMA);
    assert_int_equal(shm_engine_first(SHM_ENGINE_ROCE), SHM_ENGINE_ROCE);
}

static void test_list(void **state)
{
    size_t count = 0;
    const struct shm_engine_description *engines = shm_engine_list(&count);
    int seen = 0;

    (void)state;
    assert_int_equal(count, SHM_ENGINES);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(seen & engines[i].engine, 0);
        seen |= engines[i].engine;
        expect_engines(engines[i].name, engines[i].engine);
        assert_int_equal(engines[i].is_built, engines[i].engine != SHM_ENGINE_ROCE);
    }
    assert_int_equal(seen, SHM_ENGINES_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_operations),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_preference),
        cmocka_unit_test(test_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
