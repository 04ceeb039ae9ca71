/* SPDX-License-Identifier: BSD-3-Clause */
/** Standard input of the launcher, passed on to PE 0. */
#ifndef SHMEMRUN_INPUT_H
#define SHMEMRUN_INPUT_H

#include "base/status.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct input {
    int pipe_fd; /* to PE 0; -1 = closed */
    bool has_ended;
    bool is_terminal;
    char *data;
    size_t start; /* passed on already */
    size_t bytes; /* in `data` */
};

/** Passes standard input on into `pipe_fd`, which is taken over in every case. */
SHM_MUST_CHECK enum shm_status input_init(struct input *input, int pipe_fd);

/** Accepts a half-built one. */
void input_fini(struct input *input);

/** What to poll for: at most 2 entries; returns how many. */
int input_poll_entries(const struct input *input, struct pollfd *entries);

/** Whether the terminal belongs to another job for now, so that poll() cannot tell when to read. */
bool input_is_in_background(const struct input *input);

/** Moves what can be moved without waiting. */
void input_move(struct input *input);

#endif
