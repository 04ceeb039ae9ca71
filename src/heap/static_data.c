/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/static_data_internal.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- sharing ---- */

static enum shm_status check_place(const struct shm_static_data *data, const struct shm_heap *heap)
{
    if (heap->gva == NULL || heap->my_slice < 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "static data can be shared when this PE's slice is mapped");
    if (data->bytes > heap->layout.static_bytes)
        return shm_fail(SHM_INVALID_VALUE,
                        "static data of %zu bytes, the slice has room for %" PRIu64, data->bytes,
                        heap->layout.static_bytes);
    return SHM_OK;
}

/* The kernel answers a write behind the limit of file sizes with a deadly signal. */
static bool may_write(const struct shm_static_data *data)
{
    struct rlimit limit = {.rlim_cur = 0};

    getrlimit(RLIMIT_FSIZE, &limit);
    return data->memory_offset + data->bytes <= limit.rlim_cur;
}

/* Returns 0 or errno. A handler that ran between copy and mapping could store into the old pages,
 * so signals wait. Bare system calls: see SHM_UNWATCHED. */
static int copy_and_map(const struct shm_static_data *data, char *slice_part)
{
    const struct shm_copy_target target = {slice_part, may_write(data) ? data->memory_fd : -1,
                                           data->memory_offset};
    auto_fd int page_map =
        data->bytes > data->file_bytes ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    sigset_t all;
    sigset_t before;
    long mapped;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    shm_static_data_copy_private(&target, data, page_map);
    mapped = syscall(SYS_mmap, data->begin, data->bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED, data->memory_fd, data->memory_offset);
    error = mapped == -1 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

enum shm_status shm_static_data_share(struct shm_static_data *data, const struct shm_heap *heap)
{
    enum shm_status status;
    int error;

    if (data->bytes == 0 || data->is_shared)
        return SHM_OK;
    status = check_place(data, heap);
    if (status != SHM_OK)
        return status;
    data->memory_fd = heap->memory_fd;
    data->memory_offset =
        (uint64_t)heap->my_slice * heap->layout.stride + heap->layout.static_offset;
    if (shm_heap_has_pages(heap->memory_fd, (off_t)data->memory_offset, (off_t)data->bytes) &&
        fallocate(heap->memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)data->memory_offset, (off_t)data->bytes) != 0)
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "clearing the place of the static data");
    error = copy_and_map(data, shm_heap_slice(heap, heap->my_pe) + heap->layout.static_offset);
    if (error != 0)
        return shm_fail_errno(SHM_SMEM_ERROR, error, "mapping %zu bytes of static data at %p",
                              data->bytes, (void *)data->begin);
    data->is_shared = true;
    return SHM_OK;
}

/* MADV_POPULATE_WRITE of Linux 5.14, which the headers may not know. */
#define POPULATE_WRITE 23

/* Gives the process its own copy of each page in begin .. end - 1: all of them by one system call,
 * or else each by a write of what is there anyway, atomic so that no store of another thread is
 * lost. An exchange, as compilers may leave out the write of an operation that never changes
 * anything. It begins with a guess, because a page that is read first is brought in twice. */
SHM_UNWATCHED static void own_pages(char *begin, const char *end)
{
    size_t page_bytes = shm_heap_page_bytes();

    if (madvise(begin, (size_t)(end - begin), POPULATE_WRITE) == 0)
        return;
    for (volatile char *page = begin; page < end; page += page_bytes) {
        char held = 0;

        while (!__atomic_compare_exchange_n(page, &held, held, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            continue;
    }
}

/* The parts of the file that were never written to are left alone. */
static void own_written_pages(const struct shm_static_data *data)
{
    off_t begin = (off_t)data->memory_offset;
    off_t end = begin + (off_t)data->bytes;
    off_t hole = begin;
    off_t written;

    while (hole < end && (written = lseek(data->memory_fd, hole, SEEK_DATA)) >= 0 &&
           written < end) {
        hole = lseek(data->memory_fd, written, SEEK_HOLE);
        if (hole < 0 || hole > end)
            hole = end;
        own_pages(data->begin + (written - begin), data->begin + (hole - begin));
    }
}

/* A private mapping of the same pages replaces the shared one in one step, and takes over page by
 * page: other threads may go on writing. It keeps the file alive, whose heap is emptied by
 * shm_heap_release_pages(). */
enum shm_status shm_static_data_restore(struct shm_static_data *data)
{
    if (!data->is_shared)
        return SHM_OK;
    if (mmap(data->begin, data->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
             data->memory_fd, (off_t)data->memory_offset) == MAP_FAILED)
        return shm_fail_errno(SHM_SMEM_ERROR, errno,
                              "a private mapping of %zu bytes of static data", data->bytes);
    data->is_shared = false;
    own_written_pages(data);
    return SHM_OK;
}

/* ---- fork ---- */

static bool move_into_place(struct shm_static_data *data, char *copy)
{
    return mremap(copy, data->bytes, data->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, data->begin) !=
           MAP_FAILED;
}

/* In a child, whose parent goes on writing to the pages. */
static enum shm_status replace_by_copy(struct shm_static_data *data)
{
    char *copy = shm_static_data_take_snapshot(data);
    int error;

    if (copy == NULL)
        return shm_fail_errno(SHM_MALLOC_FAILED, errno,
                              "a private copy of %zu bytes of static data", data->bytes);
    if (move_into_place(data, copy))
        return SHM_OK;
    error = errno;
    munmap(copy, data->bytes);
    return shm_fail_errno(SHM_SMEM_ERROR, error, "moving %zu bytes of static data to %p",
                          data->bytes, (void *)data->begin);
}

void shm_static_data_fork_prepare(struct shm_static_data *data)
{
    if (!data->is_shared)
        return;
    data->snapshot = shm_static_data_take_snapshot(data);
    if (data->snapshot == NULL)
        shm_log(SHM_LOG_WARN, "heap", "no memory for a copy of the static data at fork");
}

void shm_static_data_fork_parent(struct shm_static_data *data)
{
    if (data->snapshot != NULL)
        munmap(data->snapshot, data->bytes);
    data->snapshot = NULL;
}

/* Without a snapshot the child still gets a copy, if of a slightly later moment. */
void shm_static_data_fork_child(struct shm_static_data *data)
{
    bool is_private = data->snapshot != NULL && move_into_place(data, data->snapshot);

    data->snapshot = NULL;
    if (is_private)
        data->is_shared = false;
    else if (data->is_shared && replace_by_copy(data) != SHM_OK)
        shm_log(SHM_LOG_ERROR, "heap", "this child shares static data with its parent: %s",
                shm_error_detail());
}
