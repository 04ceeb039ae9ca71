/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/allocator_internal.h"

#include "base/cleanup.h"

#include <inttypes.h>

/* Gaps in which an unusual alignment is tried before the search settles for a sure one. */
#define TRIES 16

enum shm_status shm_allocator_create(uint64_t bytes, struct shm_allocator **out_allocator)
{
    auto_free struct shm_allocator *allocator = calloc(1, sizeof *allocator);
    enum shm_status status;

    if (allocator == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to keep book of the heap");
    allocator->total_bytes = bytes & ~(SHM_BLOCK_GRAIN - 1);
    allocator->free_bytes = allocator->total_bytes;
    status = shm_block_tree_init(&allocator->tree, allocator->total_bytes);
    if (status != SHM_OK)
        return status;
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

/* ---- finding a place ---- */

struct request {
    uint64_t asked_bytes;
    uint64_t bytes; /* rounded up to the grain */
    uint64_t alignment;
};

/* Where a request goes: the gap, and the offset in it. */
struct place {
    struct shm_block gap;
    uint64_t offset;
};

/* The first gap of at least `bytes` that starts at `from` or behind. */
static bool find_gap(const struct shm_allocator *allocator, uint64_t from, uint64_t bytes,
                     const struct request *request, struct place *out_place)
{
    enum shm_gap kind =
        request->alignment == allocator->tree.page_bytes ? SHM_GAP_PAGES : SHM_GAP_PLAIN;

    if (!shm_block_tree_find_gap(&allocator->tree, from, bytes, kind, &out_place->gap))
        return false;
    out_place->offset = shm_heap_round_up(out_place->gap.offset, request->alignment);
    return true;
}

/* Tries gaps that are large enough, in their order; at most `tries` of them. */
static bool try_gaps(const struct shm_allocator *allocator, const struct request *request,
                     uint64_t tries, struct place *out_place)
{
    uint64_t from = 0;

    while (tries-- > 0 && find_gap(allocator, from, request->bytes, request, out_place)) {
        const struct shm_block *gap = &out_place->gap;

        if (gap->bytes - request->bytes >= out_place->offset - gap->offset)
            return true;
        from = gap->offset + gap->bytes;
    }
    return false;
}

/* For the two usual alignments the tree knows the answer. For others heap.h tells the order. */
static bool find_place(const struct shm_allocator *allocator, const struct request *request,
                       struct place *out_place)
{
    if (request->alignment == SHM_BLOCK_GRAIN || request->alignment == allocator->tree.page_bytes)
        return find_gap(allocator, 0, request->bytes, request, out_place);
    return try_gaps(allocator, request, TRIES, out_place) ||
           find_gap(allocator, 0, request->bytes + request->alignment - SHM_BLOCK_GRAIN, request,
                    out_place) ||
           try_gaps(allocator, request, UINT64_MAX, out_place);
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
    uint64_t least =
        bytes >= allocator->tree.page_bytes ? allocator->tree.page_bytes : SHM_BLOCK_GRAIN;

    return (struct request){.asked_bytes = bytes,
                            .bytes = shm_heap_round_up(bytes, SHM_BLOCK_GRAIN),
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

/* Adds a block behind others; one of no bytes is none. */
static void append(struct shm_block *blocks, uint32_t *count, struct shm_block block)
{
    if (block.bytes > 0)
        blocks[(*count)++] = block;
}

/* A used block for `asked_bytes`. */
static struct shm_block used_block(uint64_t offset, uint64_t asked_bytes)
{
    uint64_t bytes = shm_heap_round_up(asked_bytes, SHM_BLOCK_GRAIN);

    return (struct shm_block){.offset = offset,
                              .bytes = bytes,
                              .unused_bytes = (uint8_t)(bytes - asked_bytes),
                              .is_used = true};
}

static struct shm_block gap_between(uint64_t begin, uint64_t end)
{
    return (struct shm_block){.offset = begin, .bytes = end - begin};
}

static uint64_t end_of(const struct shm_block *block)
{
    return block->offset + block->bytes;
}

/* Makes the part of a gap at the place a used block; what is left of the gap stays free. */
static void carve(struct shm_allocator *allocator, const struct place *place,
                  const struct request *request)
{
    struct shm_block used = used_block(place->offset, request->asked_bytes);
    struct shm_block blocks[3];
    uint32_t count = 0;

    append(blocks, &count, gap_between(place->gap.offset, used.offset));
    append(blocks, &count, used);
    append(blocks, &count, gap_between(end_of(&used), end_of(&place->gap)));
    shm_block_tree_replace(&allocator->tree, blocks, count);
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
    if (!find_place(allocator, &request, &place))
        return no_place(allocator, &request);
    status = shm_block_tree_prepare(&allocator->tree);
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
                                  struct shm_block *out_block)
{
    struct shm_block block = {0};

    if (!shm_block_tree_find(&allocator->tree, offset, &block))
        return shm_fail(SHM_NOT_FOUND,
                        "offset %" PRIu64 " lies outside the symmetric heap of %" PRIu64 " bytes",
                        offset, allocator->total_bytes);
    if (!block.is_used)
        return shm_fail(SHM_NOT_FOUND,
                        "offset %" PRIu64 " lies in free space: the block was given back before, "
                        "or was never taken",
                        offset);
    if (block.offset != offset)
        return shm_fail(SHM_NOT_FOUND,
                        "offset %" PRIu64 " lies inside the block of %" PRIu64
                        " bytes that starts at %" PRIu64,
                        offset, block.bytes - block.unused_bytes, block.offset);
    *out_block = block;
    return SHM_OK;
}

/* The end of the gap behind a block, or of the block when there is none. */
static uint64_t end_with_gap(const struct shm_allocator *allocator, const struct shm_block *block)
{
    struct shm_block next = {0};

    if (!shm_block_tree_next(&allocator->tree, block, &next) || next.is_used)
        return end_of(block);
    return end_of(&next);
}

/* The start of the gap in front of a block, or of the block when there is none. */
static uint64_t start_with_gap(const struct shm_allocator *allocator, const struct shm_block *block)
{
    struct shm_block previous = {0};

    if (!shm_block_tree_previous(&allocator->tree, block, &previous) || previous.is_used)
        return block->offset;
    return previous.offset;
}

enum shm_status shm_allocator_give(struct shm_allocator *allocator, uint64_t offset)
{
    struct shm_block block = {0};
    enum shm_status status = find_block(allocator, offset, &block);
    uint64_t end;
    struct shm_block gap;

    if (status != SHM_OK)
        return status;
    end = end_with_gap(allocator, &block);
    gap = gap_between(start_with_gap(allocator, &block), end);
    shm_block_tree_replace(&allocator->tree, &gap, 1);
    allocator->free_bytes += block.bytes;
    allocator->blocks--;
    return SHM_OK;
}

enum shm_status shm_allocator_resize(struct shm_allocator *allocator, uint64_t offset,
                                     uint64_t bytes)
{
    struct shm_block before = {0};
    enum shm_status status = check_request(allocator, bytes, 0);
    struct shm_block blocks[2] = {used_block(offset, bytes)};
    uint32_t count = 1;
    uint64_t gap_end;

    if (status == SHM_OK)
        status = find_block(allocator, offset, &before);
    if (status != SHM_OK)
        return status;
    gap_end = end_with_gap(allocator, &before);
    if (end_of(&blocks[0]) > gap_end)
        return shm_fail(SHM_MALLOC_FAILED,
                        "no room behind the block at offset %" PRIu64 ": it has %" PRIu64
                        " bytes, %" PRIu64 " are free behind it, %" PRIu64 " are wanted",
                        offset, before.bytes, gap_end - end_of(&before), blocks[0].bytes);
    append(blocks, &count, gap_between(end_of(&blocks[0]), gap_end));
    if (count > 1)
        status = shm_block_tree_prepare(&allocator->tree);
    if (status != SHM_OK)
        return status;
    shm_block_tree_replace(&allocator->tree, blocks, count);
    allocator->free_bytes += before.bytes - blocks[0].bytes;
    return SHM_OK;
}

enum shm_status shm_allocator_block(const struct shm_allocator *allocator, uint64_t offset,
                                    uint64_t *out_bytes)
{
    struct shm_block block = {0};
    enum shm_status status = find_block(allocator, offset, &block);

    if (status != SHM_OK)
        return status;
    *out_bytes = block.bytes - block.unused_bytes;
    return SHM_OK;
}

bool shm_allocator_find_next(const struct shm_allocator *allocator, uint64_t offset,
                             uint64_t *out_begin, uint64_t *out_bytes)
{
    struct shm_block block = {0};
    bool is_found = shm_block_tree_find(&allocator->tree, offset, &block);

    while (is_found &&
           (!block.is_used || block.offset + block.bytes - block.unused_bytes <= offset))
        is_found = shm_block_tree_next(&allocator->tree, &block, &block);
    if (!is_found)
        return false;
    *out_begin = block.offset;
    *out_bytes = block.bytes - block.unused_bytes;
    return true;
}

void shm_allocator_usage(const struct shm_allocator *allocator,
                         struct shm_allocator_usage *out_usage)
{
    *out_usage = (struct shm_allocator_usage){.total_bytes = allocator->total_bytes,
                                              .free_bytes = allocator->free_bytes,
                                              .largest_gap_bytes =
                                                  shm_block_tree_largest_gap(&allocator->tree),
                                              .blocks = allocator->blocks};
}
