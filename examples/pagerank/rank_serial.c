/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The check: the same numbers by another way. Edges are turned round, and each node fetches from
 * those that point to it, where rank.c hands out; nothing is shared with rank.c.
 */
#include "../common/job.h"
#include "rank.h"

#include <stdlib.h>

struct reverse {
    size_t *start;   /* nodes + 1 */
    int32_t *source; /* node at the near end of each edge that arrives */
};

static struct reverse reverse_edges(const struct graph *whole)
{
    size_t nodes = whole->nodes;
    struct reverse reverse = {.start = job_alloc(nodes + 1, sizeof *reverse.start),
                              .source = job_alloc(whole->edges, sizeof *reverse.source)};
    size_t *place = job_alloc(nodes, sizeof *place);

    for (size_t edge = 0; edge < whole->edges; edge++)
        reverse.start[whole->target[edge] + 1]++;
    for (size_t node = 0; node < nodes; node++) {
        reverse.start[node + 1] += reverse.start[node];
        place[node] = reverse.start[node];
    }
    for (size_t node = 0; node < nodes; node++)
        for (size_t edge = whole->edge_start[node]; edge < whole->edge_start[node + 1]; edge++)
            reverse.source[place[whole->target[edge]]++] = (int32_t)node;
    free(place);
    return reverse;
}

static double fetched(const struct graph *whole, const struct reverse *reverse, size_t node,
                      const double *rank)
{
    double sum = 0;

    for (size_t i = reverse->start[node]; i < reverse->start[node + 1]; i++) {
        size_t source = (size_t)reverse->source[i];

        sum += rank[source] / (double)graph_degree(whole, source);
    }
    return sum;
}

double *rank_serial(const struct graph *whole, long iterations)
{
    size_t nodes = whole->nodes;
    struct reverse reverse = reverse_edges(whole);
    double *rank = job_alloc(nodes, sizeof *rank), *next = job_alloc(nodes, sizeof *next);

    for (size_t node = 0; node < nodes; node++)
        rank[node] = 1.0 / (double)nodes;
    for (long iteration = 0; iteration < iterations; iteration++) {
        double lost = 0, *last = rank;

        for (size_t node = 0; node < nodes; node++)
            lost += graph_degree(whole, node) == 0 ? rank[node] : 0;
        for (size_t node = 0; node < nodes; node++)
            next[node] =
                (1 - RANK_DAMPING) / (double)nodes +
                RANK_DAMPING * (lost / (double)nodes + fetched(whole, &reverse, node, rank));
        rank = next;
        next = last;
    }
    free(next);
    free(reverse.start);
    free(reverse.source);
    return rank;
}
