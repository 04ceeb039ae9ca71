/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Litmus tests: patterns of loads and stores of a few PEs whose outcome tells whether the order
 * that the interface promises was kept. All PEs run through many slots of such variables with
 * random delays between; a value that must not be seen is a violation.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include <shmem.h>
#include <stdint.h>

#define LITMUS_MAX_PES 32

/** A round of a pattern, numbered from 1; called by all PEs, which meet in a barrier behind it. */
typedef void litmus_round(long round);

litmus_round pass_messages; /* data, then a flag: whoever sees the flag sees the data */
litmus_round pass_on;       /* the same over a third PE, which reads the data and writes the flag */
litmus_round buffer_stores; /* x = 1, quiet, read y against y = 1, quiet, read x */
litmus_round buffer_loads;  /* read x, y = 1 against read y, x = 1 */
litmus_round read_independent; /* two readers agree on the order of the writes of two writers */
litmus_round read_twice;       /* a word that only grows never falls for its readers */
litmus_round keep_whole;       /* words of 2, 4 and 8 bytes change at once */
litmus_round keep_neighbours;  /* stores to bytes side by side leave the others alone */

litmus_round meet_in_barriers;    /* what was stored before a barrier is there behind it */
litmus_round meet_in_collectives; /* small collectives of all kinds and roots in a row */

litmus_round take_locks;    /* a counter without other protection than the lock */
litmus_round wake_sleepers; /* a token goes round; a wake-up that is missed for good is a hang */
litmus_round add_up;        /* atomic operations of all PEs on the same words */
litmus_round find_any;      /* words that stay satisfied are all found */
litmus_round move_blocks;   /* non-blocking blocks are there behind quiet */
litmus_round run_threads;   /* messages, locks and atomics by several threads of each PE */

/** Counts a violation of the pattern and the round that run now, and says what was seen. */
__attribute__((format(printf, 1, 2))) void violation(const char *format, ...);

/** Random numbers that differ by PE and thread. */
uint32_t random_below(uint32_t limit);

/** Random numbers that are the same on all PEs: a function of their arguments. */
uint32_t agreed_below(uint32_t limit, long round, long number);

/** Lets a random time pass: mostly next to none, now and then the time to be rescheduled. */
void dawdle(void);

/** One step of a loop that looks again and again. */
void pause_in_loop(void);

#endif
