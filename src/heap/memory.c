/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap_internal.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/memfd.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* MFD_NOEXEC_SEAL of Linux 6.3, which the headers may not know; hardened systems insist on it. */
#define NOEXEC_SEAL 8u

static int open_memory(unsigned int extra_flags)
{
    unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING | extra_flags;
    int fd = memfd_create("shmem heap", flags | NOEXEC_SEAL);

    if (fd < 0 && errno == EINVAL)
        fd = memfd_create("shmem heap", flags);
    return fd;
}

/* Asked beforehand, because the kernel answers a file beyond the limit with a deadly signal. */
static enum shm_status check_file_limit(uint64_t bytes)
{
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};

    getrlimit(RLIMIT_FSIZE, &limit);
    if (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur)
        return SHM_OK;
    return shm_fail(SHM_MALLOC_FAILED,
                    "%" PRIu64
                    " bytes of memory for the node: the process may have files of %" PRIu64
                    " (ulimit -f); raise the limit or lower SHMEM_SYMMETRIC_SIZE or local_mem_size",
                    bytes, (uint64_t)limit.rlim_cur);
}

static enum shm_status set_size(int fd, uint64_t bytes)
{
    if (ftruncate(fd, (off_t)bytes) != 0)
        return shm_fail_errno(SHM_SMEM_ERROR, errno,
                              "giving the memory a size of %" PRIu64 " bytes", bytes);
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "sealing the size of the memory");
    return SHM_OK;
}

static enum shm_status create_memory(uint64_t bytes, int *out_fd)
{
    auto_fd int fd = open_memory(0);
    enum shm_status status;

    if (fd < 0)
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "memfd_create");
    status = set_size(fd, bytes);
    if (status != SHM_OK)
        return status;
    *out_fd = take_fd(&fd);
    return SHM_OK;
}

static uint64_t free_huge_pages(void)
{
    auto_file FILE *file = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "re");
    uint64_t pages = 0;

    if (file == NULL || fscanf(file, "%" SCNu64, &pages) != 1)
        return 0;
    return pages;
}

/* Takes all the pages now: a huge page that is missing later would kill whoever touches it. */
static enum shm_status create_huge_memory(uint64_t bytes, int *out_fd)
{
    uint64_t needed = bytes / SHM_HEAP_HUGE_PAGE_BYTES;
    uint64_t available = free_huge_pages();
    auto_fd int fd = open_memory(MFD_HUGETLB | MFD_HUGE_2MB);
    enum shm_status status;
    int failed;

    if (fd < 0)
        return shm_fail_errno(SHM_NOT_SUPPORTED, errno, "memory of 2 MiB pages");
    status = set_size(fd, bytes);
    if (status != SHM_OK)
        return status;
    do
        failed = fallocate(fd, 0, 0, (off_t)bytes);
    while (failed != 0 && errno == EINTR);
    if (failed != 0)
        return shm_fail_errno(
            SHM_MALLOC_FAILED, errno,
            "%" PRIu64 " huge pages of 2 MiB needed for the node, %" PRIu64
            " are free: raise vm.nr_hugepages, or set SHMEM_HUGE_PAGES=auto or off",
            needed, available);
    *out_fd = take_fd(&fd);
    return SHM_OK;
}

static enum shm_status add_huge_pages(struct shm_heap *heap, uint32_t slices,
                                      enum shm_huge_pages huge_pages)
{
    uint64_t bytes = shm_heap_huge_bytes(&heap->layout) * slices;
    enum shm_status status;

    if (huge_pages == SHM_HUGE_PAGES_OFF || bytes == 0)
        return SHM_OK;
    status = create_huge_memory(bytes, &heap->huge_fd);
    heap->has_huge_pages = status == SHM_OK;
    if (status == SHM_OK || huge_pages == SHM_HUGE_PAGES_REQUIRE)
        return status;
    shm_log(SHM_LOG_INFO, "heap", "normal pages instead of huge ones: %s", shm_error_detail());
    return SHM_OK;
}

enum shm_status shm_heap_create(struct shm_heap *heap, uint32_t slices,
                                enum shm_huge_pages huge_pages)
{
    uint64_t bytes;
    enum shm_status status;

    if (heap->gva == NULL || heap->memory_fd >= 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "the heap must have its addresses and no memory before it gets memory");
    if (slices < 1 || slices > (uint32_t)heap->n_pes)
        return shm_fail(SHM_INVALID_VALUE, "memory for %u PEs, expected 1 to %d", slices,
                        heap->n_pes);
    bytes = heap->layout.stride * slices;
    status = check_file_limit(bytes);
    if (status == SHM_OK)
        status = add_huge_pages(heap, slices, huge_pages);
    if (status == SHM_OK)
        status = create_memory(bytes, &heap->memory_fd);
    if (status == SHM_OK)
        heap->slices = slices;
    return status;
}

/* Huge pages are there from the start; the control area's are few. */
uint64_t shm_heap_growth_bytes(const struct shm_heap *heap)
{
    const struct shm_heap_layout *layout = &heap->layout;
    uint64_t most = layout->static_bytes + layout->host_bytes;
    uint64_t present = 0;
    struct stat info;

    if (!heap->has_huge_pages)
        most += layout->heap_bytes;
    most *= heap->slices;
    if (heap->memory_fd >= 0 && fstat(heap->memory_fd, &info) == 0)
        present = (uint64_t)info.st_blocks * 512;
    return present < most ? most - present : 0;
}

bool shm_heap_has_pages(int fd, off_t begin, off_t bytes)
{
    off_t found = lseek(fd, begin, SEEK_DATA);

    return found < 0 ? errno != ENXIO : found < begin + bytes;
}

void shm_heap_release_pages(struct shm_heap *heap)
{
    const struct shm_heap_layout *layout = &heap->layout;
    off_t bytes = (off_t)(layout->stride - layout->heap_offset);
    off_t begin;

    if (heap->memory_fd < 0 || heap->my_slice < 0 || layout->heap_bytes == 0)
        return;
    begin = (off_t)((uint64_t)heap->my_slice * layout->stride + layout->heap_offset);
    if (!shm_heap_has_pages(heap->memory_fd, begin, bytes))
        return;
    /* the hole takes pages out of mappings one by one, this takes them all */
    madvise(heap->reserved, heap->reserved_bytes, MADV_DONTNEED);
    if (fallocate(heap->memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, bytes) != 0)
        shm_log(SHM_LOG_WARN, "heap", "cannot give the heap's memory back: %s", strerror(errno));
}
