/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void lines_come_through(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 @ print=hello err=alas");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out.data, "hello\nhello\nhello\n");
    assert_string_equal(run.err.data, "alas\nalas\nalas\n");
    run_clear(&run);
}

static void tag_names_the_pe_of_each_line(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 3 --tag @ print=one print=two err=alas raw=three");
    assert_int_equal(run.status, 0);
    for (int pe = 0; pe < 3; pe++) {
        char wanted[64];

        snprintf(wanted, sizeof wanted, "[PE %d] one\n", pe);
        assert_int_equal(run_count(run.out.data, wanted), 1);
        snprintf(wanted, sizeof wanted, "[PE %d] three\n", pe);
        assert_int_equal(run_count(run.out.data, wanted), 1);
        snprintf(wanted, sizeof wanted, "[PE %d] alas\n", pe);
        assert_int_equal(run_count(run.err.data, wanted), 1);
    }
    assert_int_equal(run_count(run.out.data, "\n"), 9);
    run_clear(&run);
}

static void untagged_last_line_stays_unterminated(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "@ print=one raw=two");
    assert_string_equal(run.out.data, "one\ntwo");
    run_clear(&run);
}

static void a_line_written_in_parts_stays_whole(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 4 --tag @ raw=a sleep=20 raw=b sleep=20 raw=c sleep=20 print=d");
    assert_int_equal(run_count(run.out.data, "] abcd\n"), 4);
    assert_int_equal(run_count(run.out.data, "\n"), 4);
    run_clear(&run);
}

static void long_lines_come_in_pieces(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "@ letters=200000 print=end");
    assert_int_equal(run.out.bytes, 200004);
    assert_int_equal(run_count(run.out.data, "x"), 200000);
    assert_string_equal(run.out.data + 200000, "end\n");
    run_clear(&run);
    run_all(&run, "--tag @ letters=200000 print=end");
    assert_int_equal(run_count(run.out.data, "x"), 200000);
    assert_int_equal(run_count(run.out.data, "[PE 0] "), 4);
    assert_int_equal(run_count(run.out.data, "\n"), 4);
    run_clear(&run);
}

static void much_output_is_complete_and_in_whole_lines(void **state)
{
    static const char line[] = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrs";
    const size_t per_pe = (10000000 + sizeof line - 1) / sizeof line;
    struct run run;
    char *rest = NULL;
    size_t lines = 0;

    (void)state;
    run_all(&run, "-n 4 @ bulk=10000000");
    assert_int_equal(run.status, 0);
    assert_int_equal(run.out.bytes, 4 * per_pe * sizeof line);
    for (char *word = strtok_r(run.out.data, "\n", &rest); word != NULL;
         word = strtok_r(NULL, "\n", &rest), lines++)
        assert_string_equal(word, line);
    assert_int_equal(lines, 4 * per_pe);
    run_clear(&run);
}

static void output_of_a_failed_pe_is_complete(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 @ 1:bulk=3000000 1:print=last 1:exit=3 stay");
    assert_int_equal(run.status, 3);
    assert_int_equal(run_count(run.out.data, "last\n"), 1);
    run_clear(&run);
}

/* The child has the pipes of the PE and stays: the launcher must not wait for it for ever. */
static void a_child_that_holds_the_output_is_not_waited_for(void **state)
{
    struct run run;

    (void)state;
    run_all(&run, "-n 2 @ print=hello child");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out.data, "hello\nhello\n");
    run_clear(&run);
}

static void broken_output_ends_the_job(void **state)
{
    struct run run;
    const char *const words[] = {
        "-n", "2", run_actor(), "0:print=hello", "0:sleep=50", "0:bulk=1000000", "stay", NULL};

    (void)state;
    run_start_words(&run, words, -1, -1, -1);
    run_expect_out(&run, "hello\n", 1);
    close(run.out.fd);
    run.out.fd = -1;
    run_finish(&run);
    assert_int_equal(run.status, 128 + SIGPIPE);
    run_clear(&run);
}

