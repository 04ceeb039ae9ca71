/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BARRIER(pe) "0:record=" #pe "/waiting/shmem_barrier_all/17/-1 "
#define CODE(pe) "0:record=" #pe "/running/-/0/-1 "
#define UNTIL(pe, peer) "0:record=" #pe "/waiting/shmem_wait_until/0/" #peer " "
#define SHARE "init !0:joined 0:share "

static void failure_says_what_the_others_wait_for(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 @ " BARRIER(0) BARRIER(1) BARRIER(2) BARRIER(3) SHARE
            "2:sleep=200 2:kill=9 stay");
    assert_int_equal(run.status, 137);
    assert_string_equal(run.err.data,
                        "shmemrun: PE 2 was killed by signal 9 (Killed) in shmem_barrier_all; "
                        "PEs 0-1, 3 were waiting in shmem_barrier_all (number 17)\n");
    run_clear(&run);
}

static void failure_groups_what_the_others_do(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 6 @ " BARRIER(0) CODE(1) UNTIL(2, 1) BARRIER(3)
                      CODE(4) "0:record=5/finalizing/-/0/-1 " SHARE "1:sleep=200 1:exit=3 stay");
    assert_string_equal(run.err.data,
                        "shmemrun: PE 1 exited with status 3 without calling shmem_finalize; "
                        "PEs 0, 3 were waiting in shmem_barrier_all (number 17); "
                        "PE 2 was waiting for PE 1 in shmem_wait_until; PE 4 was running; "
                        "PE 5 was in shmem_finalize\n");
    run_clear(&run);
}

/* The PE that shares the records may be the one that fails. */
static void records_outlive_the_pe_that_shares_them(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ " BARRIER(0) BARRIER(1) CODE(2) SHARE "0:sleep=200 0:kill=11 stay");
    assert_string_equal(run.err.data,
                        "shmemrun: PE 0 was killed by signal 11 (Segmentation fault) in "
                        "shmem_barrier_all; PE 1 was waiting in shmem_barrier_all (number 17); "
                        "PE 2 was running\n");
    run_clear(&run);
}

/* Only the PE that shares the records says that init is through; its word counts for all. */
static void records_say_that_init_is_through(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ " CODE(0) CODE(1) CODE(2) "init 0:share 1:sleep=200 1:kill=9 stay");
    assert_string_equal(run.err.data, "shmemrun: PE 1 was killed by signal 9 (Killed); PEs 0, 2 "
                                      "were running\n");
    run_clear(&run);
}

static void line_about_many_pes_is_bounded(void **state)
{
    struct run run;
    char words[2048] = "-n 41 @ ";
    size_t used = strlen(words);

    (void)state;
    for (int pe = 0; pe < 40; pe += 2)
        used += (size_t)snprintf(words + used, sizeof words - used, "%d:init ", pe);
    snprintf(words + used, sizeof words - used, "40:sleep=300 40:exit=2 stay");
    run_all(&run, "%s", words);
    run_assert_one_line(&run, "PEs 0, 2, 4, 6, 8, 10, 12, 14 and 12 more were in shmem_init");
    run_clear(&run);
}

static void report_says_what_each_pe_does(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 6 @ " BARRIER(0) BARRIER(1) CODE(2)
                        UNTIL(3, 2) "!5:init 0:share 1:joined 2:joined 3:joined print=up stay");
    run_expect_out(&run, "up\n", 6);
    kill(run.pid, SIGUSR1);
    run_expect_err(&run, "PE 5 ", 1);
    kill(run.pid, SIGTERM);
    run_finish(&run);
    assert_int_equal(
        run_count(run.err.data, "shmemrun: PEs 0-1 wait in shmem_barrier_all (number 17) for "), 1);
    assert_int_equal(run_count(run.err.data, " runs its own code for "), 1);
    assert_int_equal(run_count(run.err.data, " waits for PE 2 in shmem_wait_until for "), 1);
    assert_int_equal(run_count(run.err.data, " is in shmem_init for "), 1);
    assert_int_equal(run_count(run.err.data, " has not called shmem_init\n"), 1);
    assert_int_equal(run_count(run.err.data, "shmemrun: PE 5 (pid "), 1);
    assert_int_equal(run_count(run.err.data, "\n"), 5);
    run_clear(&run);
}

