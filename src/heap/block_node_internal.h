/* SPDX-License-Identifier: BSD-3-Clause */
/** The nodes of a tree of blocks and what can be said and done within one of them. */
#ifndef SHM_BLOCK_NODE_INTERNAL_H
#define SHM_BLOCK_NODE_INTERNAL_H

#include "heap/block_tree_internal.h"

/* A node takes 512 bytes. A test has small ones, so that few blocks make a deep tree. */
#ifndef SHM_LEAF_BLOCKS
#define SHM_LEAF_BLOCKS 59u
#define SHM_NODE_CHILDREN 18u
#endif

struct shm_block_node {
    _Alignas(64) uint32_t count; /* blocks or children */
    uint32_t next;               /* in the chain of recycled nodes */

    union {
        struct {
            uint64_t end;  /* of the last block */
            uint64_t gaps; /* bit n: block n is a gap */
            uint64_t largest_gap[SHM_GAPS];
            uint64_t words[SHM_LEAF_BLOCKS]; /* see below */
        };

        struct {
            uint64_t first[SHM_NODE_CHILDREN]; /* offset of the child's first block */
            uint64_t largest[SHM_GAPS][SHM_NODE_CHILDREN];
            uint32_t child[SHM_NODE_CHILDREN];
        };
    };
};

_Static_assert(SHM_LEAF_BLOCKS < 64, "one word has a bit for each block");

/* ---- words: a block's offset, and below it 0 for a gap or 64 + the unused bytes ---- */

#define SHM_WORD_USED 64ull

/* ---- leaves ---- */

/** Makes a leaf of one gap; of no block when it has no bytes. */
void shm_leaf_init(struct shm_block_node *leaf, uint64_t bytes, uint64_t page_bytes);

/** Removes the first `count` blocks. */
void shm_leaf_drop(struct shm_block_node *leaf, uint32_t count, uint64_t page_bytes);

/** Puts blocks in the place of the `replaced` ones from `slot` on; there is room. */
void shm_leaf_replace(struct shm_block_node *leaf, uint32_t slot, uint32_t replaced,
                      const struct shm_block *blocks, uint32_t count, uint64_t page_bytes);

/* ---- nodes above the leaves ---- */

/** Copies `count` children from one place to another, also within a node. */
void shm_node_copy(struct shm_block_node *to, uint32_t to_slot, const struct shm_block_node *from,
                   uint32_t from_slot, uint32_t count);

/* ---- nodes of any level; leaves are of level 0 ---- */

/** What the node above knows of a subtree. */
struct shm_block_summary {
    uint64_t first; /* offset of its first block */
    uint64_t largest[SHM_GAPS];
};

/** Most blocks or children. */
static inline uint32_t shm_block_node_most(uint32_t level)
{
    return level == 0 ? SHM_LEAF_BLOCKS : SHM_NODE_CHILDREN;
}

/** Moves all but the first `kept` blocks or children to an empty node. */
void shm_block_node_split(struct shm_block_node *node, uint32_t kept, struct shm_block_node *added,
                          uint32_t level, uint64_t page_bytes);

/** Adds those of the node behind it; there is room. */
void shm_block_node_append(struct shm_block_node *node, const struct shm_block_node *next,
                           uint32_t level, uint64_t page_bytes);

/* ---- the array of nodes ---- */

/** No node: its entry in the array is not used. */
#define SHM_NODE_NONE 0u

SHM_MUST_CHECK enum shm_status shm_block_nodes_init(struct shm_block_tree *tree);
void shm_block_nodes_fini(struct shm_block_tree *tree);

/** Makes sure that the next `count` nodes can be taken; may move the array. */
SHM_MUST_CHECK enum shm_status shm_block_nodes_prepare(struct shm_block_tree *tree, uint32_t count);
uint32_t shm_block_nodes_take(struct shm_block_tree *tree);
void shm_block_nodes_give(struct shm_block_tree *tree, uint32_t index);

#endif
