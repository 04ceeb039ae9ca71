/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include "base/clock.h"

#include <cmocka.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_BYTES 65536
#define MARK_NAME "SHMEMRUN_TEST_MARK"

const char *run_actor(void)
{
    return getenv("ACTOR");
}

/* ---- starting ---- */

static void open_pipe(int given, int parent_end, int *out_ours, int *out_theirs)
{
    int ends[2];

    *out_ours = -1;
    *out_theirs = given;
    if (given >= 0)
        return;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    *out_ours = ends[parent_end];
    *out_theirs = ends[1 - parent_end];
}

static void become_launcher(const struct run *run, const char *const *words, const int *fds)
{
    const char *argv[RUN_WORDS + 4] = {getenv("SHMEMRUN"), "--env", run->mark};
    size_t count = 3;

    while (*words != NULL && count < RUN_WORDS + 3)
        argv[count++] = *words++;
    for (int fd = 0; fd < 3; fd++)
        dup2(fds[fd], fd);
    execv(argv[0], (char **)argv);
    _exit(99);
}

void run_start_words(struct run *run, const char *const *words, int in, int out, int err)
{
    int fds[3];

    memset(run, 0, sizeof *run);
    snprintf(run->mark, sizeof run->mark, "%s=%d.%llu", MARK_NAME, (int)getpid(),
             (unsigned long long)shm_now_ns());
    open_pipe(in, 1, &run->input_fd, &fds[0]);
    open_pipe(out, 0, &run->out.fd, &fds[1]);
    open_pipe(err, 0, &run->err.fd, &fds[2]);
    run->pid = fork();
    assert_true(run->pid >= 0);
    if (run->pid == 0)
        become_launcher(run, words, fds);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
}

static void start_line(struct run *run, char *line)
{
    const char *words[RUN_WORDS] = {NULL};
    size_t count = 0;
    char *rest = NULL;

    for (char *word = strtok_r(line, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        words[count++] = strcmp(word, "@") == 0 ? run_actor() : word;
    assert_true(count < RUN_WORDS);
    run_start_words(run, words, -1, -1, -1);
}

void run_start(struct run *run, const char *format, ...)
{
    char line[2048];
    va_list values;

    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    start_line(run, line);
}

void run_all(struct run *run, const char *format, ...)
{
    char line[2048];
    va_list values;

    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    start_line(run, line);
    run_finish(run);
}

/* ---- reading ---- */

static void read_text(struct run_text *text)
{
    ssize_t bytes;

    text->data = realloc(text->data, text->bytes + READ_BYTES + 1);
    assert_non_null(text->data);
    bytes = read(text->fd, text->data + text->bytes, READ_BYTES);
    if (bytes > 0) {
        text->bytes += (size_t)bytes;
    } else if (bytes == 0 || errno != EINTR) {
        close(text->fd);
        text->fd = -1;
    }
    text->data[text->bytes] = '\0';
}

/* Reads what comes next from either stream; false when both have ended or the time is up. */
static bool read_some(struct run *run, uint64_t deadline)
{
    struct pollfd entries[2] = {{.fd = run->out.fd, .events = POLLIN},
                                {.fd = run->err.fd, .events = POLLIN}};

    if (run->out.fd < 0 && run->err.fd < 0)
        return false;
    if (poll(entries, 2, shm_deadline_left_ms(deadline)) <= 0)
        return !shm_deadline_passed(deadline);
    if (entries[0].revents != 0)
        read_text(&run->out);
    if (entries[1].revents != 0)
        read_text(&run->err);
    return true;
}

int run_count(const char *data, const char *text)
{
    int count = 0;

    for (; data != NULL && (data = strstr(data, text)) != NULL; data += strlen(text))
        count++;
    return count;
}

static void give_up(struct run *run, const char *what)
{
    kill(run->pid, SIGKILL);
    fail_msg("%s; out: %.2000s err: %.2000s", what, run->out.data == NULL ? "" : run->out.data,
             run->err.data == NULL ? "" : run->err.data);
}

static void expect(struct run *run, const struct run_text *text, const char *wanted, int times)
{
    uint64_t deadline = shm_deadline_after_ms(RUN_LIMIT_MS);

    while (run_count(text->data, wanted) < times)
        if (!read_some(run, deadline))
            give_up(run, wanted);
}

void run_expect_out(struct run *run, const char *text, int times)
{
    expect(run, &run->out, text, times);
}

void run_expect_err(struct run *run, const char *text, int times)
{
    expect(run, &run->err, text, times);
}

/* ---- ending ---- */

static void close_input(struct run *run)
{
    if (run->input_fd >= 0)
        close(run->input_fd);
    run->input_fd = -1;
}

void run_finish(struct run *run)
{
    uint64_t deadline = shm_deadline_after_ms(RUN_LIMIT_MS);
    int status = 0;
    pid_t ended = 0;

    close_input(run);
    while (read_some(run, deadline))
        ;
    while (ended == 0 && !shm_deadline_passed(deadline)) {
        ended = waitpid(run->pid, &status, WNOHANG);
        if (ended == 0)
            poll(NULL, 0, 2);
    }
    if (ended != run->pid)
        give_up(run, "the launcher did not end");
    run->status = WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
    if (run->err.data == NULL)
        run->err.data = strdup("");
    if (run->out.data == NULL)
        run->out.data = strdup("");
}

void run_clear(struct run *run)
{
    run_expect_nothing_left(run);
    free(run->out.data);
    free(run->err.data);
    memset(run, 0, sizeof *run);
}

static bool has_mark(const char *pid, const char *mark)
{
    char path[64];
    char variables[READ_BYTES];
    size_t bytes;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    bytes = fread(variables, 1, sizeof variables, file);
    fclose(file);
    return memmem(variables, bytes, mark, strlen(mark)) != NULL;
}

int run_count_processes(const struct run *run)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            count += has_mark(entry->d_name, run->mark);
    closedir(folder);
    return count;
}

void run_expect_nothing_left(const struct run *run)
{
    uint64_t deadline = shm_deadline_after_ms(RUN_LIMIT_MS);

    while (run_count_processes(run) > 0) {
        if (shm_deadline_passed(deadline))
            fail_msg("%d processes of the job are left", run_count_processes(run));
        poll(NULL, 0, 5);
    }
}

void run_assert_one_line(const struct run *run, const char *text)
{
    if (run_count(run->err.data, "\n") != 1 || strstr(run->err.data, text) == NULL)
        fail_msg("expected one line with \"%s\", got \"%s\"", text, run->err.data);
}
