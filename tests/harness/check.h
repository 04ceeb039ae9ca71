/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks for tests that run with several PEs: a failed one says where, and ends the job. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            char reason[400];                                                                      \
                                                                                                   \
            snprintf(reason, sizeof reason, __VA_ARGS__);                                          \
            fprintf(stderr, "PE %d: %s:%d: %s: %s\n", shmem_my_pe(), __FILE__, __LINE__,           \
                    #condition, reason);                                                           \
            shmem_global_exit(1);                                                                  \
        }                                                                                          \
    } while (0)

#endif
