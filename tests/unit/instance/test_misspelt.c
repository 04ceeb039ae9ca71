/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of settings that nobody reads. */
#include "instance/options.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char told[4][400];
static int told_count;

static void note(int level, const char *text)
{
    assert_int_equal(level, SHM_LOG_WARN);
    if (told_count < 4)
        snprintf(told[told_count], sizeof told[0], "%s", text);
    told_count++;
}

static void check_told(const char *name, const char *expected)
{
    told_count = 0;
    setenv(name, "secret", 1);
    shm_options_warn_of_misspelt();
    unsetenv(name);
    if (expected == NULL) {
        assert_int_equal(told_count, 0);
        return;
    }
    assert_int_equal(told_count, 1);
    assert_null(strstr(told[0], "secret"));
    assert_non_null(strstr(told[0], name));
    if (strstr(told[0], expected) == NULL)
        fail_msg("%s", told[0]);
}

static void test_mistakes(void **state)
{
    (void)state;
    check_told("SHMEM_SYMETRIC_SIZE", "init: SHMEM_SYMETRIC_SIZE is not a setting; did you mean "
                                      "SHMEM_SYMMETRIC_SIZE?");
    check_told("SHMEM_SYMMETRICSIZE", "SHMEM_SYMMETRIC_SIZE?");
    check_told("SHMEM_LOG_LEVLE", "SHMEM_LOG_LEVEL?");
    check_told("SHMEM_LOG_PAHT", "SHMEM_LOG_PATH?");
    check_told("SHMEM_LOGPATHS", "SHMEM_LOG_PATH?");
    check_told("SHMEM_DEBUGG", "SHMEM_DEBUG?");
    check_told("SHMEM_DEBGU", "SHMEM_DEBUG?");
    check_told("SHMEM_IFNO", "SHMEM_INFO?");
    check_told("SHMEM_HUGEPAGE", "SHMEM_HUGE_PAGES?");
}

/* What other implementations read is their users' business. */
static void test_others(void **state)
{
    static const char *const names[] = {
        "SHMEM_SYMMETRIC_SIZE",
        "SHMEM_DEBUG",
        "SHMEM_PE",
        "SHMEM_N_PES",
        "SHMEM_CYCLE_PROF_PE",
        "SHMEM_INSTANCE_PORT_RANGE",
        "SHMEM_SYMMETRIC_HEAP_SIZE",
        "SHMEM_VERSION_DISPLAY",
        "SHMEM_ENV_DISPLAY",
        "SHMEM_BOUNCE_SIZE",
        "SHMEM_TRAP_ON_ABORT",
        "SHMEM_BARRIER_ALGORITHM",
        "SHMEM_COLL_CROSSOVER",
        "SHMEM_HOME_PATH",
        "SHMEM_DIR",
        "SHMEM_ROOT",
        "SHMEM_",
        "SHMEM_INIF0",
        "OSHMEM_LOG_LEVLE",
        "shmem_log_levle",
        "NVSHMEM_DEBUGG",
        "SHMEM_A_NAME_THAT_IS_LONGER_THAN_ANY_SETTING_COULD_EVER_BE",
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_told(names[i], NULL);
}

static void test_all_settings_are_known(void **state)
{
    size_t count;
    const struct shm_option *options = shm_options_list(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        check_told(options[i].name, NULL);
}

static void test_several(void **state)
{
    (void)state;
    told_count = 0;
    setenv("SHMEM_WAITNG", "1", 1);
    setenv("SHMEM_NODEID", "1", 1);
    shm_options_warn_of_misspelt();
    unsetenv("SHMEM_WAITNG");
    unsetenv("SHMEM_NODEID");
    assert_int_equal(told_count, 2);
}

/* A program asks for the level that the environment sets. */
static void test_log_level(void **state)
{
    int level = 77;

    (void)state;
    unsetenv("SHMEM_LOG_LEVEL");
    assert_false(shm_options_has_log_level(&level));
    setenv("SHMEM_LOG_LEVEL", "LOUD", 1);
    assert_false(shm_options_has_log_level(&level));
    assert_int_equal(level, 77);
    setenv("SHMEM_LOG_LEVEL", "FATAL", 1);
    assert_true(shm_options_has_log_level(&level));
    assert_int_equal(level, SHM_LOG_FATAL);
    unsetenv("SHMEM_LOG_LEVEL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_all_settings_are_known),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_log_level),
    };

    shm_log_set_function(note);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
