/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Leaves nothing behind. A guardian process leads the process group that the PEs join and kills
 * that group when the launcher is gone, however it went.
 */
#ifndef SHMEMRUN_GUARDIAN_H
#define SHMEMRUN_GUARDIAN_H

#include "base/status.h"

#include <sys/types.h>

struct guardian {
    pid_t pid;   /* also the number of the process group; 0 = none, -1 = it was killed */
    int pipe_fd; /* held open by the launcher alone: end of file tells the guardian */
};

/**
 * Starts the guardian. When the launcher is gone, it kills every process that has `mark`
 * (NAME=VALUE) among the variables it was started with, and its process group.
 */
SHM_MUST_CHECK enum shm_status guardian_start(struct guardian *guardian, const char *mark);

/**
 * The guardian was reaped. Kills its group at once, for the number of the group may be used again
 * when the group is empty.
 */
void guardian_note_death(struct guardian *guardian);

/** Sends a signal to the process group (which the guardian itself ignores unless it is SIGKILL). */
void guardian_signal_group(const struct guardian *guardian, int number);

/**
 * Kills the group, and then every process that became a child of this one because its parent
 * ended; waits at most two seconds for them to be gone. Accepts a guardian that was not started.
 */
void guardian_sweep(struct guardian *guardian);

#endif
