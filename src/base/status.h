/* SPDX-License-Identifier: BSD-3-Clause */
/** Status codes and the error detail of the calling thread. */
#ifndef SHM_BASE_STATUS_H
#define SHM_BASE_STATUS_H

#include <shmem/status.h>

#define SHM_MUST_CHECK __attribute__((warn_unused_result))

/** Longest error detail, its final NUL included. */
#define SHM_DETAIL_BYTES 1024

/**
 * Records why something failed and returns `status`, so that the function that decides an error
 * writes `return shm_fail(SHM_INVALID_VALUE, "...", ...)` and its callers pass the code on.
 * The line says what, the value and what was expected. It belongs to the calling thread and
 * stays until the next shm_fail().
 */
SHM_MUST_CHECK __attribute__((format(printf, 2, 3))) enum shm_status
shm_fail(enum shm_status status, const char *format, ...);

/** As shm_fail(), with ": " and the text of errno `error` appended. */
SHM_MUST_CHECK __attribute__((format(printf, 3, 4))) enum shm_status
shm_fail_errno(enum shm_status status, int error, const char *format, ...);

/** The line of the last failure of this thread; "" when there was none. Never NULL. */
const char *shm_error_detail(void);

/** Makes `detail` the calling thread's detail again, after clean-up that may have set another. */
void shm_error_restore(const char *detail);

/** Short English name of a status, for example "time limit passed". */
const char *shm_status_text(enum shm_status status);

#endif
