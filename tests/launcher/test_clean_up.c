/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PEs, a child of each, and a daemon of each. */
static void start_family(struct run *run)
{
    run_start(run, "-n 3 @ child daemon print=up stay");
    run_expect_out(run, "up\n", 3);
    while (run_count_processes(run) < 9) /* daemons take a moment */
        usleep(5000);
}

static void end_of_the_job_ends_children_and_daemons(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ child daemon print=up");
    assert_int_equal(run.status, 0);
    assert_int_equal(run_count_processes(&run), 0);
    run_clear(&run);
}

static void failure_ends_children_and_daemons(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ child daemon 1:sleep=100 1:exit=3 stay");
    assert_int_equal(run.status, 3);
    assert_int_equal(run_count_processes(&run), 0);
    run_clear(&run);
}

static void killed_launcher_leaves_no_process(void **state)
{
    struct run run;

    (void)state;
    start_family(&run);
    kill(run.pid, SIGKILL);
    run_finish(&run);
    assert_int_equal(run.status, 1000 + SIGKILL);
    run_clear(&run);
}

static void killed_launcher_leaves_no_stopped_process(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 2 @ child print=up kill=%d stay", SIGSTOP);
    run_expect_out(&run, "up\n", 2);
    kill(run.pid, SIGKILL);
    run_finish(&run);
    run_clear(&run);
}

/* What is not written by the launcher itself: numbers of the PEs, from --verbose. */
static int process_of(const struct run *run, int pe)
{
    char wanted[32];
    const char *found;
    int pid = 0;

    snprintf(wanted, sizeof wanted, "PE %d is process ", pe);
    found = strstr(run->err.data, wanted);
    assert_non_null(found);
    assert_int_equal(sscanf(found + strlen(wanted), "%d", &pid), 1);
    return pid;
}

static void killing_launcher_and_pes_at_once_leaves_no_process(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 --verbose @ child daemon print=up stay");
    run_expect_out(&run, "up\n", 3);
    run_expect_err(&run, "PE 2 is process ", 1);
    for (int pe = 0; pe < 3; pe++)
        kill(process_of(&run, pe), SIGKILL);
    kill(run.pid, SIGKILL);
    run_finish(&run);
    run_clear(&run);
}

static void killed_guardian_ends_the_job(void **state)
{
    struct run run;
    const char *found;
    int group = 0;

    (void)state;
    run_start(&run, "-n 3 --verbose @ child daemon print=up stay");
    run_expect_out(&run, "up\n", 3);
    run_expect_err(&run, "process group ", 1);
    found = strstr(run.err.data, "process group ");
    assert_int_equal(sscanf(found, "process group %d", &group), 1);
    kill(group, SIGKILL);
    run_finish(&run);
    assert_int_equal(run.status, 1);
    assert_int_equal(run_count(run.err.data, "the guardian process was killed"), 1);
    run_clear(&run);
}

/* A launcher inside a job: killing the outer one ends the inner job too. */
static void killed_launcher_ends_a_job_within_its_job(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 1 %s -n 2 @ child print=up stay", getenv("SHMEMRUN"));
    run_expect_out(&run, "up\n", 2);
    kill(run.pid, SIGKILL);
    run_finish(&run);
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(end_of_the_job_ends_children_and_daemons),
        cmocka_unit_test(failure_ends_children_and_daemons),
        cmocka_unit_test(killed_launcher_leaves_no_process),
        cmocka_unit_test(killed_launcher_leaves_no_stopped_process),
        cmocka_unit_test(killing_launcher_and_pes_at_once_leaves_no_process),
        cmocka_unit_test(killed_guardian_ends_the_job),
        cmocka_unit_test(killed_launcher_ends_a_job_within_its_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
