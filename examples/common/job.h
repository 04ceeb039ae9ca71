/* SPDX-License-Identifier: BSD-3-Clause */
/** Errors of the larger examples: one line on stderr, and all PEs end together. */
#ifndef EXAMPLES_JOB_H
#define EXAMPLES_JOB_H

#include <stddef.h>

#define JOB_FAILED 1      /* exit status: the work could not be done */
#define JOB_USAGE_ERROR 2 /* exit status: the command line makes no sense */

/** Every PE found the same error: PE 0 says it. To be called by all PEs. */
_Noreturn __attribute__((format(printf, 2, 3))) void job_refuse(int exit_status, const char *format,
                                                                ...);

/** This PE found an error that the others don't know of. */
_Noreturn __attribute__((format(printf, 1, 2))) void job_fail(const char *format, ...);

/**
 * Called by all PEs after a step that may fail on some: returns if `reason` is NULL everywhere,
 * else the first PE that has one prints it.
 */
void job_agree(const char *reason);

/** Zeroed memory of this PE, to be freed with free(). */
void *job_alloc(size_t count, size_t element_bytes);

/** Zeroed symmetric memory, to be freed with shmem_free(). To be called by all PEs. */
void *job_symmetric_alloc(size_t count, size_t element_bytes);

/** Monotonic time in seconds. */
double job_seconds(void);

#endif
