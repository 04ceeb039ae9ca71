/* SPDX-License-Identifier: BSD-3-Clause */
/** Logging, for people who debug. Errors for users travel as shm_status and shm_error_detail(). */
#ifndef SHM_BASE_LOG_H
#define SHM_BASE_LOG_H

#include <stdatomic.h>

/** Severity; the numbers are those of aclshmemx_set_log_level(). */
enum shm_log_level {
    SHM_LOG_DEBUG = 0,
    SHM_LOG_INFO = 1,
    SHM_LOG_WARN = 2,
    SHM_LOG_ERROR = 3,
    SHM_LOG_FATAL = 4
};

/** The one log sink of the process. */
struct shm_log_sink {
    _Atomic int threshold; /* lines below this level are dropped */
    _Atomic int pe;        /* printed in each line; -1 = not known yet */
};
extern struct shm_log_sink shm_log_sink;

/** Drops lines below `level`. */
void shm_log_set_threshold(enum shm_log_level level);

/** Names the PE that later lines carry; -1 for none. */
void shm_log_set_pe(int pe);

/** Writes one line to standard error, in one write() so that lines of PEs do not mix. */
__attribute__((format(printf, 3, 4))) void
shm_log_write(enum shm_log_level level, const char *module, const char *format, ...);

/** Costs one compare when the level is off. */
#define shm_log(level, module, ...)                                                                \
    do {                                                                                           \
        if ((int)(level) >= atomic_load_explicit(&shm_log_sink.threshold, memory_order_relaxed))   \
            shm_log_write(level, module, __VA_ARGS__);                                             \
    } while (0)

#endif
