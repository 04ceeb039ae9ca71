/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words that are wrong, and what the one line says about them. */
static void wrong_options_give_one_line_and_status_2(void **state)
{
    static const struct {
        const char *words, *reason;
    } cases[] = {
        {"-n 0 true", "-n \"0\"; expected a whole number, 1 to 16384"},
        {"-n x true", "-n \"x\"; expected a whole number, 1 to 16384"},
        {"-np 16385 true", "-n \"16385\"; expected a whole number, 1 to 16384"},
        {"-n -1 true", "-n \"-1\"; expected a whole number, 1 to 16384"},
        {"-n", "-n needs a value: N"},
        {"-n 2", "no program given"},
        {"--bind foo true", "--bind \"foo\"; expected core or none"},
        {"--timeout x true", "--timeout \"x\"; expected seconds"},
        {"--timeout 0 true", "--timeout \"0\"; expected seconds, fractions allowed, 0.001 to"},
        {"--grace -1 true", "--grace \"-1\"; expected seconds"},
        {"--env =x true", "--env \"=x\"; expected NAME=VALUE or NAME"},
        {"--env SHMEMRUN_TEST_UNSET true", "it is not set here; expected --env NAME=VALUE"},
        {"--env SHMEM_PE=3 true", "--env SHMEM_PE; expected a variable that shmemrun does not set"},
        {"--gdb 2 -n 2 true", "--gdb 2; expected a PE of this job, 0 to 1"},
        {"--gdb 0 --valgrind true", "--gdb and --valgrind; expected one of the two"},
        {"--tag=yes true", "--tag takes no value"},
        {"--colour true", "unknown option --colour; see shmemrun --help"},
        {"-x true", "unknown option -x; see shmemrun --help"},
        {"-n=2 true", "unknown option -n=2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run run;

        run_all(&run, "%s", cases[i].words);
        run_assert_one_line(&run, cases[i].reason);
        assert_int_equal(strncmp(run.err.data, "shmemrun: ", 10), 0);
        assert_int_equal(run.status, 2);
        run_clear(&run);
    }
}

static void missing_tools_are_named(void **state)
{
    static const char *const tools[] = {"gdb", "valgrind"};
    char *path = strdup(getenv("PATH"));

    (void)state;
    setenv("PATH", "/nowhere", 1);
    for (size_t i = 0; i < 2; i++) {
        struct run run;
        char reason[64];

        snprintf(reason, sizeof reason, "--%s needs %s in PATH", tools[i], tools[i]);
        run_all(&run, "--%s %s @", tools[i], i == 0 ? "0" : "--tag");
        run_assert_one_line(&run, reason);
        assert_int_equal(run.status, 2);
        run_clear(&run);
    }
    setenv("PATH", path, 1);
    free(path);
}

static void number_of_pes_can_be_given_in_three_ways(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ print=x");
    assert_string_equal(run.out.data, "x\nx\nx\n");
    run_clear(&run);
    run_all(&run, "-np 2 @ print=x");
    assert_string_equal(run.out.data, "x\nx\n");
    run_clear(&run);
    run_all(&run, "@ print=x");
    assert_string_equal(run.out.data, "x\n");
    run_clear(&run);
}

static void words_behind_the_program_belong_to_it(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 1 -- echo -n 2 --tag -- x");
    assert_string_equal(run.out.data, "2 --tag -- x");
    run_clear(&run);
}

static void help_and_version_go_to_standard_output(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "--help");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err.data, "");
    assert_int_equal(run_count(run.out.data, "--timeout SECONDS"), 1);
    run_clear(&run);
    run_all(&run, "--version");
    assert_int_equal(run.status, 0);
    assert_int_equal(strncmp(run.out.data, "shmemrun ", 9), 0);
    run_clear(&run);
}

static void timeout_reports_and_gives_124(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 --timeout 0.3 @ 1:init stay");
    assert_int_equal(run.status, 124);
    assert_int_equal(run_count(run.err.data, "the time limit of 0.3 s has passed"), 1);
    assert_int_equal(run_count(run.err.data, "shmemrun: PEs 0, 2 have not called shmem_init\n"), 1);
    assert_int_equal(run_count(run.err.data, "\n"), 3);
    run_clear(&run);
}

static void timeout_that_does_not_pass_changes_nothing(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 --timeout=1000 @ exit=0");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
}

static void verbose_says_what_is_started(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 --verbose true");
    assert_int_equal(run_count(run.err.data, "shmemrun: started 2 PEs of true"), 1);
    assert_int_equal(run_count(run.err.data, "shmemrun: PE 1 is process "), 1);
    assert_int_equal(run_count(run.err.data, "tcp://127.0.0.1:"), 1);
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_options_give_one_line_and_status_2),
        cmocka_unit_test(missing_tools_are_named),
        cmocka_unit_test(number_of_pes_can_be_given_in_three_ways),
        cmocka_unit_test(words_behind_the_program_belong_to_it),
        cmocka_unit_test(help_and_version_go_to_standard_output),
        cmocka_unit_test(timeout_reports_and_gives_124),
        cmocka_unit_test(timeout_that_does_not_pass_changes_nothing),
        cmocka_unit_test(verbose_says_what_is_started),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
