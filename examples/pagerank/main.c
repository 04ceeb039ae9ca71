/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PageRank of a graph that is spread over the PEs; the data at hand is Debian's packages and
 * what they depend on.
 *
 *   oshcc -O2 -DPAGERANK_DATA='"../data/debian-packages.txt.gz"' *.c ../common/job.c -lz -lm \
 *         -o pagerank
 *   shmemrun -n 4 ./pagerank --check
 */
#include "../common/job.h"
#include "../common/number.h"
#include "exchange.h"
#include "graph.h"
#include "rank.h"
#include "top.h"

#include <getopt.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_LIMIT 1e-9
#define REASON_BYTES 512

struct options {
    const char *path;
    long iterations;
    double tolerance;
    long top;
    bool check;
    bool help;
};

static const char usage[] =
    "usage: pagerank [OPTION]... [FILE]\n"
    "PageRank of the packages in FILE, by all PEs together.\n"
    "\n"
    "  --iterations N  stop after N iterations (1 to 1000000, default 200)\n"
    "  --tolerance X   stop when the ranks change by X or less in total (0 to 1, default 1e-10)\n"
    "  --top N         show the N highest packages (1 to 1000, default 10)\n"
    "  --check         compare with a computation by one PE alone\n"
    "  --help          show this text\n"
    "\n"
    "FILE is " PAGERANK_DATA "\nif none is given; make_graph.py writes such files.\n";

static struct options parse(int argc, char **argv)
{
    static const struct option known[] = {{"iterations", required_argument, NULL, 'i'},
                                          {"tolerance", required_argument, NULL, 't'},
                                          {"top", required_argument, NULL, 'n'},
                                          {"check", no_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {
        .path = PAGERANK_DATA, .iterations = 200, .tolerance = 1e-10, .top = 10};
    int letter;

    opterr = 0; /* one line, from PE 0 */
    while ((letter = getopt_long(argc, argv, "", known, NULL)) >= 0) {
        if (letter == 'i' && parse_long(optarg, 1, 1000000, &options.iterations))
            continue;
        if (letter == 't' && parse_double(optarg, 0, 1, &options.tolerance))
            continue;
        if (letter == 'n' && parse_long(optarg, 1, 1000, &options.top))
            continue;
        if (letter != 'c' && letter != 'h')
            job_refuse(JOB_USAGE_ERROR, "cannot understand '%s'; --help shows the usage",
                       argv[optind - 1]);
        options.check |= letter == 'c';
        options.help |= letter == 'h';
    }
    if (argc - optind > 1)
        job_refuse(JOB_USAGE_ERROR, "one FILE at most, found '%s' too", argv[optind + 1]);
    if (argc > optind)
        options.path = argv[optind];
    return options;
}

/* Each PE reads the file and keeps its block. */
static struct graph read_block(const char *path)
{
    char reason[REASON_BYTES];
    struct graph graph;
    bool done = graph_read(path, shmem_my_pe(), shmem_n_pes(), &graph, reason, sizeof reason);

    job_agree(done ? NULL : reason);
    return graph;
}

static void print_summary(const struct graph *graph, const struct rank_result *result)
{
    if (shmem_my_pe() != 0)
        return;
    printf("pagerank: %s\n", graph->title);
    printf("%zu packages, %zu dependencies, %d PEs\n", graph->nodes, graph->edges, shmem_n_pes());
    printf("%ld iterations, residual %.2e, %.4f s, %.3e edges per second\n", result->iterations,
           result->residual, result->seconds,
           (double)graph->edges * (double)result->iterations / result->seconds);
}

/* PE 0 fetches each block and compares. */
static double largest_difference(const struct graph *whole, const struct rank_result *result)
{
    double *expected = rank_serial(whole, result->iterations);
    double *found = job_alloc(whole->nodes, sizeof *found);
    double largest = 0;

    for (int peer = 0; peer < shmem_n_pes(); peer++) {
        size_t start = graph_block_start(whole->nodes, peer, shmem_n_pes());
        size_t end = graph_block_start(whole->nodes, peer + 1, shmem_n_pes());

        shmem_double_get(found + start, result->rank, end - start, peer);
    }
    for (size_t node = 0; node < whole->nodes; node++)
        largest = fmax(largest, fabs(found[node] - expected[node]));
    free(found);
    free(expected);
    return largest;
}

static void check(const char *path, const struct rank_result *result)
{
    char reason[REASON_BYTES];
    struct graph whole;
    double difference;

    if (shmem_my_pe() == 0) {
        if (!graph_read(path, 0, 1, &whole, reason, sizeof reason))
            job_fail("%s", reason);
        difference = largest_difference(&whole, result);
        if (!(difference < CHECK_LIMIT))
            job_fail("check: failed, ranks differ by %.2e, expected less than %.0e", difference,
                     CHECK_LIMIT);
        printf("\ncheck: ok (largest difference %.1e)\n", difference);
        graph_destroy(&whole);
    }
    shmem_barrier_all();
}

static void run(const struct options *options)
{
    struct graph graph = read_block(options->path);
    struct exchange exchange;
    struct rank_result result;

    exchange_create(&graph, &exchange);
    rank_compute(&graph, &exchange, options->iterations, options->tolerance, &result);
    print_summary(&graph, &result);
    top_print(&graph, &result, (size_t)options->top);
    if (options->check)
        check(options->path, &result);
    rank_destroy(&result);
    exchange_destroy(&exchange);
    graph_destroy(&graph);
}

int main(int argc, char **argv)
{
    struct options options;

    shmem_init();
    options = parse(argc, argv);
    if (!options.help)
        run(&options);
    else if (shmem_my_pe() == 0)
        fputs(usage, stdout);
    shmem_finalize();
    return 0;
}
