/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of the meeting of the PEs. */
#ifndef SHM_CORE_MEET_INTERNAL_H
#define SHM_CORE_MEET_INTERNAL_H

#include "core_internal.h"

#include "agree.h"

/** What a PE tells all others once it is through with its memory, or why it is not. */
struct shm_outcome {
    int32_t status;
    int32_t leader; /* PE whose memory it maps */
};

/** What it tells besides when some PE is not through. */
struct shm_reason {
    char detail[240];
};

/** What the meeting of one init knows so far. */
struct shm_meet {
    struct shm_start *start;
    struct shm_instance *instance;
    struct shm_heap_door door;
    struct shm_introduction *introductions; /* of all PEs */
    struct shm_outcome *outcomes;           /* of all PEs */
    struct shm_reason *reasons;             /* of all PEs, when some PE failed; NULL otherwise */
    int *candidates;                        /* PEs that may be on this node, ascending */
    int candidate_count;
};

/* In the order of the calls; collective. */

/** The PEs tell who they are (meet_introduce.c). Makes the tables of all PEs, which the caller
 *  frees; SHM_MISMATCH when the PEs do not run the same program. */
SHM_MUST_CHECK enum shm_status shm_meet_exchange_introductions(struct shm_meet *meeting);

/** The first PE of each node tells how much memory that has left. The candidates are known. */
SHM_MUST_CHECK enum shm_status shm_meet_exchange_budgets(struct shm_meet *meeting);

/** Gets the memory of the node (meet_memory.c). Everybody hears how everybody fared, so that all go
 *  on or all give up. */
SHM_MUST_CHECK enum shm_status shm_meet_exchange_outcomes(struct shm_meet *meeting);

#endif
