/* SPDX-License-Identifier: BSD-3-Clause */
/** Says what PEs are doing: one line about a failure, or a report about all of them. */
#ifndef SHMEMRUN_REPORT_H
#define SHMEMRUN_REPORT_H

#include "base/launch.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct job;

enum doing_kind {
    DOING_STARTING, /* has not called init */
    DOING_INIT,
    DOING_RUNNING,
    DOING_WAITING,
    DOING_FINALIZE,
    DOING_LEFT, /* has called finalize */
    DOING_ENDED
};

/** What one PE is doing. */
struct doing {
    enum doing_kind kind;
    int peer; /* WAITING: for this PE; -1 = any */
    uint64_t sequence;
    uint64_t since_ns;
    char operation[SHM_ACTIVITY_NAME_BYTES];
};

/** Finds out what each PE is doing now; what is known of those that have ended stays, unless
 *  `with_ended`. */
void report_collect(struct job *job, bool with_ended);

/** One line: how `failed` ended, and what the others were doing when that was collected. */
SHM_MUST_CHECK enum shm_status report_failure(struct job *job, int failed);

/** Some lines: what each PE is doing now, and since when. */
SHM_MUST_CHECK enum shm_status report_all(struct job *job);

#endif
