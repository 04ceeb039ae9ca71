/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Domain d prefers FIRST_PLACE + d * PLACE_DISTANCE. The 256 places fill the part of the address
 * space that Linux leaves empty by itself, above the sanitizers' shadows and below position-
 * independent executables (0x5555...). A domain that needs more than its distance reaches into
 * the places of later ones, which then go elsewhere. */
#define FIRST_PLACE 0x200000000000ull
#define PLACE_DISTANCE 0x3000000000ull
#define DOMAINS 256u

#define RESERVE_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

static enum shm_status no_addresses(int error, const struct shm_heap_layout *layout, int n_pes)
{
    uint64_t bytes = layout->stride * (uint64_t)n_pes;
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};

    getrlimit(RLIMIT_AS, &limit);
    if (limit.rlim_cur != RLIM_INFINITY)
        return shm_fail_errno(SHM_MALLOC_FAILED, error,
                              "%" PRIu64 " bytes of addresses for %d PEs of %" PRIu64
                              " bytes: the process may have %" PRIu64
                              " (ulimit -v); raise the limit or lower SHMEM_SYMMETRIC_SIZE or "
                              "local_mem_size",
                              bytes, n_pes, layout->stride, (uint64_t)limit.rlim_cur);
    return shm_fail_errno(SHM_MALLOC_FAILED, error,
                          "%" PRIu64 " bytes of addresses for %d PEs of %" PRIu64
                          " bytes (SHMEM_SYMMETRIC_SIZE or local_mem_size)",
                          bytes, n_pes, layout->stride);
}

/* Returns NULL when the place is taken. The address is a hint, which the kernel follows when it
 * can; thread sanitizers turn any stronger wish into a mapping at address 0. */
static char *reserve_at(uint64_t place, size_t bytes)
{
    char *wanted = (char *)(uintptr_t)place; /* NOLINT(performance-no-int-to-ptr) */
    char *got = mmap(wanted, bytes, PROT_NONE, RESERVE_FLAGS, -1, 0);

    if (got == MAP_FAILED)
        return NULL;
    if (got == wanted)
        return got;
    munmap(got, bytes);
    return NULL;
}

/* Reserves anywhere: more than needed, of which the part around an aligned range is given back. */
static char *reserve_anywhere(size_t bytes)
{
    size_t slack = SHM_HEAP_ALIGNMENT;
    char *got = mmap(NULL, bytes + slack, PROT_NONE, RESERVE_FLAGS, -1, 0);
    size_t front;

    if (got == MAP_FAILED)
        return NULL;
    front = (size_t)(-(uintptr_t)got & (SHM_HEAP_ALIGNMENT - 1));
    if (front > 0)
        munmap(got, front);
    munmap(got + front + bytes, slack - front);
    return got + front;
}

static enum shm_status check_request(const struct shm_heap *heap,
                                     const struct shm_heap_layout *layout, int my_pe, int n_pes,
                                     uint32_t domain)
{
    if (heap->gva != NULL)
        return shm_fail(SHM_INVALID_PARAM, "the heap has its addresses already");
    if (n_pes < 1 || my_pe < 0 || my_pe >= n_pes)
        return shm_fail(SHM_INVALID_VALUE, "PE %d of %d, expected 0 to n-1", my_pe, n_pes);
    if (domain >= DOMAINS)
        return shm_fail(SHM_INVALID_VALUE, "memory domain %u, expected 0 to %u", domain,
                        DOMAINS - 1);
    if (layout->stride == 0 || layout->stride > SHM_HEAP_SPAN_MAX / (uint64_t)n_pes)
        return shm_fail(SHM_INVALID_VALUE,
                        "a stride of %" PRIu64 " bytes for %d PEs, made for fewer", layout->stride,
                        n_pes);
    return SHM_OK;
}

bool shm_heap_has_room(const struct shm_heap_layout *layout, int n_pes)
{
    size_t bytes = layout->stride * (uint64_t)n_pes;
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    char *got;

    getrlimit(RLIMIT_FSIZE, &limit);
    if (limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur)
        return false;
    got = reserve_anywhere(bytes);
    if (got != NULL)
        munmap(got, bytes);
    return got != NULL;
}

enum shm_status shm_heap_reserve(struct shm_heap *heap, const struct shm_heap_layout *layout,
                                 int my_pe, int n_pes, uint32_t domain)
{
    enum shm_status status = check_request(heap, layout, my_pe, n_pes, domain);
    size_t bytes;
    char *gva;

    if (status != SHM_OK)
        return status;
    bytes = layout->stride * (uint64_t)n_pes;
    gva = reserve_at(FIRST_PLACE + domain * PLACE_DISTANCE, bytes);
    if (gva == NULL)
        gva = reserve_anywhere(bytes);
    if (gva == NULL)
        return no_addresses(errno, layout, n_pes);
    heap->layout = *layout;
    heap->my_pe = my_pe;
    heap->n_pes = n_pes;
    heap->gva = gva;
    heap->reserved = gva;
    heap->reserved_bytes = bytes;
    return SHM_OK;
}
