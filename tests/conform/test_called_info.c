/* SPDX-License-Identifier: BSD-3-Clause */
/* shmemx_info_item: the list of facts, before init, in the job and after it. Run with
 * SHMEM_WAITING=sleep. */
#include <shmemx.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITEMS 1000

#define ENGINES 4 /* each has an item of its own while the job lasts */

static void expect(bool condition, const char *what, size_t index)
{
    if (!condition) {
        fprintf(stderr, "item %zu: %s\n", index, what);
        exit(1);
    }
}

static bool is_known(const char *category)
{
    static const char *const known[] = {"version",   "build",    "engine",
                                        "bootstrap", "variable", "topology"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(category, known[i]) == 0)
            return true;
    return false;
}

static void check_is_new(size_t index, const shmemx_info_item_t *item)
{
    for (size_t i = 0; i < index; i++) {
        shmemx_info_item_t other;

        expect(shmemx_info_item(i, &other) == 1, "does not come again", i);
        expect(strcmp(other.category, item->category) != 0 || strcmp(other.name, item->name) != 0,
               "has the name of one before", index);
    }
}

/* Returns how many there are. */
static size_t check_items(void)
{
    shmemx_info_item_t item;
    size_t index = 0;
    bool has_edition = false;
    bool has_waiting = false;

    while (shmemx_info_item(index, &item) == 1 && index < MOST_ITEMS) {
        expect(item.category != NULL && is_known(item.category), "unknown category", index);
        expect(item.name != NULL && item.name[0] != '\0', "no name", index);
        expect(item.help != NULL && item.help[0] != '\0', "no help", index);
        check_is_new(index, &item);
        if (strcmp(item.category, "version") == 0 && strcmp(item.name, "openshmem") == 0)
            has_edition = strcmp(item.value, "1.6") == 0;
        if (strcmp(item.category, "variable") == 0 && strcmp(item.name, "SHMEM_WAITING") == 0)
            has_waiting =
                strcmp(item.value, "sleep") == 0 && strcmp(item.default_value, "auto") == 0;
        index++;
    }
    expect(has_edition, "no edition 1.6 up to here", index);
    expect(has_waiting, "no SHMEM_WAITING=sleep, auto by default, up to here", index);
    return index;
}

int main(void)
{
    shmemx_info_item_t untouched;
    shmemx_info_item_t item;
    size_t count = check_items();

    memset(&untouched, 0x5a, sizeof untouched);
    memset(&item, 0x5a, sizeof item);
    expect(shmemx_info_item(0, NULL) == 0, "given to NULL", 0);
    expect(shmemx_info_item(count, &item) == 0, "there is one more", count);
    expect(shmemx_info_item(SIZE_MAX, &item) == 0, "there is one at the end of numbers", SIZE_MAX);
    expect(memcmp(&item, &untouched, sizeof item) == 0, "written beyond the end", count);
    shmem_init();
    expect(check_items() == count + ENGINES, "other items in the job", count);
    shmem_finalize();
    expect(check_items() == count, "other items after the job", count);
    return 0;
}
