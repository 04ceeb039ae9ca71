/* SPDX-License-Identifier: BSD-3-Clause */
/** The environment variables that PEs are started with. */
#ifndef SHMEMRUN_ENVIRONMENT_H
#define SHMEMRUN_ENVIRONMENT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/** Whether the first `bytes` characters of `name` name a variable that only the launcher sets. */
bool environment_is_reserved(const char *name, size_t bytes);

/**
 * Prepares the environment of this process for its PEs: drops what an outer job left, sets what
 * is common to all PEs and the `n_env` settings (NAME=VALUE) of the user. `board_fd` -1 = none.
 */
SHM_MUST_CHECK enum shm_status environment_prepare(int n_pes, const char *store_address,
                                                   const char *job_id, int board_fd,
                                                   const char *const *env, size_t n_env);

/** Prepares it further for the PE that is started next. `store_fd` -1 = none. */
SHM_MUST_CHECK enum shm_status environment_set_pe(int pe, int store_fd, int launcher_fd);

#endif
