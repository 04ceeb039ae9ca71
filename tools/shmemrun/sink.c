/* SPDX-License-Identifier: BSD-3-Clause */
#include "sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 65536

struct sink {
    int fd;
    int error;
    size_t write_bytes; /* at most this much in one write */
    char *data;
    size_t start; /* written already */
    size_t bytes; /* in `data` */
    size_t capacity;
};

/* The descriptor is shared with other processes, so it must stay in blocking mode. A pipe that
   poll() calls writable takes PIPE_BUF bytes at once; a file takes anything. */
static size_t write_bytes_for(int fd)
{
    struct stat found;

    return fstat(fd, &found) == 0 && S_ISREG(found.st_mode) ? SSIZE_MAX : PIPE_BUF;
}

enum shm_status sink_create(int fd, struct sink **out_sink)
{
    struct sink *sink = calloc(1, sizeof *sink);

    if (sink == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a queue of output");
    sink->fd = fd;
    sink->write_bytes = write_bytes_for(fd);
    *out_sink = sink;
    return SHM_OK;
}

void sink_destroy(struct sink *sink)
{
    if (sink == NULL)
        return;
    free(sink->data);
    free(sink);
}

static enum shm_status make_room(struct sink *sink, size_t bytes)
{
    size_t queued = sink->bytes - sink->start;
    size_t capacity = sink->capacity == 0 ? FIRST_BYTES : sink->capacity;
    char *data;

    if (sink->start > 0) {
        memmove(sink->data, sink->data + sink->start, queued);
        sink->start = 0;
        sink->bytes = queued;
    }
    while (capacity - queued < bytes)
        capacity *= 2;
    if (capacity == sink->capacity)
        return SHM_OK;
    data = realloc(sink->data, capacity);
    if (data == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %zu bytes of output", capacity);
    sink->data = data;
    sink->capacity = capacity;
    return SHM_OK;
}

enum shm_status sink_append(struct sink *sink, const void *data, size_t bytes)
{
    if (bytes == 0 || sink->error != 0)
        return SHM_OK;
    if (sink->capacity - sink->bytes < bytes) {
        enum shm_status status = make_room(sink, bytes);

        if (status != SHM_OK)
            return status;
    }
    memcpy(sink->data + sink->bytes, data, bytes);
    sink->bytes += bytes;
    return SHM_OK;
}

static bool is_writable(int fd)
{
    struct pollfd waited = {.fd = fd, .events = POLLOUT};

    return poll(&waited, 1, 0) > 0;
}

void sink_write(struct sink *sink)
{
    while (sink->start < sink->bytes && is_writable(sink->fd)) {
        size_t bytes = sink->bytes - sink->start;
        ssize_t written = write(sink->fd, sink->data + sink->start,
                                bytes < sink->write_bytes ? bytes : sink->write_bytes);

        if (written > 0) {
            sink->start += (size_t)written;
        } else if (written < 0 && errno != EINTR) {
            if (errno == EAGAIN)
                return;
            sink->error = errno;
            sink->start = sink->bytes;
        }
    }
    if (sink->start == sink->bytes)
        sink->start = sink->bytes = 0;
}

size_t sink_queued_bytes(const struct sink *sink)
{
    return sink->bytes - sink->start;
}

int sink_error(const struct sink *sink)
{
    return sink->error;
}
