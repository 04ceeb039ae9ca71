/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/block_node_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Most programs have few blocks: a mapping for them would be made and unmade in vain. */
#define FIRST_CAPACITY 4u
#define MAPPED_CAPACITY 64u
#define LAST_CAPACITY 0x80000000u

/* An array of several huge pages lies on such ones: random access to a million blocks would wait
 * for page tables as often as for nodes. Smaller arrays take as little memory as they can. */
#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define LEAST_HUGE_BYTES (2 * HUGE_PAGE_BYTES)

static size_t array_bytes(uint32_t capacity)
{
    return (size_t)capacity * sizeof(struct shm_block_node);
}

static enum shm_status no_memory(uint32_t capacity)
{
    return shm_fail_errno(SHM_SMEM_ERROR, errno, "%zu bytes to keep book of the heap",
                          array_bytes(capacity));
}

enum shm_status shm_block_nodes_init(struct shm_block_tree *tree)
{
    struct shm_block_node *nodes =
        aligned_alloc(_Alignof(struct shm_block_node), array_bytes(FIRST_CAPACITY));

    if (nodes == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "%zu bytes to keep book of the heap",
                        array_bytes(FIRST_CAPACITY));
    memset(nodes, 0, array_bytes(FIRST_CAPACITY));
    *tree = (struct shm_block_tree){
        .nodes = nodes, .capacity = FIRST_CAPACITY, .fresh = SHM_NODE_NONE + 1};
    return SHM_OK;
}

void shm_block_nodes_fini(struct shm_block_tree *tree)
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

/* Finds addresses for an array of huge pages; NULL when there are none. */
static char *reserve_aligned(size_t bytes)
{
    char *reserved = mmap(NULL, bytes + HUGE_PAGE_BYTES, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t front;

    if (reserved == MAP_FAILED)
        return NULL;
    front = -(uintptr_t)reserved & (HUGE_PAGE_BYTES - 1);
    if (front > 0)
        munmap(reserved, front);
    munmap(reserved + front + bytes, HUGE_PAGE_BYTES - front);
    return reserved + front;
}

/* As mremap(), to huge pages; where there is no place for such, to any. */
static void *grow_huge(void *array, size_t bytes, size_t new_bytes)
{
    char *place = reserve_aligned(new_bytes);
    void *grown = MAP_FAILED;

    if (place != NULL)
        grown = mremap(array, bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    if (grown != MAP_FAILED) {
        madvise(grown, new_bytes, MADV_HUGEPAGE);
        return grown;
    }
    if (place != NULL)
        munmap(place, new_bytes);
    return mremap(array, bytes, new_bytes, MREMAP_MAYMOVE);
}

static void *grow(void *array, size_t bytes, size_t new_bytes)
{
    if (new_bytes >= LEAST_HUGE_BYTES)
        return grow_huge(array, bytes, new_bytes);
    return mremap(array, bytes, new_bytes, MREMAP_MAYMOVE);
}

enum shm_status shm_block_nodes_prepare(struct shm_block_tree *tree, uint32_t count)
{
    uint32_t doubled = tree->capacity * 2;
    void *nodes;

    if (tree->capacity - tree->fresh + tree->spare >= count)
        return SHM_OK;
    if (tree->capacity == FIRST_CAPACITY)
        return move_to_mapping(tree);
    if (tree->capacity >= LAST_CAPACITY)
        return shm_fail(SHM_MALLOC_FAILED, "%u nodes of blocks are too many to keep book of",
                        tree->fresh);
    nodes = grow(tree->nodes, array_bytes(tree->capacity), array_bytes(doubled));
    if (nodes == MAP_FAILED)
        return no_memory(doubled);
    tree->nodes = nodes;
    tree->capacity = doubled;
    return SHM_OK;
}

uint32_t shm_block_nodes_take(struct shm_block_tree *tree)
{
    uint32_t index = tree->recycled;

    if (index == SHM_NODE_NONE)
        return tree->fresh++;
    tree->recycled = tree->nodes[index].next;
    tree->spare--;
    return index;
}

void shm_block_nodes_give(struct shm_block_tree *tree, uint32_t index)
{
    tree->nodes[index].next = tree->recycled;
    tree->recycled = index;
    tree->spare++;
}
