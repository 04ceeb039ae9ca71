/* SPDX-License-Identifier: BSD-3-Clause */
#include "guardian.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#define SWEEP_MS 2000
#define SWEEP_PATIENCE 2 /* rounds for the guardian to go, which mostly is all that is left */
#define MARK_ROUNDS 20

static void pause_ms(int ms)
{
    poll(NULL, 0, ms);
}

/* Nothing of the launcher may stay open here: whoever reads its output waits for the end of it. */
static void drop_descriptors(int kept_fd)
{
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd <= 2 && null_fd >= 0; fd++)
        dup2(null_fd, fd);
    processes_close_descriptors(kept_fd);
}

/* The guardian of an outer job kills by these variables; this one ends its own job first. */
static void forget_environment(void)
{
    for (char **variable = environ; *variable != NULL; variable++)
        memset(*variable, 0, strlen(*variable));
}

static void wait_for_end_of_file(int fd)
{
    char byte;

    while (read(fd, &byte, 1) < 0 && errno == EINTR)
        ;
}

/* The environment finds what left the group; the group finds what changed its environment. It
   includes this process, so it comes last. */
static _Noreturn void guard(int pipe_fd, const char *mark)
{
    setpgid(0, 0);
    prctl(PR_SET_NAME, "shmemrun-guard");
    forget_environment();
    drop_descriptors(pipe_fd);
    wait_for_end_of_file(pipe_fd);
    for (int round = 0; round < MARK_ROUNDS && processes_kill_marked(mark) > 0; round++)
        pause_ms(2);
    kill(-getpid(), SIGKILL);
    _exit(0);
}

enum shm_status guardian_start(struct guardian *guardian, const char *mark)
{
    int ends[2];
    sigset_t all;
    sigset_t outer;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "creating a pipe");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &outer); /* the guardian keeps them blocked */
    pid = fork();
    if (pid < 0) {
        int error = errno;

        sigprocmask(SIG_SETMASK, &outer, NULL);
        close(ends[0]);
        close(ends[1]);
        return shm_fail_errno(SHM_INNER_ERROR, error, "starting the guardian process");
    }
    if (pid == 0) {
        close(ends[1]);
        guard(ends[0], mark);
    }
    sigprocmask(SIG_SETMASK, &outer, NULL);
    close(ends[0]);
    setpgid(pid, pid); /* both do it: the first PE may come before the guardian has run */
    *guardian = (struct guardian){.pid = pid, .pipe_fd = ends[1]};
    return SHM_OK;
}

void guardian_note_death(struct guardian *guardian)
{
    guardian_signal_group(guardian, SIGKILL);
    guardian->pid = -1;
}

void guardian_signal_group(const struct guardian *guardian, int number)
{
    if (guardian->pid > 0)
        kill(-guardian->pid, number);
}

/* Until a child ends, a millisecond at most. Other signals wait to be looked at. */
static void wait_for_death(void)
{
    const struct timespec limit = {.tv_nsec = 1000000};
    sigset_t death;

    sigemptyset(&death);
    sigaddset(&death, SIGCHLD);
    sigtimedwait(&death, NULL, &limit);
}

/* Reaps what has ended; false when no child is left. */
static bool reap_some(void)
{
    for (;;) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);

        if (pid == 0)
            return true;
        if (pid < 0 && errno != EINTR)
            return false;
    }
}

void guardian_sweep(struct guardian *guardian)
{
    uint64_t deadline = shm_deadline_after_ms(SWEEP_MS);

    if (guardian->pid == 0)
        return;
    guardian_signal_group(guardian, SIGKILL);
    for (int round = 0; reap_some() && !shm_deadline_passed(deadline); round++) {
        if (round >= SWEEP_PATIENCE)
            processes_kill_children();
        wait_for_death();
    }
    close(guardian->pipe_fd);
    *guardian = (struct guardian){.pid = 0, .pipe_fd = -1};
}
