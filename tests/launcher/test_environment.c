/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void launch_variables_are_set(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 --tag @ env=SHMEM_PE env=SHMEM_N_PES env=SHMEM_LOCAL_PE "
                  "env=SHMEM_LOCAL_N_PES env=SHMEM_STORE_ADDRESS env=SHMEM_JOB_ID "
                  "!0:env=SHMEM_STORE_FD 0:store");
    for (int pe = 0; pe < 3; pe++) {
        char wanted[64];

        snprintf(wanted, sizeof wanted, "[PE %d] SHMEM_PE=%d\n", pe, pe);
        assert_int_equal(run_count(run.out.data, wanted), 1);
        snprintf(wanted, sizeof wanted, "[PE %d] SHMEM_LOCAL_PE=%d\n", pe, pe);
        assert_int_equal(run_count(run.out.data, wanted), 1);
    }
    assert_int_equal(run_count(run.out.data, "SHMEM_N_PES=3\n"), 3);
    assert_int_equal(run_count(run.out.data, "SHMEM_LOCAL_N_PES=3\n"), 3);
    assert_int_equal(run_count(run.out.data, "SHMEM_STORE_ADDRESS=tcp://127.0.0.1:"), 3);
    assert_int_equal(run_count(run.out.data, "SHMEM_STORE_FD=(unset)\n"), 2);
    assert_int_equal(run_count(run.out.data, "[PE 0] store 1 listens 1\n"), 1);
    run_clear(&run);
}

/* The job id in the output, 16 hexadecimal digits. */
static void job_id_of(const struct run *run, char id[17])
{
    const char *found = strstr(run->out.data, "SHMEM_JOB_ID=");

    assert_non_null(found);
    assert_int_equal(strspn(found + 13, "0123456789abcdef"), 16);
    assert_int_equal(found[29], '\n');
    memcpy(id, found + 13, 16);
    id[16] = '\0';
}

static void job_id_is_common_to_a_job_and_new_for_each(void **state)
{
    struct run run;
    char first[17];
    char second[17];

    (void)state;
    run_all(&run, "-n 3 @ env=SHMEM_JOB_ID");
    job_id_of(&run, first);
    assert_int_equal(run_count(run.out.data, first), 3);
    run_clear(&run);
    run_all(&run, "-n 1 @ env=SHMEM_JOB_ID");
    job_id_of(&run, second);
    assert_string_not_equal(first, second);
    run_clear(&run);
}

static void variables_of_an_outer_job_are_dropped(void **state)
{
    struct run run;

    (void)state;
    setenv("SHMEM_STORE_FD", "99", 1);
    setenv("SHMEM_PE", "77", 1);
    run_all(&run, "-n 2 @ 1:env=SHMEM_STORE_FD env=SHMEM_PE");
    unsetenv("SHMEM_STORE_FD");
    unsetenv("SHMEM_PE");
    assert_int_equal(run_count(run.out.data, "SHMEM_STORE_FD=(unset)\n"), 1);
    assert_int_equal(run_count(run.out.data, "SHMEM_PE=77"), 0);
    run_clear(&run);
}

static void env_sets_and_passes_on(void **state)
{
    struct run run;

    (void)state;
    setenv("SHMEMRUN_TEST_HERE", "here", 1);
    run_all(&run, "-n 2 --env A_TEST=1=2 --env B_TEST= --env SHMEMRUN_TEST_HERE @ env=A_TEST "
                  "env=B_TEST env=SHMEMRUN_TEST_HERE");
    unsetenv("SHMEMRUN_TEST_HERE");
    assert_int_equal(run_count(run.out.data, "A_TEST=1=2\n"), 2);
    assert_int_equal(run_count(run.out.data, "B_TEST=\n"), 2);
    assert_int_equal(run_count(run.out.data, "SHMEMRUN_TEST_HERE=here\n"), 2);
    run_clear(&run);
}

/* One descriptor too many and a peer's end of file never comes. */
static void no_descriptor_leaks_into_pes(void **state)
{
    struct run run;
    int leaked = dup(0); /* not close-on-exec */

    (void)state;
    run_all(&run, "-n 3 --tag @ fds");
    close(leaked);
    for (int pe = 0; pe < 3; pe++) {
        char tag[16];

        snprintf(tag, sizeof tag, "[PE %d] fd ", pe);
        assert_int_equal(run_count(run.out.data, tag), pe == 0 ? 6 : 5);
    }
    assert_int_equal(run_count(run.out.data, "fd 0\n"), 3);
    assert_int_equal(run_count(run.out.data, "fd 1\n"), 3);
    assert_int_equal(run_count(run.out.data, "fd 2\n"), 3);
    assert_int_equal(run_count(run.out.data, "fd board\n"), 3);
    assert_int_equal(run_count(run.out.data, "fd launcher\n"), 3);
    assert_int_equal(run_count(run.out.data, "[PE 0] fd store\n"), 1);
    run_clear(&run);
}

static void closed_standard_descriptors_do_no_harm(void **state)
{
    struct run run;
    char line[512];
    const char *const words[] = {"-n", "2", "--", "sh", "-c", line, NULL};

    (void)state;
    snprintf(line, sizeof line, "%s -n 2 %s fds print=inner <&- 2>&-", getenv("SHMEMRUN"),
             run_actor());
    run_start_words(&run, words, -1, -1, -1);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    assert_int_equal(run_count(run.out.data, "inner\n"), 4);
    run_clear(&run);
}

static void bind_pins_each_pe_to_one_processor(void **state)
{
    struct run run;
    char wanted[64];
    int before = 0;
    int other = 0;

    (void)state;
    run_all(&run, "-n 1 --bind none @ processors");
    assert_int_equal(sscanf(run.out.data, "processors %d first", &before), 1);
    run_clear(&run);
    run_all(&run, "-n %d --tag --bind core @ processors", before + 1);
    assert_int_equal(run_count(run.out.data, "processors 1 first"), before + 1);
    assert_non_null(strstr(run.out.data, "[PE 0] processors 1 first "));
    /* the PE after the last processor is on the first one again */
    assert_int_equal(
        sscanf(strstr(run.out.data, "[PE 0] "), "[PE 0] processors 1 first %d", &other), 1);
    snprintf(wanted, sizeof wanted, "[PE %d] processors 1 first %d\n", before, other);
    assert_int_equal(run_count(run.out.data, wanted), 1);
    snprintf(wanted, sizeof wanted, "first %d\n", other);
    assert_int_equal(run_count(run.out.data, wanted), 2);
    run_clear(&run);
}

static void valgrind_runs_the_program(void **state)
{
    struct run run;

    (void)state;
    if (access("/usr/bin/valgrind", X_OK) != 0)
        skip();
    run_all(&run, "-n 1 --valgrind printenv LD_PRELOAD");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out.data, "vgpreload_core"));
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launch_variables_are_set),
        cmocka_unit_test(job_id_is_common_to_a_job_and_new_for_each),
        cmocka_unit_test(variables_of_an_outer_job_are_dropped),
        cmocka_unit_test(env_sets_and_passes_on),
        cmocka_unit_test(no_descriptor_leaks_into_pes),
        cmocka_unit_test(closed_standard_descriptors_do_no_harm),
        cmocka_unit_test(bind_pins_each_pe_to_one_processor),
        cmocka_unit_test(valgrind_runs_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
