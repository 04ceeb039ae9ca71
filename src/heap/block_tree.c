/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/block_balance_internal.h"
#include "heap/block_node_inline.h"

#include <stdlib.h>

enum shm_status shm_block_tree_init(struct shm_block_tree *tree, uint64_t bytes)
{
    enum shm_status status = shm_block_nodes_init(tree);

    if (status != SHM_OK)
        return status;
    tree->recent = calloc(1, sizeof *tree->recent);
    if (tree->recent == NULL) {
        shm_block_nodes_fini(tree);
        return shm_fail(SHM_MALLOC_FAILED, "no memory to keep book of the heap");
    }
    tree->page_bytes = shm_heap_page_bytes();
    tree->root = shm_block_nodes_take(tree);
    shm_leaf_init(&tree->nodes[tree->root], bytes, tree->page_bytes);
    return SHM_OK;
}

void shm_block_tree_fini(struct shm_block_tree *tree)
{
    free(tree->recent);
    shm_block_nodes_fini(tree);
}

/* ---- finding a block ---- */

/* Where no leaf is known, node 0 says so: it has no blocks and ends at 0. */
static const struct shm_block_node *recent_leaf(const struct shm_block_tree *tree)
{
    return &tree->nodes[tree->recent->node[0]];
}

static void descend(const struct shm_block_tree *tree, uint64_t offset)
{
    struct shm_block_path *path = tree->recent;
    uint32_t index = tree->root;

    for (uint32_t level = tree->height; level > 0; level--) {
        const struct shm_block_node *node = &tree->nodes[index];
        uint32_t slot = shm_node_locate(node, offset);

        path->node[level] = index;
        path->slot[level] = slot;
        index = node->child[slot];
        shm_block_node_prefetch(&tree->nodes[index]);
    }
    path->node[0] = index;
    path->slot[0] = 0;
}

/* A call looks for one block several times and for its neighbours, so what was found last is tried
 * first. */
static const struct shm_block_path *find_path(const struct shm_block_tree *tree, uint64_t offset)
{
    struct shm_block_path *path = tree->recent;
    const struct shm_block_node *leaf = recent_leaf(tree);
    uint32_t slot = path->slot[0];

    if (offset >= shm_leaf_offset(leaf, slot) && offset < shm_leaf_end(leaf, slot))
        return path;
    if (offset < shm_leaf_offset(leaf, 0) || offset >= leaf->end) {
        descend(tree, offset);
        leaf = recent_leaf(tree);
    }
    path->slot[0] = shm_leaf_locate(leaf, offset);
    return path;
}

bool shm_block_tree_find(const struct shm_block_tree *tree, uint64_t offset,
                         struct shm_block *out_block)
{
    const struct shm_block_path *path = find_path(tree, offset);
    const struct shm_block_node *leaf = &tree->nodes[path->node[0]];

    if (offset >= leaf->end)
        return false;
    *out_block = shm_leaf_block(leaf, path->slot[0]);
    return true;
}

bool shm_block_tree_next(const struct shm_block_tree *tree, const struct shm_block *block,
                         struct shm_block *out_next)
{
    const struct shm_block_path *path = find_path(tree, block->offset);
    const struct shm_block_node *leaf = &tree->nodes[path->node[0]];

    if (path->slot[0] + 1 == leaf->count)
        return shm_block_tree_find(tree, block->offset + block->bytes, out_next);
    *out_next = shm_leaf_block(leaf, path->slot[0] + 1);
    return true;
}

bool shm_block_tree_previous(const struct shm_block_tree *tree, const struct shm_block *block,
                             struct shm_block *out_previous)
{
    const struct shm_block_path *path = find_path(tree, block->offset);
    const struct shm_block_node *leaf = &tree->nodes[path->node[0]];

    if (path->slot[0] == 0)
        return block->offset > 0 && shm_block_tree_find(tree, block->offset - 1, out_previous);
    *out_previous = shm_leaf_block(leaf, path->slot[0] - 1);
    return true;
}

/* ---- finding a gap ---- */

/* What is being looked for. */
struct wanted {
    uint64_t from, bytes;
    enum shm_gap gap;
};

/* The first gap of a leaf from `from` on; the number of its blocks when there is none. */
static uint32_t find_in_leaf(const struct shm_block_tree *tree, const struct shm_block_node *leaf,
                             const struct wanted *wanted)
{
    uint32_t slot = 0;

    if (wanted->from > shm_leaf_offset(leaf, 0)) {
        slot = shm_leaf_locate(leaf, wanted->from);
        slot += shm_leaf_offset(leaf, slot) < wanted->from;
    }
    return shm_leaf_find_gap(leaf, slot, wanted->bytes, wanted->gap, tree->page_bytes);
}

