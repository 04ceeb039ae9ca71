/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank.h"

#include "../common/job.h"

#include <math.h>
#include <shmem.h>
#include <stdlib.h>

/* Tells all PEs this PE's part of a sum; the sum is there after a barrier. */
static void put_part(double *parts, double value, const struct exchange *exchange)
{
    for (int peer = 0; peer < exchange->n_pes; peer++)
        shmem_double_p(&parts[exchange->pe], value, peer);
}

/* In the order of PEs, so that every PE finds the same bits and all stop together. */
static double sum_parts(const double *parts, int n_pes)
{
    double sum = 0;

    for (int peer = 0; peer < n_pes; peer++)
        sum += parts[peer];
    return sum;
}

/* Each node shares its rank among its targets. Returns the rank of those that have none. */
static double share_ranks(const struct graph *graph, const double *rank, struct exchange *exchange)
{
    double dangling = 0;

    exchange_clear(exchange);
    for (size_t i = 0; i < graph->count; i++) {
        size_t degree = graph_degree(graph, i);

        if (degree == 0) {
            dangling += rank[i];
            continue;
        }
        for (size_t edge = graph->edge_start[i]; edge < graph->edge_start[i + 1]; edge++)
            exchange_add(exchange, edge, rank[i] / (double)degree);
    }
    return dangling;
}

/* Replaces the ranks by the next ones. Returns the sum of changes. */
static double update_ranks(const struct graph *graph, double dangling, const double *sum,
                           double *rank)
{
    double everybody = (1 - RANK_DAMPING + RANK_DAMPING * dangling) / (double)graph->nodes;
    double change = 0;

    for (size_t i = 0; i < graph->count; i++) {
        double next = everybody + RANK_DAMPING * sum[i];

        change += fabs(next - rank[i]);
        rank[i] = next;
    }
    return change;
}

static void iterate(const struct graph *graph, struct exchange *exchange, long max_iterations,
                    double tolerance, struct rank_result *result)
{
    double *sum = job_alloc(graph->count, sizeof *sum);
    double *dangling = job_symmetric_alloc((size_t)exchange->n_pes, sizeof *dangling);
    double *change = job_symmetric_alloc((size_t)exchange->n_pes, sizeof *change);

    do {
        put_part(dangling, share_ranks(graph, result->rank, exchange), exchange);
        exchange_send(exchange);
        shmem_barrier_all(); /* all shares and parts have arrived */
        exchange_receive(exchange, sum);
        put_part(change,
                 update_ranks(graph, sum_parts(dangling, exchange->n_pes), sum, result->rank),
                 exchange);
        shmem_barrier_all(); /* all changes have arrived, and all inboxes have been read */
        result->residual = sum_parts(change, exchange->n_pes);
        result->iterations++;
    } while (result->residual > tolerance && result->iterations < max_iterations);
    free(sum);
    shmem_free(change);
    shmem_free(dangling);
}

/* The first exchange sends a one along each edge. */
static void count_dependents(const struct graph *graph, struct exchange *exchange,
                             double *dependents)
{
    exchange_clear(exchange);
    for (size_t edge = 0; edge < graph->edge_start[graph->count]; edge++)
        exchange_add(exchange, edge, 1);
    exchange_send(exchange);
    shmem_barrier_all();
    exchange_receive(exchange, dependents);
    shmem_barrier_all();
}

void rank_compute(const struct graph *graph, struct exchange *exchange, long max_iterations,
                  double tolerance, struct rank_result *out_result)
{
    size_t largest_block = graph->nodes / (size_t)exchange->n_pes + 1;
    struct rank_result result = {.iterations = 0};
    double start;

    result.rank = job_symmetric_alloc(largest_block, sizeof *result.rank);
    result.dependents = job_alloc(graph->count, sizeof *result.dependents);
    count_dependents(graph, exchange, result.dependents);
    for (size_t i = 0; i < graph->count; i++)
        result.rank[i] = 1.0 / (double)graph->nodes;
    start = job_seconds();
    iterate(graph, exchange, max_iterations, tolerance, &result);
    result.seconds = job_seconds() - start;
    *out_result = result;
}

void rank_destroy(struct rank_result *result)
{
    free(result->dependents);
    shmem_free(result->rank);
}
