/* SPDX-License-Identifier: BSD-3-Clause */
/** Folders that log files lie in: aclshmem_PROCESS_YYYYMMDDhhmmss.log. */
#ifndef SHM_BASE_LOG_FOLDER_H
#define SHM_BASE_LOG_FOLDER_H

#include "base/status.h"

#include <stddef.h>

/**
 * Opens the folder, which is made when it is missing (mode 0750). SHM_REFUSED when it is not this
 * user's, when others may write to it, or when its name is too long or has ".." in it.
 */
SHM_MUST_CHECK enum shm_status shm_log_folder_open(const char *name, int *out_fd);

/** Makes a new file, mode 0640, for this process, which counts as being written until it is closed.
 */
SHM_MUST_CHECK enum shm_status shm_log_folder_create(int folder, const char *name, int *out_fd);

/** Removes the oldest log files until `most` are left; those that are being written stay. */
void shm_log_folder_prune(int folder, size_t most);

#endif
