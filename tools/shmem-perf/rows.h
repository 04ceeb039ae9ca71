/* SPDX-License-Identifier: BSD-3-Clause */
/** What was measured, and how it is shown. */
#ifndef SHMEM_PERF_ROWS_H
#define SHMEM_PERF_ROWS_H

#include <stddef.h>
#include <stdio.h>

/** One figure. */
struct row {
    const char *group; /**< "latency", "bandwidth", ... */
    const char *name;  /**< "put", ... */
    size_t size;       /**< in bytes, of "startup" in PEs; 0 where none belongs to it */
    double value, least, most;
    const char *unit;
};

struct rows {
    struct row *row;
    size_t count, room;
};

/** What the figures are figures of. */
struct circumstances {
    const char *version;
    int n_pes;      /**< 0: of no single job */
    int processors; /**< that PE 0 may use */
    int repetitions;
};

/** Adds a figure; ends the job when there is no memory for it. */
void rows_add(struct rows *rows, const struct row *row);

void rows_free(struct rows *rows);

/** The figure of that name and size, NULL when there is none. */
const struct row *rows_find(const struct rows *rows, const char *group, const char *name,
                            size_t size);

/** Writes them for people: a table for each group, sizes down, names across. */
void rows_print_table(const struct rows *rows, const struct circumstances *circumstances,
                      FILE *out);

/** Writes them as one JSON document. */
void rows_print_json(const struct rows *rows, const struct circumstances *circumstances, FILE *out);

/** Draws latency and bandwidth over size, with the machine's memcpy beside them, as SVG. */
void rows_plot(const struct rows *rows, const struct circumstances *circumstances, FILE *out);

#endif
