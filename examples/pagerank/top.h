/* SPDX-License-Identifier: BSD-3-Clause */
/** The highest ranks of all PEs. */
#ifndef PAGERANK_TOP_H
#define PAGERANK_TOP_H

#include "graph.h"
#include "rank.h"

/** To be called by all PEs: PE 0 prints a table of the `wanted` highest nodes. */
void top_print(const struct graph *graph, const struct rank_result *result, size_t wanted);

#endif
