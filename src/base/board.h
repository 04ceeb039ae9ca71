/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The board: memory of the launcher at which its PEs meet without sockets. The launcher makes it,
 * each PE inherits its descriptor.
 *
 * PE 0 opens a session, and the others come to it through the gate, as long as the launcher has
 * not shut that: it does so when some PE has no board, and then all of them meet at the store
 * instead. In a session they go through rounds, in each of which every PE writes some bytes and
 * reads those of all. The bytes lie in the file behind the part that is mapped; two tables take
 * turns, since who has come to a round has read all of the one before.
 *
 * Words that belong to one session have its number in their upper half, so that who comes late from
 * an earlier one cannot touch them. All accesses are sequentially consistent; a word is changed
 * first and the bell rung afterwards, and who waits reads the bell first and looks at the words
 * afterwards, so no change is missed on any machine.
 */
#ifndef SHM_BASE_BOARD_H
#define SHM_BASE_BOARD_H

#include "base/futex.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

#define SHM_BOARD_MAGIC 0x53484d42u
#define SHM_BOARD_PIECE_BYTES 512u  /* most that a PE writes in one round */
#define SHM_BOARD_PAGE_BYTES 65536u /* the tables begin at one, on any system */

#define SHM_BOARD_SHUT ((uint64_t)1 << 31)

struct shm_board {
    uint32_t magic;
    uint32_t n_pes;
    _Atomic uint32_t bell;     /* a futex */
    _Atomic uint64_t event;    /* what happened first: kind << 56 | PE << 32 | exit status */
    _Atomic uint64_t gate;     /* session << 32 | SHUT | PEs that have come */
    _Atomic uint64_t arrived;  /* session << 32 | arrivals in its rounds */
    _Atomic uint64_t left;     /* session << 32 | PEs that said goodbye */
    _Atomic uint64_t broken;   /* session << 32 | 1 + the PE that gave it up */
    _Atomic uint64_t sizes[2]; /* of the bytes in each table: session << 48 | round << 32 | bytes */
    _Atomic uint64_t steps[];  /* of each PE: session << 32 | rounds that it has come to, 1 for the
                                  gate */
};

/** Bytes that are mapped. */
static inline uint64_t shm_board_mapped_bytes(uint32_t n_pes)
{
    return sizeof(struct shm_board) + n_pes * sizeof(uint64_t);
}

/** Where the table `parity` begins in the file. */
static inline uint64_t shm_board_table(uint32_t n_pes, uint32_t parity)
{
    uint64_t mapped = shm_board_mapped_bytes(n_pes) + SHM_BOARD_PAGE_BYTES - 1;

    return mapped / SHM_BOARD_PAGE_BYTES * SHM_BOARD_PAGE_BYTES +
           (uint64_t)parity * n_pes * SHM_BOARD_PIECE_BYTES;
}

static inline uint64_t shm_board_bytes(uint32_t n_pes)
{
    return shm_board_table(n_pes, 2);
}

/** False when the limit of file sizes lets this process write to no board for so many PEs: it would
 *  be killed. */
static inline bool shm_board_is_permitted(uint32_t n_pes)
{
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};

    getrlimit(RLIMIT_FSIZE, &limit);
    return shm_board_bytes(n_pes) <= limit.rlim_cur;
}

static inline uint64_t shm_board_event(uint32_t kind, uint32_t pe, uint32_t exit_status)
{
    return (uint64_t)kind << 56 | (uint64_t)pe << 32 | exit_status;
}

static inline void shm_board_ring(struct shm_board *board)
{
    atomic_fetch_add(&board->bell, 1);
    shm_futex_wake(&board->bell, INT32_MAX);
}

/** Says what happened, unless something happened before. `event` is not 0. */
static inline void shm_board_announce(struct shm_board *board, uint64_t event)
{
    uint64_t none = 0;

    atomic_compare_exchange_strong(&board->event, &none, event);
    shm_board_ring(board);
}

#endif
