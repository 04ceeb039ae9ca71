/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Runs the launcher that was built and collects what comes of it. A launcher that does not end in
 * time is killed, and the test fails with what it had printed.
 * (What <cmocka.h> needs to be included first is included here.)
 */
#ifndef TESTS_LAUNCHER_RUN_H
#define TESTS_LAUNCHER_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RUN_LIMIT_MS 40000
#define RUN_WORDS 64

struct run_text {
    int fd; /* -1 = closed */
    char *data;
    size_t bytes;
};

struct run {
    pid_t pid;
    int status; /* exit status, or 1000 + the signal that ended the launcher */
    int input_fd;
    struct run_text out;
    struct run_text err;
    char mark[64]; /* NAME=VALUE that all processes of this job have in their environment */
};

/**
 * Starts `shmemrun <words>`; the words are separated by blanks, "@" stands for the actor program.
 * Its standard input is a pipe, run->input_fd.
 */
__attribute__((format(printf, 2, 3))) void run_start(struct run *run, const char *format, ...);

/** The same for a list of words, NULL at the end; `in`, `out`, `err` -1 = pipes of the run. */
void run_start_words(struct run *run, const char *const *words, int in, int out, int err);

/** Reads until `text` has appeared `times` times in the output or error stream. */
void run_expect_out(struct run *run, const char *text, int times);
void run_expect_err(struct run *run, const char *text, int times);

/** Closes its input, waits for the end, reads all output. */
void run_finish(struct run *run);

/** run_start() and run_finish(). */
__attribute__((format(printf, 2, 3))) void run_all(struct run *run, const char *format, ...);

/** Frees the texts; fails when a process of the job is still there. */
void run_clear(struct run *run);

/** Waits until no process with the mark of the run is left; fails at the time limit. */
void run_expect_nothing_left(const struct run *run);

/** How many processes have the mark of the run. */
int run_count_processes(const struct run *run);

/** How often `text` occurs in `data`. */
int run_count(const char *data, const char *text);

/** Fails unless the standard error of the run is exactly one line that holds `text`. */
void run_assert_one_line(const struct run *run, const char *text);

/** Path of the actor program. */
const char *run_actor(void);

#endif
