/* SPDX-License-Identifier: BSD-3-Clause */
/** The PageRank iteration, by all PEs together and, to check it, by one alone. */
#ifndef PAGERANK_RANK_H
#define PAGERANK_RANK_H

#include "exchange.h"
#include "graph.h"

#define RANK_DAMPING 0.85

struct rank_result {
    double *rank;       /* symmetric: of node first_node + i */
    double *dependents; /* edges that arrive at node first_node + i */
    long iterations;
    double residual; /* sum of all changes in the last iteration */
    double seconds;
};

/**
 * Iterates until the residual is at most `tolerance`, at most `max_iterations` times. To be
 * called by all PEs; iterations and residual are the same on all.
 */
void rank_compute(const struct graph *graph, struct exchange *exchange, long max_iterations,
                  double tolerance, struct rank_result *out_result);

void rank_destroy(struct rank_result *result);

/** The ranks of a whole graph after so many iterations, to be freed with free(). One PE. */
double *rank_serial(const struct graph *whole, long iterations);

#endif
