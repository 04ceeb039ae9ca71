/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How a job ends: what counts as a failure, which one is blamed, and the steps from the first
 * signal to the last SIGKILL. Everything here returns at once; deadlines drive the steps.
 */
#ifndef SHMEMRUN_ENDING_H
#define SHMEMRUN_ENDING_H

#include "base/status.h"

#include <stdint.h>

struct job;

/** A PE was reaped, with this status of waitpid(). */
void ending_note_death(struct job *job, int pe, int wait_status);

/** A PE asked for a global exit. */
void ending_note_exit(struct job *job, int exit_status);

/** The user sent a signal that ends the job; the second one kills at once. */
void ending_note_signal(struct job *job, int number);

/** The launcher ends the job on its own account; nothing more is said about PEs. */
void ending_begin(struct job *job, int status);

/** Takes the steps that are due. */
SHM_MUST_CHECK enum shm_status ending_advance(struct job *job);

/** Sends a signal to all PEs and whatever is in their process group. */
void ending_signal_pes(struct job *job, int number);

#endif
