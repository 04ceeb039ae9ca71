/* SPDX-License-Identifier: BSD-3-Clause */
/** The groups of measurements. Each function is collective; the figures are those of PE 0. */
#ifndef SHMEM_PERF_GROUPS_H
#define SHMEM_PERF_GROUPS_H

#include "measure.h"
#include "rows.h"

/** What is measured and how thoroughly. */
struct plan {
    struct effort effort;
    size_t largest; /**< bytes of the largest transfer */
};

/* between PE 0 and the last PE, while the others wait in a barrier (point_to_point.c) */
void measure_latency(const struct plan *plan, struct rows *rows);
void measure_bandwidth(const struct plan *plan, struct rows *rows);
void measure_rate(const struct plan *plan, struct rows *rows);
void measure_atomics(const struct plan *plan, struct rows *rows);

/* by all PEs (collective.c) */
void measure_meeting(const struct plan *plan, struct rows *rows);
void measure_collectives(const struct plan *plan, struct rows *rows);
void measure_memory(const struct plan *plan, struct rows *rows);

/** Runs one and adds its figure, a time in microseconds. */
void add_time(const struct plan *plan, const char *group, const char *name,
              const struct operation *operation, struct rows *rows);

/** Runs one and adds its figure, how often it happens: 1 / time, times `each`. */
void add_rate(const struct plan *plan, const char *group, const char *name,
              const struct operation *operation, double each, const char *unit, struct rows *rows);

/** Symmetric memory, or the end of the job; collective. */
void *take_symmetric(size_t bytes);

/**
 * Times whole jobs of a program that does nothing but init and finalize, one figure for each number
 * of PEs in `list` ("2,16,64"). `launcher` starts them, NULL for the one beside this program. Not
 * for a PE of a job. Returns 0, or after a message 1, and 2 for a list that is none.
 */
int measure_startup(const char *list, const char *launcher, int repetitions, struct rows *rows);

#endif
