/* SPDX-License-Identifier: BSD-3-Clause */
/** The public records of PEs, in memory that a PE has passed on. */
#ifndef SHMEMRUN_RECORDS_H
#define SHMEMRUN_RECORDS_H

#include "base/launch.h"
#include "base/status.h"

#include <stdint.h>

struct records {
    int fd; /* -1 = none */
    uint64_t offset;
    uint64_t stride;
    uint32_t count;
};

/** What a PE does, made safe to print. */
struct activity {
    uint32_t state; /* enum shm_activity_state */
    int peer;
    uint64_t sequence;
    uint64_t since_ns;
    char operation[SHM_ACTIVITY_NAME_BYTES];
};

/**
 * Checks what a PE says about its memory `fd`, which is taken over in every case. At most
 * `n_pes` records. SHM_PROTOCOL when the records do not lie in the memory.
 */
SHM_MUST_CHECK enum shm_status records_open(const struct shm_launch_message *message, int fd,
                                            int n_pes, struct records *out_records);

void records_close(struct records *records);

/**
 * Reads record `number`. SHM_NOT_FOUND when it is not in use or names no PE of the job. Reads
 * with pread(): memory that its owner has cut short gives an error, where a mapping would give
 * SIGBUS.
 */
SHM_MUST_CHECK enum shm_status records_read(const struct records *records, uint32_t number,
                                            int n_pes, int *out_pe, struct activity *out_activity);

#endif
