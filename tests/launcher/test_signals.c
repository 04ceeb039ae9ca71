/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void interrupt_ends_the_job(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct run run;

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        run_start(&run, "-n 3 @ print=up stay");
        run_expect_out(&run, "up\n", 3);
        kill(run.pid, numbers[i]);
        run_finish(&run);
        assert_int_equal(run.status, 128 + numbers[i]);
        assert_string_equal(run.err.data, "");
        run_clear(&run);
    }
}

static void pes_may_clean_up(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 --grace 100 @ catch=%d print=up await print=cleaned", SIGINT);
    run_expect_out(&run, "up\n", 3);
    kill(run.pid, SIGINT);
    run_expect_out(&run, "caught\n", 3);
    run_expect_out(&run, "cleaned\n", 3);
    run_finish(&run);
    assert_int_equal(run.status, 128 + SIGINT);
    run_clear(&run);
}

static void pes_that_ignore_it_are_killed_after_the_grace(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 --grace 0.2 @ ignore=%d print=up stay", SIGTERM);
    run_expect_out(&run, "up\n", 3);
    kill(run.pid, SIGTERM);
    run_finish(&run);
    assert_int_equal(run.status, 128 + SIGTERM);
    run_clear(&run);
}

/* With this grace the test ends in time only if the second signal kills at once. */
static void second_interrupt_kills_at_once(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 --grace 1000 @ catch=%d print=up stay", SIGINT);
    run_expect_out(&run, "up\n", 3);
    kill(run.pid, SIGINT);
    run_expect_out(&run, "caught\n", 3);
    usleep(100000);
    kill(run.pid, SIGINT);
    run_finish(&run);
    assert_int_equal(run.status, 128 + SIGINT);
    run_clear(&run);
}

static void stopped_pes_end_too(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 @ print=up 1:kill=%d stay", SIGSTOP);
    run_expect_out(&run, "up\n", 3);
    kill(run.pid, SIGTERM);
    run_finish(&run);
    assert_int_equal(run.status, 128 + SIGTERM);
    run_clear(&run);
}

static void user_signal_2_is_passed_on(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 @ catch=%d print=up await", SIGUSR2);
    run_expect_out(&run, "up\n", 3);
    kill(run.pid, SIGUSR2);
    run_expect_out(&run, "caught\n", 3);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    run_clear(&run);
}

static void nohup_is_respected(void **state)
{
    struct run run;

    (void)state;
    signal(SIGHUP, SIG_IGN);
    run_start(&run, "-n 2 @ print=up sleep=300 print=done");
    signal(SIGHUP, SIG_DFL);
    run_expect_out(&run, "up\n", 2);
    kill(run.pid, SIGHUP);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    run_clear(&run);
}

static char state_of(pid_t pid)
{
    char path[64];
    char line[512] = "";
    FILE *file;
    char *name_end;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "re");
    if (file == NULL)
        return '?';
    if (fgets(line, sizeof line, file) == NULL)
        line[0] = '\0';
    fclose(file);
    name_end = strrchr(line, ')');
    return name_end == NULL ? '?' : name_end[2];
}

static void wait_for_state(pid_t pid, bool is_stopped)
{
    for (int i = 0; i < 4000; i++) {
        if ((state_of(pid) == 'T') == is_stopped)
            return;
        usleep(5000);
    }
    fail_msg("process %d is in state %c", (int)pid, state_of(pid));
}

static void suspending_stops_all_and_continuing_goes_on(void **state)
{
    struct run run;
    int pe = 0;

    (void)state;
    run_start(&run, "-n 1 --verbose @ print=up cat");
    run_expect_out(&run, "up\n", 1);
    run_expect_err(&run, "PE 0 is process ", 1);
    assert_int_equal(sscanf(strstr(run.err.data, "PE 0 is"), "PE 0 is process %d", &pe), 1);
    kill(run.pid, SIGTSTP);
    wait_for_state(run.pid, true);
    wait_for_state(pe, true);
    kill(run.pid, SIGCONT);
    wait_for_state(run.pid, false);
    wait_for_state(pe, false);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    assert_int_equal(run_count(run.out.data, "<end of input>"), 1);
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupt_ends_the_job),
        cmocka_unit_test(pes_may_clean_up),
        cmocka_unit_test(pes_that_ignore_it_are_killed_after_the_grace),
        cmocka_unit_test(second_interrupt_kills_at_once),
        cmocka_unit_test(stopped_pes_end_too),
        cmocka_unit_test(user_signal_2_is_passed_on),
        cmocka_unit_test(nohup_is_respected),
        cmocka_unit_test(suspending_stops_all_and_continuing_goes_on),
    };

    signal(SIGHUP, SIG_DFL); /* these tests may themselves run under nohup */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
