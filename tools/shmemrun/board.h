/* SPDX-License-Identifier: BSD-3-Clause */
/** The board at which the PEs meet (base/board.h), as the launcher sees it. */
#ifndef SHMEMRUN_BOARD_H
#define SHMEMRUN_BOARD_H

struct shm_board;

struct board {
    int fd; /* -1 = there is none, and the PEs meet at the store */
    struct shm_board *memory;
};

/** Makes a board if the system permits it. */
void board_init(struct board *board, int n_pes);

/** Accepts one that does not exist, as all functions do. */
void board_fini(struct board *board);

/** Some PE cannot come to it, so that those who have not met there meet at the store. */
void board_shut(struct board *board);

/** Tells all PEs that one died while it took part in the job. */
void board_announce_death(struct board *board, int pe);

#endif
