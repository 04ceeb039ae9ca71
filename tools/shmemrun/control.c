/* SPDX-License-Identifier: BSD-3-Clause */
#include "control.h"

#include "base/clock.h"
#include "ending.h"
#include "job.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVENTS 64
#define LIFELINE ((uint64_t)1 << 32) /* in the number of an event */

/* ---- signals ---- */

static bool is_ignored(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

enum shm_status control_open_signals(struct job *job)
{
    static const int taken[] = {SIGINT,  SIGTERM, SIGQUIT, SIGUSR1,
                                SIGUSR2, SIGCONT, SIGTSTP, SIGCHLD};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigset_t wanted;
    sigset_t blocked;

    sigemptyset(&wanted);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        sigaddset(&wanted, taken[i]);
    if (!is_ignored(SIGHUP)) /* under nohup it stays ignored */
        sigaddset(&wanted, SIGHUP);
    blocked = wanted;
    sigaddset(&blocked, SIGTTIN); /* reading in the background must fail, not stop the launcher */
    sigaction(SIGPIPE, &ignore, &job->outer_pipe_action);
    sigaction(SIGCHLD, &by_default, NULL); /* ignored, it would lose exit statuses */
    if (sigprocmask(SIG_BLOCK, &blocked, &job->outer_mask) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "blocking signals");
    job->signal_fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (job->signal_fd < 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "creating a signal descriptor");
    return SHM_OK;
}

/* Stops the PEs and this process; what follows happens after SIGCONT. */
static void stop(struct job *job)
{
    uint64_t stopped_ns = shm_now_ns();

    ending_signal_pes(job, SIGTSTP);
    kill(getpid(), SIGSTOP);
    if (job->timeout_ns != 0)
        job->timeout_ns += shm_now_ns() - stopped_ns;
}

/* While gdb runs, what the terminal sends is meant for it. */
static bool is_for_gdb(const struct job *job, int number)
{
    int pe = job->arguments->gdb_pe;

    return pe >= 0 && !job->pes[pe].has_ended &&
           (number == SIGINT || number == SIGQUIT || number == SIGTSTP);
}

/* While output is all that is left, a signal ends the launcher like any other program. */
static void end_by_signal(struct job *job, int number)
{
    if (job->is_over)
        _exit(128 + number);
    ending_note_signal(job, number);
}

static enum shm_status handle_signal(struct job *job, int number)
{
    if (is_for_gdb(job, number))
        return SHM_OK;
    switch (number) {
    case SIGUSR1:
        return job->is_over ? SHM_OK : report_all(job);
    case SIGUSR2:
    case SIGCONT:
        ending_signal_pes(job, number);
        return SHM_OK;
    case SIGTSTP:
        stop(job);
        return SHM_OK;
    case SIGCHLD:
        return SHM_OK; /* children are asked for in any case */
    default:
        end_by_signal(job, number);
        return SHM_OK;
    }
}

static enum shm_status move_signals(struct job *job)
{
    struct signalfd_siginfo info;
    enum shm_status status = SHM_OK;

    while (status == SHM_OK && read(job->signal_fd, &info, sizeof info) == sizeof info)
        status = handle_signal(job, (int)info.ssi_signo);
    return status;
}

/* ---- PEs that could not be started ---- */

static enum shm_status move_start_errors(struct job *job)
{
    struct start_error message;
    struct pollfd waited = {.fd = job->start_errors_fd, .events = POLLIN};
    enum shm_status status = SHM_OK;

    if (job->start_errors_fd < 0 || poll(&waited, 1, 0) <= 0)
        return SHM_OK;
    if (read(job->start_errors_fd, &message, sizeof message) == sizeof message &&
        job->ending.stage < ENDING_ASKED) {
        ending_begin(job, message.exit_status);
        status = output_say(&job->output, "cannot start the program: %.*s", START_REASON_BYTES,
                            message.reason);
    }
    /* one reason is enough; at its end all PEs run */
    close(job->start_errors_fd);
    job->start_errors_fd = -1;
    return status;
}

/* ---- messages and deaths ---- */

static enum shm_status watch_lifeline(struct job *job, int number)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)number | LIFELINE};

    if (epoll_ctl(job->control_epoll_fd, EPOLL_CTL_ADD, job->pes[number].lifeline_fd, &event) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "watching PE %d", number);
    return SHM_OK;
}

