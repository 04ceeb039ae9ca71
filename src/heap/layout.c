/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap_internal.h"

#include <inttypes.h>
#include <unistd.h>

uint64_t shm_heap_page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static enum shm_status check_part(const char *what, uint64_t bytes)
{
    if (bytes <= SHM_HEAP_SPAN_MAX)
        return SHM_OK;
    return shm_fail(SHM_INVALID_VALUE,
                    "%s of %" PRIu64 " bytes per PE, at most %" PRIu64 " are possible", what, bytes,
                    SHM_HEAP_SPAN_MAX);
}

static enum shm_status check_parts(uint64_t control_bytes, uint64_t static_bytes,
                                   uint64_t heap_bytes)
{
    enum shm_status status = check_part("a control area", control_bytes);

    if (status == SHM_OK)
        status = check_part("static data", static_bytes);
    if (status == SHM_OK)
        status = check_part("a symmetric heap (SHMEM_SYMMETRIC_SIZE)", heap_bytes);
    return status;
}

enum shm_status shm_heap_layout_make(uint64_t control_bytes, uint64_t static_bytes,
                                     uint64_t heap_bytes, int n_pes,
                                     struct shm_heap_layout *out_layout)
{
    uint64_t page = shm_heap_page_bytes();
    struct shm_heap_layout layout = {0};
    enum shm_status status = check_parts(control_bytes, static_bytes, heap_bytes);

    if (status != SHM_OK)
        return status;
    if (n_pes < 1)
        return shm_fail(SHM_INVALID_VALUE, "%d PEs, expected at least 1", n_pes);
    layout.control_bytes = shm_heap_round_up(control_bytes + SHM_HEAP_TOKEN_BYTES, page);
    layout.static_offset = layout.control_bytes;
    layout.static_bytes = shm_heap_round_up(static_bytes, page);
    layout.heap_offset =
        shm_heap_round_up(layout.static_offset + layout.static_bytes, SHM_HEAP_ALIGNMENT);
    layout.heap_bytes = shm_heap_round_up(heap_bytes, page);
    layout.host_offset =
        shm_heap_round_up(layout.heap_offset + layout.heap_bytes, SHM_HEAP_ALIGNMENT);
    layout.stride = layout.host_offset;
    if (layout.stride > SHM_HEAP_SPAN_MAX / (uint64_t)n_pes)
        return shm_fail(SHM_INVALID_VALUE,
                        "%d PEs of %" PRIu64 " bytes each (SHMEM_SYMMETRIC_SIZE %" PRIu64
                        ") exceed the address space, at most %" PRIu64 " bytes per PE are possible",
                        n_pes, layout.stride, heap_bytes, SHM_HEAP_SPAN_MAX / (uint64_t)n_pes);
    *out_layout = layout;
    return SHM_OK;
}

bool shm_heap_layout_add_host(struct shm_heap_layout *layout, uint64_t host_bytes, int n_pes)
{
    uint64_t most = SHM_HEAP_SPAN_MAX / (uint64_t)n_pes;

    if (host_bytes > most || layout->host_offset > most - host_bytes)
        return false;
    host_bytes = shm_heap_round_up(host_bytes, shm_heap_page_bytes());
    if (shm_heap_round_up(layout->host_offset + host_bytes, SHM_HEAP_ALIGNMENT) > most)
        return false;
    layout->host_bytes = host_bytes;
    layout->stride = shm_heap_round_up(layout->host_offset + host_bytes, SHM_HEAP_ALIGNMENT);
    return true;
}
