/* SPDX-License-Identifier: BSD-3-Clause */
#include "spawn.h"

#include "base/cleanup.h"
#include "environment.h"
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* The two ends of each connection between launcher and PE. [0] is the one that is read. */
struct wires {
    int in[2];
    int out[2];
    int err[2];
    int control[2];
};

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_wires(struct wires *wires)
{
    for (int end = 0; end < 2; end++) {
        close_end(&wires->in[end]);
        close_end(&wires->out[end]);
        close_end(&wires->err[end]);
        close_end(&wires->control[end]);
    }
}

static bool is_under_gdb(const struct job *job, int pe)
{
    return job->arguments->gdb_pe == pe;
}

/* The PE under gdb has the terminal itself: it goes without pipes, and nobody else reads there. */
static enum shm_status open_wires(const struct job *job, int pe, struct wires *out_wires)
{
    struct wires wires = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    bool has_pipes = !is_under_gdb(job, pe);
    bool has_input = pe == 0 && job->arguments->gdb_pe < 0;
    bool is_open = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, wires.control) == 0;

    if (is_open && has_pipes)
        is_open = pipe2(wires.out, O_CLOEXEC) == 0 && pipe2(wires.err, O_CLOEXEC) == 0;
    if (is_open && has_input)
        is_open = pipe2(wires.in, O_CLOEXEC) == 0;
    if (is_open && has_pipes && !has_input)
        is_open = (wires.in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;
    if (!is_open) {
        int error = errno;

        close_wires(&wires);
        return shm_fail_errno(SHM_INNER_ERROR, error, "creating the pipes of PE %d", pe);
    }
    *out_wires = wires;
    return SHM_OK;
}

/* ---- in the new process, which has the launcher's memory until it executes the program ---- */

static _Noreturn void give_up(const struct job *job, int exit_status, const char *what, int error)
{
    struct start_error message = {.exit_status = exit_status};

    snprintf(message.reason, sizeof message.reason, "%s: %s", what, strerror(error));
    if (write(job->start_errors_end, &message, sizeof message) < 0)
        _exit(exit_status); /* the launcher is gone */
    _exit(exit_status);
}

static void join_group(const struct job *job, int pe, pid_t launcher)
{
    if (!is_under_gdb(job, pe))
        setpgid(0, job->guardian.pid);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher)
        _exit(1); /* it went before the line above */
}

static void restore_signals(const struct job *job)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};

    /* a shell without job control ignores these for what it starts in the background, where
       the launcher passes them on to PEs that should end by them */
    sigaction(SIGINT, &by_default, NULL);
    sigaction(SIGQUIT, &by_default, NULL);
    sigaction(SIGPIPE, &job->outer_pipe_action, NULL);
    sigprocmask(SIG_SETMASK, &job->outer_mask, NULL);
}

static int inherit(int fd)
{
    return fcntl(fd, F_SETFD, 0);
}

static void take_descriptors(const struct job *job, int pe, const struct wires *wires)
{
    bool is_done = inherit(wires->control[1]) == 0;

    if (is_done && !is_under_gdb(job, pe))
        is_done = dup2(wires->in[0], 0) == 0 && dup2(wires->out[1], 1) == 1 &&
                  dup2(wires->err[1], 2) == 2;
    if (is_done && pe == 0)
        is_done = inherit(job->store_fd) == 0;
    if (is_done && job->board.fd >= 0)
        is_done = inherit(job->board.fd) == 0;
    if (!is_done)
        give_up(job, 126, "passing descriptors on", errno);
}

static void pin(const struct job *job, int pe)
{
    cpu_set_t set;

    if (job->processors == NULL)
        return;
    CPU_ZERO(&set);
    CPU_SET(job->processors[pe % job->n_processors], &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        give_up(job, 126, "pinning to a processor", errno);
}

static _Noreturn void become_pe(const struct job *job, int pe, const struct wires *wires,
                                pid_t launcher)
{
    const struct command *command =
        is_under_gdb(job, pe) ? &job->program->gdb : &job->program->plain;

    join_group(job, pe, launcher);
    restore_signals(job);
    take_descriptors(job, pe, wires);
    pin(job, pe);
    setrlimit(RLIMIT_NOFILE, &job->outer_descriptor_limit);
    execvp(command->path, command->argv); /* a path, never searched; runs scripts without "#!" */
    give_up(job, errno == ENOENT ? 127 : 126, command->path, errno);
}

/* ---- in the launcher ---- */

/* Takes the launcher's ends over, whatever happens. */
static enum shm_status connect_pe(struct job *job, int number, struct wires *wires)
{
    struct pe *pe = &job->pes[number];
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)number};
    enum shm_status status = SHM_OK;

    pe->control_fd = take_fd(&wires->control[0]);
    if (epoll_ctl(job->control_epoll_fd, EPOLL_CTL_ADD, pe->control_fd, &event) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "watching PE %d", number);
    if (wires->out[0] >= 0)
        status = output_add(&job->output, number, OUTPUT_OUT, take_fd(&wires->out[0]));
    if (status == SHM_OK && wires->err[0] >= 0)
        status = output_add(&job->output, number, OUTPUT_ERR, take_fd(&wires->err[0]));
    if (status == SHM_OK && wires->in[1] >= 0)
        status = input_init(&job->input, take_fd(&wires->in[1]));
    return status;
}

/* A copy of the launcher's memory, as fork() makes it, would cost more than the rest. */
static pid_t start_process(const struct job *job, int pe, const struct wires *wires)
{
    pid_t launcher = getpid();
    pid_t pid = vfork();

    if (pid == 0)
        become_pe(job, pe, wires, launcher);
    return pid;
}

enum shm_status spawn_pe(struct job *job, int number)
{
    struct pe *pe = &job->pes[number];
    struct wires wires;
    enum shm_status status = open_wires(job, number, &wires);

    if (status != SHM_OK)
        return status;
    status = environment_set_pe(number, number == 0 ? job->store_fd : -1, wires.control[1]);
    if (status != SHM_OK) {
        close_wires(&wires);
        return status;
    }
    pe->pid = start_process(job, number, &wires);
    if (pe->pid < 0) {
        pe->pid = 0;
        status = shm_fail_errno(SHM_INNER_ERROR, errno, "starting PE %d of %d", number, job->n_pes);
    } else {
        job->n_started++;
        if (!is_under_gdb(job, number))
            setpgid(pe->pid, job->guardian.pid); /* both do it, so that it holds for both */
        status = connect_pe(job, number, &wires);
    }
    close_wires(&wires);
    return status;
}

enum shm_status spawn_list_processors(struct job *job)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "listing the processors for --bind core");
    job->processors = calloc((size_t)CPU_COUNT(&set), sizeof job->processors[0]);
    if (job->processors == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the list of processors");
    for (int processor = 0; processor < CPU_SETSIZE; processor++)
        if (CPU_ISSET(processor, &set))
            job->processors[job->n_processors++] = processor;
    return SHM_OK;
}
