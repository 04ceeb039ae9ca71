/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Adds up values that travel along the edges. Each PE writes one value per edge that leaves its
 * nodes; every node gets the sum of what arrives, wherever the edges start.
 *
 * Values for the same node are added before they travel, so each PE sends at most one number per
 * node, and all numbers for one PE in one put. Who writes where is agreed once.
 */
#ifndef PAGERANK_EXCHANGE_H
#define PAGERANK_EXCHANGE_H

#include "graph.h"

/* The part of an inbox that one sender fills. long, because atomics and puts know it. */
struct exchange_segment {
    long start;
    long count;
};

struct exchange {
    int pe, n_pes;
    size_t first_node, count; /* this PE's block */

    /* sending: slots are the different targets of this PE's edges, in increasing order */
    size_t edges;
    uint32_t *edge_slot; /* the slot each edge adds to */
    double *slot_value;
    size_t *slot_start; /* n_pes + 1: the slots of nodes of PE p are slot_start[p] ... */
    long *remote_start; /* n_pes: where they go in the inbox of PE p */

    /* receiving: symmetric memory */
    struct exchange_segment *segments; /* n_pes: what PE p sends */
    int32_t *inbox_node;               /* which node each number is for */
    double *inbox_value;
};

/** To be called by all PEs, as all of the functions below. Ends the job on failure. */
void exchange_create(const struct graph *graph, struct exchange *out_exchange);

/** Sets all values to zero. */
void exchange_clear(struct exchange *exchange);

/** Adds a value to what travels along an edge, counted as in graph->target. */
static inline void exchange_add(struct exchange *exchange, size_t edge, double value)
{
    exchange->slot_value[exchange->edge_slot[edge]] += value;
}

/** Starts to send. Values must stay until the barrier that the caller does next. */
void exchange_send(struct exchange *exchange);

/**
 * After that barrier: sum[i] becomes what arrived for the node first_node + i. A further barrier
 * must stand between this and the next exchange_send(). The order of additions is fixed.
 */
void exchange_receive(const struct exchange *exchange, double *sum);

void exchange_destroy(struct exchange *exchange);

#endif
