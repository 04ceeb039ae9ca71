/* SPDX-License-Identifier: BSD-3-Clause */
/** How long an operation takes: repeats it until the clock can tell, several times, on all PEs
 * alike. */
#ifndef SHMEM_PERF_MEASURE_H
#define SHMEM_PERF_MEASURE_H

#include <stddef.h>

#define MOST_REPETITIONS 101

/** Who performs an operation; the others wait in a barrier. */
enum performers { FIRST_PE, FIRST_AND_LAST_PE, ALL_PES };

/** One thing to measure. */
struct operation {
    void (*run)(const struct operation *operation, long count); /**< performs it `count` times */
    enum performers performers;
    size_t bytes;      /**< of one transfer; in collectives of one PE's part */
    char *symmetric;   /**< buffer that all PEs have */
    char *local;       /**< buffer of this process */
    size_t slots;      /**< transfers of `bytes` that fit into each of both */
    double operations; /**< that one of `count` stands for; a time is divided by it */
};

/** Seconds and counts that every measurement takes. */
struct effort {
    int repetitions;      /**< 1 .. MOST_REPETITIONS */
    double repetition_us; /**< wanted length of one */
};

/** Microseconds of one operation, over the repetitions. */
struct timing {
    double median_us, least_us, most_us;
};

/** Sorts the times of `count` repetitions, at least 1. */
struct timing timing_of(double *us, int count);

/** Collective over all PEs; valid on PE 0. */
struct timing measure(const struct effort *effort, const struct operation *operation);

double now_us(void);

#endif
