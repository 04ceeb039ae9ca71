/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log_file.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define GIB (1ull << 30)

const struct shm_log_limits shm_log_limits = {
    .file_bytes = GIB,
    .folder_files = 50,
    .free_bytes = 10 * GIB,
    .interval_ns = SHM_NS_PER_SECOND,
};

void shm_log_file_init(struct shm_log_file *file, const char *folder,
                       const struct shm_log_limits *limits)
{
    *file = (struct shm_log_file){.folder = strdup(folder), .limits = *limits, .fd = -1};
}

static void close_file(struct shm_log_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

/* One that is full or finished changes no more. */
static void seal_file(struct shm_log_file *file)
{
    if (file->fd >= 0)
        fchmod(file->fd, S_IRUSR | S_IRGRP);
    close_file(file);
}

void shm_log_file_fini(struct shm_log_file *file)
{
    seal_file(file);
    shm_log_file_forget(file);
}

void shm_log_file_forget(struct shm_log_file *file)
{
    close_file(file);
    free((char *)file->folder);
    file->folder = NULL;
}

static enum shm_status check_room(struct shm_log_file *file, int fd, uint64_t now)
{
    struct statvfs disk;
    uint64_t free_bytes;

    if (fstatvfs(fd, &disk) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "free space of the disk of %.200s",
                              file->folder);
    free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    if (free_bytes < file->limits.free_bytes)
        return shm_fail(SHM_REFUSED,
                        "the disk of %.200s has %llu MiB left, expected at least %llu MiB",
                        file->folder, (unsigned long long)(free_bytes >> 20),
                        (unsigned long long)(file->limits.free_bytes >> 20));
    file->checked_ns = now;
    return SHM_OK;
}

static enum shm_status open_file(struct shm_log_file *file, uint64_t now)
{
    auto_fd int folder = -1;
    enum shm_status status;

    if (file->folder == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the name of the folder");
    status = shm_log_folder_open(file->folder, &folder);
    if (status == SHM_OK)
        status = check_room(file, folder, now);
    if (status == SHM_OK)
        status = shm_log_folder_create(folder, file->folder, &file->fd);
    if (status != SHM_OK)
        return status;
    file->bytes = 0;
    shm_log_folder_prune(folder, file->limits.folder_files);
    return SHM_OK;
}

/* Somebody removed it: what is written would be lost. */
static bool is_removed(const struct shm_log_file *file)
{
    struct stat status;

    return file->fd >= 0 && (fstat(file->fd, &status) != 0 || status.st_nlink == 0);
}

static enum shm_status make_ready(struct shm_log_file *file, size_t bytes, uint64_t now)
{
    if (is_removed(file))
        close_file(file);
    else if (file->bytes + bytes > file->limits.file_bytes)
        seal_file(file);
    if (file->fd < 0)
        return open_file(file, now);
    if (now - file->checked_ns >= file->limits.interval_ns)
        return check_room(file, file->fd, now);
    return SHM_OK;
}

/* All or nothing, so that a line that went elsewhere does not stand here in part. */
static enum shm_status append(struct shm_log_file *file, const char *line, size_t bytes)
{
    ssize_t written = write(file->fd, line, bytes);
    int error = written < 0 ? errno : ENOSPC;

    if (written == (ssize_t)bytes) {
        file->bytes += bytes;
        return SHM_OK;
    }
    if (written > 0 && ftruncate(file->fd, (off_t)file->bytes) != 0)
        close_file(file);
    return shm_fail_errno(SHM_INNER_ERROR, error, "writing to a file in %.200s", file->folder);
}

enum shm_status shm_log_file_write(struct shm_log_file *file, const char *line, size_t bytes)
{
    uint64_t now = shm_now_ns();
    enum shm_status status;

    if (file->failed_ns != 0 && now - file->failed_ns < file->limits.interval_ns)
        return shm_fail(SHM_AGAIN, "the last attempt to write to %.200s failed", file->folder);
    status = make_ready(file, bytes, now);
    if (status == SHM_OK)
        status = append(file, line, bytes);
    file->failed_ns = status == SHM_OK ? 0 : now;
    return status;
}
