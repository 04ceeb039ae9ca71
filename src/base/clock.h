/* SPDX-License-Identifier: BSD-3-Clause */
/** Monotonic time and deadlines. A deadline is an absolute time in ns; 0 means "never". */
#ifndef SHM_BASE_CLOCK_H
#define SHM_BASE_CLOCK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SHM_NS_PER_MS 1000000ull
#define SHM_NS_PER_SECOND 1000000000ull

static inline uint64_t shm_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SHM_NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/** Deadline `ms` from now; 0 ms gives a deadline that has passed already. */
static inline uint64_t shm_deadline_after_ms(uint64_t ms)
{
    return shm_now_ns() + ms * SHM_NS_PER_MS;
}

static inline bool shm_deadline_passed(uint64_t deadline_ns)
{
    return deadline_ns != 0 && shm_now_ns() >= deadline_ns;
}

/** Time left, rounded up to ms, in the form poll() takes: -1 = no limit, 0 = passed. */
static inline int shm_deadline_left_ms(uint64_t deadline_ns)
{
    uint64_t now;
    uint64_t left_ms;

    if (deadline_ns == 0)
        return -1;
    now = shm_now_ns();
    if (now >= deadline_ns)
        return 0;
    left_ms = (deadline_ns - now + SHM_NS_PER_MS - 1) / SHM_NS_PER_MS;
    return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

/** The earlier of two deadlines. */
static inline uint64_t shm_deadline_min(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

#endif
