/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of the allocator that is too simple to be wrong: its blocks in one array. */
#ifndef ALLOCATOR_MODEL_H
#define ALLOCATOR_MODEL_H

#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRAIN 64u
#define TRIES 16
#define MODEL_BLOCKS 16384

struct model_block {
    uint64_t offset, bytes, asked; /* asked 0 = free */
};

struct model {
    struct model_block blocks[MODEL_BLOCKS];
    size_t count;
};

static inline uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static inline void model_insert(struct model *model, size_t at, struct model_block block)
{
    assert_true(model->count < MODEL_BLOCKS);
    memmove(&model->blocks[at + 1], &model->blocks[at],
            (model->count - at) * sizeof model->blocks[0]);
    model->blocks[at] = block;
    model->count++;
}

static inline void model_remove(struct model *model, size_t at)
{
    model->count--;
    memmove(&model->blocks[at], &model->blocks[at + 1],
            (model->count - at) * sizeof model->blocks[0]);
}

/* The first gap of at least `least` bytes, of the first `tries` such ones, in which it fits. */
static inline size_t model_search(const struct model *model, uint64_t bytes, uint64_t alignment,
                                  uint64_t least, size_t tries)
{
    for (size_t i = 0; i < model->count && tries > 0; i++) {
        const struct model_block *block = &model->blocks[i];

        if (block->asked != 0 || block->bytes < least)
            continue;
        if (round_up(block->offset, alignment) + bytes <= block->offset + block->bytes)
            return i;
        tries--;
    }
    return SIZE_MAX;
}

static inline size_t model_place(const struct model *model, uint64_t bytes, uint64_t alignment,
                                 uint64_t page)
{
    size_t at;

    if (alignment == GRAIN || alignment == page)
        return model_search(model, bytes, alignment, bytes, SIZE_MAX);
    at = model_search(model, bytes, alignment, bytes, TRIES);
    if (at == SIZE_MAX)
        at = model_search(model, bytes, alignment, bytes + alignment - GRAIN, SIZE_MAX);
    if (at == SIZE_MAX)
        at = model_search(model, bytes, alignment, bytes, SIZE_MAX);
    return at;
}

static inline uint64_t model_take(struct model *model, uint64_t asked, uint64_t alignment)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t least = asked >= page ? page : GRAIN;
    uint64_t bytes = round_up(asked, GRAIN);
    struct model_block gap;
    uint64_t offset;
    size_t at;

    alignment = alignment > least ? alignment : least;
    at = model_place(model, bytes, alignment, page);
    if (at == SIZE_MAX)
        return UINT64_MAX;
    gap = model->blocks[at];
    offset = round_up(gap.offset, alignment);
    model->blocks[at] = (struct model_block){offset, bytes, asked};
    if (offset + bytes < gap.offset + gap.bytes)
        model_insert(
            model, at + 1,
            (struct model_block){offset + bytes, gap.offset + gap.bytes - offset - bytes, 0});
    if (offset > gap.offset)
        model_insert(model, at, (struct model_block){gap.offset, offset - gap.offset, 0});
    return offset;
}

static inline void model_give(struct model *model, size_t at)
{
    model->blocks[at].asked = 0;
    if (at + 1 < model->count && model->blocks[at + 1].asked == 0) {
        model->blocks[at].bytes += model->blocks[at + 1].bytes;
        model_remove(model, at + 1);
    }
    if (at > 0 && model->blocks[at - 1].asked == 0) {
        model->blocks[at - 1].bytes += model->blocks[at].bytes;
        model_remove(model, at);
    }
}

static inline bool model_resize(struct model *model, size_t at, uint64_t asked)
{
    struct model_block *block = &model->blocks[at];
    bool has_gap = at + 1 < model->count && block[1].asked == 0;
    uint64_t end = block->offset + block->bytes + (has_gap ? block[1].bytes : 0);
    uint64_t bytes = round_up(asked, GRAIN);

    if (block->offset + bytes > end)
        return false;
    if (has_gap)
        model_remove(model, at + 1);
    block->bytes = bytes;
    block->asked = asked;
    if (block->offset + bytes < end)
        model_insert(model, at + 1,
                     (struct model_block){block->offset + bytes, end - block->offset - bytes, 0});
    return true;
}

static inline struct model *model_create(uint64_t bytes)
{
    struct model *model = calloc(1, sizeof *model);

    assert_non_null(model);
    model->blocks[model->count++] = (struct model_block){0, bytes, 0};
    return model;
}

#endif
