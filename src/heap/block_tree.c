/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/block_tree_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Most programs have few blocks: a mapping for them would be made and unmade in vain. */
#define FIRST_CAPACITY 32u
#define MAPPED_CAPACITY 1024u
#define LAST_CAPACITY 0x80000000u

/* ---- the array ---- */

static size_t array_bytes(uint32_t capacity)
{
    return (size_t)capacity * sizeof(struct shm_block);
}

static enum shm_status no_memory(uint32_t capacity)
{
    return shm_fail_errno(SHM_SMEM_ERROR, errno, "%zu bytes to keep book of the heap",
                          array_bytes(capacity));
}

enum shm_status shm_block_tree_init(struct shm_block_tree *tree)
{
    struct shm_block *nodes =
        aligned_alloc(_Alignof(struct shm_block), array_bytes(FIRST_CAPACITY));

    if (nodes == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "%zu bytes to keep book of the heap",
                        array_bytes(FIRST_CAPACITY));
    nodes[SHM_BLOCK_NONE] = (struct shm_block){0};
    *tree = (struct shm_block_tree){.nodes = nodes,
                                    .capacity = FIRST_CAPACITY,
                                    .fresh = SHM_BLOCK_NONE + 1,
                                    .page_bytes = shm_heap_page_bytes()};
    return SHM_OK;
}

void shm_block_tree_fini(struct shm_block_tree *tree)
{
    if (tree->capacity == FIRST_CAPACITY)
        free(tree->nodes);
    else if (tree->nodes != NULL)
        munmap(tree->nodes, array_bytes(tree->capacity));
    *tree = (struct shm_block_tree){0};
}

static enum shm_status move_to_mapping(struct shm_block_tree *tree)
{
    void *nodes = mmap(NULL, array_bytes(MAPPED_CAPACITY), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (nodes == MAP_FAILED)
        return no_memory(MAPPED_CAPACITY);
    memcpy(nodes, tree->nodes, array_bytes(FIRST_CAPACITY));
    free(tree->nodes);
    tree->nodes = nodes;
    tree->capacity = MAPPED_CAPACITY;
    return SHM_OK;
}

enum shm_status shm_block_tree_prepare(struct shm_block_tree *tree, uint32_t count)
{
    uint32_t doubled = tree->capacity * 2;
    void *nodes;

    if (tree->capacity - tree->fresh + tree->spare >= count)
        return SHM_OK;
    if (tree->capacity == FIRST_CAPACITY)
        return move_to_mapping(tree);
    if (tree->capacity >= LAST_CAPACITY)
        return shm_fail(SHM_MALLOC_FAILED, "%u blocks are too many to keep book of", tree->fresh);
    nodes = mremap(tree->nodes, array_bytes(tree->capacity), array_bytes(doubled), MREMAP_MAYMOVE);
    if (nodes == MAP_FAILED)
        return no_memory(doubled);
    tree->nodes = nodes;
    tree->capacity = doubled;
    return SHM_OK;
}

static uint32_t take_node(struct shm_block_tree *tree)
{
    uint32_t index = tree->recycled;

    if (index == SHM_BLOCK_NONE)
        return tree->fresh++;
    tree->recycled = tree->nodes[index].next;
    tree->spare--;
    return index;
}

static void give_node(struct shm_block_tree *tree, uint32_t index)
{
    tree->nodes[index].next = tree->recycled;
    tree->recycled = index;
    tree->spare++;
}

/* ---- the tree ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t own_gap(const struct shm_block_tree *tree, const struct shm_block *block,
                        enum shm_gap gap)
{
    uint64_t front;

    if (block->is_used)
        return 0;
    if (gap == SHM_GAP_PLAIN)
        return block->bytes;
    front = shm_heap_round_up(block->offset, tree->page_bytes) - block->offset;
    return block->bytes > front ? block->bytes - front : 0;
}

/* Computes what a node knows of its subtree from its children. */
static void refresh(struct shm_block_tree *tree, uint32_t index)
{
    struct shm_block *block = &tree->nodes[index];
    const struct shm_block *left = &tree->nodes[block->left];
    const struct shm_block *right = &tree->nodes[block->right];

    for (int gap = 0; gap < SHM_GAPS; gap++)
        block->largest[gap] = larger(own_gap(tree, block, (enum shm_gap)gap),
                                     larger(left->largest[gap], right->largest[gap]));
    block->height = (uint8_t)(1 + (left->height > right->height ? left->height : right->height));
}

/* What the nodes above a subtree depend on. */
struct summary {
    uint64_t largest[SHM_GAPS];
    uint8_t height;
};

static struct summary summarise(const struct shm_block_tree *tree, uint32_t top)
{
    const struct shm_block *block = &tree->nodes[top];
    struct summary summary = {.height = block->height};

