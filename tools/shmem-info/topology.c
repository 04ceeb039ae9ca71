/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology.h"

#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a PE tells PE 0. */
struct row {
    int first_of_node; /* the first PE of its node */
    char engines[1600];
};

static void add_engine(char *text, size_t bytes, const shmemx_info_item_t *item)
{
    size_t used = strlen(text);

    snprintf(text + used, bytes - used, "%s%s: %s", used == 0 ? "" : "; ", item->name, item->value);
}

static void describe(struct row *row)
{
    shmemx_info_item_t item;

    memset(row, 0, sizeof *row);
    row->first_of_node = shmem_team_translate_pe(SHMEMX_TEAM_NODE, 0, SHMEM_TEAM_WORLD);
    for (size_t i = 0; shmemx_info_item(i, &item); i++) {
        if (strcmp(item.category, "topology") == 0)
            add_engine(row->engines, sizeof row->engines, &item);
    }
}

/* Nodes are numbered in the order of their first PEs. */
static int node_of(const struct row *rows, int pe)
{
    int node = 0;

    for (int other = 0; other < rows[pe].first_of_node; other++)
        node += rows[other].first_of_node == other;
    return node;
}

static void print_rows(const struct row *rows, int n_pes)
{
    printf("%-12s %-5s %s\n", "PEs", "node", "engines: PEs that they reach");
    for (int first = 0, next; first < n_pes; first = next) {
        char pes[32];

        for (next = first + 1; next < n_pes; next++) {
            if (memcmp(&rows[first], &rows[next], sizeof *rows) != 0)
                break;
        }
        if (next == first + 1)
            snprintf(pes, sizeof pes, "%d", first);
        else
            snprintf(pes, sizeof pes, "%d-%d", first, next - 1);
        printf("%-12s %-5d %s\n", pes, node_of(rows, first), rows[first].engines);
    }
}

int shmem_info_topology(void)
{
    struct row mine;
    struct row *rows;
    bool is_printed = true;

    if (setenv("SHMEM_ENGINES", "any", 0) != 0)
        return EXIT_FAILURE;
    shmem_init();
    rows = shmem_malloc((size_t)shmem_n_pes() * sizeof *rows);
    if (rows == NULL) {
        fprintf(stderr, "shmem-info: no memory for a table of %d PEs\n", shmem_n_pes());
        shmem_global_exit(EXIT_FAILURE);
    }
    describe(&mine);
    shmem_putmem(&rows[shmem_my_pe()], &mine, sizeof mine, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        print_rows(rows, shmem_n_pes());
        is_printed = fflush(stdout) == 0 && !ferror(stdout);
    }
    shmem_finalize();
    return is_printed ? EXIT_SUCCESS : EXIT_FAILURE;
}
