/* SPDX-License-Identifier: BSD-3-Clause */
/** Logging, for people who debug. Errors for users travel as shm_status and shm_error_detail(). */
#ifndef SHM_BASE_LOG_H
#define SHM_BASE_LOG_H

#include <stdatomic.h>
#include <stdbool.h>

/** Severity; the numbers are those of aclshmemx_set_log_level(). */
enum shm_log_level {
    SHM_LOG_DEBUG = 0,
    SHM_LOG_INFO = 1,
    SHM_LOG_WARN = 2,
    SHM_LOG_ERROR = 3,
    SHM_LOG_FATAL = 4
};

/** The one log sink of the process, as far as callers look at it. */
struct shm_log_sink {
    _Atomic int gate; /* lines below this level are not even made */
    _Atomic int pe;   /* printed in each line; -1 = not known yet */
};
extern struct shm_log_sink shm_log_sink;

/** Gets every message instead of the log; "[SHM_SHMEM file:line] text", without an end of line. */
typedef void (*shm_log_function)(int level, const char *text);

/** Where lines go while the process is part of a job. */
struct shm_log_settings {
    enum shm_log_level threshold;
    bool is_threshold_set; /* by the user, who wins over what the program chose */
    bool is_stdout;        /* to standard output, whatever `folder` says */
    const char *folder;    /* to files there; NULL or "" = to standard error */
    int pe;                /* number of this PE */
};

/**
 * Takes the settings over; the folder and its file are made when there is a line to write. Each
 * call needs one of shm_log_detach(); of several at a time the first one decides where lines go.
 */
void shm_log_attach(const struct shm_log_settings *settings);

/** The last one closes the file. Later lines go to standard error, or still to standard output. */
void shm_log_detach(void);

/** Drops lines below `level`. */
void shm_log_set_threshold(enum shm_log_level level);

/** The same on behalf of the program, so that it outlasts shm_log_attach() where the user said
 *  nothing. */
void shm_log_choose_threshold(enum shm_log_level level);

/** Names the PE that later lines carry; -1 for none. */
void shm_log_set_pe(int pe);

/** Passes all messages of all levels to `function`, which may log itself (that goes past it);
 *  NULL: to the log again. */
void shm_log_set_function(shm_log_function function);

/** To be called around fork(). The child has no file: its lines go to standard error. */
void shm_log_before_fork(void);
void shm_log_after_fork_in_parent(void);
void shm_log_after_fork_in_child(void);

/** Writes one line unless it is below the threshold. `place` is "path/file:line". */
__attribute__((format(printf, 4, 5))) void shm_log_write(enum shm_log_level level,
                                                         const char *place, const char *module,
                                                         const char *format, ...);

/** Writes one line whatever the threshold. */
__attribute__((format(printf, 4, 5))) void shm_log_report(enum shm_log_level level,
                                                          const char *place, const char *module,
                                                          const char *format, ...);

#define SHM_LOG_TEXT_OF(number) #number
#define SHM_LOG_TEXT(number) SHM_LOG_TEXT_OF(number)
#define SHM_LOG_PLACE __FILE__ ":" SHM_LOG_TEXT(__LINE__)

/** Costs one compare when the level is off. The gate is a hint, relaxed on all machines: what
 * decides stands behind it. */
#define shm_log(level, module, ...)                                                                \
    do {                                                                                           \
        if ((int)(level) >= atomic_load_explicit(&shm_log_sink.gate, memory_order_relaxed))        \
            shm_log_write(level, SHM_LOG_PLACE, module, __VA_ARGS__);                              \
    } while (0)

#endif
