/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory_limit.h"

#include "base/cleanup.h"
#include "base/control_group.h"

#include <stdlib.h>
#include <string.h>

/* Names of one version's files and of its line for file pages that can be dropped. */
struct limit_files {
    const char *controller; /* NULL: version 2 */
    const char *limit, *usage, *droppable;
};

static const struct limit_files version_1 = {"memory", "memory.limit_in_bytes",
                                             "memory.usage_in_bytes", "total_inactive_file"};
static const struct limit_files version_2 = {NULL, "memory.max", "memory.current", "inactive_file"};

/* Version 1 writes the largest number of whole pages for "no limit". */
#define NO_LIMIT (UINT64_MAX >> 2)

static uint64_t left_in_group(const struct shm_control_group *group,
                              const struct limit_files *files)
{
    uint64_t limit = 0;
    uint64_t usage = 0;
    uint64_t droppable = 0;
    uint64_t ignored;

    if (!shm_control_group_read(group, files->limit, &limit, &ignored) ||
        !shm_control_group_read(group, files->usage, &usage, &ignored) || limit >= NO_LIMIT)
        return UINT64_MAX;
    if (shm_control_group_read_key(group, "memory.stat", files->droppable, &droppable))
        usage -= droppable < usage ? droppable : usage;
    return usage < limit ? limit - usage : 0;
}

/* The smallest rest on the way from the process's own group to the top. */
static uint64_t left_in_groups(const char *root, const struct limit_files *files)
{
    struct shm_control_group group;
    uint64_t least = UINT64_MAX;

    if (!shm_control_group_find(root, files->controller, &group))
        return UINT64_MAX;
    do {
        uint64_t left = left_in_group(&group, files);

        least = left < least ? left : least;
    } while (shm_control_group_ascend(&group));
    return least;
}

#define AVAILABLE "MemAvailable:"
#define SWAP_FREE "SwapFree:"

/* Memory that programs can get without swapping, and free swap. */
static uint64_t left_in_machine(const char *root)
{
    char path[PATH_MAX];
    int bytes = snprintf(path, sizeof path, "%s/proc/meminfo", root);
    auto_file FILE *file = bytes < (int)sizeof path ? fopen(path, "re") : NULL;
    uint64_t available_kib = UINT64_MAX;
    uint64_t swap_kib = 0;
    char line[128];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, AVAILABLE, sizeof AVAILABLE - 1) == 0)
            available_kib = strtoull(line + sizeof AVAILABLE - 1, NULL, 10);
        if (strncmp(line, SWAP_FREE, sizeof SWAP_FREE - 1) == 0)
            swap_kib = strtoull(line + sizeof SWAP_FREE - 1, NULL, 10);
    }
    if (available_kib == UINT64_MAX)
        return UINT64_MAX;
    return (available_kib + swap_kib) * 1024;
}

uint64_t shm_memory_available_under(const char *root, enum shm_memory_limiter *out_limiter)
{
    uint64_t machine = left_in_machine(root);
    uint64_t first = left_in_groups(root, &version_1);
    uint64_t second = left_in_groups(root, &version_2);
    uint64_t groups = first < second ? first : second;

    *out_limiter = groups < machine ? SHM_MEMORY_LIMITED_BY_CGROUP : SHM_MEMORY_LIMITED_BY_MACHINE;
    return groups < machine ? groups : machine;
}

uint64_t shm_memory_available(enum shm_memory_limiter *out_limiter)
{
    return shm_memory_available_under("", out_limiter);
}
