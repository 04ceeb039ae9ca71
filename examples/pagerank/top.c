/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include "../common/job.h"

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct candidate {
    double rank;
    double dependents;
    size_t node;
    char name[GRAPH_NAME_BYTES]; /* "" at the end of a short list */
};

/* Highest rank first; equals in the order of the file. */
static int compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

/* The best of this PE's block, in symmetric memory with room for `wanted`. */
static struct candidate *best_of_block(const struct graph *graph, const struct rank_result *result,
                                       size_t wanted)
{
    struct candidate *best = job_symmetric_alloc(wanted, sizeof *best);
    struct candidate *all = job_alloc(graph->count, sizeof *all);

    for (size_t i = 0; i < graph->count; i++)
        all[i] = (struct candidate){.rank = result->rank[i],
                                    .dependents = result->dependents[i],
                                    .node = graph->first_node + i};
    qsort(all, graph->count, sizeof *all, compare);
    for (size_t i = 0; i < wanted && i < graph->count; i++) {
        best[i] = all[i];
        strcpy(best[i].name, graph_name(graph, all[i].node - graph->first_node));
    }
    free(all);
    return best;
}

static void print(struct candidate *candidates, size_t count, size_t wanted)
{
    qsort(candidates, count, sizeof *candidates, compare);
    printf("\n%10s  %15s  %s\n", "rank", "depended on by", "package");
    for (size_t i = 0; i < wanted && i < count && candidates[i].name[0] != '\0'; i++)
        printf("%10.7f  %15.0f  %s\n", candidates[i].rank, candidates[i].dependents,
               candidates[i].name);
}

void top_print(const struct graph *graph, const struct rank_result *result, size_t wanted)
{
    struct candidate *best = best_of_block(graph, result, wanted);

    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        size_t n_pes = (size_t)shmem_n_pes();
        struct candidate *all = job_alloc(n_pes * wanted, sizeof *all);

        for (size_t peer = 0; peer < n_pes; peer++)
            shmem_getmem(all + peer * wanted, best, wanted * sizeof *best, (int)peer);
        print(all, n_pes * wanted, wanted);
        free(all);
    }
    shmem_free(best); /* waits for all, so for PE 0's reading */
}
