/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <shmem.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 128
#define MOST_COLUMNS 16

void rows_add(struct rows *rows, const struct row *row)
{
    if (rows->count == rows->room) {
        size_t room = rows->room == 0 ? FIRST_ROOM : rows->room * 2;
        struct row *grown = realloc(rows->row, room * sizeof *grown);

        if (grown == NULL) {
            fprintf(stderr, "shmem-perf: no memory for %zu figures\n", room);
            shmem_global_exit(1);
        }
        rows->row = grown;
        rows->room = room;
    }
    rows->row[rows->count++] = *row;
}

void rows_free(struct rows *rows)
{
    free(rows->row);
    *rows = (struct rows){0};
}

const struct row *rows_find(const struct rows *rows, const char *group, const char *name,
                            size_t size)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];

        if (row->size == size && strcmp(row->group, group) == 0 && strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

/* ---- table: columns are the names of a group, lines its sizes, both as they first appear ---- */

static size_t columns_of(const struct rows *rows, size_t begin, size_t end,
                         const struct row *columns[MOST_COLUMNS])
{
    size_t count = 0;

    for (size_t i = begin; i < end && count < MOST_COLUMNS; i++) {
        bool is_new = true;

        for (size_t k = 0; k < count; k++)
            is_new = is_new && strcmp(columns[k]->name, rows->row[i].name) != 0;
        if (is_new)
            columns[count++] = &rows->row[i];
    }
    return count;
}

static bool is_first_of_size(const struct rows *rows, size_t begin, size_t at)
{
    for (size_t i = begin; i < at; i++) {
        if (rows->row[i].size == rows->row[at].size)
            return false;
    }
    return true;
}

/* Three digits that matter, without an exponent. */
static void print_number(FILE *out, double value)
{
    int decimals = value < 0.1 ? 4 : value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;

    fprintf(out, " %13.*f", decimals, value);
}

static void print_line(const struct rows *rows, size_t at, const struct row *const *columns,
                       size_t count, FILE *out)
{
    size_t size = rows->row[at].size;

    if (size != 0)
        fprintf(out, "%12zu", size);
    else
        fprintf(out, "%12s", "");
    for (size_t k = 0; k < count; k++) {
        const struct row *row = rows_find(rows, rows->row[at].group, columns[k]->name, size);

        if (row != NULL)
            print_number(out, row->value);
        else
            fprintf(out, " %13s", "");
    }
    fputc('\n', out);
}

static const char *size_unit(const struct row *row)
{
    if (row->size == 0)
        return "";
    return strcmp(row->group, "startup") == 0 ? "PEs" : "bytes";
}

static void print_group(const struct rows *rows, size_t begin, size_t end, FILE *out)
{
    const struct row *columns[MOST_COLUMNS];
    size_t count = columns_of(rows, begin, end, columns);

    fprintf(out, "\n%s\n%12s", rows->row[begin].group, size_unit(&rows->row[begin]));
    for (size_t k = 0; k < count; k++)
        fprintf(out, " %13s", columns[k]->name);
    fprintf(out, "\n%12s", "");
    for (size_t k = 0; k < count; k++)
        fprintf(out, " %13s", columns[k]->unit);
    fputc('\n', out);
    for (size_t i = begin; i < end; i++) {
        if (is_first_of_size(rows, begin, i))
            print_line(rows, i, columns, count, out);
    }
}

void rows_print_table(const struct rows *rows, const struct circumstances *circumstances, FILE *out)
{
    size_t end;

    fprintf(out, "SHMEM %s, ", circumstances->version);
    if (circumstances->n_pes > 0)
        fprintf(out, "%d PEs on ", circumstances->n_pes);
    fprintf(out, "%d processors, median of %d repetitions\n", circumstances->processors,
            circumstances->repetitions);
    for (size_t begin = 0; begin < rows->count; begin = end) {
        for (end = begin; end < rows->count; end++) {
            if (strcmp(rows->row[end].group, rows->row[begin].group) != 0)
                break;
        }
        print_group(rows, begin, end, out);
    }
}

/* ---- JSON: all texts are ours and need no escapes ---- */

void rows_print_json(const struct rows *rows, const struct circumstances *circumstances, FILE *out)
{
    fprintf(out,
            "{\n  \"version\": \"%s\", \"pes\": %d, \"processors\": %d, \"repetitions\": %d,\n"
            "  \"rows\": [",
            circumstances->version, circumstances->n_pes, circumstances->processors,
            circumstances->repetitions);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];

        fprintf(out,
                "%s\n    {\"group\": \"%s\", \"name\": \"%s\", \"size\": %zu, \"unit\": \"%s\", "
                "\"value\": %.6g, \"least\": %.6g, \"most\": %.6g}",
                i == 0 ? "" : ",", row->group, row->name, row->size, row->unit, row->value,
                row->least, row->most);
    }
    fprintf(out, "\n  ]\n}\n");
}
