/* SPDX-License-Identifier: BSD-3-Clause */
/* Random calls of an allocator, each with the outcome that a model has. */
#ifndef ALLOCATOR_STEPS_H
#define ALLOCATOR_STEPS_H

#include "allocator_model.h"
#include "heap/heap.h"

struct pair {
    struct shm_allocator *allocator;
    struct model *model;
    uint64_t random;
    uint64_t size_kinds; /* 1: only small blocks, 5: of all sizes */
};

static inline struct pair pair_create(uint64_t bytes, uint64_t seed)
{
    struct pair pair = {.model = model_create(bytes), .random = seed, .size_kinds = 5};

    assert_int_equal(shm_allocator_create(bytes, &pair.allocator), SHM_OK);
    return pair;
}

static inline void pair_destroy(struct pair *pair)
{
    shm_allocator_destroy(pair->allocator);
    free(pair->model);
}

static inline void assert_same_usage(const struct pair *pair)
{
    struct shm_allocator_usage usage;
    uint64_t free_bytes = 0;
    uint64_t largest = 0;
    uint64_t blocks = 0;

    for (size_t i = 0; i < pair->model->count; i++) {
        const struct model_block *block = &pair->model->blocks[i];

        blocks += block->asked != 0;
        if (block->asked != 0)
            continue;
        free_bytes += block->bytes;
        largest = block->bytes > largest ? block->bytes : largest;
    }
    shm_allocator_usage(pair->allocator, &usage);
    assert_int_equal(usage.free_bytes, free_bytes);
    assert_int_equal(usage.largest_gap_bytes, largest);
    assert_int_equal(usage.blocks, blocks);
}

static inline uint64_t random_bytes(uint64_t *random, uint64_t size_kinds)
{
    static const uint64_t limits[] = {64, 300, 2000, 9000, 40000};

    return 1 + next_random(random) % limits[next_random(random) % size_kinds];
}

static inline void step_take(struct pair *pair)
{
    uint64_t asked = random_bytes(&pair->random, pair->size_kinds);
    uint64_t alignment =
        next_random(&pair->random) % 2 == 0 ? 0 : 1ull << next_random(&pair->random) % 17;
    uint64_t expected = model_take(pair->model, asked, alignment);
    uint64_t offset = UINT64_MAX;
    enum shm_status status = shm_allocator_take(pair->allocator, asked, alignment, &offset);

    assert_int_equal(status, expected == UINT64_MAX ? SHM_MALLOC_FAILED : SHM_OK);
    assert_int_equal(offset, expected);
}

static inline void step_give(struct pair *pair, size_t at)
{
    uint64_t offset = pair->model->blocks[at].offset;

    model_give(pair->model, at);
    assert_int_equal(shm_allocator_give(pair->allocator, offset), SHM_OK);
}

static inline void step_resize(struct pair *pair, size_t at)
{
    uint64_t offset = pair->model->blocks[at].offset;
    uint64_t asked = random_bytes(&pair->random, pair->size_kinds);
    enum shm_status expected = model_resize(pair->model, at, asked) ? SHM_OK : SHM_MALLOC_FAILED;

    assert_int_equal(shm_allocator_resize(pair->allocator, offset, asked), expected);
}

/* Gives or resizes the block at a random place, or tries what must not work there. */
static inline void step_change(struct pair *pair, bool does_resize)
{
    size_t at = next_random(&pair->random) % pair->model->count;
    struct model_block block = pair->model->blocks[at];
    uint64_t bytes = 0;

    if (block.asked == 0) {
        assert_int_equal(shm_allocator_give(pair->allocator, block.offset), SHM_NOT_FOUND);
        return;
    }
    assert_int_equal(shm_allocator_block(pair->allocator, block.offset, &bytes), SHM_OK);
    assert_int_equal(bytes, block.asked);
    if (does_resize)
        step_resize(pair, at);
    else
        step_give(pair, at);
}

/* One call; of ten, `takes` take a block. */
static inline void step(struct pair *pair, uint64_t takes)
{
    uint64_t kind = next_random(&pair->random) % 10;

    if (kind < takes)
        step_take(pair);
    else
        step_change(pair, kind == 9);
}

#endif
