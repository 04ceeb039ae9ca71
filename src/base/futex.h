/* SPDX-License-Identifier: BSD-3-Clause */
/** Futexes that work between processes (the word lies in memory that several of them map). */
#ifndef SHM_BASE_FUTEX_H
#define SHM_BASE_FUTEX_H

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

/** Wakes at most `count` sleepers on the word. */
static inline void shm_futex_wake(const _Atomic uint32_t *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}

#endif
