/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 1400

struct shm_log_sink shm_log_sink = {.threshold = SHM_LOG_WARN, .pe = -1};

static const char *const level_names[] = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

void shm_log_set_threshold(enum shm_log_level level)
{
    atomic_store_explicit(&shm_log_sink.threshold, (int)level, memory_order_relaxed);
}

void shm_log_set_pe(int pe)
{
    atomic_store_explicit(&shm_log_sink.pe, pe, memory_order_relaxed);
}

static int write_prefix(char *line, size_t bytes, enum shm_log_level level, const char *module)
{
    int pe = atomic_load_explicit(&shm_log_sink.pe, memory_order_relaxed);
    struct timespec now;
    struct tm clock;
    char stamp[32];

    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &clock);
    strftime(stamp, sizeof stamp, "%H:%M:%S", &clock);
    if (pe < 0)
        return snprintf(line, bytes, "%s.%06ld %s shmem %s: ", stamp, now.tv_nsec / 1000,
                        level_names[level], module);
    return snprintf(line, bytes, "%s.%06ld %s shmem PE %d %s: ", stamp, now.tv_nsec / 1000,
                    level_names[level], pe, module);
}

void shm_log_write(enum shm_log_level level, const char *module, const char *format, ...)
{
    char line[LINE_BYTES];
    int used = write_prefix(line, sizeof line - 1, level, module);
    va_list arguments;
    int body;

    va_start(arguments, format);
    body = vsnprintf(line + used, sizeof line - 1 - (size_t)used, format, arguments);
    va_end(arguments);
    if (body < 0)
        return;
    used += body;
    if (used > (int)sizeof line - 2)
        used = (int)sizeof line - 2;
    line[used++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)used) < 0)
        return; /* nowhere left to say so */
}
