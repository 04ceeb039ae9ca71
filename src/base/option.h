/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Options: settings read from environment variables, described by one table that the reader, the
 * help text and the info tool all walk.
 */
#ifndef SHM_BASE_OPTION_H
#define SHM_BASE_OPTION_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum shm_option_kind {
    SHM_OPTION_FLAG,    /* bool: set to anything but "0", "no", "off", "false" and "" = true */
    SHM_OPTION_BYTES,   /* uint64_t: number with an optional fraction and suffix k m g t */
    SHM_OPTION_SECONDS, /* double: seconds, fractions allowed */
    SHM_OPTION_NUMBER,  /* int64_t: decimal integer */
    SHM_OPTION_TEXT,    /* const char *: as it stands in the environment */
    SHM_OPTION_CHOICE   /* int: index into `choices`; upper and lower case are alike */
};

struct shm_option {
    const char *name;     /* environment variable */
    const char *old_name; /* older name that is read when `name` is unset; or NULL */
    enum shm_option_kind kind;
    size_t offset;            /* of the value in the struct that is filled */
    const char *default_text; /* value when unset, parsed like any other; NULL = 0 or no text */
    double least, most;       /* range of numbers, seconds and bytes, both ends included */
    const char *choices;      /* CHOICE: words separated by '|', in the order of their index */
    const char *help;         /* one sentence: what it does, its unit, what is accepted */
};

/**
 * Fills `values` from the environment. Stops at the first bad value with SHM_INVALID_VALUE and a
 * detail that names the variable, the value and what is accepted; `values` is untouched then.
 */
SHM_MUST_CHECK enum shm_status shm_options_read(const struct shm_option *table, size_t count,
                                                void *values);

/** What the environment says for an option (old name included), or NULL when it is unset. */
const char *shm_option_setting(const struct shm_option *option);

/**
 * Parses a size as OpenSHMEM 1.6 (section 8) defines it: a non-negative decimal number that may
 * have a fraction ("1.5", ".5"), then nothing or a suffix that starts with k, m, g or t in either
 * case (powers of 2^10; letters behind the first one are ignored). The result is rounded up.
 * SHM_INVALID_VALUE for anything else and for values above 2^63 - 1.
 */
SHM_MUST_CHECK enum shm_status shm_parse_bytes(const char *text, uint64_t *out_bytes);

/**
 * Parses seconds: a non-negative decimal number, fractions allowed, in least..most. The locale
 * does not matter.
 */
SHM_MUST_CHECK enum shm_status shm_parse_seconds(const char *text, double least, double most,
                                                 double *out_seconds);

/** Parses a decimal integer in least..most. */
SHM_MUST_CHECK enum shm_status shm_parse_integer(const char *text, int64_t least, int64_t most,
                                                 int64_t *out_value);

#endif
