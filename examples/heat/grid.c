/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid.h"

#include "../common/job.h"

#include <shmem.h>
#include <stdbool.h>
#include <string.h>

/* How much of the difference to its neighbours a place takes over in a step; below 0.25. */
#define RATE 0.2

static double *row_of(const struct grid *grid, long step, size_t local_row)
{
    return grid->field[step % 2] + local_row * grid->width;
}

static bool is_in_disc(double x, double y, double center_x, double center_y, double radius)
{
    double dx = x - center_x, dy = y - center_y;

    return dx * dx + dy * dy < radius * radius;
}

/* In units of the plate, so that the picture is the same at any resolution. */
static double first_temperature(const struct grid *grid, size_t column, size_t row)
{
    double x = ((double)column + 0.5) / (double)grid->width;
    double y = ((double)row + 0.5) / (double)grid->height;

    if (row == 0)
        return 0.7;
    if (row == grid->height - 1 || column == 0 || column == grid->width - 1)
        return 0;
    if (is_in_disc(x, y, 0.3, 0.45, 0.15) || is_in_disc(x, y, 0.7, 0.6, 0.2) ||
        is_in_disc(x, y, 0.35, 0.8, 0.08))
        return 1;
    return 0;
}

size_t grid_block_start(size_t height, int pe, int n_pes)
{
    return height * (size_t)pe / (size_t)n_pes;
}

static size_t rows_of(const struct grid *grid, int pe)
{
    return grid_block_start(grid->height, pe + 1, grid->n_pes) -
           grid_block_start(grid->height, pe, grid->n_pes);
}

void grid_create(size_t width, size_t height, struct grid *out_grid)
{
    struct grid grid = {
        .width = width, .height = height, .pe = shmem_my_pe(), .n_pes = shmem_n_pes()};
    size_t largest = height / (size_t)grid.n_pes + 1;

    grid.first_row = grid_block_start(height, grid.pe, grid.n_pes);
    grid.count = rows_of(&grid, grid.pe);
    for (int i = 0; i < 2; i++)
        grid.field[i] = job_symmetric_alloc((largest + 2) * width, sizeof *grid.field[i]);
    grid.steps_above = job_symmetric_alloc(1, sizeof *grid.steps_above);
    grid.steps_below = job_symmetric_alloc(1, sizeof *grid.steps_below);
    for (size_t row = 0; row < grid.count; row++)
        for (size_t column = 0; column < width; column++)
            row_of(&grid, 0, row + 1)[column] =
                first_temperature(&grid, column, grid.first_row + row);
    *out_grid = grid;
}

/* Own edge rows of a step go to the neighbours, each followed by a flag. */
static void send_edges(const struct grid *grid, long step)
{
    int above = grid->pe - 1, below = grid->pe + 1;
    bool has_above = above >= 0, has_below = below < grid->n_pes;

    if (has_above)
        shmem_double_put(row_of(grid, step, rows_of(grid, above) + 1), row_of(grid, step, 1),
                         grid->width, above);
    if (has_below)
        shmem_double_put(row_of(grid, step, 0), row_of(grid, step, grid->count), grid->width,
                         below);
    shmem_fence(); /* a row arrives before its flag; pairs with wait_for_edges() */
    if (has_above)
        shmem_long_p(grid->steps_below, step + 1, above);
    if (has_below)
        shmem_long_p(grid->steps_above, step + 1, below);
}

/*
 * No barrier is needed. A neighbour may be one step ahead, but then it writes to the other field;
 * to be two ahead it would need the row that this PE sends only after the current step.
 */
static void wait_for_edges(const struct grid *grid, long step)
{
    if (grid->pe > 0)
        shmem_long_wait_until(grid->steps_above, SHMEM_CMP_GE, step + 1);
    if (grid->pe + 1 < grid->n_pes)
        shmem_long_wait_until(grid->steps_below, SHMEM_CMP_GE, step + 1);
}

/* The sum has one order for each place, so the result has the same bits on any number of PEs. */
static void compute_row(const double *restrict above, const double *restrict here,
                        const double *restrict below, double *restrict next, size_t width)
{
    next[0] = here[0];
    for (size_t x = 1; x + 1 < width; x++) {
        double around = (above[x] + below[x]) + (here[x - 1] + here[x + 1]);

        next[x] = here[x] + RATE * (around - 4 * here[x]);
    }
    next[width - 1] = here[width - 1];
}

static void compute_step(const struct grid *grid, long step)
{
    for (size_t row = 1; row <= grid->count; row++) {
        size_t plate_row = grid->first_row + row - 1;
        const double *here = row_of(grid, step, row);
        double *next = row_of(grid, step + 1, row);

        if (plate_row == 0 || plate_row == grid->height - 1)
            memcpy(next, here, grid->width * sizeof *next);
        else
            compute_row(here - grid->width, here, here + grid->width, next, grid->width);
    }
}

void grid_run(struct grid *grid, long steps)
{
    for (long step = 0; step < steps; step++) {
        send_edges(grid, step);
        wait_for_edges(grid, step);
        compute_step(grid, step);
    }
    shmem_barrier_all();
}

void grid_fetch_row(const struct grid *grid, long steps, size_t row, double *out_temperatures)
{
    int owner = 0;

    while (row >= grid_block_start(grid->height, owner + 1, grid->n_pes))
        owner++;
    shmem_double_get(
        out_temperatures,
        row_of(grid, steps, row - grid_block_start(grid->height, owner, grid->n_pes) + 1),
        grid->width, owner);
}

void grid_destroy(struct grid *grid)
{
    shmem_free(grid->steps_below);
    shmem_free(grid->steps_above);
    shmem_free(grid->field[1]);
    shmem_free(grid->field[0]);
}
