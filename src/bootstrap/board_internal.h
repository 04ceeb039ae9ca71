/* SPDX-License-Identifier: BSD-3-Clause */
/** A PE's place at the launcher's board (base/board.h). */
#ifndef SHM_BOOTSTRAP_BOARD_INTERNAL_H
#define SHM_BOOTSTRAP_BOARD_INTERNAL_H

#include "base/board.h"
#include "base/clock.h"
#include "base/status.h"

#include <shmem/plugin.h>

struct shm_place {
    struct shm_board *board;
    int fd; /* borrowed */
    uint32_t pe;
    uint32_t n_pes;
    uint32_t session;
    uint32_t round; /* rounds that this PE has come to */
    bool has_left;
};

static inline uint32_t shm_upper_half(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static inline uint32_t shm_lower_half(uint64_t word)
{
    return (uint32_t)word;
}

/* ---- board_wait.c ---- */

/** SHM_PEER_LOST or SHM_ABORTED when the session, or the job, is over for this PE. */
SHM_MUST_CHECK enum shm_status shm_place_what_happened(const struct shm_place *place);

/** Waits until `is_done` says so, which it is asked before anything else is looked at.
 *  SHM_TIMEOUT_ERROR names who is missing. Otherwise as shm_place_what_happened(). */
SHM_MUST_CHECK enum shm_status shm_place_wait_until(const struct shm_place *place,
                                                    bool (*is_done)(const struct shm_place *place),
                                                    uint64_t deadline_ns);

/** Adds one to a word of the session; gives the sum. */
SHM_MUST_CHECK enum shm_status shm_place_count_in(const struct shm_place *place,
                                                  _Atomic uint64_t *word, uint32_t *out_sum);

/* ---- board_gate.c ---- */

/** Comes into a session with all PEs. SHM_NOT_SUPPORTED: they do not meet at the board. */
SHM_MUST_CHECK enum shm_status shm_place_pass_gate(struct shm_place *place, uint64_t deadline_ns);

/* ---- board_rounds.c: verbs of <shmem/plugin.h>; `state` is a place ---- */

SHM_MUST_CHECK enum shm_status shm_place_barrier(void *state, uint64_t deadline_ns);
SHM_MUST_CHECK enum shm_status shm_place_allgather(void *state, const void *mine, size_t bytes,
                                                   void *all, uint64_t deadline_ns);

#endif
