/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include "../common/job.h"

#include <shmem.h>
#include <stdlib.h>
#include <string.h>

/* Numbers the different targets in increasing order; slot_of_node keeps 0 for "no target". */
static int32_t *make_slots(const struct graph *graph, struct exchange *exchange)
{
    uint32_t *slot_of_node = job_alloc(graph->nodes, sizeof *slot_of_node);
    int32_t *slot_node;
    uint32_t slots = 0;

    for (size_t edge = 0; edge < exchange->edges; edge++)
        slot_of_node[graph->target[edge]] = 1;
    for (int peer = 0; peer < exchange->n_pes; peer++) {
        size_t end = graph_block_start(graph->nodes, peer + 1, exchange->n_pes);

        exchange->slot_start[peer] = slots;
        for (size_t node = graph_block_start(graph->nodes, peer, exchange->n_pes); node < end;
             node++)
            if (slot_of_node[node] != 0)
                slot_of_node[node] = ++slots;
    }
    exchange->slot_start[exchange->n_pes] = slots;
    slot_node = job_alloc(slots, sizeof *slot_node);
    for (size_t edge = 0; edge < exchange->edges; edge++) {
        exchange->edge_slot[edge] = slot_of_node[graph->target[edge]] - 1;
        slot_node[exchange->edge_slot[edge]] = graph->target[edge];
    }
    free(slot_of_node);
    return slot_node;
}

static size_t slots_for(const struct exchange *exchange, int peer)
{
    return exchange->slot_start[peer + 1] - exchange->slot_start[peer];
}

/*
 * Every PE reserves room in the inbox of each other by adding its count to a counter there, and
 * tells the owner which part is its own. The order of parts differs from run to run; nothing
 * depends on it.
 */
static void reserve_segments(struct exchange *exchange)
{
    long *reserved = job_symmetric_alloc(1, sizeof *reserved);
    long *totals = job_symmetric_alloc((size_t)exchange->n_pes, sizeof *totals);
    long largest = 0;

    for (int peer = 0; peer < exchange->n_pes; peer++) {
        struct exchange_segment mine = {.count = (long)slots_for(exchange, peer)};

        mine.start = shmem_long_atomic_fetch_add(reserved, mine.count, peer);
        exchange->remote_start[peer] = mine.start;
        shmem_putmem(&exchange->segments[exchange->pe], &mine, sizeof mine, peer);
    }
    shmem_barrier_all();
    for (int peer = 0; peer < exchange->n_pes; peer++)
        shmem_long_p(&totals[exchange->pe], *reserved, peer);
    shmem_barrier_all();
    for (int peer = 0; peer < exchange->n_pes; peer++)
        largest = totals[peer] > largest ? totals[peer] : largest;
    /* symmetric, so as large on every PE as the fullest inbox */
    exchange->inbox_node = job_symmetric_alloc((size_t)largest, sizeof *exchange->inbox_node);
    exchange->inbox_value = job_symmetric_alloc((size_t)largest, sizeof *exchange->inbox_value);
    shmem_free(totals);
    shmem_free(reserved);
}

void exchange_create(const struct graph *graph, struct exchange *out_exchange)
{
    struct exchange exchange = {.pe = shmem_my_pe(),
                                .n_pes = shmem_n_pes(),
                                .first_node = graph->first_node,
                                .count = graph->count,
                                .edges = graph->edge_start[graph->count]};
    size_t n_pes = (size_t)exchange.n_pes;
    int32_t *slot_node;

    exchange.edge_slot = job_alloc(exchange.edges, sizeof *exchange.edge_slot);
    exchange.slot_start = job_alloc(n_pes + 1, sizeof *exchange.slot_start);
    exchange.remote_start = job_alloc(n_pes, sizeof *exchange.remote_start);
    exchange.segments = job_symmetric_alloc(n_pes, sizeof *exchange.segments);
    slot_node = make_slots(graph, &exchange);
    exchange.slot_value = job_alloc(exchange.slot_start[n_pes], sizeof *exchange.slot_value);
    reserve_segments(&exchange);
    for (int peer = 0; peer < exchange.n_pes; peer++)
        shmem_putmem(exchange.inbox_node + exchange.remote_start[peer],
                     slot_node + exchange.slot_start[peer],
                     slots_for(&exchange, peer) * sizeof *slot_node, peer);
    shmem_barrier_all();
    free(slot_node);
    *out_exchange = exchange;
}

void exchange_clear(struct exchange *exchange)
{
    memset(exchange->slot_value, 0,
           exchange->slot_start[exchange->n_pes] * sizeof *exchange->slot_value);
}

void exchange_send(struct exchange *exchange)
{
    /* each PE starts with its neighbour, so that not all write to PE 0 first */
    for (int i = 1; i <= exchange->n_pes; i++) {
        int peer = (exchange->pe + i) % exchange->n_pes;

        shmem_double_put_nbi(exchange->inbox_value + exchange->remote_start[peer],
                             exchange->slot_value + exchange->slot_start[peer],
                             slots_for(exchange, peer), peer);
    }
}

void exchange_receive(const struct exchange *exchange, double *sum)
{
    memset(sum, 0, exchange->count * sizeof *sum);
    for (int peer = 0; peer < exchange->n_pes; peer++) {
        struct exchange_segment segment = exchange->segments[peer];

        for (long i = segment.start; i < segment.start + segment.count; i++)
            sum[(size_t)exchange->inbox_node[i] - exchange->first_node] += exchange->inbox_value[i];
    }
}

void exchange_destroy(struct exchange *exchange)
{
    free(exchange->edge_slot);
    free(exchange->slot_value);
    free(exchange->slot_start);
    free(exchange->remote_start);
    shmem_free(exchange->inbox_value);
    shmem_free(exchange->inbox_node);
    shmem_free(exchange->segments);
    *exchange = (struct exchange){.n_pes = 0};
}