static enum shm_status receive_from(struct job *job, int number)
{
    struct pe_news news;

    pe_receive(&job->pes[number], job->n_pes, &news);
    if (news.is_off_board)
        board_shut(&job->board);
    if (news.has_lifeline && watch_lifeline(job, number) != SHM_OK)
        return SHM_INNER_ERROR;
    if (news.asked_exit)
        ending_note_exit(job, news.exit_status);
    if (news.complaint[0] == '\0')
        return SHM_OK;
    return output_say(&job->output, "PE %d does not speak the launcher's protocol: %s", number,
                      news.complaint);
}

static bool has_lifeline_ended(const struct pe *pe)
{
    struct pollfd waited = {.fd = pe->lifeline_fd, .events = POLLIN};

    return pe->lifeline_fd >= 0 && poll(&waited, 1, 0) > 0;
}

/* The process that called init has ended, though the PE may go on in another. What it sent before
 * comes first: it may have left in order, and a later one may have taken its place. */
static enum shm_status end_lifeline(struct job *job, int number)
{
    struct pe *pe = &job->pes[number];
    enum shm_status status = receive_from(job, number);

    if (!has_lifeline_ended(pe))
        return status;
    if (pe_is_member(pe))
        board_announce_death(&job->board, number);
    pe_close_lifeline(pe);
    return status;
}

static void drop_unused_records(struct job *job)
{
    for (int i = 0; i < job->n_pes; i++)
        if (pe_is_member(&job->pes[i]))
            return;
    for (int i = 0; i < job->n_pes; i++)
        records_close(&job->pes[i].records);
}

static enum shm_status move_messages(struct job *job)
{
    struct epoll_event events[EVENTS];
    enum shm_status status = SHM_OK;
    bool has_finalized = false;
    int count;

    do {
        count = epoll_wait(job->control_epoll_fd, events, EVENTS, 0);
        for (int i = 0; i < count && status == SHM_OK; i++) {
            int pe = (int)(events[i].data.u64 & ~LIFELINE);
            bool is_end = (events[i].data.u64 & LIFELINE) != 0;

            status = is_end ? end_lifeline(job, pe) : receive_from(job, pe);
            has_finalized |= job->pes[pe].phase == PE_FINALIZED;
        }
    } while (count == EVENTS && status == SHM_OK);
    if (has_finalized)
        drop_unused_records(job); /* they hold on to the memory of the heap */
    return status;
}

static int find_pe(const struct job *job, pid_t pid)
{
    int pe = 0;

    while (pe < job->n_pes && (job->pes[pe].pid != pid || job->pes[pe].has_ended))
        pe++;
    return pe;
}

/* What a PE sent before it ended counts, so its messages are read first. */
static enum shm_status handle_death(struct job *job, pid_t pid, int wait_status)
{
    int pe = find_pe(job, pid);
    enum shm_status status;

    if (pid == job->guardian.pid) {
        if (job->ending.stage == ENDING_KILLED)
            return SHM_OK; /* with its group */
        ending_begin(job, 1);
        guardian_note_death(&job->guardian);
        return output_say(&job->output, "the guardian process was killed; ending the job");
    }
    if (pe == job->n_pes)
        return SHM_OK; /* an orphan of a PE */
    status = receive_from(job, pe);
    ending_note_death(job, pe, wait_status);
    return status;
}

static enum shm_status reap(struct job *job)
{
    enum shm_status status = SHM_OK;

    while (status == SHM_OK) {
        int wait_status;
        pid_t pid = waitpid(-1, &wait_status, WNOHANG);

        if (pid <= 0)
            break;
        status = handle_death(job, pid, wait_status);
    }
    return status;
}

/* Who connects to the store does not come to the board, and PE 0 has to serve him. */
static void look_for_callers(struct job *job)
{
    struct pollfd waited = {.fd = job->store_fd, .events = POLLIN};

    if (job->store_fd < 0 || poll(&waited, 1, 0) <= 0)
        return;
    board_shut(&job->board);
    close(job->store_fd);
    job->store_fd = -1;
}

enum shm_status control_move(struct job *job)
{
    enum shm_status status = move_signals(job);

    look_for_callers(job);
    if (status == SHM_OK)
        status = move_start_errors(job);
    if (status == SHM_OK)
        status = move_messages(job);
    if (status == SHM_OK)
        status = reap(job);
    return status;
}
