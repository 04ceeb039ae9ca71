/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log_line.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Plug-ins pass levels on, so any number may come. */
static const char *level_name(enum shm_log_level level)
{
    static const char *const names[] = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

    return (unsigned)level < sizeof names / sizeof *names ? names[level] : "?";
}

/* Those of ASCII, and those that UTF-8 writes as two bytes: terminals obey both. */
static size_t control_bytes(const unsigned char *text)
{
    if (text[0] < 0x20 || text[0] == 0x7f)
        return 1;
    return text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

/* Appends the bytes of one character; 0 when they do not fit. */
static size_t append_escaped(char *out, size_t room, const unsigned char *from, size_t bytes)
{
    if (4 * bytes >= room)
        return 0;
    for (size_t i = 0; i < bytes; i++)
        snprintf(out + 4 * i, room - 4 * i, "\\x%02x", from[i]);
    return 4 * bytes;
}

/* Returns false when `out` is too small for all of it. */
static bool copy_harmless(char *out, size_t out_bytes, const char *text)
{
    const unsigned char *from = (const unsigned char *)text;
    size_t used = 0;

    while (*from != '\0' && used + 1 < out_bytes) {
        size_t controls = control_bytes(from);
        size_t added = 1;

        if (controls == 0)
            out[used] = (char)*from;
        else
            added = append_escaped(out + used, out_bytes - used, from, controls);
        if (added == 0)
            break;
        used += added;
        from += controls == 0 ? 1 : controls;
    }
    out[used] = '\0';
    return *from == '\0';
}

static int make_prefix(char *out, size_t bytes, const struct shm_log_origin *origin)
{
    const char *slash = strrchr(origin->place, '/');
    const char *file = slash != NULL ? slash + 1 : origin->place;

    if (origin->pe < 0)
        return snprintf(out, bytes, "[SHM_SHMEM %.80s] %.40s: ", file, origin->module);
    return snprintf(out, bytes, "[SHM_SHMEM %.80s] PE %d %.40s: ", file, origin->pe,
                    origin->module);
}

void shm_log_make_text(char text[SHM_LOG_TEXT_BYTES], const struct shm_log_origin *origin,
                       const char *format, va_list arguments)
{
    char raw[SHM_LOG_TEXT_BYTES];
    int prefix = make_prefix(raw, sizeof raw, origin);
    size_t room = sizeof raw - (size_t)prefix;
    int body = vsnprintf(raw + prefix, room, format, arguments);

    if (body < 0) /* a format or text that the C library cannot convert */
        raw[prefix] = '\0';
    /* this also holds less than a raw text that was cut */
    if (!copy_harmless(text, SHM_LOG_TEXT_BYTES - strlen(SHM_LOG_CUT), raw))
        strcat(text, SHM_LOG_CUT);
}

size_t shm_log_make_line(char line[SHM_LOG_LINE_BYTES], enum shm_log_level level, const char *text)
{
    struct timespec now;
    struct tm clock;
    char stamp[32];
    int bytes;

    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &clock);
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &clock);
    bytes = snprintf(line, SHM_LOG_LINE_BYTES, "%s.%06ld %s %d pid[%d] %.*s\n", stamp,
                     now.tv_nsec / 1000, level_name(level), (int)gettid(), (int)getpid(),
                     SHM_LOG_TEXT_BYTES, text);
    return (size_t)bytes;
}
