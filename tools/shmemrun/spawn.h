/* SPDX-License-Identifier: BSD-3-Clause */
/** Starting the PEs. */
#ifndef SHMEMRUN_SPAWN_H
#define SHMEMRUN_SPAWN_H

#include "base/status.h"

struct job;

/** Room for the reason, its NUL included. */
#define START_REASON_BYTES 256

/** What a PE that could not be started sends through job->start_errors_fd. */
struct start_error {
    int exit_status; /* 126 or 127, as a shell has it */
    char reason[START_REASON_BYTES];
};

/** Starts PE number `pe` with its pipes and its socket to the launcher. */
SHM_MUST_CHECK enum shm_status spawn_pe(struct job *job, int pe);

/** Lists the processors that PEs are pinned to. */
SHM_MUST_CHECK enum shm_status spawn_list_processors(struct job *job);

#endif
