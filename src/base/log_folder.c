/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log_folder.h"

#include "base/cleanup.h"
#include "base/log_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "aclshmem_"
#define SUFFIX ".log"
#define STAMP_DIGITS 14
#define PROCESS_DIGITS 10
#define NAME_BYTES (sizeof PREFIX + PROCESS_DIGITS + 1 + STAMP_DIGITS + sizeof SUFFIX)
#define DIGITS "0123456789"

/* ---- the folder ---- */

/* With all folders above it. One that cannot be made shows when it is opened. */
static enum shm_status make_folders(const char *name)
{
    auto_free char *path = strdup(name);

    if (path == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the name of a folder");
    for (char *slash = strchr(path + (*path == '/'), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0750);
        *slash = '/';
    }
    if (mkdir(path, 0750) != 0 && errno != EEXIST)
        return shm_fail_errno(SHM_REFUSED, errno, "making the folder %.200s", name);
    return SHM_OK;
}

static enum shm_status check_owner(int fd, const char *name)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return shm_fail_errno(SHM_REFUSED, errno, "looking at the folder %.200s", name);
    if (status.st_uid != geteuid())
        return shm_fail(SHM_REFUSED, "the folder %.200s belongs to user %u, expected %u", name,
                        (unsigned)status.st_uid, (unsigned)geteuid());
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return shm_fail(SHM_REFUSED,
                        "the folder %.200s has mode %04o, expected one that only its owner writes "
                        "to, such as 0750",
                        name, (unsigned)status.st_mode & 07777);
    return SHM_OK;
}

enum shm_status shm_log_folder_open(const char *name, int *out_fd)
{
    auto_fd int fd = -1;
    enum shm_status status;

    if (strlen(name) > SHM_LOG_FOLDER_BYTES)
        return shm_fail(SHM_REFUSED, "SHMEM_LOG_PATH has %zu bytes, expected at most %d",
                        strlen(name), SHM_LOG_FOLDER_BYTES);
    if (strstr(name, "..") != NULL)
        return shm_fail(SHM_REFUSED, "SHMEM_LOG_PATH = \"%.200s\", expected one without \"..\"",
                        name);
    status = make_folders(name);
    if (status != SHM_OK)
        return status;
    fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return shm_fail_errno(SHM_REFUSED, errno, "opening the folder %.200s", name);
    status = check_owner(fd, name);
    if (status == SHM_OK)
        *out_fd = take_fd(&fd);
    return status;
}

/* ---- files ---- */

static void make_name(char name[NAME_BYTES], time_t when)
{
    struct tm clock;
    char stamp[STAMP_DIGITS + 1];

    localtime_r(&when, &clock);
    strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", &clock);
    snprintf(name, NAME_BYTES, PREFIX "%d_%s" SUFFIX, (int)getpid(), stamp);
}

/* Marks a new file as being written. False when another process is removing it, which it may do
 * until then. Where there are no locks, others may remove it at any time. */
static bool claim(int fd)
{
    struct stat status;

    if (flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(fd, &status) == 0 && status.st_nlink != 0;
}

/* A name that is taken, by a file of this process in the same second, is that of a later second. */
enum shm_status shm_log_folder_create(int folder, const char *name, int *out_fd)
{
    time_t now = time(NULL);
    int fd = -1;

    for (int later = 0; fd < 0 && later < 100; later++) {
        char file[NAME_BYTES];

        make_name(file, now + later);
        fd = openat(folder, file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
                    0640);
        if (fd < 0 && errno != EEXIST)
            break;
        if (fd >= 0 && !claim(fd)) {
            close(fd);
            fd = -1;
            errno = EEXIST;
        }
    }
    if (fd < 0)
        return shm_fail_errno(SHM_REFUSED, errno, "making a file in %.200s", name);
    *out_fd = fd;
    return SHM_OK;
}

/* ---- old files ---- */

struct entry {
    char name[NAME_BYTES];
    size_t stamp_at; /* where the stamp begins in the name */
};

struct entries {
    struct entry *list;
    size_t count, room;
};

/* The stamp in the name of a log file; NULL when it is none. */
static const char *find_stamp(const char *name)
{
    size_t digits;

    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return NULL;
    name += strlen(PREFIX);
    digits = strspn(name, DIGITS);
    if (digits == 0 || digits > PROCESS_DIGITS || name[digits] != '_')
        return NULL;
    name += digits + 1;
    if (strspn(name, DIGITS) != STAMP_DIGITS || strcmp(name + STAMP_DIGITS, SUFFIX) != 0)
        return NULL;
    return name;
}

static bool is_regular(int folder, const char *name)
{
    struct stat status;

    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

static bool add_entry(struct entries *entries, const char *name, const char *stamp)
{
    struct entry *entry;

    if (entries->count == entries->room) {
        size_t room = entries->room == 0 ? 64 : 2 * entries->room;
        struct entry *list = reallocarray(entries->list, room, sizeof *list);

        if (list == NULL)
            return false;
        entries->list = list;
        entries->room = room;
    }
    entry = &entries->list[entries->count++];
    memcpy(entry->name, name, strlen(name) + 1);
    entry->stamp_at = (size_t)(stamp - name);
    return true;
}

static void list_files(int folder, struct entries *entries)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *found;

    if (directory == NULL) {
        shm_cleanup_fd(&fd);
        return;
    }
    while ((found = readdir(directory)) != NULL) {
        const char *stamp = find_stamp(found->d_name);

        if (stamp != NULL && is_regular(folder, found->d_name) &&
            !add_entry(entries, found->d_name, stamp))
            break;
    }
    closedir(directory);
}

static int by_age(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int order = strcmp(a->name + a->stamp_at, b->name + b->stamp_at);

    return order != 0 ? order : strcmp(a->name, b->name);
}

/* Who writes it holds a lock, which goes with the process. That of this function keeps a writer
 * away that has just made the file. */
static bool remove_unless_written(int folder, const char *name)
{
    auto_fd int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return unlinkat(folder, name, 0) == 0 || errno == ENOENT;
}

void shm_log_folder_prune(int folder, size_t most)
{
    struct entries entries = {0};
    size_t left;

    list_files(folder, &entries);
    left = entries.count;
    if (left > most)
        qsort(entries.list, entries.count, sizeof *entries.list, by_age);
    for (size_t i = 0; i < entries.count && left > most; i++)
        left -= remove_unless_written(folder, entries.list[i].name);
    free(entries.list);
}
