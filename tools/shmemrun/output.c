/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include "base/cleanup.h"
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES 65536 /* longer lines are passed on in pieces */
#define EVENTS 64
#define QUEUE_BYTES (1024 * 1024) /* more queued than this: PEs have to wait */

/* One pipe from a PE. */
struct stream {
    int fd;        /* -1 = closed */
    char *pending; /* start of a line whose end has not come; PIECE_BYTES, or NULL */
    size_t pending_bytes;
};

static bool is_same_file(int fd, int other_fd)
{
    struct stat a;
    struct stat b;

    return fstat(fd, &a) == 0 && fstat(other_fd, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static enum shm_status open_sinks(struct output *output)
{
    enum shm_status status = sink_create(STDOUT_FILENO, &output->sinks[OUTPUT_OUT]);

    if (status != SHM_OK)
        return status;
    if (is_same_file(STDOUT_FILENO, STDERR_FILENO)) {
        output->sinks[OUTPUT_ERR] = output->sinks[OUTPUT_OUT];
        return SHM_OK;
    }
    return sink_create(STDERR_FILENO, &output->sinks[OUTPUT_ERR]);
}

enum shm_status output_init(struct output *output, int n_pes, bool tag)
{
    enum shm_status status = SHM_OK;
    size_t n_streams = (size_t)n_pes * OUTPUT_CHANNELS;

    *output = (struct output){.n_pes = n_pes, .tag = tag, .epoll_fds = {-1, -1}};
    output->streams = calloc(n_streams, sizeof output->streams[0]);
    output->scratch = malloc(PIECE_BYTES);
    if (output->streams == NULL || output->scratch == NULL) {
        status = shm_fail(SHM_MALLOC_FAILED, "no memory for the output of %d PEs", n_pes);
        goto fail;
    }
    for (size_t i = 0; i < n_streams; i++)
        output->streams[i].fd = -1;
    for (int channel = 0; channel < OUTPUT_CHANNELS; channel++) {
        output->epoll_fds[channel] = epoll_create1(EPOLL_CLOEXEC);
        if (output->epoll_fds[channel] < 0) {
            status = shm_fail_errno(SHM_INNER_ERROR, errno, "creating an epoll descriptor");
            goto fail;
        }
    }
    status = open_sinks(output);
    if (status != SHM_OK)
        goto fail;
    return SHM_OK;
fail:
    output_fini(output);
    return status;
}

static void close_stream(struct output *output, struct stream *stream)
{
    if (stream->fd < 0)
        return;
    close(stream->fd);
    stream->fd = -1;
    free(stream->pending);
    stream->pending = NULL;
    stream->pending_bytes = 0;
    output->n_open--;
}

void output_fini(struct output *output)
{
    for (size_t i = 0; output->streams != NULL && i < (size_t)output->n_pes * OUTPUT_CHANNELS; i++)
        close_stream(output, &output->streams[i]);
    free(output->streams);
    free(output->scratch);
    if (output->sinks[OUTPUT_ERR] != output->sinks[OUTPUT_OUT])
        sink_destroy(output->sinks[OUTPUT_ERR]);
    sink_destroy(output->sinks[OUTPUT_OUT]);
    for (int channel = 0; channel < OUTPUT_CHANNELS; channel++)
        if (output->epoll_fds[channel] >= 0)
            close(output->epoll_fds[channel]);
    *output = (struct output){.epoll_fds = {-1, -1}};
}

enum shm_status output_add(struct output *output, int pe, enum output_channel channel, int fd)
{
    size_t number = (size_t)pe * OUTPUT_CHANNELS + channel;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = number};

    output->streams[number].fd = fd;
    output->n_open++;
    if (fcntl(fd, F_SETFL, O_RDONLY | O_NONBLOCK) != 0 ||
        epoll_ctl(output->epoll_fds[channel], EPOLL_CTL_ADD, fd, &event) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "watching the output of PE %d", pe);
    return SHM_OK;
}

enum shm_status output_say(struct output *output, const char *format, ...)
{
    char line[SHM_DETAIL_BYTES * 2];
    va_list values;
    int prefix_bytes = snprintf(line, sizeof line, "shmemrun: ");
    int bytes;

    va_start(values, format);
    bytes = vsnprintf(line + prefix_bytes, sizeof line - 1 - (size_t)prefix_bytes, format, values);
    va_end(values);
    if (bytes < 0)
        return shm_fail(SHM_INNER_ERROR, "formatting a line failed");
    bytes = (int)strlen(line);
    line[bytes] = '\n';
    return sink_append(output->sinks[OUTPUT_ERR], line, (size_t)bytes + 1);
}

/* ---- lines ---- */

/* Where a PE's lines go and how they are tagged. */
struct route {
    struct sink *sink;
    char tag[24];
    size_t tag_bytes;
};

static struct route route_of(const struct output *output, size_t number)
{
    struct route route = {.sink = output->sinks[number % OUTPUT_CHANNELS]};

    if (output->tag)
        route.tag_bytes =
            (size_t)snprintf(route.tag, sizeof route.tag, "[PE %zu] ", number / OUTPUT_CHANNELS);
    return route;
}

/* `pending` and `head` together end with a newline; only the first one may hold a line's start. */
static enum shm_status pass_lines(const struct route *route, const struct stream *stream,
                                  const char *head, size_t head_bytes)
{
    enum shm_status status = SHM_OK;

    if (route->tag_bytes > 0 && stream->pending_bytes > 0)
        status = sink_append(route->sink, route->tag, route->tag_bytes);
    if (status == SHM_OK)
        status = sink_append(route->sink, stream->pending, stream->pending_bytes);
    if (route->tag_bytes == 0)
        return status == SHM_OK ? sink_append(route->sink, head, head_bytes) : status;
    for (bool is_start = stream->pending_bytes == 0; status == SHM_OK && head_bytes > 0;
         is_start = true) {
        const char *newline = memchr(head, '\n', head_bytes);
        size_t line_bytes = newline == NULL ? head_bytes : (size_t)(newline - head) + 1;

        if (is_start)
            status = sink_append(route->sink, route->tag, route->tag_bytes);
        if (status == SHM_OK)
            status = sink_append(route->sink, head, line_bytes);
        head += line_bytes;
        head_bytes -= line_bytes;
    }
    return status;
}

/* A line without an end: as it stands, or as a line of its own when lines are tagged. */
static enum shm_status pass_piece(const struct route *route, struct stream *stream)
{
    enum shm_status status;

    if (stream->pending_bytes == 0)
        return SHM_OK;
    status = pass_lines(route, stream, "\n", route->tag_bytes > 0);
    stream->pending_bytes = 0;
    return status;
}

/* Keeps the start of a line, passing on a full piece of it. */
static enum shm_status keep_pending(const struct route *route, struct stream *stream,
                                    const char *data, size_t bytes)
{
    if (stream->pending == NULL && bytes > 0) {
        stream->pending = malloc(PIECE_BYTES);
        if (stream->pending == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "no memory for a line of output");
    }
    while (bytes > 0) {
        size_t room = PIECE_BYTES - stream->pending_bytes;
        size_t taken = bytes < room ? bytes : room;

        memcpy(stream->pending + stream->pending_bytes, data, taken);
        stream->pending_bytes += taken;
        data += taken;
        bytes -= taken;
        if (stream->pending_bytes == PIECE_BYTES) {
            enum shm_status status = pass_piece(route, stream);

            if (status != SHM_OK)
                return status;
        }
    }
    return SHM_OK;
}

/* What of `data` makes the pending line a full piece; 0 when the line ends before that. */
static size_t bytes_to_piece(const struct stream *stream, const char *data, size_t bytes)
{
    const char *newline = memchr(data, '\n', bytes);
    size_t line_bytes = newline == NULL ? bytes : (size_t)(newline - data) + 1;
    size_t room = PIECE_BYTES - stream->pending_bytes;

    return stream->pending_bytes > 0 && line_bytes > room ? room : 0;
}

static enum shm_status take_data(struct output *output, size_t number, size_t bytes)
{
    struct stream *stream = &output->streams[number];
    const struct route route = route_of(output, number);
    const char *data = output->scratch;
    size_t piece_bytes = bytes_to_piece(stream, data, bytes);
    enum shm_status status = keep_pending(&route, stream, data, piece_bytes);
    const char *last_newline = memrchr(data + piece_bytes, '\n', bytes - piece_bytes);
    size_t head_bytes = last_newline == NULL ? piece_bytes : (size_t)(last_newline - data) + 1;

    if (status == SHM_OK && head_bytes > piece_bytes) {
        status = pass_lines(&route, stream, data + piece_bytes, head_bytes - piece_bytes);
        stream->pending_bytes = 0;
    }
    if (status != SHM_OK)
        return status;
    return keep_pending(&route, stream, data + head_bytes, bytes - head_bytes);
}

/* ---- moving ---- */

static enum shm_status end_stream(struct output *output, size_t number)
{
    struct stream *stream = &output->streams[number];
    const struct route route = route_of(output, number);
    enum shm_status status = pass_piece(&route, stream);

    close_stream(output, stream);
    return status;
}

/* One read; `out_more` says whether there may be more to read at once. */
static enum shm_status read_stream(struct output *output, size_t number, bool *out_more)
{
    struct stream *stream = &output->streams[number];
    ssize_t bytes;

    *out_more = false;
    if (stream->fd < 0)
        return SHM_OK;
    bytes = read(stream->fd, output->scratch, PIECE_BYTES);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
        return SHM_OK;
    if (bytes <= 0)
        return end_stream(output, number);
    *out_more = true;
    return take_data(output, number, (size_t)bytes);
}

static bool has_room(const struct output *output, int channel)
{
    return sink_queued_bytes(output->sinks[channel]) < QUEUE_BYTES;
}

int output_poll_entries(const struct output *output, struct pollfd *entries)
{
    int count = 0;

    for (int channel = 0; channel < OUTPUT_CHANNELS; channel++) {
        if (output->n_open > 0 && has_room(output, channel))
            entries[count++] = (struct pollfd){.fd = output->epoll_fds[channel], .events = POLLIN};
        if (sink_queued_bytes(output->sinks[channel]) > 0)
            entries[count++] = (struct pollfd){
                .fd = channel == OUTPUT_OUT ? STDOUT_FILENO : STDERR_FILENO, .events = POLLOUT};
    }
    return count;
}

static enum shm_status move_channel(struct output *output, int channel)
{
    struct epoll_event events[EVENTS];
    enum shm_status status = SHM_OK;
    int count;

    if (!has_room(output, channel))
        return SHM_OK;
    count = epoll_wait(output->epoll_fds[channel], events, EVENTS, 0);
    for (int i = 0; i < count && status == SHM_OK && has_room(output, channel); i++) {
        bool has_more;

        status = read_stream(output, (size_t)events[i].data.u64, &has_more);
    }
    return status;
}

enum shm_status output_move(struct output *output)
{
    enum shm_status status = SHM_OK;

    for (int channel = 0; channel < OUTPUT_CHANNELS && status == SHM_OK; channel++) {
        status = move_channel(output, channel);
        sink_write(output->sinks[channel]);
    }
    return status;
}

enum shm_status output_finish(struct output *output)
{
    enum shm_status status = SHM_OK;

    for (size_t i = 0; i < (size_t)output->n_pes * OUTPUT_CHANNELS && status == SHM_OK; i++) {
        bool has_more = output->streams[i].fd >= 0;

        /* a pipe is at most this full; more can only come from a process that is not ours */
        for (int round = 0; round < 64 && has_more && status == SHM_OK; round++)
            status = read_stream(output, i, &has_more);
        if (status == SHM_OK && output->streams[i].fd >= 0)
            status = end_stream(output, i);
    }
    return status;
}

bool output_has_open(const struct output *output)
{
    return output->n_open > 0;
}

bool output_has_queued(const struct output *output)
{
    return sink_queued_bytes(output->sinks[OUTPUT_OUT]) > 0 ||
           sink_queued_bytes(output->sinks[OUTPUT_ERR]) > 0;
}

int output_error(const struct output *output)
{
    return sink_error(output->sinks[OUTPUT_OUT]);
}
