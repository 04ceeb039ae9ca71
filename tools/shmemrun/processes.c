/* SPDX-License-Identifier: BSD-3-Clause */
#include "processes.h"

#include "base/cleanup.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#define BLOCK_BYTES 65536
#define MARK_BYTES_MAX 64

/* Opens /proc/<pid>/<name>; -1 when the process is gone or not ours. */
static int open_of_process(pid_t pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* The fourth field, behind the name in parentheses, which may hold anything. */
static pid_t parent_of(pid_t pid)
{
    char line[512];
    auto_fd int fd = open_of_process(pid, "stat");
    ssize_t bytes = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    const char *name_end;
    int parent;

    if (bytes <= 0)
        return -1;
    line[bytes] = '\0';
    name_end = strrchr(line, ')');
    if (name_end == NULL || sscanf(name_end, ") %*c %d", &parent) != 1)
        return -1;
    return parent;
}

static bool is_child(pid_t pid, const char *unused)
{
    (void)unused;
    return parent_of(pid) == getpid();
}

static ssize_t read_block(int fd, char *block, size_t bytes)
{
    ssize_t got;

    do
        got = read(fd, block, bytes);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Searches the variables block by block for "\0NAME=VALUE\0"; each block starts with the tail of
   the one before. */
static bool has_mark(pid_t pid, const char *mark)
{
    char wanted[MARK_BYTES_MAX];
    char block[BLOCK_BYTES];
    size_t wanted_bytes = strlen(mark) + 2;
    size_t held = 1; /* as if a NUL stood before the first variable */
    auto_fd int fd = open_of_process(pid, "environ");

    if (fd < 0 || wanted_bytes > sizeof wanted)
        return false;
    wanted[0] = '\0';
    memcpy(wanted + 1, mark, wanted_bytes - 1);
    block[0] = '\0';
    for (;;) {
        ssize_t got = read_block(fd, block + held, sizeof block - held);

        if (got <= 0)
            return false;
        held += (size_t)got;
        if (memmem(block, held, wanted, wanted_bytes) != NULL)
            return true;
        if (held >= wanted_bytes) {
            memmove(block, block + held - wanted_bytes + 1, wanted_bytes - 1);
            held = wanted_bytes - 1;
        }
    }
}

/* Kills every process but this one for which `is_wanted` holds. */
static int kill_matching(bool (*is_wanted)(pid_t pid, const char *mark), const char *mark)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    if (folder == NULL)
        return 0;
    while ((entry = readdir(folder)) != NULL) {
        pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;

        if (pid > 0 && pid != getpid() && is_wanted(pid, mark)) {
            kill(pid, SIGKILL);
            count++;
        }
    }
    closedir(folder);
    return count;
}

void processes_kill_children(void)
{
    kill_matching(is_child, NULL);
}

int processes_kill_marked(const char *mark)
{
    return kill_matching(has_mark, mark);
}

/* Calls `change` for every open descriptor above 2 except `kept_fd`. */
static void for_descriptors(void (*change)(int fd), int kept_fd)
{
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL) {
        int fd = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : -1;

        if (fd > 2 && fd != kept_fd && fd != dirfd(folder))
            change(fd);
    }
    closedir(folder);
}

static void close_descriptor(int fd)
{
    close(fd);
}

static void make_private(int fd)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void processes_close_descriptors(int kept_fd)
{
    for_descriptors(close_descriptor, kept_fd);
}

void processes_keep_descriptors_private(void)
{
    for_descriptors(make_private, -1);
}
