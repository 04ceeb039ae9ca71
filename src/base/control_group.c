/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/control_group.h"

#include "base/cleanup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static FILE *open_text(const char *directory, const char *name)
{
    char path[PATH_MAX];
    int bytes = snprintf(path, sizeof path, "%s/%s", directory, name);

    return bytes < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* Is `word` one of the words in `list`, which commas separate? */
static bool has_word(const char *list, const char *word)
{
    size_t bytes = strlen(word);

    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, bytes) == 0 && (at[bytes] == ',' || at[bytes] == '\0'))
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup: "number:controllers:path", "0::path" for version 2. */
static char *path_of_line(char *line, const char *controller)
{
    char *controllers = strchr(line, ':');
    char *path = controllers == NULL ? NULL : strchr(++controllers, ':');

    if (path == NULL)
        return NULL;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (controller == NULL)
        return strncmp(line, "0:", 2) == 0 && *controllers == '\0' ? path : NULL;
    return has_word(controllers, controller) ? path : NULL;
}

static bool find_path(const char *root, const char *controller, char *out_path, size_t bytes)
{
    auto_file FILE *file = open_text(root, "proc/self/cgroup");
    auto_free char *line = NULL;
    size_t capacity = 0;

    while (file != NULL && getline(&line, &capacity, file) > 0) {
        const char *path = path_of_line(line, controller);

        if (path != NULL)
            return snprintf(out_path, bytes, "%s", path) < (int)bytes;
    }
    return false;
}

/* What /proc/self/mountinfo says of a mount. */
struct mount {
    char root[PATH_MAX];  /* which part of the file system is mounted */
    char point[PATH_MAX]; /* where */
};

/* Reads "id parent device root point options [tags] - type source super-options". */
static bool read_mount(const char *line, const char *controller, struct mount *out_mount)
{
    const char *rest = strstr(line, " - ");
    char type[64];
    char super_options[1024];

    if (rest == NULL || strncmp(rest, " - cgroup", 9) != 0 || /* most are others */
        sscanf(rest, " - %63s %*s %1023s", type, super_options) != 2)
        return false;
    if (strcmp(type, controller == NULL ? "cgroup2" : "cgroup") != 0)
        return false;
    if (controller != NULL && !has_word(super_options, controller))
        return false;
    return sscanf(line, "%*s %*s %*s %4095s %4095s", out_mount->root, out_mount->point) == 2;
}

static bool find_mount(const char *root, const char *controller, struct mount *out_mount)
{
    auto_file FILE *file = open_text(root, "proc/self/mountinfo");
    auto_free char *line = NULL;
    size_t capacity = 0;

    while (file != NULL && getline(&line, &capacity, file) > 0) {
        if (read_mount(line, controller, out_mount))
            return true;
    }
    return false;
}

/* The part of a group's path below the mounted part; "" when the group lies outside of that, as
 * it does in a container that sees only its own part. */
static const char *path_below(const char *path, const char *mounted)
{
    size_t bytes = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);

    if (strncmp(path, mounted, bytes) != 0 || (path[bytes] != '/' && path[bytes] != '\0'))
        return "";
    if (strstr(path, "/..") != NULL || strcmp(path + bytes, "/") == 0)
        return "";
    return path + bytes;
}

bool shm_control_group_find(const char *root, const char *controller,
                            struct shm_control_group *out_group)
{
    char path[PATH_MAX];
    struct mount mount;
    int top_bytes;
    int bytes;

    if (!find_path(root, controller, path, sizeof path) || !find_mount(root, controller, &mount))
        return false;
    top_bytes = snprintf(out_group->directory, PATH_MAX, "%s%s", root, mount.point);
    if (top_bytes >= PATH_MAX)
        return false;
    bytes = snprintf(out_group->directory + top_bytes, PATH_MAX - (size_t)top_bytes, "%s",
                     path_below(path, mount.root));
    out_group->top_bytes = (size_t)top_bytes;
    return bytes < PATH_MAX - top_bytes;
}

bool shm_control_group_ascend(struct shm_control_group *group)
{
    char *last = strrchr(group->directory + group->top_bytes, '/');

    if (last == NULL)
        return false;
    *last = '\0';
    return true;
}

/* Reads the number at the start of a text; NULL when there is none, else what follows it. A
 * negative number, which version 1 writes for "no limit", reads as the largest one. */
static const char *read_number(const char *text, uint64_t *out_value)
{
    char *end;
    unsigned long long value;

    text += strspn(text, " \t");
    if (strncmp(text, "max", 3) == 0 || *text == '-') {
        *out_value = UINT64_MAX;
        return text + strcspn(text, " \t\n");
    }
    errno = 0;
    value = strtoull(text, &end, 10);
    if (end == text || errno != 0)
        return NULL;
    *out_value = value;
    return end;
}

bool shm_control_group_read(const struct shm_control_group *group, const char *file,
                            uint64_t *out_first, uint64_t *second)
{
    auto_file FILE *stream = open_text(group->directory, file);
    char line[128];
    const char *rest;

    if (stream == NULL || fgets(line, sizeof line, stream) == NULL)
        return false;
    rest = read_number(line, out_first);
    if (rest == NULL)
        return false;
    read_number(rest, second);
    return true;
}

bool shm_control_group_read_key(const struct shm_control_group *group, const char *file,
                                const char *key, uint64_t *out_value)
{
    auto_file FILE *stream = open_text(group->directory, file);
    size_t bytes = strlen(key);
    char line[256];

    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        if (strncmp(line, key, bytes) == 0 && line[bytes] == ' ')
            return read_number(line + bytes, out_value) != NULL;
    }
    return false;
}
