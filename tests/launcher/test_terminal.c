/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher at a terminal: who reads there, and what its keys do. */
#include "base/clock.h"
#include "run.h"

#include <cmocka.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

struct terminal {
    int fd;
    pid_t pid; /* of the session's leader */
    char text[8192];
    size_t bytes;
};

/* Starts a shell command in a session of its own, with a terminal that does not echo. */
static void open_terminal(struct terminal *terminal, const char *command)
{
    struct termios modes;

    memset(terminal, 0, sizeof *terminal);
    terminal->pid = forkpty(&terminal->fd, NULL, NULL, NULL);
    assert_true(terminal->pid >= 0);
    if (terminal->pid == 0) {
        tcgetattr(0, &modes);
        modes.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(0, TCSANOW, &modes);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(99);
    }
}

static void type_text(const struct terminal *terminal, const char *text)
{
    assert_true(write(terminal->fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static bool read_more(struct terminal *terminal, uint64_t deadline)
{
    struct pollfd waited = {.fd = terminal->fd, .events = POLLIN};
    ssize_t bytes;

    if (poll(&waited, 1, shm_deadline_left_ms(deadline)) <= 0)
        return false;
    bytes = read(terminal->fd, terminal->text + terminal->bytes,
                 sizeof terminal->text - 1 - terminal->bytes);
    if (bytes <= 0)
        return false;
    terminal->bytes += (size_t)bytes;
    terminal->text[terminal->bytes] = '\0';
    return true;
}

static void expect_text(struct terminal *terminal, const char *wanted)
{
    uint64_t deadline = shm_deadline_after_ms(RUN_LIMIT_MS);

    while (strstr(terminal->text, wanted) == NULL)
        if (!read_more(terminal, deadline)) {
            kill(terminal->pid, SIGKILL);
            fail_msg("expected \"%s\" at the terminal, got \"%s\"", wanted, terminal->text);
        }
}

static int close_terminal(struct terminal *terminal)
{
    uint64_t deadline = shm_deadline_after_ms(RUN_LIMIT_MS);
    int status = 0;

    while (read_more(terminal, deadline))
        ;
    if (shm_deadline_passed(deadline))
        kill(terminal->pid, SIGKILL);
    assert_int_equal(waitpid(terminal->pid, &status, 0), terminal->pid);
    close(terminal->fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void typed_lines_go_to_pe_0(void **state)
{
    struct terminal terminal;

    (void)state;
    open_terminal(&terminal, "exec $S -n 2 --tag $A print=up cat");
    expect_text(&terminal, "[PE 0] up");
    type_text(&terminal, "typed\n\x04");
    expect_text(&terminal, "[PE 0] <end of input>");
    assert_int_equal(close_terminal(&terminal), 0);
    assert_non_null(strstr(terminal.text, "[PE 0] typed"));
}

static void interrupt_key_ends_the_job(void **state)
{
    struct terminal terminal;

    (void)state;
    open_terminal(&terminal, "exec $S -n 2 $A print=up stay");
    expect_text(&terminal, "up");
    type_text(&terminal, "\x03");
    assert_int_equal(close_terminal(&terminal), 128 + SIGINT);
}

/* With "set -m" the shell puts the job in the background; the shell itself reads the line. */
static void in_the_background_the_terminal_is_left_alone(void **state)
{
    struct terminal terminal;

    (void)state;
    open_terminal(&terminal, "set -m; $S -n 1 $A print=up sleep=700 print=on cat & read x; "
                             "echo shell got $x; kill -TERM %1; wait %1; echo status $?");
    expect_text(&terminal, "up");
    expect_text(&terminal, "on");
    type_text(&terminal, "typed\n");
    expect_text(&terminal, "shell got typed");
    expect_text(&terminal, "status 143");
    close_terminal(&terminal);
}

static void gdb_gets_the_terminal(void **state)
{
    struct terminal terminal;

    (void)state;
    if (access("/usr/bin/gdb", X_OK) != 0)
        skip();
    open_terminal(&terminal, "TERM=dumb; exec $S -n 2 --gdb 1 $A env=SHMEM_PE 0:cat");
    expect_text(&terminal, "(gdb) ");
    expect_text(&terminal, "SHMEM_PE=0");
    type_text(&terminal, "run\n");
    expect_text(&terminal, "SHMEM_PE=1");
    expect_text(&terminal, "[Inferior 1 ");
    type_text(&terminal, "quit\n");
    assert_int_equal(close_terminal(&terminal), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_lines_go_to_pe_0),
        cmocka_unit_test(interrupt_key_ends_the_job),
        cmocka_unit_test(in_the_background_the_terminal_is_left_alone),
        cmocka_unit_test(gdb_gets_the_terminal),
    };

    setenv("S", getenv("SHMEMRUN"), 1);
    setenv("A", getenv("ACTOR"), 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
