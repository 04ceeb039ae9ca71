/* SPDX-License-Identifier: BSD-3-Clause */
/** Numbers on the command line of the examples. */
#ifndef EXAMPLES_NUMBER_H
#define EXAMPLES_NUMBER_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/** A decimal number in min..max and nothing else. */
static inline bool parse_long(const char *text, long min, long max, long *out_value)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < min || value > max)
        return false;
    *out_value = value;
    return true;
}

/** A real number in min..max and nothing else; not-a-number is refused. */
static inline bool parse_double(const char *text, double min, double max, double *out_value)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value >= min && value <= max))
        return false;
    *out_value = value;
    return true;
}

#endif
