/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The blocks of an allocator, used and free, as they follow each other without holes: a B+ tree
 * ordered by offset. Its leaves hold dozens of blocks in one word each, so that even a million of
 * them are reached through few cache lines. The nodes above know the largest gap of each subtree,
 * so that the first fit is found in one descent.
 */
#ifndef SHM_BLOCK_TREE_INTERNAL_H
#define SHM_BLOCK_TREE_INTERNAL_H

#include "heap/heap_internal.h"

/** Offsets and sizes of blocks are multiples of this. */
#define SHM_BLOCK_GRAIN 64ull

/** What a gap is measured for. */
enum shm_gap {
    SHM_GAP_PLAIN, /* all of it */
    SHM_GAP_PAGES, /* from its first page boundary on */
    SHM_GAPS
};

struct shm_block {
    uint64_t offset, bytes;
    uint8_t unused_bytes; /* at the end of a used block: bytes - those asked for; fewer than 64 */
    bool is_used;
};

struct shm_block_node;

struct shm_block_path;

struct shm_block_tree {
    struct shm_block_node *nodes; /* one private array, named by index */
    uint32_t capacity;
    uint32_t fresh;    /* nodes from here on were never in use */
    uint32_t recycled; /* chain of nodes that are free to use */
    uint32_t spare;    /* nodes in that chain */
    uint32_t root;
    uint32_t height; /* levels above the leaves */
    uint64_t page_bytes;
    struct shm_block_path *recent; /* to the leaf that was found last; no node: forgotten */
};

/** A tree of one gap of `bytes`; of no block when that is 0. */
SHM_MUST_CHECK enum shm_status shm_block_tree_init(struct shm_block_tree *tree, uint64_t bytes);
void shm_block_tree_fini(struct shm_block_tree *tree);

/** The block that `offset` lies in; false when it lies behind the last one. */
bool shm_block_tree_find(const struct shm_block_tree *tree, uint64_t offset,
                         struct shm_block *out_block);

/** The blocks behind and in front of a block; false when there is none. */
bool shm_block_tree_next(const struct shm_block_tree *tree, const struct shm_block *block,
                         struct shm_block *out_next);
bool shm_block_tree_previous(const struct shm_block_tree *tree, const struct shm_block *block,
                             struct shm_block *out_previous);

/** The first gap that starts at `from` or behind and has at least `bytes`, measured for `gap`;
 *  false when there is none. */
bool shm_block_tree_find_gap(const struct shm_block_tree *tree, uint64_t from, uint64_t bytes,
                             enum shm_gap gap, struct shm_block *out_block);

uint64_t shm_block_tree_largest_gap(const struct shm_block_tree *tree);

/** Makes sure that the next replacement by several blocks finds memory. */
SHM_MUST_CHECK enum shm_status shm_block_tree_prepare(struct shm_block_tree *tree);

/** Puts `count` blocks (1 to 3) in the place of those that they cover together, of which none is
 *  covered in part. For more than one, shm_block_tree_prepare() came before. */
void shm_block_tree_replace(struct shm_block_tree *tree, const struct shm_block *blocks,
                            uint32_t count);

#endif
