/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/block_node_inline.h"

#include <string.h>

/* To look at all of them takes no longer than to find out that it need not be. */
#define FEW_BLOCKS (SHM_LEAF_BLOCKS / 8)

/* ---- leaves ---- */

/* Finds the largest gaps among the blocks in front of `until`, from `slot` on. */
static void measure(const struct shm_block_node *leaf, uint32_t slot, uint32_t until,
                    uint64_t page_bytes, uint64_t *out_largest)
{
    uint64_t plain = 0;
    uint64_t pages = 0;

    for (uint64_t gaps = leaf->gaps & shm_low_bits(until) & ~shm_low_bits(slot); gaps != 0;
         gaps &= gaps - 1) {
        uint32_t at = (uint32_t)__builtin_ctzll(gaps);
        uint64_t offset = shm_leaf_offset(leaf, at);
        uint64_t bytes = shm_leaf_end(leaf, at) - offset;
        uint64_t front = -offset & (page_bytes - 1);

        plain = shm_larger(plain, bytes);
        pages = shm_larger(pages, bytes > front ? bytes - front : 0);
    }
    out_largest[SHM_GAP_PLAIN] = plain;
    out_largest[SHM_GAP_PAGES] = pages;
}

static void measure_all(struct shm_block_node *leaf, uint64_t page_bytes)
{
    measure(leaf, 0, leaf->count, page_bytes, leaf->largest_gap);
}

/* Copies the last `count` blocks of a leaf, which become the last of the other from `to_slot` on.
 */
static void copy_tail(struct shm_block_node *to, uint32_t to_slot,
                      const struct shm_block_node *from, uint32_t from_slot, uint32_t count)
{
    if (count > 0)
        memmove(&to->words[to_slot], &from->words[from_slot], count * sizeof to->words[0]);
    to->gaps = (to->gaps & shm_low_bits(to_slot)) | from->gaps >> from_slot << to_slot;
}

static void put(struct shm_block_node *leaf, uint32_t slot, const struct shm_block *block)
{
    uint64_t bit = 1ull << slot;

    leaf->words[slot] = shm_word_make(block);
    leaf->gaps = block->is_used ? leaf->gaps & ~bit : leaf->gaps | bit;
}

void shm_leaf_init(struct shm_block_node *leaf, uint64_t bytes, uint64_t page_bytes)
{
    struct shm_block gap = {.bytes = bytes};

    leaf->count = bytes > 0;
    leaf->end = bytes;
    leaf->gaps = 0;
    if (bytes > 0)
        put(leaf, 0, &gap);
    measure_all(leaf, page_bytes);
}

void shm_leaf_drop(struct shm_block_node *leaf, uint32_t count, uint64_t page_bytes)
{
    leaf->count -= count;
    copy_tail(leaf, 0, leaf, count, leaf->count);
    measure_all(leaf, page_bytes);
}

/* Puts blocks in the place of others, of which the largest gaps are not known afterwards. */
static void put_all(struct shm_block_node *leaf, uint32_t slot, uint32_t replaced,
                    const struct shm_block *blocks, uint32_t count)
{
    uint32_t behind = leaf->count - slot - replaced;

    if (count != replaced)
        copy_tail(leaf, slot + count, leaf, slot + replaced, behind);
    leaf->count += count - replaced;
    leaf->end = shm_larger(leaf->end, blocks[count - 1].offset + blocks[count - 1].bytes);
    for (uint32_t i = 0; i < count; i++)
        put(leaf, slot + i, &blocks[i]);
}

void shm_leaf_replace(struct shm_block_node *leaf, uint32_t slot, uint32_t replaced,
                      const struct shm_block *blocks, uint32_t count, uint64_t page_bytes)
{
    uint64_t before[SHM_GAPS];
    uint64_t after[SHM_GAPS];
    bool is_known = leaf->count > FEW_BLOCKS;

    if (is_known)
        measure(leaf, slot, slot + replaced, page_bytes, before);
    put_all(leaf, slot, replaced, blocks, count);
    if (is_known)
        measure(leaf, slot, slot + count, page_bytes, after);
    /* only where the largest gap went must all blocks be looked at */
    for (int gap = 0; is_known && gap < SHM_GAPS; gap++) {
        is_known = after[gap] >= leaf->largest_gap[gap] || before[gap] < leaf->largest_gap[gap];
        leaf->largest_gap[gap] = shm_larger(leaf->largest_gap[gap], after[gap]);
    }
    if (!is_known)
        measure_all(leaf, page_bytes);
}

/* ---- nodes above the leaves ---- */

void shm_node_copy(struct shm_block_node *to, uint32_t to_slot, const struct shm_block_node *from,
                   uint32_t from_slot, uint32_t count)
{
    memmove(&to->first[to_slot], &from->first[from_slot], count * sizeof to->first[0]);
    memmove(&to->child[to_slot], &from->child[from_slot], count * sizeof to->child[0]);
    for (int gap = 0; gap < SHM_GAPS; gap++)
        memmove(&to->largest[gap][to_slot], &from->largest[gap][from_slot],
                count * sizeof to->largest[gap][0]);
}

/* ---- nodes of any level ---- */

void shm_block_node_split(struct shm_block_node *node, uint32_t kept, struct shm_block_node *added,
                          uint32_t level, uint64_t page_bytes)
{
    added->count = node->count - kept;
    node->count = kept;
    if (level > 0) {
        shm_node_copy(added, 0, node, kept, added->count);
        return;
    }
    copy_tail(added, 0, node, kept, added->count);
    node->gaps &= shm_low_bits(kept);
    added->end = node->end;
    node->end = shm_leaf_offset(added, 0);
    measure_all(node, page_bytes);
    measure_all(added, page_bytes);
}

void shm_block_node_append(struct shm_block_node *node, const struct shm_block_node *next,
                           uint32_t level, uint64_t page_bytes)
{
    uint32_t count = node->count;

    node->count += next->count;
    if (level > 0) {
        shm_node_copy(node, count, next, 0, next->count);
        return;
    }
    copy_tail(node, count, next, 0, next->count);
    node->end = next->end;
    measure_all(node, page_bytes);
}