/* Makes the way to the gap the recent one, from below. O(log n): at most one subtree with a large
 * gap disappoints because the gap lies before `from`. */
static bool find_below(const struct shm_block_tree *tree, uint32_t index, uint32_t level,
                       const struct wanted *wanted)
{
    const struct shm_block_node *node = &tree->nodes[index];
    bool is_found = false;
    uint32_t slot = 0;

    if (level == 0) {
        slot = find_in_leaf(tree, node, wanted);
        is_found = slot < node->count;
    } else {
        if (wanted->from > node->first[0])
            slot = shm_node_locate(node, wanted->from);
        for (; slot < node->count; slot++) {
            if (node->largest[wanted->gap][slot] < wanted->bytes)
                continue;
            shm_block_node_prefetch(&tree->nodes[node->child[slot]]);
            is_found = find_below(tree, node->child[slot], level - 1, wanted);
            if (is_found)
                break;
        }
    }
    if (is_found) {
        tree->recent->node[level] = index;
        tree->recent->slot[level] = slot;
    }
    return is_found;
}

bool shm_block_tree_find_gap(const struct shm_block_tree *tree, uint64_t from, uint64_t bytes,
                             enum shm_gap gap, struct shm_block *out_block)
{
    struct wanted wanted = {from, bytes, gap};
    const struct shm_block_path *path = tree->recent;

    if (!find_below(tree, tree->root, tree->height, &wanted))
        return false;
    *out_block = shm_leaf_block(&tree->nodes[path->node[0]], path->slot[0]);
    return true;
}

uint64_t shm_block_tree_largest_gap(const struct shm_block_tree *tree)
{
    const struct shm_block_node *root = &tree->nodes[tree->root];

    return root->count == 0 ? 0 : shm_block_node_summary(root, tree->height).largest[SHM_GAP_PLAIN];
}

/* ---- replacing ---- */

/* Number of blocks from `slot` on that start before `end`. */
static uint32_t count_until(const struct shm_block_node *leaf, uint32_t slot, uint64_t end)
{
    uint32_t until = slot;

    while (until < leaf->count && shm_leaf_offset(leaf, until) < end)
        until++;
    return until - slot;
}

/* Removes the blocks before `end` from the leaf that starts at `offset`; returns where it ended. */
static uint64_t remove_from_leaf(struct shm_block_tree *tree, uint64_t offset, uint64_t end)
{
    const struct shm_block_path *path = find_path(tree, offset);
    struct shm_block_node *leaf = &tree->nodes[path->node[0]];
    uint64_t leaf_end = leaf->end;

    shm_leaf_drop(leaf, count_until(leaf, 0, end), tree->page_bytes);
    shm_block_tree_settle(tree, path);
    return leaf_end;
}

/* Finds the way to the leaf that is to have all of the blocks: with room for them, and without the
 * leaves behind it having any part. Room comes first: a split may put the place on two leaves. */
static const struct shm_block_path *clear_place(struct shm_block_tree *tree, uint64_t begin,
                                                uint64_t end, uint32_t count)
{
    const struct shm_block_path *path = find_path(tree, begin);
    uint64_t leaf_end;

    if (count > 1 && shm_block_node_is_full(&tree->nodes[path->node[0]], 0)) {
        shm_block_tree_make_room(tree, begin);
        path = find_path(tree, begin);
    }
    leaf_end = tree->nodes[path->node[0]].end;
    if (leaf_end >= end)
        return path;
    while (leaf_end < end)
        leaf_end = remove_from_leaf(tree, leaf_end, end);
    return find_path(tree, begin);
}

enum shm_status shm_block_tree_prepare(struct shm_block_tree *tree)
{
    /* one node for each level, and a new root */
    return shm_block_nodes_prepare(tree, tree->height + 2);
}

void shm_block_tree_replace(struct shm_block_tree *tree, const struct shm_block *blocks,
                            uint32_t count)
{
    uint64_t end = blocks[count - 1].offset + blocks[count - 1].bytes;
    const struct shm_block_path *path = clear_place(tree, blocks[0].offset, end, count);
    struct shm_block_node *leaf = &tree->nodes[path->node[0]];
    uint32_t slot = path->slot[0];

    shm_leaf_replace(leaf, slot, count_until(leaf, slot, end), blocks, count, tree->page_bytes);
    shm_block_tree_settle(tree, path);
}
