/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The blocks of an allocator, used and free: an AVL tree ordered by offset and a list in the same
 * order. Each node knows the largest free gap below it, so that the first fit is found in one
 * descent. Nodes lie in one private array, are named by index and never move in it.
 */
#ifndef SHM_BLOCK_TREE_INTERNAL_H
#define SHM_BLOCK_TREE_INTERNAL_H

#include "heap/heap_internal.h"

/** No node. Its entry in the array stands for the empty tree. */
#define SHM_BLOCK_NONE 0u

/** What a gap is measured for. */
enum shm_gap {
    SHM_GAP_PLAIN, /* all of it */
    SHM_GAP_PAGES, /* from its first page boundary on */
    SHM_GAPS
};

struct shm_block {
    _Alignas(64) uint64_t offset; /* one cache line per node */
    uint64_t bytes;               /* a multiple of 64 */
    uint64_t largest[SHM_GAPS];   /* in this subtree; 0 = none */
    uint32_t left, right;
    uint32_t previous, next; /* neighbours; `next` also chains nodes that are not in use */
    uint8_t height;
    uint8_t unused_bytes; /* at the end of a used block: bytes - those asked for */
    bool is_used;
};

struct shm_block_tree {
    struct shm_block *nodes;
    uint32_t capacity;
    uint32_t fresh;    /* nodes from here on were never in use */
    uint32_t recycled; /* chain of nodes that are free to use */
    uint32_t spare;    /* nodes in that chain */
    uint32_t root;
    uint64_t page_bytes;
};

SHM_MUST_CHECK enum shm_status shm_block_tree_init(struct shm_block_tree *tree);
void shm_block_tree_fini(struct shm_block_tree *tree);

/** Makes sure that the next `count` insertions find a node. */
SHM_MUST_CHECK enum shm_status shm_block_tree_prepare(struct shm_block_tree *tree, uint32_t count);

/** Inserts a block behind `previous` in the list; shm_block_tree_prepare() came before. */
uint32_t shm_block_tree_insert(struct shm_block_tree *tree, uint32_t previous, uint64_t offset,
                               uint64_t bytes, bool is_used);

/** Takes a block out of tree and list. */
void shm_block_tree_remove(struct shm_block_tree *tree, uint32_t index);

/** Makes the gaps known above a node right again after it changed. Its order must be the same. */
void shm_block_tree_update(struct shm_block_tree *tree, uint32_t index);

/** The last block that starts at `offset` or before. */
uint32_t shm_block_tree_floor(const struct shm_block_tree *tree, uint64_t offset);

/** The first gap at `from` or behind with at least `bytes`, measured for `gap`. */
uint32_t shm_block_tree_first_gap(const struct shm_block_tree *tree, uint64_t from, uint64_t bytes,
                                  enum shm_gap gap);

#endif
