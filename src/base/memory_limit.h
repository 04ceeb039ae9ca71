/* SPDX-License-Identifier: BSD-3-Clause */
/** How much memory this process may still use. */
#ifndef SHM_BASE_MEMORY_LIMIT_H
#define SHM_BASE_MEMORY_LIMIT_H

#include <stdint.h>

enum shm_memory_limiter {
    SHM_MEMORY_LIMITED_BY_MACHINE, /* memory and swap that the machine has left */
    SHM_MEMORY_LIMITED_BY_CGROUP   /* what the control group (container) has left */
};

/** Bytes that can still be backed by memory; UINT64_MAX when it cannot be known. */
uint64_t shm_memory_available(enum shm_memory_limiter *out_limiter);

/** The same with `root` in front of all paths, so that tests can lay out a machine of their own. */
uint64_t shm_memory_available_under(const char *root, enum shm_memory_limiter *out_limiter);

#endif
