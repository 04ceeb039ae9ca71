/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at every node of an allocator's tree: all that nodes know must be true, and the leaves must
 * hold the blocks of the model. */
#ifndef BLOCK_TREE_CHECK_H
#define BLOCK_TREE_CHECK_H

#include "heap/allocator_internal.h"
#include "heap/block_balance_internal.h"
#include "heap/block_node_inline.h"

#include "allocator_steps.h"

struct check {
    const struct shm_block_tree *tree;
    const struct model *model;
    size_t block;   /* the model's next one */
    uint32_t nodes; /* that were seen */
};

static inline void raise_to(uint64_t *largest, uint64_t bytes)
{
    *largest = bytes > *largest ? bytes : *largest;
}

static inline void check_block(struct check *check, struct shm_block block)
{
    const struct model_block *expected = &check->model->blocks[check->block++];

    assert_true(check->block <= check->model->count);
    assert_int_equal(block.offset, expected->offset);
    assert_int_equal(block.bytes, expected->bytes);
    assert_int_equal(block.is_used, expected->asked != 0);
    assert_int_equal(block.unused_bytes,
                     expected->asked != 0 ? expected->bytes - expected->asked : 0);
}

static inline struct shm_block_summary check_leaf(struct check *check,
                                                  const struct shm_block_node *leaf)
{
    struct shm_block_summary true_one = {.first = check->model->blocks[check->block].offset};
    struct shm_block_summary known = shm_block_node_summary(leaf, 0);

    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        struct shm_block block = shm_leaf_block(leaf, slot);
        uint64_t page_begin = round_up(block.offset, check->tree->page_bytes);
        uint64_t end = block.offset + block.bytes;

        check_block(check, block);
        assert_int_equal(leaf->gaps >> slot & 1, !block.is_used);
        if (block.is_used)
            continue;
        raise_to(&true_one.largest[SHM_GAP_PLAIN], block.bytes);
        raise_to(&true_one.largest[SHM_GAP_PAGES], page_begin < end ? end - page_begin : 0);
    }
    assert_int_equal(leaf->gaps >> leaf->count, 0);
    assert_memory_equal(&known, &true_one, sizeof known);
    return known;
}

static inline struct shm_block_summary check_node(struct check *check, uint32_t index,
                                                  uint32_t level)
{
    const struct shm_block_node *node = &check->tree->nodes[index];
    struct shm_block_summary true_one = {.first = node->first[0]};
    struct shm_block_summary known;

    assert_in_range(index, SHM_NODE_NONE + 1, check->tree->fresh - 1);
    assert_in_range(node->count, 1, shm_block_node_most(level));
    check->nodes++;
    if (level == 0)
        return check_leaf(check, node);
    known = shm_block_node_summary(node, level);
    for (uint32_t slot = 0; slot < node->count; slot++) {
        struct shm_block_summary child = check_node(check, node->child[slot], level - 1);

        assert_int_equal(node->first[slot], child.first);
        for (int gap = 0; gap < SHM_GAPS; gap++) {
            assert_int_equal(node->largest[gap][slot], child.largest[gap]);
            raise_to(&true_one.largest[gap], child.largest[gap]);
        }
    }
    assert_memory_equal(&known, &true_one, sizeof known);
    return known;
}

/* Every node that was ever in use is in the tree or waits to be used again. */
static inline void check_spare_nodes(const struct check *check)
{
    uint32_t spare = 0;

    for (uint32_t index = check->tree->recycled; index != SHM_NODE_NONE;
         index = check->tree->nodes[index].next)
        spare++;
    assert_int_equal(spare, check->tree->spare);
    assert_int_equal(check->nodes + spare + 1, check->tree->fresh);
    assert_true(check->tree->fresh <= check->tree->capacity);
}

/* The way to the leaf that was found last must still lead there. */
static inline void check_recent(const struct shm_block_tree *tree)
{
    uint32_t index = tree->root;

    if (tree->recent->node[0] == SHM_NODE_NONE)
        return;
    for (uint32_t level = tree->height; level > 0; level--) {
        const struct shm_block_node *node = &tree->nodes[index];

        assert_int_equal(tree->recent->node[level], index);
        assert_in_range(tree->recent->slot[level], 0, node->count - 1);
        index = node->child[tree->recent->slot[level]];
    }
    assert_int_equal(tree->recent->node[0], index);
}

static inline void check_pair(const struct pair *pair)
{
    const struct shm_block_tree *tree = &pair->allocator->tree;
    struct check check = {.tree = tree, .model = pair->model};

    check_node(&check, tree->root, tree->height);
    assert_int_equal(check.block, pair->model->count);
    assert_true(tree->height == 0 || tree->nodes[tree->root].count > 1);
    check_spare_nodes(&check);
    check_recent(tree);
    assert_same_usage(pair);
}

#endif
