/* SPDX-License-Identifier: BSD-3-Clause */
/** Random numbers from the kernel, fit for secrets. */
#ifndef SHM_BASE_RANDOM_H
#define SHM_BASE_RANDOM_H

#include "base/status.h"

#include <errno.h>
#include <stddef.h>
#include <sys/random.h>

SHM_MUST_CHECK static inline enum shm_status shm_random_fill(void *data, size_t bytes)
{
    char *rest = data;

    while (bytes > 0) {
        ssize_t got = getrandom(rest, bytes, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return shm_fail_errno(SHM_INNER_ERROR, errno, "getrandom");
        rest += got;
        bytes -= (size_t)got;
    }
    return SHM_OK;
}

#endif
