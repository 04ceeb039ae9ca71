/* SPDX-License-Identifier: BSD-3-Clause */
/** How the nodes of a tree of blocks split and join, so that all leaves stay on one level. */
#ifndef SHM_BLOCK_BALANCE_INTERNAL_H
#define SHM_BLOCK_BALANCE_INTERNAL_H

#include "heap/block_node_internal.h"

/** Most blocks that a replacement adds. */
#define SHM_BLOCKS_ADDED 2u

/** A node with few entries joins a neighbour, so that two neighbours always have some: far fewer
 *  levels are ever needed than this. */
#define SHM_BLOCK_LEVELS 32u

/** The way to a leaf: the node and the place in it on each level; level 0 is the leaf. */
struct shm_block_path {
    uint32_t node[SHM_BLOCK_LEVELS];
    uint32_t slot[SHM_BLOCK_LEVELS];
};

/** Whether a leaf lacks room for a replacement, or a node for a child. */
bool shm_block_node_is_full(const struct shm_block_node *node, uint32_t level);

/** Splits what is full on the way to the leaf of `offset`, and the leaf. */
void shm_block_tree_make_room(struct shm_block_tree *tree, uint64_t offset);

/** Makes all nodes above a leaf right after it changed; joins those that have few entries left. */
void shm_block_tree_settle(struct shm_block_tree *tree, const struct shm_block_path *path);

#endif
