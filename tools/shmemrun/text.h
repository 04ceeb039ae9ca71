/* SPDX-License-Identifier: BSD-3-Clause */
/** One line that is put together piece by piece; what does not fit is left out. */
#ifndef SHMEMRUN_TEXT_H
#define SHMEMRUN_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct text {
    size_t used;
    char line[1024];
};

__attribute__((format(printf, 2, 3))) static inline void text_add(struct text *text,
                                                                  const char *format, ...)
{
    size_t room = sizeof text->line - text->used;
    va_list values;
    int bytes;

    va_start(values, format);
    bytes = vsnprintf(text->line + text->used, room, format, values);
    va_end(values);
    if (bytes > 0)
        text->used += (size_t)bytes < room ? (size_t)bytes : room - 1;
}

#endif
