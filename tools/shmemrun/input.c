/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

enum shm_status input_init(struct input *input, int pipe_fd)
{
    *input = (struct input){.pipe_fd = pipe_fd, .is_terminal = isatty(STDIN_FILENO) == 1};
    if (fcntl(pipe_fd, F_SETFL, O_WRONLY | O_NONBLOCK) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "preparing the standard input of PE 0");
    input->data = malloc(BUFFER_BYTES);
    if (input->data == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the standard input of PE 0");
    return SHM_OK;
}

static void close_pipe(struct input *input)
{
    if (input->pipe_fd >= 0)
        close(input->pipe_fd);
    input->pipe_fd = -1;
}

void input_fini(struct input *input)
{
    close_pipe(input);
    free(input->data);
    input->data = NULL;
}

bool input_is_in_background(const struct input *input)
{
    return input->pipe_fd >= 0 && !input->has_ended && input->is_terminal &&
           tcgetpgrp(STDIN_FILENO) != getpgrp();
}

static bool wants_data(const struct input *input)
{
    return !input->has_ended && input->bytes == 0 && !input_is_in_background(input);
}

int input_poll_entries(const struct input *input, struct pollfd *entries)
{
    if (input->pipe_fd < 0)
        return 0;
    /* without events to wait for, poll() still tells when PE 0 has closed its end */
    entries[0] = (struct pollfd){.fd = input->pipe_fd, .events = input->bytes > 0 ? POLLOUT : 0};
    if (!wants_data(input))
        return 1;
    entries[1] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    return 2;
}

static void fill(struct input *input)
{
    struct pollfd waited = {.fd = STDIN_FILENO, .events = POLLIN};
    ssize_t bytes;

    if (!wants_data(input) || poll(&waited, 1, 0) <= 0)
        return;
    bytes = read(STDIN_FILENO, input->data, BUFFER_BYTES);
    if (bytes > 0) {
        input->bytes = (size_t)bytes;
        return;
    }
    /* EIO comes from a terminal that was given to another job in this very moment */
    if (bytes < 0 &&
        (errno == EINTR || errno == EAGAIN || (errno == EIO && input_is_in_background(input))))
        return;
    input->has_ended = true;
}

static void drain(struct input *input)
{
    ssize_t written =
        write(input->pipe_fd, input->data + input->start, input->bytes - input->start);

    if (written > 0) {
        input->start += (size_t)written;
        if (input->start == input->bytes)
            input->start = input->bytes = 0;
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
        close_pipe(input);
    }
}

static bool is_reader_gone(const struct input *input)
{
    struct pollfd waited = {.fd = input->pipe_fd};

    return poll(&waited, 1, 0) > 0;
}

void input_move(struct input *input)
{
    if (input->pipe_fd < 0)
        return;
    fill(input);
    if (input->bytes > 0)
        drain(input);
    if (input->pipe_fd >= 0 && input->bytes == 0 && (input->has_ended || is_reader_gone(input)))
        close_pipe(input);
}
