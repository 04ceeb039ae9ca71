/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/block_tree_internal.h"

#include "base/cleanup.h"

#include <inttypes.h>

/* Offsets and sizes of blocks are multiples of this. */
#define GRAIN 64ull

/* Gaps in which an unusual alignment is tried before the search settles for a sure one. */
#define TRIES 16

struct shm_allocator {
    struct shm_block_tree tree;
    uint64_t total_bytes;
    uint64_t free_bytes;
    uint64_t blocks;
};

enum shm_status shm_allocator_create(uint64_t bytes, struct shm_allocator **out_allocator)
{
    auto_free struct shm_allocator *allocator = calloc(1, sizeof *allocator);
    enum shm_status status;

    if (allocator == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to keep book of the heap");
    status = shm_block_tree_init(&allocator->tree);
    if (status != SHM_OK)
        return status;
    allocator->total_bytes = bytes & ~(GRAIN - 1);
    allocator->free_bytes = allocator->total_bytes;
    if (allocator->total_bytes > 0)
        shm_block_tree_insert(&allocator->tree, SHM_BLOCK_NONE, 0, allocator->total_bytes, false);
    *out_allocator = take_pointer(&allocator);
    return SHM_OK;
}

void shm_allocator_destroy(struct shm_allocator *allocator)
{
    if (allocator == NULL)
        return;
    shm_block_tree_fini(&allocator->tree);
    free(allocator);
}

static struct shm_block *block_at(const struct shm_allocator *allocator, uint32_t index)
{
    return &allocator->tree.nodes[index];
}

static bool is_free(const struct shm_allocator *allocator, uint32_t index)
{
    return index != SHM_BLOCK_NONE && !block_at(allocator, index)->is_used;
}

/* ---- finding a place ---- */

struct request {
    uint64_t asked_bytes;
    uint64_t bytes; /* rounded up to the grain */
    uint64_t alignment;
};

struct place {
    uint32_t gap; /* SHM_BLOCK_NONE: there is none */
    uint64_t offset;
};

static bool fits(const struct shm_allocator *allocator, uint32_t gap, const struct request *request)
{
    const struct shm_block *block = block_at(allocator, gap);
    uint64_t front = shm_heap_round_up(block->offset, request->alignment) - block->offset;

    return block->bytes >= request->bytes && block->bytes - request->bytes >= front;
}

static struct place place_in(const struct shm_allocator *allocator, uint32_t gap,
                             const struct request *request)
{
    if (gap == SHM_BLOCK_NONE)
        return (struct place){SHM_BLOCK_NONE, 0};
    return (struct place){gap,
                          shm_heap_round_up(block_at(allocator, gap)->offset, request->alignment)};
}

/* Tries gaps that are large enough, in their order; at most `tries` of them. */
static struct place try_gaps(const struct shm_allocator *allocator, const struct request *request,
                             uint64_t tries)
{
    const struct shm_block_tree *tree = &allocator->tree;
    uint32_t gap = shm_block_tree_first_gap(tree, 0, request->bytes, SHM_GAP_PLAIN);

    while (gap != SHM_BLOCK_NONE && tries-- > 0) {
        if (fits(allocator, gap, request))
            return place_in(allocator, gap, request);
        gap = shm_block_tree_first_gap(tree, block_at(allocator, gap)->offset + 1, request->bytes,
                                       SHM_GAP_PLAIN);
    }
    return place_in(allocator, SHM_BLOCK_NONE, request);
}

/* For the two usual alignments the tree knows the answer. For others heap.h tells the order. */
static struct place find_place(const struct shm_allocator *allocator, const struct request *request)
{
    const struct shm_block_tree *tree = &allocator->tree;
    struct place place;

