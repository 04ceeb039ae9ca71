/* SPDX-License-Identifier: BSD-3-Clause */
/* What all PEs do together. */
#include "groups.h"

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

void *take_symmetric(size_t bytes)
{
    void *block = shmem_malloc(bytes);

    if (block == NULL && shmem_my_pe() == 0)
        fprintf(stderr,
                "shmem-perf: no symmetric memory for %zu bytes: raise SHMEM_SYMMETRIC_SIZE or "
                "lower --largest\n",
                bytes);
    if (block == NULL)
        shmem_global_exit(1);
    return block;
}

void add_time(const struct plan *plan, const char *group, const char *name,
              const struct operation *operation, struct rows *rows)
{
    struct timing timing = measure(&plan->effort, operation);
    struct row row = {group,          name, operation->bytes, timing.median_us, timing.least_us,
                      timing.most_us, "us"};

    if (shmem_my_pe() == 0)
        rows_add(rows, &row);
}

void add_rate(const struct plan *plan, const char *group, const char *name,
              const struct operation *operation, double each, const char *unit, struct rows *rows)
{
    struct timing timing = measure(&plan->effort, operation);
    struct row row = {group,
                      name,
                      operation->bytes,
                      each / timing.median_us,
                      each / timing.most_us,
                      each / timing.least_us,
                      unit};

    if (shmem_my_pe() == 0)
        rows_add(rows, &row);
}

/* ---- operations: source and destination are the halves of the symmetric memory ---- */

static void run_barrier(const struct operation *operation, long count)
{
    (void)operation;
    while (count-- > 0)
        shmem_barrier_all();
}

static void run_sync(const struct operation *operation, long count)
{
    (void)operation;
    while (count-- > 0)
        shmem_sync_all();
}

#define COLLECTIVE(NAME, CALL)                                                                     \
    static void run_##NAME(const struct operation *operation, long count)                          \
    {                                                                                              \
        size_t n = operation->bytes / sizeof(long);                                                \
        long *dest = (void *)operation->symmetric;                                                 \
        const long *source = dest + n * (size_t)shmem_n_pes();                                     \
                                                                                                   \
        while (count-- > 0)                                                                        \
            CALL;                                                                                  \
    }

COLLECTIVE(broadcast, shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, n, 0))
COLLECTIVE(collect, shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, n))
COLLECTIVE(fcollect, shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, n))
COLLECTIVE(alltoall, shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, n))
COLLECTIVE(alltoalls, shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 1, n))
COLLECTIVE(sum, shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n))
COLLECTIVE(inscan, shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, n))
COLLECTIVE(exscan, shmem_long_sum_exscan(SHMEM_TEAM_WORLD, dest, source, n))

static void run_malloc(const struct operation *operation, long count)
{
    while (count-- > 0)
        shmem_free(take_symmetric(operation->bytes));
}

/* ---- groups ---- */

void measure_meeting(const struct plan *plan, struct rows *rows)
{
    struct operation operation = {run_barrier, ALL_PES, 0, NULL, NULL, 1, 1};

    add_time(plan, "meeting", "barrier_all", &operation, rows);
    operation.run = run_sync;
    add_time(plan, "meeting", "sync_all", &operation, rows);
}

void measure_collectives(const struct plan *plan, struct rows *rows)
{
    static const struct {
        const char *name;
        void (*run)(const struct operation *operation, long count);
    } kinds[] = {
        {"broadcast", run_broadcast}, {"sum", run_sum},           {"collect", run_collect},
        {"fcollect", run_fcollect},   {"alltoall", run_alltoall}, {"alltoalls", run_alltoalls},
        {"inscan", run_inscan},       {"exscan", run_exscan},
    };

    size_t parts = 2 * (size_t)shmem_n_pes();

    for (size_t bytes = 8; bytes <= plan->largest / 16; bytes *= 8) {
        char *memory = take_symmetric(parts * bytes);

        for (size_t i = 0; i < parts * bytes; i++)
            memory[i] = 0;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            struct operation operation = {kinds[i].run, ALL_PES, bytes, memory, NULL, 1, 1};

            add_time(plan, "collectives", kinds[i].name, &operation, rows);
        }
        shmem_free(memory);
    }
}

void measure_memory(const struct plan *plan, struct rows *rows)
{
    for (size_t bytes = 64; bytes <= 1u << 20; bytes *= 128) {
        struct operation operation = {run_malloc, ALL_PES, bytes, NULL, NULL, 1, 1};

        add_time(plan, "memory", "malloc+free", &operation, rows);
    }
}
