/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a plate: each PE has some rows of the grid; in every step it gives its first and its last
 * row to its neighbours, tells them so with a counter, waits for theirs and computes new rows.
 * Argument: cells of a row.
 */
#include "program.h"

#include <string.h>

#define ROWS 64 /* of each PE */
#define STEPS 200

struct plate {
    size_t width;
    double *rows[2]; /* symmetric; ROWS and the neighbours' rows around them, of two steps */
    long *arrived;   /* symmetric; steps that the neighbour above and below have given */
};

static double *row_of(const struct plate *plate, int step, size_t row)
{
    return plate->rows[step % 2] + row * plate->width;
}

/* Into what the others hold as their rows 0 and ROWS + 1. */
static void give_rows(const struct plate *plate, int step, long turn, int me, int n_pes)
{
    if (me > 0)
        shmem_double_put(row_of(plate, step, ROWS + 1), row_of(plate, step, 1), plate->width,
                         me - 1);
    if (me + 1 < n_pes)
        shmem_double_put(row_of(plate, step, 0), row_of(plate, step, ROWS), plate->width, me + 1);
    shmem_fence();
    if (me > 0)
        shmem_long_p(&plate->arrived[1], turn, me - 1);
    if (me + 1 < n_pes)
        shmem_long_p(&plate->arrived[0], turn, me + 1);
}

static void await_rows(const struct plate *plate, long turn, int me, int n_pes)
{
    if (me > 0)
        shmem_long_wait_until(&plate->arrived[0], SHMEM_CMP_GE, turn);
    if (me + 1 < n_pes)
        shmem_long_wait_until(&plate->arrived[1], SHMEM_CMP_GE, turn);
}

static void compute(const struct plate *plate, int step)
{
    for (size_t y = 1; y <= ROWS; y++) {
        const double *above = row_of(plate, step, y - 1);
        const double *here = row_of(plate, step, y);
        const double *below = row_of(plate, step, y + 1);
        double *next = row_of(plate, step + 1, y);

        for (size_t x = 1; x + 1 < plate->width; x++)
            next[x] = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
    }
}

/* A neighbour is at most one step ahead, and writes to the rows of the other step then. */
static double run_round(const struct plate *plate, int round, int me, int n_pes)
{
    long first = (long)round * STEPS;
    double start;

    shmem_barrier_all();
    start = now_s();
    for (int step = 0; step < STEPS; step++) {
        give_rows(plate, step, first + step + 1, me, n_pes);
        await_rows(plate, first + step + 1, me, n_pes);
        compute(plate, step);
    }
    shmem_barrier_all();
    return now_s() - start;
}

/* Warmth that grows evenly downwards stays as it is, if the neighbours' rows do arrive: those are
 * wrong at first. */
static double warmth(size_t row, int me)
{
    return (double)me * ROWS + (double)row;
}

static void warm(const struct plate *plate, int me, int n_pes)
{
    for (int step = 0; step < 2; step++) {
        for (size_t y = 0; y < ROWS + 2; y++) {
            int is_neighbours = (y == 0 && me > 0) || (y == ROWS + 1 && me + 1 < n_pes);

            for (size_t x = 0; x < plate->width; x++)
                row_of(plate, step, y)[x] = is_neighbours ? -1 : warmth(y, me);
        }
    }
}

static void check(const struct plate *plate, int me)
{
    for (size_t y = 1; y <= ROWS; y++) {
        for (size_t x = 0; x < plate->width; x++)
            insist(row_of(plate, 0, y)[x] == warmth(y, me), "a cell of the plate");
    }
}

int main(int argc, char **argv)
{
    struct plate plate = {.width = problem_size(argc, argv, 1024)};
    double seconds[ROUNDS];
    size_t bytes;
    int me, n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    bytes = (ROWS + 2) * plate.width * sizeof(double);
    plate.rows[0] = take(bytes);
    plate.rows[1] = take(bytes);
    plate.arrived = take(2 * sizeof *plate.arrived);
    memset(plate.arrived, 0, 2 * sizeof *plate.arrived);
    warm(&plate, me, n_pes);
    for (int round = 0; round < ROUNDS; round++)
        seconds[round] = run_round(&plate, round, me, n_pes);
    check(&plate, me);
    report("jacobi", plate.width, (double)plate.width * ROWS * STEPS * n_pes, seconds, "Mcells/s");
    shmem_finalize();
    return 0;
}
