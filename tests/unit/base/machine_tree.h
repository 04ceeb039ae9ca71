/* SPDX-License-Identifier: BSD-3-Clause */
/** A folder that looks like / of some machine: its proc and its control groups. */
#ifndef MACHINE_TREE_H
#define MACHINE_TREE_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Makes an empty tree below the folder `where`; returns 0 and its path. */
static inline int machine_tree_make(const char *where, char root[PATH_MAX])
{
    if (snprintf(root, PATH_MAX, "%s/machine-XXXXXX", where) >= PATH_MAX)
        return -1;
    return mkdtemp(root) == NULL ? -1 : 0;
}

static inline int machine_tree_remove_entry(const char *path, const struct stat *info, int kind,
                                            struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline int machine_tree_remove(const char *root)
{
    return nftw(root, machine_tree_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/** Writes a file, and makes the folders it lies in; ends the test program when it cannot. */
static inline void machine_tree_write(const char *root, const char *name, const char *text)
{
    char path[PATH_MAX];
    size_t start = strlen(root) + 1;
    FILE *file = NULL;

    if (snprintf(path, sizeof path, "%s/%s", root, name) < (int)sizeof path) {
        for (char *at = strchr(path + start, '/'); at != NULL; at = strchr(at + 1, '/')) {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
        file = fopen(path, "we");
    }
    if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

#endif
