/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void all_well_gives_zero(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ init joined final");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
}

static void programs_that_do_not_join_are_fine(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 128 true");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
}

static void first_failing_pe_gives_the_status(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 @ 2:exit=7 stay");
    assert_int_equal(run.status, 7);
    run_assert_one_line(&run, "shmemrun: PE 2 exited with status 7; PEs 0-1, 3 ");
    run_clear(&run);
}

static void status_of_a_single_pe_is_passed_on(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "@ exit=41");
    assert_int_equal(run.status, 41);
    run_assert_one_line(&run, "shmemrun: PE 0 exited with status 41\n");
    run_clear(&run);
}

static void signal_gives_128_and_its_number(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 @ 1:kill=%d stay", SIGSEGV);
    assert_int_equal(run.status, 128 + SIGSEGV);
    run_assert_one_line(&run, "shmemrun: PE 1 was killed by signal 11 (Segmentation fault); PEs ");
    run_clear(&run);
}

static void a_crash_is_blamed_before_exits_that_follow_from_it(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 @ 3:kill=%d exit=9", SIGABRT);
    assert_int_equal(run.status, 128 + SIGABRT);
    run_assert_one_line(&run, "PE 3 was killed by signal 6 (Aborted)");
    run_clear(&run);
}

static void missing_finalize_is_a_failure(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ init joined 1:sleep=200 1:exit=0 stay");
    assert_int_equal(run.status, 1);
    run_assert_one_line(&run,
                        "PE 1 exited with status 0 without calling shmem_finalize; PEs 0, 2 ");
    run_clear(&run);
}

static void exit_in_init_is_a_failure(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ init 1:sleep=200 1:exit=3 stay");
    assert_int_equal(run.status, 3);
    run_assert_one_line(&run,
                        "PE 1 exited with status 3 without calling shmem_finalize; PEs 0, 2 ");
    run_clear(&run);
}

static void leaving_without_init_is_a_failure_when_others_join(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ 1:exit=0 sleep=100 init stay");
    assert_int_equal(run.status, 1);
    run_assert_one_line(&run, "PE 1 exited with status 0 without calling shmem_init; ");
    run_clear(&run);
}

static void leaving_without_init_after_others_joined_is_a_failure(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ 1:sleep=100 1:exit=0 init stay");
    assert_int_equal(run.status, 1);
    run_assert_one_line(&run, "PE 1 exited with status 0 without calling shmem_init; PEs 0, 2 were "
                              "in shmem_init\n");
    run_clear(&run);
}

static void leaving_without_init_after_all_finalized_is_fine(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 @ 0:init 0:joined 0:final 0:sleep=100 1:sleep=50 exit=0");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
}

static void joining_again_after_finalize_is_fine(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ init joined final init joined final");
    assert_int_equal(run.status, 0);
    run_all(&run, "-n 2 @ init joined final init 1:exit=0 stay");
    assert_int_equal(run.status, 1);
    run_assert_one_line(&run, "PE 1 exited with status 0 without calling shmem_finalize");
    run_clear(&run);
}

static void global_exit_ends_all_with_its_status(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 @ init joined 2:global=0 2:exit=0 stay");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
    run_all(&run, "-n 4 @ init joined 2:global=19 2:exit=19 stay");
    assert_int_equal(run.status, 19);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
}

static void global_exit_ends_pes_that_ignore_sigterm(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ ignore=%d init joined 0:sleep=50 0:global=4 stay", SIGTERM);
    assert_int_equal(run.status, 4);
    assert_string_equal(run.err.data, "");
    run_clear(&run);
}

static void failure_ends_pes_that_ignore_sigterm_or_are_stopped(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 @ ignore=%d 1:kill=%d 2:sleep=50 2:exit=5 stay", SIGTERM, SIGSTOP);
    assert_int_equal(run.status, 5);
    run_clear(&run);
}

static void program_not_found_is_127(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 no-such-program");
    assert_int_equal(run.status, 127);
    run_assert_one_line(&run, "program \"no-such-program\" not found in PATH");
    run_clear(&run);
    run_all(&run, "-n 3 ./no/such/program");
    assert_int_equal(run.status, 127);
    run_clear(&run);
}

static void program_not_executable_is_126(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 /proc/self/status");
    assert_int_equal(run.status, 126);
    run_assert_one_line(&run, "program \"/proc/self/status\" cannot be executed");
    run_clear(&run);
    run_all(&run, "-n 3 /");
    assert_int_equal(run.status, 126);
    run_assert_one_line(&run, "Is a directory");
    run_clear(&run);
}

/* What access() allows, execve() may still refuse. */
static void program_that_cannot_start_ends_the_job(void **state)
{
    struct run run;
    char path[] = "./shmemrun-test-XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_true(write(fd, "#!/no/such/interpreter\n", 23) == 23);
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
    run_all(&run, "-n 3 %s", path);
    unlink(path);
    assert_int_equal(run.status, 127);
    run_assert_one_line(&run, "cannot start the program");
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_well_gives_zero),
        cmocka_unit_test(programs_that_do_not_join_are_fine),
        cmocka_unit_test(first_failing_pe_gives_the_status),
        cmocka_unit_test(status_of_a_single_pe_is_passed_on),
        cmocka_unit_test(signal_gives_128_and_its_number),
        cmocka_unit_test(a_crash_is_blamed_before_exits_that_follow_from_it),
        cmocka_unit_test(missing_finalize_is_a_failure),
        cmocka_unit_test(exit_in_init_is_a_failure),
        cmocka_unit_test(leaving_without_init_is_a_failure_when_others_join),
        cmocka_unit_test(leaving_without_init_after_others_joined_is_a_failure),
        cmocka_unit_test(leaving_without_init_after_all_finalized_is_fine),
        cmocka_unit_test(joining_again_after_finalize_is_fine),
        cmocka_unit_test(global_exit_ends_all_with_its_status),
        cmocka_unit_test(global_exit_ends_pes_that_ignore_sigterm),
        cmocka_unit_test(failure_ends_pes_that_ignore_sigterm_or_are_stopped),
        cmocka_unit_test(program_not_found_is_127),
        cmocka_unit_test(program_not_executable_is_126),
        cmocka_unit_test(program_that_cannot_start_ends_the_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
