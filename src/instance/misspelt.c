/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables that nobody reads because their names are written wrongly. */
#include "base/launch.h"
#include "base/log.h"
#include "instance/options.h"

#include <string.h>
#include <unistd.h>

#define PREFIX "SHMEM_"
#define NAME_BYTES 40 /* longer ones are near to none */

/* Names that are no settings of this library, but no mistakes either. */
static const char *const other_names[] = {
    SHM_LAUNCH_PE,    SHM_LAUNCH_N_PES,    SHM_LAUNCH_LOCAL_PE, SHM_LAUNCH_LOCAL_N_PES,
    SHM_LAUNCH_STORE, SHM_LAUNCH_STORE_FD, SHM_LAUNCH_JOB_ID,   SHM_LAUNCH_FD,
    SHM_LAUNCH_OWNER, SHM_LAUNCH_BOARD_FD, "SHMEM_HOME_PATH",
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, remove, replace or swap with their neighbour to get from one name to the
 * other. Both have less than NAME_BYTES bytes. */
static size_t distance(const char *from, const char *to)
{
    size_t rows[NAME_BYTES][NAME_BYTES];
    size_t from_bytes = strlen(from);
    size_t to_bytes = strlen(to);

    for (size_t i = 0; i <= from_bytes; i++) {
        for (size_t j = 0; j <= to_bytes; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            rows[i][j] = least(rows[i - 1][j - 1] + (from[i - 1] != to[j - 1]),
                               1 + least(rows[i - 1][j], rows[i][j - 1]));
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[from_bytes][to_bytes];
}

static bool is_known(const char *name)
{
    size_t count;
    const struct shm_option *options = shm_options_list(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i], name) == 0)
            return true;
    return false;
}

/* The setting whose name is nearest; NULL when none is near. Short names differ little from each
 * other without being mistakes. */
static const char *find_near(const char *name)
{
    size_t count;
    const struct shm_option *options = shm_options_list(&count);
    size_t nearest = strlen(name) - strlen(PREFIX) < 6 ? 2 : 3;
    const char *found = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t away =
            strlen(options[i].name) < NAME_BYTES ? distance(name, options[i].name) : NAME_BYTES;

        if (away < nearest) {
            nearest = away;
            found = options[i].name;
        }
    }
    return found;
}

/* Only names are shown: values may be secrets. */
void shm_options_warn_of_misspelt(void)
{
    for (char **variable = environ; *variable != NULL; variable++) {
        size_t bytes = strcspn(*variable, "=");
        char name[NAME_BYTES] = "";
        const char *near;

        if (bytes >= sizeof name || strncmp(*variable, PREFIX, strlen(PREFIX)) != 0)
            continue;
        memcpy(name, *variable, bytes);
        near = is_known(name) ? NULL : find_near(name);
        if (near != NULL)
            shm_log(SHM_LOG_WARN, "init", "%s is not a setting; did you mean %s?", name, near);
    }
}
