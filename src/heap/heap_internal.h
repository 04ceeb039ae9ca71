/* SPDX-License-Identifier: BSD-3-Clause */
/** What the files of this folder share. */
#ifndef SHM_HEAP_INTERNAL_H
#define SHM_HEAP_INTERNAL_H

#include "heap/heap.h"

#include <sys/types.h>

/** Most bytes of addresses that one heap may span. */
#define SHM_HEAP_SPAN_MAX ((uint64_t)1 << 46)

/** Size of a page of the system. */
uint64_t shm_heap_page_bytes(void);

/** Whether the file has a page in that range; when in doubt, it has. A hole need not be made where
 *  one is: the kernel would look for its pages in every process that maps the file. */
bool shm_heap_has_pages(int fd, off_t begin, off_t bytes);

/** Rounds up to a multiple of `unit`, a power of two. */
static inline uint64_t shm_heap_round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) & ~(unit - 1);
}

/** Bytes that one slice takes in the memory of huge pages. */
static inline uint64_t shm_heap_huge_bytes(const struct shm_heap_layout *layout)
{
    return shm_heap_round_up(layout->heap_bytes, SHM_HEAP_HUGE_PAGE_BYTES);
}

#endif
