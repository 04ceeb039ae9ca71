/* SPDX-License-Identifier: BSD-3-Clause */
/** For the programs whose own static data is shared. They use no test framework, so that nothing
 *  but the program decides what lies in the data. */
#ifndef STATIC_DATA_CHECK_H
#define STATIC_DATA_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static inline void check(bool is_right, const char *what, int line)
{
    if (is_right)
        return;
    fprintf(stderr, "line %d: %s is wrong (last detail: %s)\n", line, what, shm_error_detail());
    exit(1);
}

#define CHECK(condition) check((condition), #condition, __LINE__)

#endif
