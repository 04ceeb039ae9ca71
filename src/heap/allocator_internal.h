/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHM_ALLOCATOR_INTERNAL_H
#define SHM_ALLOCATOR_INTERNAL_H

#include "heap/block_tree_internal.h"

struct shm_allocator {
    struct shm_block_tree tree;
    uint64_t total_bytes;
    uint64_t free_bytes;
    uint64_t blocks; /* in use */
};

#endif
