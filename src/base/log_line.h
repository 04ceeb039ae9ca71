/* SPDX-License-Identifier: BSD-3-Clause */
/** The text of log lines. */
#ifndef SHM_BASE_LOG_LINE_H
#define SHM_BASE_LOG_LINE_H

#include "base/log.h"

#include <stdarg.h>
#include <stddef.h>

#define SHM_LOG_LINE_BYTES 1400 /* longest line, its end included */
#define SHM_LOG_TEXT_BYTES 1300 /* longest text, its final NUL included */
#define SHM_LOG_CUT " [...]"    /* ends a text that was longer */

/** Where a message comes from. */
struct shm_log_origin {
    const char *place; /* "path/file:line" */
    const char *module;
    int pe; /* -1 = not known */
};

/**
 * Makes "[SHM_SHMEM file:line] PE n module: text". Control characters, which may come from other
 * processes, are shown as \xNN; what does not fit is cut.
 */
__attribute__((format(printf, 3, 0))) void shm_log_make_text(char text[SHM_LOG_TEXT_BYTES],
                                                             const struct shm_log_origin *origin,
                                                             const char *format, va_list arguments);

/** Makes "YYYY-mm-dd HH:MM:SS.uuuuuu LEVEL thread pid[process] text\n"; returns its bytes. */
size_t shm_log_make_line(char line[SHM_LOG_LINE_BYTES], enum shm_log_level level, const char *text);

#endif
