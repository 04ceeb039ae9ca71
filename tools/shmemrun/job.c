/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include "base/clock.h"
#include "base/launch.h"
#include "base/random.h"
#include "control.h"
#include "ending.h"
#include "environment.h"
#include "spawn.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#define DESCRIPTORS_PER_PE 4
#define DESCRIPTORS_BESIDE 32
#define DRAIN_MS 1000   /* for a process that outlives its PE and holds its output open */
#define TERMINAL_MS 300 /* how often to see whether the terminal has come back */
#define POLL_ENTRIES 16

/* ---- building it ---- */

static enum shm_status raise_descriptor_limit(struct job *job)
{
    rlim_t needed = (rlim_t)job->n_pes * DESCRIPTORS_PER_PE + DESCRIPTORS_BESIDE;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "reading the limit of open files");
    job->outer_descriptor_limit = limit;
    limit.rlim_cur = limit.rlim_max;
    if (limit.rlim_max < needed)
        return shm_fail(SHM_INNER_ERROR,
                        "%d PEs need %llu open files, the limit is %llu; raise it (ulimit -Hn)",
                        job->n_pes, (unsigned long long)needed, (unsigned long long)limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "raising the limit of open files");
    return SHM_OK;
}

static enum shm_status allocate_pes(struct job *job)
{
    job->pes = calloc((size_t)job->n_pes, sizeof job->pes[0]);
    job->doings = calloc((size_t)job->n_pes, sizeof job->doings[0]);
    if (job->pes == NULL || job->doings == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %d PEs", job->n_pes);
    for (int i = 0; i < job->n_pes; i++)
        pe_init(&job->pes[i]);
    return SHM_OK;
}

static enum shm_status draw_id(struct job *job)
{
    uint64_t number = 0;
    enum shm_status status = shm_random_fill(&number, sizeof number);

    snprintf(job->id, sizeof job->id, "%016" PRIx64, number);
    return status;
}

static enum shm_status start_guardian(struct job *job)
{
    char mark[64];

    snprintf(mark, sizeof mark, "%s=%s", SHM_LAUNCH_JOB_ID, job->id);
    return guardian_start(&job->guardian, mark);
}

static enum shm_status open_store(struct job *job)
{
    struct shm_address address = {.bytes = sizeof(struct sockaddr_in)};
    struct sockaddr_in *loopback = (struct sockaddr_in *)&address.socket;
    enum shm_status status;

    loopback->sin_family = AF_INET;
    loopback->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    status = shm_address_listen(&address, &job->store_fd);
    if (status == SHM_OK)
        status = shm_address_of_socket(job->store_fd, &address);
    if (status == SHM_OK)
        shm_address_format(&address, job->store_address);
    return status;
}

static enum shm_status open_own_descriptors(struct job *job)
{
    int ends[2];

    job->control_epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (job->control_epoll_fd < 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "creating an epoll descriptor");
    if (pipe2(ends, O_CLOEXEC) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "creating a pipe");
    job->start_errors_fd = ends[0];
    job->start_errors_end = ends[1];
    return control_open_signals(job);
}

static enum shm_status prepare(struct job *job)
{
    const struct arguments *arguments = job->arguments;
    enum shm_status status = raise_descriptor_limit(job);