    for (int gap = 0; gap < SHM_GAPS; gap++)
        summary.largest[gap] = block->largest[gap];
    return summary;
}

/* When it did not change, nothing further up does, and most changes end near the leaves. */
static bool has_changed(const struct shm_block_tree *tree, uint32_t top,
                        const struct summary *before)
{
    const struct shm_block *block = &tree->nodes[top];
    bool is_same = block->height == before->height;

    for (int gap = 0; gap < SHM_GAPS; gap++)
        is_same = is_same && block->largest[gap] == before->largest[gap];
    return !is_same;
}

static uint32_t rotate_right(struct shm_block_tree *tree, uint32_t index)
{
    uint32_t top = tree->nodes[index].left;

    tree->nodes[index].left = tree->nodes[top].right;
    tree->nodes[top].right = index;
    refresh(tree, index);
    refresh(tree, top);
    return top;
}

static uint32_t rotate_left(struct shm_block_tree *tree, uint32_t index)
{
    uint32_t top = tree->nodes[index].right;

    tree->nodes[index].right = tree->nodes[top].left;
    tree->nodes[top].left = index;
    refresh(tree, index);
    refresh(tree, top);
    return top;
}

static int lean(const struct shm_block_tree *tree, uint32_t index)
{
    const struct shm_block *block = &tree->nodes[index];

    return tree->nodes[block->left].height - tree->nodes[block->right].height;
}

/* Refreshes a node whose subtrees changed; returns the root of the balanced subtree. */
static uint32_t balance(struct shm_block_tree *tree, uint32_t index)
{
    struct shm_block *block = &tree->nodes[index];
    int leaning = lean(tree, index);

    if (leaning > 1) {
        if (lean(tree, block->left) < 0)
            block->left = rotate_left(tree, block->left);
        return rotate_right(tree, index);
    }
    if (leaning < -1) {
        if (lean(tree, block->right) > 0)
            block->right = rotate_right(tree, block->right);
        return rotate_left(tree, index);
    }
    refresh(tree, index);
    return index;
}

/* The child of `top` on the way to the place of `index`. */
static uint32_t *child_towards(struct shm_block_tree *tree, uint32_t top, uint32_t index)
{
    struct shm_block *block = &tree->nodes[top];

    return tree->nodes[index].offset < block->offset ? &block->left : &block->right;
}

static uint32_t insert_below(struct shm_block_tree *tree, uint32_t top, uint32_t index)
{
    struct summary before;
    uint32_t *child;

    if (top == SHM_BLOCK_NONE) {
        refresh(tree, index);
        return index;
    }
    child = child_towards(tree, top, index);
    before = summarise(tree, *child);
    *child = insert_below(tree, *child, index);
    return has_changed(tree, *child, &before) ? balance(tree, top) : top;
}

/* Takes the first node out of a subtree that is not empty. */
static uint32_t detach_first(struct shm_block_tree *tree, uint32_t top, uint32_t *out_first)
{
    struct shm_block *block = &tree->nodes[top];
    struct summary before;

    if (block->left == SHM_BLOCK_NONE) {
        *out_first = top;
        return block->right;
    }
    before = summarise(tree, block->left);
    block->left = detach_first(tree, block->left, out_first);
    return has_changed(tree, block->left, &before) ? balance(tree, top) : top;
}

static uint32_t join(struct shm_block_tree *tree, uint32_t left, uint32_t right)
{
    uint32_t first = SHM_BLOCK_NONE;

    if (right == SHM_BLOCK_NONE)
        return left;
    right = detach_first(tree, right, &first);
    tree->nodes[first].left = left;
    tree->nodes[first].right = right;
    return balance(tree, first);
}

static uint32_t remove_below(struct shm_block_tree *tree, uint32_t top, uint32_t index)
{
    struct summary before;
    uint32_t *child;

    if (top == index)
        return join(tree, tree->nodes[top].left, tree->nodes[top].right);
    child = child_towards(tree, top, index);
    before = summarise(tree, *child);
    *child = remove_below(tree, *child, index);
    return has_changed(tree, *child, &before) ? balance(tree, top) : top;
}

/* Returns whether the subtree's summary changed. */
static bool update_below(struct shm_block_tree *tree, uint32_t top, uint32_t index)
{
    struct summary before = summarise(tree, top);

    if (top != index && !update_below(tree, *child_towards(tree, top, index), index))
        return false;
    refresh(tree, top);
    return has_changed(tree, top, &before);
}

/* ---- for the allocator ---- */

uint32_t shm_block_tree_insert(struct shm_block_tree *tree, uint32_t previous, uint64_t offset,
                               uint64_t bytes, bool is_used)
{
    uint32_t index = take_node(tree);
    uint32_t next = previous == SHM_BLOCK_NONE ? SHM_BLOCK_NONE : tree->nodes[previous].next;

    tree->nodes[index] = (struct shm_block){
        .offset = offset, .bytes = bytes, .previous = previous, .next = next, .is_used = is_used};
    if (previous != SHM_BLOCK_NONE)
        tree->nodes[previous].next = index;
    if (next != SHM_BLOCK_NONE)
        tree->nodes[next].previous = index;
    tree->root = insert_below(tree, tree->root, index);
    return index;
}

void shm_block_tree_remove(struct shm_block_tree *tree, uint32_t index)
{
    uint32_t previous = tree->nodes[index].previous;
    uint32_t next = tree->nodes[index].next;

    tree->root = remove_below(tree, tree->root, index);
    if (previous != SHM_BLOCK_NONE)
        tree->nodes[previous].next = next;
    if (next != SHM_BLOCK_NONE)
        tree->nodes[next].previous = previous;
    give_node(tree, index);
}

void shm_block_tree_update(struct shm_block_tree *tree, uint32_t index)
{
    update_below(tree, tree->root, index);
}

uint32_t shm_block_tree_floor(const struct shm_block_tree *tree, uint64_t offset)
{
    uint32_t found = SHM_BLOCK_NONE;
    uint32_t at = tree->root;

    while (at != SHM_BLOCK_NONE) {
        const struct shm_block *block = &tree->nodes[at];

        if (block->offset <= offset)
            found = at;
        at = block->offset <= offset ? block->right : block->left;
    }
    return found;
}

/* What is being looked for. */
struct wanted {
    uint64_t from, bytes;
    enum shm_gap gap;
};

/* O(log n): at most one subtree with a large gap disappoints because the gap lies before `from`. */
static uint32_t first_gap_below(const struct shm_block_tree *tree, uint32_t top,
                                const struct wanted *wanted)
{
    const struct shm_block *block = &tree->nodes[top];
    uint32_t found = SHM_BLOCK_NONE;

    if (block->largest[wanted->gap] < wanted->bytes)
        return SHM_BLOCK_NONE;
    if (block->offset < wanted->from)
        return first_gap_below(tree, block->right, wanted);
    found = first_gap_below(tree, block->left, wanted);
    if (found != SHM_BLOCK_NONE)
        return found;
    if (own_gap(tree, block, wanted->gap) >= wanted->bytes)
        return top;
    return first_gap_below(tree, block->right, wanted);
}

uint32_t shm_block_tree_first_gap(const struct shm_block_tree *tree, uint64_t from, uint64_t bytes,
                                  enum shm_gap gap)
{
    struct wanted wanted = {from, bytes, gap};

    return first_gap_below(tree, tree->root, &wanted);
}
