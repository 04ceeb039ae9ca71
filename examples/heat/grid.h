/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The temperatures of a plate, of which each PE holds a block of rows. The edges of the plate
 * keep their temperature.
 */
#ifndef HEAT_GRID_H
#define HEAT_GRID_H

#include <stddef.h>

struct grid {
    size_t width, height; /* of the whole plate */
    int pe, n_pes;
    size_t first_row, count; /* this PE's rows */

    /*
     * Symmetric memory: the temperatures of even and odd steps. Each holds the neighbour's last
     * row, own rows 1 to count, and the other neighbour's first row.
     */
    double *field[2];
    long *steps_above; /* symmetric: for how many steps the row above has arrived */
    long *steps_below;
};

/** First row of a PE; that of pe + 1 is its end. */
size_t grid_block_start(size_t height, int pe, int n_pes);

/** A cold plate with a warm upper edge and hot spots. To be called by all PEs. */
void grid_create(size_t width, size_t height, struct grid *out_grid);

/** Does that many steps and waits for all PEs. */
void grid_run(struct grid *grid, long steps);

/** One PE: fetches a row of the plate as it is after `steps`, wherever it is. */
void grid_fetch_row(const struct grid *grid, long steps, size_t row, double *out_temperatures);

void grid_destroy(struct grid *grid);

#endif
