/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/block_balance_internal.h"
#include "heap/block_node_inline.h"

bool shm_block_node_is_full(const struct shm_block_node *node, uint32_t level)
{
    return node->count > shm_block_node_most(level) - (level == 0 ? SHM_BLOCKS_ADDED : 1);
}

static void forget_path(struct shm_block_tree *tree)
{
    tree->recent->node[0] = SHM_NODE_NONE;
}

/* Lets a node know what is below its child, which is of `level`; returns whether that is new. */
static bool refresh(struct shm_block_tree *tree, struct shm_block_node *node, uint32_t slot,
                    uint32_t level)
{
    struct shm_block_summary summary =
        shm_block_node_summary(&tree->nodes[node->child[slot]], level);
    bool is_new = node->first[slot] != summary.first;

    node->first[slot] = summary.first;
    for (int gap = 0; gap < SHM_GAPS; gap++) {
        is_new = is_new || node->largest[gap][slot] != summary.largest[gap];
        node->largest[gap][slot] = summary.largest[gap];
    }
    return is_new;
}

/* ---- growing ---- */

/* Moves the end of a child, which is of `level`, to a new one behind it. The last of all leaves
 * keeps more than half: a heap that fills up in order adds nothing to the others. */
static void split_child(struct shm_block_tree *tree, struct shm_block_node *node, uint32_t slot,
                        uint32_t level, bool is_last)
{
    struct shm_block_node *child = &tree->nodes[node->child[slot]];
    uint32_t kept = is_last ? child->count * 3 / 4 : child->count / 2;
    uint32_t index = shm_block_nodes_take(tree);

    forget_path(tree);
    shm_block_node_split(child, kept, &tree->nodes[index], level, tree->page_bytes);
    shm_node_copy(node, slot + 2, node, slot + 1, node->count - slot - 1);
    node->child[slot + 1] = index;
    node->count++;
    refresh(tree, node, slot, level);
    refresh(tree, node, slot + 1, level);
}

/* Puts a root above the root. */
static void add_level(struct shm_block_tree *tree)
{
    uint32_t index = shm_block_nodes_take(tree);
    struct shm_block_node *root = &tree->nodes[index];

    forget_path(tree);
    root->count = 1;
    root->child[0] = tree->root;
    refresh(tree, root, 0, tree->height);
    tree->root = index;
    tree->height++;
}

/* From above, so that a split always finds room. */
void shm_block_tree_make_room(struct shm_block_tree *tree, uint64_t offset)
{
    uint32_t index;
    bool is_last = true;

    if (shm_block_node_is_full(&tree->nodes[tree->root], tree->height))
        add_level(tree);
    index = tree->root;
    for (uint32_t level = tree->height; level > 0; level--) {
        struct shm_block_node *node = &tree->nodes[index];
        uint32_t slot = shm_node_locate(node, offset);

        is_last = is_last && slot + 1 == node->count;
        if (shm_block_node_is_full(&tree->nodes[node->child[slot]], level - 1)) {
            split_child(tree, node, slot, level - 1, is_last);
            slot = shm_node_locate(node, offset);
            is_last = is_last && slot + 1 == node->count;
        }
        index = node->child[slot];
    }
}

/* ---- shrinking ---- */

static void remove_child(struct shm_block_tree *tree, struct shm_block_node *node, uint32_t slot)
{
    forget_path(tree);
    shm_block_nodes_give(tree, node->child[slot]);
    node->count--;
    shm_node_copy(node, slot, node, slot + 1, node->count - slot);
}

/* Moves all of the child behind `slot` into the one there, unless that one would become so full
 * that it soon had to be split again. */
static bool join_children(struct shm_block_tree *tree, struct shm_block_node *node, uint32_t slot,
                          uint32_t level)
{
    struct shm_block_node *left = &tree->nodes[node->child[slot]];
    const struct shm_block_node *right = &tree->nodes[node->child[slot + 1]];

    if (left->count + right->count > shm_block_node_most(level) * 3 / 4)
        return false;
    shm_block_node_append(left, right, level, tree->page_bytes);
    remove_child(tree, node, slot + 1);
    refresh(tree, node, slot, level);
    return true;
}

/* Makes a node right after a change below its child, which is of `level`; returns whether what the
 * node above knows may have changed. */
static bool settle_child(struct shm_block_tree *tree, struct shm_block_node *node, uint32_t slot,
                         uint32_t level)
{
    const struct shm_block_node *child = &tree->nodes[node->child[slot]];
    bool is_new;

    if (child->count == 0) {
        remove_child(tree, node, slot);
        return true;
    }
    is_new = refresh(tree, node, slot, level);
    if (child->count > shm_block_node_most(level) / 4)
        return is_new;
    return (slot + 1 < node->count && join_children(tree, node, slot, level)) ||
           (slot > 0 && join_children(tree, node, slot - 1, level)) || is_new;
}

void shm_block_tree_settle(struct shm_block_tree *tree, const struct shm_block_path *path)
{
    bool is_new = true;

    for (uint32_t level = 1; is_new && level <= tree->height; level++)
        is_new = settle_child(tree, &tree->nodes[path->node[level]], path->slot[level], level - 1);
    while (tree->height > 0 && tree->nodes[tree->root].count == 1) {
        uint32_t root = tree->root;

        forget_path(tree);
        tree->root = tree->nodes[root].child[0];
        tree->height--;
        shm_block_nodes_give(tree, root);
    }
}
