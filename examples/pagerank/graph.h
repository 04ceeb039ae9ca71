/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A directed graph with named nodes, of which each PE holds a block: the nodes first_node to
 * first_node + count - 1 and their outgoing edges. examples/README.md describes the file.
 */
#ifndef PAGERANK_GRAPH_H
#define PAGERANK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPH_NAME_BYTES 128  /* longest name of a node, its final NUL included */
#define GRAPH_TITLE_BYTES 128 /* longest title, its final NUL included */

struct graph {
    char title[GRAPH_TITLE_BYTES];
    size_t nodes; /* of the whole graph */
    size_t edges; /* of the whole graph */

    size_t first_node;
    size_t count;
    size_t *edge_start; /* count + 1: edges of node first_node + i are edge_start[i] ... */
    size_t edge_capacity;
    int32_t *target; /* node at the far end of each edge; increasing within a node */
    size_t node_capacity;
    char *names; /* one after the other, each with its NUL */
    size_t name_bytes;
    size_t name_capacity;
    size_t *name_start; /* count: where in names */
};

/** First node of the block `part` of `parts`; that of part + 1 is its end. */
size_t graph_block_start(size_t nodes, int part, int parts);

/**
 * Reads block `part` of `parts`, checking the whole file. Returns false with one line in `reason`
 * when the file cannot be read or is no graph. `out_graph` is to be freed with graph_destroy().
 */
bool graph_read(const char *path, int part, int parts, struct graph *out_graph, char *reason,
                size_t reason_bytes);

void graph_destroy(struct graph *graph);

/** Name of the node first_node + i. */
const char *graph_name(const struct graph *graph, size_t i);

/** Number of edges that leave the node first_node + i. */
size_t graph_degree(const struct graph *graph, size_t i);

#endif