    /* orphans of PEs become children of this process, which can then find them */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (status == SHM_OK)
        status = draw_id(job);
    if (status == SHM_OK)
        status = start_guardian(job);
    if (status == SHM_OK)
        status = allocate_pes(job);
    if (status == SHM_OK)
        status = open_own_descriptors(job);
    if (status == SHM_OK)
        status = output_init(&job->output, job->n_pes, arguments->tag);
    if (status == SHM_OK)
        status = open_store(job);
    board_init(&job->board, job->n_pes);
    if (status == SHM_OK && arguments->bind_core)
        status = spawn_list_processors(job);
    if (status == SHM_OK)
        status = environment_prepare(job->n_pes, job->store_address, job->id, job->board.fd,
                                     arguments->env, arguments->n_env);
    return status;
}

static void close_descriptor(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static enum shm_status say_started(struct job *job)
{
    enum shm_status status =
        output_say(&job->output, "started %d PEs of %s, process group %d, store at %s", job->n_pes,
                   job->arguments->program[0], (int)job->guardian.pid, job->store_address);

    for (int i = 0; i < job->n_pes && status == SHM_OK; i++)
        status = output_say(&job->output, "PE %d is process %d", i, (int)job->pes[i].pid);
    return status;
}

static enum shm_status start(struct job *job)
{
    enum shm_status status = SHM_OK;

    for (int i = 0; i < job->n_pes && status == SHM_OK; i++) {
        status = spawn_pe(job, i);
        if (job->board.fd < 0)
            close_descriptor(&job->store_fd); /* PE 0 has it now */
    }
    close_descriptor(&job->start_errors_end);
    if (job->arguments->timeout_ms > 0)
        job->timeout_ns = shm_deadline_after_ms(job->arguments->timeout_ms);
    if (status == SHM_OK && job->arguments->verbose)
        status = say_started(job);
    return status;
}

/* Accepts a half-built job. */
static void destroy(struct job *job)
{
    guardian_sweep(&job->guardian);
    for (int i = 0; job->pes != NULL && i < job->n_pes; i++)
        pe_fini(&job->pes[i]);
    free(job->pes);
    free(job->doings);
    free(job->processors);
    output_fini(&job->output);
    input_fini(&job->input);
    board_fini(&job->board);
    close_descriptor(&job->store_fd);
    close_descriptor(&job->signal_fd);
    close_descriptor(&job->start_errors_fd);
    close_descriptor(&job->start_errors_end);
    close_descriptor(&job->control_epoll_fd);
}

/* ---- running it ---- */

static int poll_limit_ms(const struct job *job)
{
    uint64_t deadline = shm_deadline_min(job->timeout_ns, job->drain_ns);

    if (input_is_in_background(&job->input))
        deadline = shm_deadline_min(deadline, shm_deadline_after_ms(TERMINAL_MS));
    return shm_deadline_left_ms(shm_deadline_min(deadline, job->ending.deadline_ns));
}

static enum shm_status wait_for_event(const struct job *job)
{
    struct pollfd entries[POLL_ENTRIES];
    int count = 0;

    entries[count++] = (struct pollfd){.fd = job->signal_fd, .events = POLLIN};
    entries[count++] = (struct pollfd){.fd = job->control_epoll_fd, .events = POLLIN};
    /* poll() passes over a descriptor of -1 */
    entries[count++] = (struct pollfd){.fd = job->start_errors_fd, .events = POLLIN};
    entries[count++] = (struct pollfd){.fd = job->store_fd, .events = POLLIN};
    count += output_poll_entries(&job->output, entries + count);
    count += input_poll_entries(&job->input, entries + count);
    if (poll(entries, (nfds_t)count, poll_limit_ms(job)) < 0 && errno != EINTR)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "poll");
    return SHM_OK;
}

static enum shm_status check_timeout(struct job *job)
{
    enum shm_status status;

    if (!shm_deadline_passed(job->timeout_ns))
        return SHM_OK;
    job->timeout_ns = 0;
    if (job->ending.stage >= ENDING_ASKED || job->is_over)
        return SHM_OK;
    status = output_say(&job->output, "the time limit of %g s has passed; ending the job",
                        (double)job->arguments->timeout_ms / 1000);
    if (status == SHM_OK)
        status = report_all(job);
    ending_begin(job, 124);
    return status;
}

/* Nobody reads on: as if the launcher had got SIGPIPE, or could not write for another reason. */
static enum shm_status check_output(struct job *job)
{
    int error = output_error(&job->output);

    if (error == 0 || job->ending.stage >= ENDING_ASKED)
        return SHM_OK;
    ending_begin(job, error == EPIPE ? 128 + SIGPIPE : 1);
    if (error == EPIPE)
        return SHM_OK;
    return output_say(&job->output, "cannot write standard output: %s", strerror(error));
}

/* After the last PE: first its output, then what is left of the processes. */
static enum shm_status wind_up(struct job *job)
{
    if (job->n_ended < job->n_started || job->is_over)
        return SHM_OK;
    if (job->drain_ns == 0)
        job->drain_ns = shm_deadline_after_ms(DRAIN_MS);
    if (output_has_open(&job->output) && job->ending.stage != ENDING_KILLED &&
        !shm_deadline_passed(job->drain_ns))
        return SHM_OK;
    job->is_over = true;
    job->drain_ns = 0;
    job->ending.deadline_ns = 0;
    guardian_sweep(&job->guardian);
    return output_finish(&job->output);
}

static enum shm_status step(struct job *job)
{
    enum shm_status status = wait_for_event(job);

    if (status == SHM_OK)
        status = control_move(job);
    if (status == SHM_OK)
        status = output_move(&job->output);
    input_move(&job->input);
    if (status == SHM_OK)
        status = check_output(job);
    if (status == SHM_OK)
        status = check_timeout(job);
    if (status == SHM_OK)
        status = ending_advance(job);
    if (status == SHM_OK)
        status = wind_up(job);
    return status;
}

enum shm_status job_run(const struct arguments *arguments, const struct program *program,
                        int *out_status)
{
    struct job job = {.arguments = arguments,
                      .program = program,
                      .n_pes = arguments->n_pes,
                      .store_fd = -1,
                      .board.fd = -1,
                      .guardian.pipe_fd = -1,
                      .signal_fd = -1,
                      .start_errors_fd = -1,
                      .start_errors_end = -1,
                      .control_epoll_fd = -1,
                      .output.epoll_fds = {-1, -1},
                      .input.pipe_fd = -1,
                      .ending.first_failed = -1};
    enum shm_status status = prepare(&job);

    if (status == SHM_OK)
        status = start(&job);
    while (status == SHM_OK && !(job.is_over && !output_has_queued(&job.output)))
        status = step(&job);
    if (status == SHM_OK)
        *out_status = job.ending.status;
    destroy(&job);
    return status;
}
