/* SPDX-License-Identifier: BSD-3-Clause */
/** What reaches the launcher from outside: signals, messages of PEs, deaths. */
#ifndef SHMEMRUN_CONTROL_H
#define SHMEMRUN_CONTROL_H

#include "base/status.h"

struct job;

/** From here on signals arrive as data. */
SHM_MUST_CHECK enum shm_status control_open_signals(struct job *job);

/** Handles everything that has come. */
SHM_MUST_CHECK enum shm_status control_move(struct job *job);

#endif
