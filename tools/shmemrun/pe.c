/* SPDX-License-Identifier: BSD-3-Clause */
#include "pe.h"

#include "base/clock.h"
#include "base/socket.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESSAGES_AT_ONCE 1024 /* more than a socket holds */

void pe_init(struct pe *pe)
{
    *pe = (struct pe){
        .control_fd = -1, .lifeline_fd = -1, .records.fd = -1, .phase_since_ns = shm_now_ns()};
}

static void close_control(struct pe *pe)
{
    if (pe->control_fd >= 0)
        close(pe->control_fd);
    pe->control_fd = -1;
}

void pe_close_lifeline(struct pe *pe)
{
    if (pe->lifeline_fd >= 0)
        close(pe->lifeline_fd);
    pe->lifeline_fd = -1;
}

void pe_fini(struct pe *pe)
{
    close_control(pe);
    pe_close_lifeline(pe);
    records_close(&pe->records);
}

static void enter(struct pe *pe, enum pe_phase phase)
{
    pe->phase = phase;
    pe->phase_since_ns = shm_now_ns();
}

/* `fd` is taken over. */
static enum shm_status join(struct pe *pe, int n_pes, const struct shm_launch_message *message,
                            int fd)
{
    enter(pe, PE_JOINED);
    records_close(&pe->records);
    return fd < 0 ? SHM_OK : records_open(message, fd, n_pes, &pe->records);
}

static bool is_pipe(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* `fd` is taken over. A PE whose end nobody could notice must not count on the board. */
static enum shm_status begin(struct pe *pe, int fd, struct pe_news *news)
{
    bool is_usable = fd >= 0 && is_pipe(fd);

    enter(pe, PE_INITIALISING);
    news->is_off_board = !is_usable && pe->lifeline_fd < 0;
    if (fd < 0)
        return SHM_OK;
    if (!is_usable) {
        close(fd);
        return shm_fail(SHM_PROTOCOL, "a PE sent a descriptor that is not a pipe to notice its end "
                                      "by");
    }
    pe_close_lifeline(pe);
    pe->lifeline_fd = fd;
    news->has_lifeline = true;
    return SHM_OK;
}

/* `fd` is taken over. */
static enum shm_status apply(struct pe *pe, int n_pes, const struct shm_launch_message *message,
                             int fd, struct pe_news *news)
{
    if (message->kind == SHM_LAUNCH_RECORDS)
        return join(pe, n_pes, message, fd);
    if (message->kind == SHM_LAUNCH_INITIALISING)
        return begin(pe, fd, news);
    if (fd >= 0)
        close(fd);
    switch (message->kind) {
    case SHM_LAUNCH_FINALIZED:
        enter(pe, PE_FINALIZED); /* others may still need the records */
        return SHM_OK;
    case SHM_LAUNCH_EXIT:
        pe->asked_exit = true;
        news->asked_exit = true;
        news->exit_status = message->status & 0xff;
        return SHM_OK;
    default:
        return shm_fail(SHM_PROTOCOL, "a PE sent a message of the unknown kind %u", message->kind);
    }
}

static enum shm_status receive_one(struct pe *pe, int n_pes, struct pe_news *news)
{
    struct shm_launch_message message;
    size_t bytes = 0;
    int fd = -1;
    enum shm_status status = shm_socket_receive_descriptor(pe->control_fd, &message, sizeof message,
                                                           shm_deadline_after_ms(0), &bytes, &fd);

    if (status != SHM_OK)
        return status;
    if (bytes != sizeof message) {
        if (fd >= 0)
            close(fd);
        return shm_fail(SHM_PROTOCOL, "a PE sent a message of %zu bytes, expected %zu", bytes,
                        sizeof message);
    }
    return apply(pe, n_pes, &message, fd, news);
}

static void note_complaint(struct pe *pe, struct pe_news *news)
{
    if (!pe->has_complaint)
        snprintf(news->complaint, sizeof news->complaint, "%s", shm_error_detail());
    pe->has_complaint = true;
}

void pe_receive(struct pe *pe, int n_pes, struct pe_news *out_news)
{
    *out_news = (struct pe_news){.asked_exit = false};
    for (int i = 0; i < MESSAGES_AT_ONCE && pe->control_fd >= 0; i++) {
        enum shm_status status = receive_one(pe, n_pes, out_news);

        if (status == SHM_TIMEOUT_ERROR)
            return;
        if (status == SHM_PROTOCOL)
            note_complaint(pe, out_news);
        else if (status != SHM_OK)
            close_control(pe);
    }
}