static void full_output_is_reported(void **state)
{
    struct run run;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    const char *const words[] = {"-n", "2", run_actor(), "print=hello", "stay", NULL};

    (void)state;
    run_start_words(&run, words, -1, full, -1);
    run_finish(&run);
    assert_int_equal(run.status, 1);
    run_assert_one_line(&run, "cannot write standard output: No space left on device");
    run_clear(&run);
}

/* Nobody reads for a while: the launcher must still notice what happens, and lose nothing. */
static void slow_reader_does_not_block_the_launcher(void **state)
{
    struct run run;
    int out_fd;

    (void)state;
    run_start(&run, "-n 2 @ 0:bulk=5000000 1:sleep=300 1:exit=6 stay");
    out_fd = run.out.fd;
    run.out.fd = -1;
    run_expect_err(&run, "PE 1 exited with status 6", 1);
    run_expect_nothing_left(&run); /* but for the output all is over */
    run.out.fd = out_fd;
    run_finish(&run);
    assert_int_equal(run.status, 6);
    assert_int_equal(run_count(run.out.data, "qrs\n") > 1000, 1);
    run_clear(&run);
}

static void both_streams_in_one_file_keep_their_lines(void **state)
{
    struct run run;
    int ends[2];
    const char *const words[] = {"-n", "4", "--tag", run_actor(), "print=out", "err=err", NULL};

    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    run_start_words(&run, words, -1, dup(ends[1]), dup(ends[1]));
    close(ends[1]);
    run.out.fd = ends[0];
    run.err.fd = -1;
    run_finish(&run);
    assert_int_equal(run_count(run.out.data, "] out\n"), 4);
    assert_int_equal(run_count(run.out.data, "] err\n"), 4);
    run_clear(&run);
}

static void input_goes_to_pe_0(void **state)
{
    struct run run;

    (void)state;
    run_start(&run, "-n 3 --tag @ cat");
    assert_true(write(run.input_fd, "first\nsecond\n", 13) == 13);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    assert_int_equal(run_count(run.out.data, "[PE 0] first\n[PE 0] second\n[PE 0] <end"), 1);
    assert_int_equal(run_count(run.out.data, "first"), 1);
    assert_int_equal(run_count(run.out.data, "<end of input>"), 3);
    run_clear(&run);
}

static void much_input_is_complete(void **state)
{
    struct run run;
    const char *const words[] = {"-n", "2", "wc", "-c", NULL};
    FILE *file = tmpfile();

    (void)state;
    for (int i = 0; i < 3000000; i++)
        putc('x', file);
    rewind(file);
    run_start_words(&run, words, dup(fileno(file)), -1, -1);
    fclose(file);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    assert_int_equal(run_count(run.out.data, "3000000\n"), 1);
    assert_int_equal(run_count(run.out.data, "0\n"), 2);
    run_clear(&run);
}

static void input_that_nobody_reads_blocks_nothing(void **state)
{
    struct run run;
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    const char *const words[] = {"-n", "2", run_actor(), "sleep=100", "print=hello", NULL};

    (void)state;
    run_start_words(&run, words, zero, -1, -1);
    run_finish(&run);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out.data, "hello\nhello\n");
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_through),
        cmocka_unit_test(tag_names_the_pe_of_each_line),
        cmocka_unit_test(untagged_last_line_stays_unterminated),
        cmocka_unit_test(a_line_written_in_parts_stays_whole),
        cmocka_unit_test(long_lines_come_in_pieces),
        cmocka_unit_test(much_output_is_complete_and_in_whole_lines),
        cmocka_unit_test(output_of_a_failed_pe_is_complete),
        cmocka_unit_test(a_child_that_holds_the_output_is_not_waited_for),
        cmocka_unit_test(broken_output_ends_the_job),
        cmocka_unit_test(full_output_is_reported),
        cmocka_unit_test(slow_reader_does_not_block_the_launcher),
        cmocka_unit_test(both_streams_in_one_file_keep_their_lines),
        cmocka_unit_test(input_goes_to_pe_0),
        cmocka_unit_test(much_input_is_complete),
        cmocka_unit_test(input_that_nobody_reads_blocks_nothing),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
