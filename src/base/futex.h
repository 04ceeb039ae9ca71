/* SPDX-License-Identifier: BSD-3-Clause */
/** Futexes that work between processes (the word lies in memory that several of them map). */
#ifndef SHM_BASE_FUTEX_H
#define SHM_BASE_FUTEX_H

#include "base/clock.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/** Sleeps while *word == expected, at most `limit_ns`; may return early for no reason. */
static inline void shm_futex_wait(const _Atomic uint32_t *word, uint32_t expected,
                                  uint64_t limit_ns)
{
    struct timespec limit = {(time_t)(limit_ns / 1000000000u), (long)(limit_ns % 1000000000u)};

    syscall(SYS_futex, word, FUTEX_WAIT, expected, &limit, NULL, 0);
}

/** As shm_futex_wait(), woken only by shm_futex_wake_bits() with one of `bits`; 0: by every one. */
static inline void shm_futex_wait_bits(const _Atomic uint32_t *word, uint32_t expected,
                                       uint32_t bits, uint64_t limit_ns)
{
    uint64_t until_ns = shm_now_ns() + limit_ns;
    struct timespec until = {(time_t)(until_ns / 1000000000u), (long)(until_ns % 1000000000u)};

    if (bits == 0)
        shm_futex_wait(word, expected, limit_ns);
    else
        syscall(SYS_futex, word, FUTEX_WAIT_BITSET, expected, &until, NULL, bits);
}

/** Wakes the sleepers that wait for one of `bits` (not 0), and those that wait for any. */
static inline void shm_futex_wake_bits(const _Atomic uint32_t *word, uint32_t bits)
{
    syscall(SYS_futex, word, FUTEX_WAKE_BITSET, INT32_MAX, NULL, NULL, bits);
}

/** Wakes at most `count` sleepers on the word. */
static inline void shm_futex_wake(const _Atomic uint32_t *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}

#endif