    if (request->alignment == GRAIN || request->alignment == tree->page_bytes)
        return place_in(
            allocator,
            shm_block_tree_first_gap(tree, 0, request->bytes,
                                     request->alignment == GRAIN ? SHM_GAP_PLAIN : SHM_GAP_PAGES),
            request);
    place = try_gaps(allocator, request, TRIES);
    if (place.gap == SHM_BLOCK_NONE)
        place = place_in(allocator,
                         shm_block_tree_first_gap(
                             tree, 0, request->bytes + request->alignment - GRAIN, SHM_GAP_PLAIN),
                         request);
    if (place.gap == SHM_BLOCK_NONE)
        place = try_gaps(allocator, request, UINT64_MAX);
    return place;
}

static enum shm_status check_request(const struct shm_allocator *allocator, uint64_t bytes,
                                     uint64_t alignment)
{
    if (bytes == 0)
        return shm_fail(SHM_INVALID_VALUE, "a block of 0 bytes, expected at least 1");
    if ((alignment & (alignment - 1)) != 0)
        return shm_fail(SHM_INVALID_VALUE,
                        "an alignment of %" PRIu64 " bytes, expected a power of two", alignment);
    if (alignment > SHM_HEAP_ALIGNMENT)
        return shm_fail(SHM_MALLOC_FAILED,
                        "an alignment of %" PRIu64 " bytes, this heap has at most %llu", alignment,
                        SHM_HEAP_ALIGNMENT);
    if (bytes > allocator->total_bytes)
        return shm_fail(SHM_MALLOC_FAILED,
                        "%" PRIu64 " bytes asked for, the symmetric heap has %" PRIu64
                        " in all (SHMEM_SYMMETRIC_SIZE or local_mem_size)",
                        bytes, allocator->total_bytes);
    return SHM_OK;
}

static struct request make_request(const struct shm_allocator *allocator, uint64_t bytes,
                                   uint64_t alignment)
{
    uint64_t least = bytes >= allocator->tree.page_bytes ? allocator->tree.page_bytes : GRAIN;

    return (struct request){.asked_bytes = bytes,
                            .bytes = shm_heap_round_up(bytes, GRAIN),
                            .alignment = alignment > least ? alignment : least};
}

static enum shm_status no_place(const struct shm_allocator *allocator,
                                const struct request *request)
{
    struct shm_allocator_usage usage;

    shm_allocator_usage(allocator, &usage);
    return shm_fail(SHM_MALLOC_FAILED,
                    "no gap for %" PRIu64 " bytes aligned to %" PRIu64 ": %" PRIu64
                    " bytes are free, the largest gap has %" PRIu64 ", the symmetric heap %" PRIu64
                    " in all (SHMEM_SYMMETRIC_SIZE or local_mem_size)",
                    request->asked_bytes, request->alignment, usage.free_bytes,
                    usage.largest_gap_bytes, usage.total_bytes);
}

/* ---- taking, giving, resizing ---- */

/* Makes the part of a gap at the place a used block; what is left of the gap stays free. */
static void carve(struct shm_allocator *allocator, const struct place *place,
                  const struct request *request)
{
    struct shm_block_tree *tree = &allocator->tree;
    struct shm_block *gap = block_at(allocator, place->gap);
    uint64_t front = place->offset - gap->offset;
    uint64_t rest = gap->bytes - front - request->bytes;
    uint32_t index = place->gap;

    if (front > 0) {
        gap->bytes = front;
        index = shm_block_tree_insert(tree, place->gap, place->offset, request->bytes, true);
    } else {
        gap->bytes = request->bytes;
        gap->is_used = true;
    }
    block_at(allocator, index)->unused_bytes = (uint8_t)(request->bytes - request->asked_bytes);
    shm_block_tree_update(tree, place->gap);
    if (rest > 0)
        shm_block_tree_insert(tree, index, place->offset + request->bytes, rest, false);
}

enum shm_status shm_allocator_take(struct shm_allocator *allocator, uint64_t bytes,
                                   uint64_t alignment, uint64_t *out_offset)
{
    enum shm_status status = check_request(allocator, bytes, alignment);
    struct request request;
    struct place place;

    if (status != SHM_OK)
        return status;
    request = make_request(allocator, bytes, alignment);
    place = find_place(allocator, &request);
    if (place.gap == SHM_BLOCK_NONE)
        return no_place(allocator, &request);
    status = shm_block_tree_prepare(&allocator->tree, 2);
    if (status != SHM_OK)
        return status;
    carve(allocator, &place, &request);
    allocator->free_bytes -= request.bytes;
    allocator->blocks++;
    *out_offset = place.offset;
    return SHM_OK;
}

/* Finds the used block that starts at `offset`. */
static enum shm_status find_block(const struct shm_allocator *allocator, uint64_t offset,
                                  uint32_t *out_index)
{
    uint32_t index = shm_block_tree_floor(&allocator->tree, offset);
    const struct shm_block *block = block_at(allocator, index);

    if (offset >= allocator->total_bytes)
        return shm_fail(SHM_NOT_FOUND,
                        "offset %" PRIu64 " lies outside the symmetric heap of %" PRIu64 " bytes",
                        offset, allocator->total_bytes);
    if (!block->is_used)
        return shm_fail(SHM_NOT_FOUND,
                        "offset %" PRIu64 " lies in free space: the block was given back before, "
                        "or was never taken",
                        offset);
    if (block->offset != offset)
        return shm_fail(SHM_NOT_FOUND,
                        "offset %" PRIu64 " lies inside the block of %" PRIu64
                        " bytes that starts at %" PRIu64,
                        offset, block->bytes - block->unused_bytes, block->offset);
    *out_index = index;
    return SHM_OK;
}

enum shm_status shm_allocator_give(struct shm_allocator *allocator, uint64_t offset)
{
    uint32_t index = SHM_BLOCK_NONE;
    enum shm_status status = find_block(allocator, offset, &index);
    struct shm_block *block = block_at(allocator, index);
    uint32_t next;

