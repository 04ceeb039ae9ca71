/* SPDX-License-Identifier: BSD-3-Clause */
/** Log files of one process, one after the other in one folder. Callers have a lock. */
#ifndef SHM_BASE_LOG_FILE_H
#define SHM_BASE_LOG_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest name of a folder. */
#define SHM_LOG_FOLDER_BYTES 12800

/** How much may be written; tests set less. */
struct shm_log_limits {
    uint64_t file_bytes;  /* the next file begins before one gets larger */
    size_t folder_files;  /* files of this name pattern that stay in a folder */
    uint64_t free_bytes;  /* on the disk, without which nothing is written */
    uint64_t interval_ns; /* between looks at the disk, and between attempts after a failure */
};
extern const struct shm_log_limits shm_log_limits;

struct shm_log_file {
    const char *folder; /* our copy; NULL when there was no memory for it */
    struct shm_log_limits limits;
    int fd;              /* -1 = none is open */
    uint64_t bytes;      /* in this file */
    uint64_t checked_ns; /* when the disk was looked at */
    uint64_t failed_ns;  /* when something last failed; 0 = it did not */
};

/** Writes to files in `folder` from now on; nothing is opened yet. */
void shm_log_file_init(struct shm_log_file *file, const char *folder,
                       const struct shm_log_limits *limits);

/**
 * Appends a line, in one write(), to the present file or the first line of a new one. An error,
 * with its detail, means that nothing of it has been written; later calls may succeed again.
 */
SHM_MUST_CHECK enum shm_status shm_log_file_write(struct shm_log_file *file, const char *line,
                                                  size_t bytes);

/** Closes the present file, which nobody may write to any more. */
void shm_log_file_fini(struct shm_log_file *file);

/** In a forked child: the present file stays the parent's. */
void shm_log_file_forget(struct shm_log_file *file);

#endif
