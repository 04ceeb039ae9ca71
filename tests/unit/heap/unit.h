/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the allocator share: cmocka, and numbers that are the same in every run. */
#ifndef UNIT_H
#define UNIT_H

#include <stdint.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* clang-format on */

static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

#endif