    if (status != SHM_OK)
        return status;
    allocator->free_bytes += block->bytes;
    allocator->blocks--;
    block->is_used = false;
    block->unused_bytes = 0;
    next = block->next;
    if (is_free(allocator, next)) {
        block->bytes += block_at(allocator, next)->bytes;
        shm_block_tree_remove(&allocator->tree, next);
    }
    if (is_free(allocator, block->previous)) {
        uint32_t previous = block->previous;

        block_at(allocator, previous)->bytes += block->bytes;
        shm_block_tree_remove(&allocator->tree, index);
        index = previous;
    }
    shm_block_tree_update(&allocator->tree, index);
    return SHM_OK;
}

/* Gives a part of the block's own end, or of the gap behind it, to the other of the two. */
static enum shm_status move_end(struct shm_allocator *allocator, uint32_t index, uint64_t bytes)
{
    struct shm_block_tree *tree = &allocator->tree;
    struct shm_block *block = block_at(allocator, index);
    uint64_t end = block->offset + bytes;
    uint32_t next = block->next;
    uint64_t gap_bytes = is_free(allocator, next) ? block_at(allocator, next)->bytes : 0;
    uint64_t gap_end = block->offset + block->bytes + gap_bytes;
    enum shm_status status;

    if (end > gap_end)
        return shm_fail(SHM_MALLOC_FAILED,
                        "no room behind the block at offset %" PRIu64 ": it has %" PRIu64
                        " bytes, %" PRIu64 " are free behind it, %" PRIu64 " are wanted",
                        block->offset, block->bytes, gap_bytes, bytes);
    status = shm_block_tree_prepare(tree, 1);
    if (status != SHM_OK)
        return status;
    if (gap_bytes > 0)
        shm_block_tree_remove(tree, next);
    block_at(allocator, index)->bytes = bytes;
    if (gap_end > end)
        shm_block_tree_insert(tree, index, end, gap_end - end, false);
    return SHM_OK;
}

enum shm_status shm_allocator_resize(struct shm_allocator *allocator, uint64_t offset,
                                     uint64_t bytes)
{
    uint32_t index = SHM_BLOCK_NONE;
    enum shm_status status = check_request(allocator, bytes, 0);
    uint64_t rounded = shm_heap_round_up(bytes, GRAIN);
    uint64_t before;

    if (status == SHM_OK)
        status = find_block(allocator, offset, &index);
    if (status != SHM_OK)
        return status;
    before = block_at(allocator, index)->bytes;
    if (rounded != before)
        status = move_end(allocator, index, rounded);
    if (status != SHM_OK)
        return status;
    block_at(allocator, index)->unused_bytes = (uint8_t)(rounded - bytes);
    allocator->free_bytes += before - rounded;
    return SHM_OK;
}

enum shm_status shm_allocator_block(const struct shm_allocator *allocator, uint64_t offset,
                                    uint64_t *out_bytes)
{
    uint32_t index = SHM_BLOCK_NONE;
    enum shm_status status = find_block(allocator, offset, &index);

    if (status != SHM_OK)
        return status;
    *out_bytes = block_at(allocator, index)->bytes - block_at(allocator, index)->unused_bytes;
    return SHM_OK;
}

bool shm_allocator_find_next(const struct shm_allocator *allocator, uint64_t offset,
                             uint64_t *out_begin, uint64_t *out_bytes)
{
    uint32_t index = shm_block_tree_floor(&allocator->tree, offset);

    for (; index != SHM_BLOCK_NONE; index = block_at(allocator, index)->next) {
        const struct shm_block *block = block_at(allocator, index);
        uint64_t bytes = block->bytes - block->unused_bytes;

        if (block->is_used && block->offset + bytes > offset) {
            *out_begin = block->offset;
            *out_bytes = bytes;
            return true;
        }
    }
    return false;
}

void shm_allocator_usage(const struct shm_allocator *allocator,
                         struct shm_allocator_usage *out_usage)
{
    const struct shm_block *root = block_at(allocator, allocator->tree.root);

    *out_usage = (struct shm_allocator_usage){.total_bytes = allocator->total_bytes,
                                              .free_bytes = allocator->free_bytes,
                                              .largest_gap_bytes = root->largest[SHM_GAP_PLAIN],
                                              .blocks = allocator->blocks};
}
