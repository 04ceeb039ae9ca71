/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/static_data_internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

SHM_UNWATCHED static bool is_zero_page(const volatile uint64_t *page, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        if (page[i] != 0)
            return false;
    }
    return true;
}

SHM_UNWATCHED static void copy_page(const struct shm_copy_target *to, size_t at, const char *page,
                                    size_t page_bytes)
{
    const volatile uint64_t *source = (const volatile uint64_t *)(const void *)page;
    volatile uint64_t *destination = (volatile uint64_t *)(void *)(to->memory + at);

    if (is_zero_page(source, page_bytes / sizeof *source))
        return;
    if (to->fd >= 0 &&
        syscall(SYS_pwrite64, to->fd, page, page_bytes, to->offset + at) == (long)page_bytes)
        return;
    for (size_t i = 0; i < page_bytes / sizeof *source; i++)
        destination[i] = source[i];
}

/* Copies pages to a place that is zero: pages of zeros are left out there and cost no memory. */
SHM_UNWATCHED static void copy_pages(const struct shm_copy_target *to, size_t at, const char *from,
                                     size_t bytes)
{
    size_t page_bytes = shm_heap_page_bytes();

    for (size_t done = 0; done < bytes; done += page_bytes)
        copy_page(to, at + done, from + done, page_bytes);
}

/* How many pages are looked up at once. */
#define LOOKED_UP 512

/* Copies pages that were zero at first. Those that nobody touched are not in memory, and looking at
 * them would bring them in one by one, which takes seconds for a large array. The kernel's map of
 * pages has 64 bits for each; the upper two say that it is in memory or swapped out. What cannot be
 * looked up there is copied. */
SHM_UNWATCHED static void copy_touched_pages(const struct shm_copy_target *to, size_t at,
                                             const char *from, size_t pages, int page_map)
{
    size_t page_bytes = shm_heap_page_bytes();
    uint64_t entries[LOOKED_UP];
    size_t wanted = pages * sizeof *entries;
    long found = syscall(SYS_pread64, page_map, entries, wanted,
                         (uintptr_t)from / page_bytes * sizeof *entries);

    for (size_t i = 0; i < pages; i++) {
        if (found != (long)wanted || entries[i] >> 62 != 0)
            copy_page(to, at + i * page_bytes, from + i * page_bytes, page_bytes);
    }
}

SHM_UNWATCHED void shm_static_data_copy_private(const struct shm_copy_target *to,
                                                const struct shm_static_data *data, int page_map)
{
    size_t page_bytes = shm_heap_page_bytes();

    copy_pages(to, 0, data->begin, data->file_bytes);
    for (size_t at = data->file_bytes; at < data->bytes; at += LOOKED_UP * page_bytes) {
        size_t pages = (data->bytes - at) / page_bytes;

        copy_touched_pages(to, at, data->begin + at, pages < LOOKED_UP ? pages : LOOKED_UP,
                           page_map);
    }
}

/* Copies shared data. Holes of the memfd are left out, because reading them would fill them. */
static void copy_shared(const struct shm_copy_target *to, const struct shm_static_data *data)
{
    off_t begin = (off_t)data->memory_offset;
    off_t end = begin + (off_t)data->bytes;
    off_t at = begin;

    while (at < end) {
        off_t filled = lseek(data->memory_fd, at, SEEK_DATA);
        off_t hole;

        if (filled < 0 && errno == ENXIO)
            return;
        hole = filled < 0 ? end : lseek(data->memory_fd, filled, SEEK_HOLE);
        filled = filled < 0 ? at : filled; /* the program closed the descriptor: copy it all */
        if (filled >= end)
            return;
        at = hole < filled || hole > end ? end : hole;
        copy_pages(to, (size_t)(filled - begin), data->begin + (filled - begin),
                   (size_t)(at - filled));
    }
}

char *shm_static_data_take_snapshot(const struct shm_static_data *data)
{
    char *copy = mmap(NULL, data->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (copy == MAP_FAILED)
        return NULL;
    copy_shared(&(struct shm_copy_target){.memory = copy, .fd = -1}, data);
    return copy;
}
