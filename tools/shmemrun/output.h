/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Output of the PEs: whole lines are passed on to the launcher's own standard output and error.
 * Nothing here blocks: a reader that is slow slows the PEs down, not the launcher.
 */
#ifndef SHMEMRUN_OUTPUT_H
#define SHMEMRUN_OUTPUT_H

#include "base/status.h"

#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum output_channel { OUTPUT_OUT, OUTPUT_ERR, OUTPUT_CHANNELS };

struct sink;
struct stream;

struct output {
    struct stream *streams; /* of PE i: 2 * i and 2 * i + 1 */
    int n_pes;
    int n_open;
    bool tag;
    struct sink *sinks[OUTPUT_CHANNELS]; /* the same twice when both go to one file */
    int epoll_fds[OUTPUT_CHANNELS];
    char *scratch;
};

SHM_MUST_CHECK enum shm_status output_init(struct output *output, int n_pes, bool tag);

/** Accepts a half-built one. */
void output_fini(struct output *output);

/** Reads what the PE writes into the pipe `fd`, which is taken over in every case. */
SHM_MUST_CHECK enum shm_status output_add(struct output *output, int pe,
                                          enum output_channel channel, int fd);

/** Adds one line of the launcher itself to standard error: "shmemrun: " and the text. */
SHM_MUST_CHECK __attribute__((format(printf, 2, 3))) enum shm_status
output_say(struct output *output, const char *format, ...);

/** What to poll for: at most 2 * OUTPUT_CHANNELS entries; returns how many. */
int output_poll_entries(const struct output *output, struct pollfd *entries);

/** Moves what can be moved without waiting. */
SHM_MUST_CHECK enum shm_status output_move(struct output *output);

/** Reads what is still in the pipes, completes last lines, closes the pipes. */
SHM_MUST_CHECK enum shm_status output_finish(struct output *output);

/** Pipes that are still open. */
bool output_has_open(const struct output *output);

/** Lines that are not written yet. */
bool output_has_queued(const struct output *output);

/** errno value of the write that failed on standard output, 0 = none. */
int output_error(const struct output *output);

#endif
