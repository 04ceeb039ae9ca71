/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Control groups of this process: where its limits stand, in version 2 and in version 1, also
 * inside a container. A walk starts at the process's own group and ascends to the root or to the
 * highest group that can be seen from here.
 */
#ifndef SHM_BASE_CONTROL_GROUP_H
#define SHM_BASE_CONTROL_GROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shm_control_group {
    char directory[PATH_MAX];
    size_t top_bytes; /* length of the part that is the mount point */
};

/** Finds the group of this process that `controller` ("cpu", "memory") of version 1 limits, or
 *  with NULL its group of version 2. `root` stands in front of all paths ("" but for tests). */
bool shm_control_group_find(const char *root, const char *controller,
                            struct shm_control_group *out_group);

/** Goes to the parent; false at the top. */
bool shm_control_group_ascend(struct shm_control_group *group);

/** Reads the two first words of a file of the group as numbers; a missing second one leaves
 *  *second alone, "max" reads as UINT64_MAX. False when there is no such number. */
bool shm_control_group_read(const struct shm_control_group *group, const char *file,
                            uint64_t *out_first, uint64_t *second);

/** Reads the number behind `key` in a file of lines "key number". */
bool shm_control_group_read_key(const struct shm_control_group *group, const char *file,
                                const char *key, uint64_t *out_value);

#endif
