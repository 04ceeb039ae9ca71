/* SPDX-License-Identifier: BSD-3-Clause */
/** What every call looks at in nodes: a call in a small tree takes no longer than a few calls of
 *  functions. */
#ifndef SHM_BLOCK_NODE_INLINE_H
#define SHM_BLOCK_NODE_INLINE_H

#include "heap/block_node_internal.h"

static inline uint64_t shm_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Bits from 0 on. */
static inline uint64_t shm_low_bits(uint32_t count)
{
    return (1ull << count) - 1;
}

/* The last key up to `key`; the first is. Its steps depend on the count alone, not on the keys. */
static inline uint32_t shm_last_up_to(const uint64_t *keys, uint32_t count, uint64_t key)
{
    uint32_t at = 0;

    while (count > 1) {
        uint32_t half = count / 2;

        at = keys[at + half] <= key ? at + half : at;
        count -= half;
    }
    return at;
}

/* ---- words ---- */

static inline uint64_t shm_word_make(const struct shm_block *block)
{
    return block->offset << 1 | (block->is_used ? SHM_WORD_USED + block->unused_bytes : 0);
}

static inline uint64_t shm_word_offset(uint64_t word)
{
    return word >> 1 & ~(SHM_BLOCK_GRAIN - 1);
}

/* ---- leaves ---- */

static inline uint64_t shm_leaf_offset(const struct shm_block_node *leaf, uint32_t slot)
{
    return shm_word_offset(leaf->words[slot]);
}

/** Where the block ends. */
static inline uint64_t shm_leaf_end(const struct shm_block_node *leaf, uint32_t slot)
{
    return slot + 1 < leaf->count ? shm_leaf_offset(leaf, slot + 1) : leaf->end;
}

static inline struct shm_block shm_leaf_block(const struct shm_block_node *leaf, uint32_t slot)
{
    uint64_t word = leaf->words[slot];
    uint64_t offset = shm_word_offset(word);

    return (struct shm_block){.offset = offset,
                              .bytes = shm_leaf_end(leaf, slot) - offset,
                              .unused_bytes = word & (SHM_WORD_USED - 1),
                              .is_used = (word & SHM_WORD_USED) != 0};
}

/** The block that `offset` belongs to; it must not lie before the first. */
static inline uint32_t shm_leaf_locate(const struct shm_block_node *leaf, uint64_t offset)
{
    /* no word of a block that starts at `offset` or before it is larger */
    return shm_last_up_to(leaf->words, leaf->count, offset << 1 | (2 * SHM_WORD_USED - 1));
}

/** The first gap at `slot` or behind of at least `bytes`; the number of blocks when there is none.
 */
static inline uint32_t shm_leaf_find_gap(const struct shm_block_node *leaf, uint32_t slot,
                                         uint64_t bytes, enum shm_gap gap, uint64_t page_bytes)
{
    uint64_t mask = gap == SHM_GAP_PLAIN ? 0 : page_bytes - 1;

    for (uint64_t gaps = leaf->gaps & ~shm_low_bits(slot); gaps != 0; gaps &= gaps - 1) {
        uint32_t at = (uint32_t)__builtin_ctzll(gaps);
        uint64_t offset = shm_leaf_offset(leaf, at);

        if (shm_leaf_end(leaf, at) - offset >= bytes + (-offset & mask))
            return at;
    }
    return leaf->count;
}

/* ---- nodes above the leaves ---- */

/** The child that `offset` belongs to; it must not lie before the first. */
static inline uint32_t shm_node_locate(const struct shm_block_node *node, uint64_t offset)
{
    return shm_last_up_to(node->first, node->count, offset);
}

/* ---- nodes of any level ---- */

static inline struct shm_block_summary shm_block_node_summary(const struct shm_block_node *node,
                                                              uint32_t level)
{
    struct shm_block_summary summary = {0};

    if (level == 0)
        return (struct shm_block_summary){
            .first = shm_leaf_offset(node, 0),
            .largest = {node->largest_gap[SHM_GAP_PLAIN], node->largest_gap[SHM_GAP_PAGES]}};
    summary.first = node->first[0];
    for (int gap = 0; gap < SHM_GAPS; gap++) {
        for (uint32_t slot = 0; slot < node->count; slot++)
            summary.largest[gap] = shm_larger(summary.largest[gap], node->largest[gap][slot]);
    }
    return summary;
}

/** Fetches all of a node at once, of which only some lines are known to be wanted, one after the
 *  other. */
static inline void shm_block_node_prefetch(const struct shm_block_node *node)
{
    for (size_t line = 0; line < sizeof *node; line += 64)
        __builtin_prefetch((const char *)node + line);
}

#endif