static void report_knows_who_has_finished(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 @ init joined final 0:exit=0 print=up stay");
    run_expect_out(&run, "up\n", 2);
    usleep(200000);
    kill(run.pid, SIGUSR1);
    run_expect_err(&run, "finalize\n", 1);
    kill(run.pid, SIGTERM);
    run_finish(&run);
    assert_int_equal(run_count(run.err.data, "shmemrun: PE 0 has ended\n"), 1);
    assert_int_equal(run_count(run.err.data, "shmemrun: PEs 1-2 have called shmem_finalize\n"), 1);
    run_clear(&run);
}

static void names_in_records_are_made_printable(void **state)
{
    struct run run;
    static const char hostile[] =
        "0:record=1/waiting/\x1b[31m\x07name_that_goes_on_and_on_until_it_has_no_end_at_all/3/-1";
    const char *const words[] = {"-n",       "2",           run_actor(), hostile, "init", "0:share",
                                 "1:joined", "0:sleep=200", "0:exit=1",  "stay",  NULL};

    (void)state;
    run_start_words(&run, words, -1, -1, -1);
    run_finish(&run);
    run_assert_one_line(&run, "PE 1 was waiting in ?[31m?name_that_goes_on_and_on_until_it_has_no_ "
                              "(number 3)\n");
    run_clear(&run);
}

static void wrong_records_are_refused(void **state)
{
    static const struct {
        const char *what, *reason;
    } cases[] = {
        {"count", "sent 1000000 records, expected 1 to 2"},
        {"none", "sent 0 records, expected 1 to 2"},
        {"offset", "sent 2 records at 18446744073709551551"},
        {"stride", "every 9223372036854775808 bytes"},
        {"overlap", "every 8 bytes"},
        {"short", "in memory of 4106 bytes"},
        {"pipe", "in something that is not memory"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run run;

        run_all(&run, "-n 2 @ " BARRIER(0) BARRIER(1) "init !0:joined 0:share=%s sleep=100 final",
                cases[i].what);
        run_assert_one_line(&run, "shmemrun: PE 0 does not speak the launcher's protocol");
        run_assert_one_line(&run, cases[i].reason);
        run_clear(&run);
    }
}

static void wrong_messages_are_refused(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 @ 1:unknown");
    run_assert_one_line(&run, "PE 1 does not speak the launcher's protocol: a PE sent a message of "
                              "the unknown kind 77");
    run_clear(&run);
    run_all(&run, "-n 2 @ 1:stub");
    run_assert_one_line(&run, "a PE sent a message of 5 bytes, expected 32");
    run_clear(&run);
    run_all(&run, "-n 2 @ 1:init=file 1:final");
    run_assert_one_line(&run, "PE 1 does not speak the launcher's protocol: a PE sent a descriptor "
                              "that is not a pipe");
    assert_int_equal(run.status, 0);
    run_clear(&run);
}

/* Memory that is cut short after the check must not bring the launcher down. */
static void records_that_vanish_do_no_harm(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 @ " BARRIER(0)
                      BARRIER(1) "init !0:joined 0:share 0:sleep=200 0:shrink 1:sleep=500 "
                                 "1:exit=5 stay");
    assert_int_equal(run.status, 5);
    run_assert_one_line(&run, "PE 0 was running\n");
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failure_says_what_the_others_wait_for),
        cmocka_unit_test(failure_groups_what_the_others_do),
        cmocka_unit_test(records_outlive_the_pe_that_shares_them),
        cmocka_unit_test(records_say_that_init_is_through),
        cmocka_unit_test(line_about_many_pes_is_bounded),
        cmocka_unit_test(report_says_what_each_pe_does),
        cmocka_unit_test(report_knows_who_has_finished),
        cmocka_unit_test(names_in_records_are_made_printable),
        cmocka_unit_test(wrong_records_are_refused),
        cmocka_unit_test(wrong_messages_are_refused),
        cmocka_unit_test(records_that_vanish_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
