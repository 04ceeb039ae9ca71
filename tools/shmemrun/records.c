/* SPDX-License-Identifier: BSD-3-Clause */
#include "records.h"

#include "base/cleanup.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

/* Whether `count` records of this shape end within `bytes`, without overflow on the way. */
static bool lie_within(const struct shm_launch_message *message, uint64_t bytes)
{
    uint64_t last;

    if (message->record_stride < sizeof(struct shm_activity) || message->record_stride > bytes ||
        message->record_offset > bytes)
        return false;
    if (__builtin_mul_overflow(message->record_stride, message->record_count - 1, &last) ||
        last > bytes - message->record_offset)
        return false;
    return bytes - message->record_offset - last >= sizeof(struct shm_activity);
}

enum shm_status records_open(const struct shm_launch_message *message, int fd, int n_pes,
                             struct records *out_records)
{
    auto_fd int owned = fd;
    struct stat found;

    if (message->record_count < 1 || message->record_count > (uint32_t)n_pes)
        return shm_fail(SHM_PROTOCOL, "a PE sent %u records, expected 1 to %d",
                        message->record_count, n_pes);
    if (fstat(fd, &found) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "examining the memory of the records");
    if (!S_ISREG(found.st_mode))
        return shm_fail(SHM_PROTOCOL, "a PE sent records in something that is not memory");
    if (found.st_size < 0 || !lie_within(message, (uint64_t)found.st_size))
        return shm_fail(SHM_PROTOCOL,
                        "a PE sent %u records at %llu, every %llu bytes, in memory of %lld bytes",
                        message->record_count, (unsigned long long)message->record_offset,
                        (unsigned long long)message->record_stride, (long long)found.st_size);
    *out_records = (struct records){.fd = take_fd(&owned),
                                    .offset = message->record_offset,
                                    .stride = message->record_stride,
                                    .count = message->record_count};
    return SHM_OK;
}

void records_close(struct records *records)
{
    if (records->fd >= 0)
        close(records->fd);
    *records = (struct records){.fd = -1};
}

/* The name may be unterminated and hold anything. */
static void copy_printable(char *to, const char *from)
{
    size_t bytes = strnlen(from, SHM_ACTIVITY_NAME_BYTES - 1);

    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i] > ' ' && from[i] < 127 ? from[i] : '?';
    to[bytes] = '\0';
}

enum shm_status records_read(const struct records *records, uint32_t number, int n_pes, int *out_pe,
                             struct activity *out_activity)
{
    struct shm_activity record;
    off_t at = (off_t)(records->offset + records->stride * number);
    int pe;

    if (pread(records->fd, &record, sizeof record, at) != (ssize_t)sizeof record)
        return shm_fail(SHM_NOT_FOUND, "record %u cannot be read", number);
    pe = atomic_load_explicit(&record.pe, memory_order_relaxed);
    if (atomic_load_explicit(&record.pid, memory_order_relaxed) <= 0 || pe < 0 || pe >= n_pes)
        return shm_fail(SHM_NOT_FOUND, "record %u is not in use", number);
    *out_activity = (struct activity){
        .state = atomic_load_explicit(&record.state, memory_order_relaxed),
        .peer = atomic_load_explicit(&record.peer, memory_order_relaxed),
        .sequence = atomic_load_explicit(&record.sequence, memory_order_relaxed),
        .since_ns = atomic_load_explicit(&record.since_ns, memory_order_relaxed),
    };
    copy_printable(out_activity->operation, record.operation);
    *out_pe = pe;
    return SHM_OK;
}
