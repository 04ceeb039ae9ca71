/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap_internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

void shm_heap_init(struct shm_heap *heap)
{
    *heap = (struct shm_heap){.memory_fd = -1, .huge_fd = -1, .my_slice = -1};
}

static enum shm_status map_part(char *address, uint64_t bytes, int fd, uint64_t offset)
{
    void *got =
        mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)offset);

    if (got == MAP_FAILED)
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "mapping %llu bytes of the node's memory",
                              (unsigned long long)bytes);
    return SHM_OK;
}

/* Lays the heaps with huge pages over those of the normal memory. */
static enum shm_status map_huge_pages(const struct shm_heap *heap, int first_pe,
                                      uint32_t first_slice, uint32_t count)
{
    uint64_t bytes = shm_heap_huge_bytes(&heap->layout);
    enum shm_status status = SHM_OK;

    for (uint32_t i = 0; i < count && status == SHM_OK; i++)
        status = map_part(shm_heap_slice(heap, first_pe + (int)i) + heap->layout.heap_offset, bytes,
                          heap->huge_fd, (first_slice + i) * bytes);
    return status;
}

enum shm_status shm_heap_map(struct shm_heap *heap, int first_pe, uint32_t first_slice,
                             uint32_t count)
{
    uint64_t stride = heap->layout.stride;
    enum shm_status status;

    if (heap->gva == NULL || heap->memory_fd < 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "the heap must have addresses and memory before it is mapped");
    if (first_pe < 0 || count < 1 || (uint64_t)first_pe + count > (uint64_t)heap->n_pes)
        return shm_fail(SHM_INVALID_VALUE, "mapping %u PEs from PE %d on, there are %d", count,
                        first_pe, heap->n_pes);
    if ((uint64_t)first_slice + count > heap->slices)
        return shm_fail(SHM_INVALID_VALUE, "mapping %u slices from slice %u on, there are %u",
                        count, first_slice, heap->slices);
    status = map_part(shm_heap_slice(heap, first_pe), count * stride, heap->memory_fd,
                      first_slice * stride);
    if (status == SHM_OK && heap->has_huge_pages)
        status = map_huge_pages(heap, first_pe, first_slice, count);
    if (status == SHM_OK && heap->my_pe >= first_pe &&
        (uint64_t)heap->my_pe < (uint64_t)first_pe + count)
        heap->my_slice = (int64_t)first_slice + heap->my_pe - first_pe;
    return status;
}

void shm_heap_destroy(struct shm_heap *heap)
{
    if (heap->reserved != NULL)
        munmap(heap->reserved, heap->reserved_bytes);
    if (heap->memory_fd >= 0)
        close(heap->memory_fd);
    if (heap->huge_fd >= 0)
        close(heap->huge_fd);
    shm_heap_init(heap);
}
