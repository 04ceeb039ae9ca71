/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Memory of one instance on one node.
 *
 * The memory is one memfd per node (an "entity") that holds one slice per PE of the node. Each PE
 * reserves one range of addresses with room for the slices of all PEs of the job (the "GVA") and
 * maps the slices of its node there: slice of PE p at gva + p * stride. A slice is
 *
 *     control area | static data (may be absent) | symmetric heap | host heap (may be absent)
 *
 * each of them page-aligned, the heaps aligned to 64 MiB, which costs addresses, not memory.
 * Nothing has a name in a file system. Huge pages, where chosen, come from a second memfd that
 * holds the symmetric heaps only: control area and static data need small pages, because others map
 * single pages of them, and host heaps are seldom used.
 *
 * This folder is told who is on the node and asks nobody. Its steps, in order: reserve, create
 * (leader) and export, or import (others), map, static data, allocator. shm_heap_destroy() undoes
 * any part of them.
 */
#ifndef SHM_HEAP_H
#define SHM_HEAP_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Alignment of the heap and of the stride, so of the heaps of all PEs in every process: the most
 *  that a block can have. */
#define SHM_HEAP_ALIGNMENT (64ull << 20)

/** Size of a huge page. */
#define SHM_HEAP_HUGE_PAGE_BYTES (2ull << 20)

/** The leader's token, by which members recognise the memory: the last bytes of the control area
 *  of slice 0. They lie behind the bytes that were asked for, and nobody else may write them. */
#define SHM_HEAP_TOKEN_BYTES 16

/** Where things lie in a slice; equal on all PEs. */
struct shm_heap_layout {
    uint64_t control_bytes; /* control area, at offset 0; asked for + token, rounded up to pages */
    uint64_t static_offset;
    uint64_t static_bytes; /* 0: static data is not symmetric */
    uint64_t heap_offset;
    uint64_t heap_bytes;  /* as asked for, rounded up to pages */
    uint64_t host_offset; /* of the host heap */
    uint64_t host_bytes;  /* 0: there is none */
    uint64_t stride;      /* distance of two slices */
};

/** Computes a layout; static data and heap may be of 0 bytes. SHM_INVALID_VALUE when n_pes slices
 * exceed the address space (2^46 bytes); the detail says what was asked and what is possible. */
SHM_MUST_CHECK enum shm_status shm_heap_layout_make(uint64_t control_bytes, uint64_t static_bytes,
                                                    uint64_t heap_bytes, int n_pes,
                                                    struct shm_heap_layout *out_layout);

/** Adds a host heap of `host_bytes`, rounded up to pages, to a layout that has none; false, and the
 *  layout as before, when n_pes such slices exceed the address space. */
bool shm_heap_layout_add_host(struct shm_heap_layout *layout, uint64_t host_bytes, int n_pes);

/** True when this process can have the addresses of n_pes slices and a file of their size: the
 *  limits of addresses and of files (ulimit -v and -f) allow it. */
bool shm_heap_has_room(const struct shm_heap_layout *layout, int n_pes);

/** Pages that back the memory. */
enum shm_huge_pages {
    SHM_HUGE_PAGES_OFF = 0,    /* normal pages */
    SHM_HUGE_PAGES_AUTO = 1,   /* 2 MiB pages where all of them can be had, else normal ones */
    SHM_HUGE_PAGES_REQUIRE = 2 /* 2 MiB pages or an error */
};

struct shm_heap {
    struct shm_heap_layout layout;
    int my_pe;
    int n_pes;
    char *gva; /* slice of PE p starts at gva + p * layout.stride; NULL = not reserved */
    void *reserved;
    size_t reserved_bytes;
    int memory_fd; /* the memfd, `slices` slices long; -1 = none */
    int huge_fd;   /* the heaps, one behind the other, when they have huge pages; -1 otherwise */
    uint32_t slices;
    bool has_huge_pages;
    int64_t my_slice; /* number of this PE's slice in the memory; -1 = not mapped */
};

/** Makes `heap` empty, so that shm_heap_destroy() is harmless. */
void shm_heap_init(struct shm_heap *heap);

/** Reserves addresses for n_pes slices, at the same address on all PEs where that is free
 *  (`domain`: number of the memory domain in this process, 0 to 255; each has its own place).
 *  SHM_MALLOC_FAILED when there is no such range of addresses, with the limit that was hit. */
SHM_MUST_CHECK enum shm_status shm_heap_reserve(struct shm_heap *heap,
                                                const struct shm_heap_layout *layout, int my_pe,
                                                int n_pes, uint32_t domain);

/** Leader of the node: creates the memory, with room for `slices` slices, its size sealed.
 *  SHM_MALLOC_FAILED when huge pages are required and cannot be had: the detail says how many are
 *  needed and how many are free. */
SHM_MUST_CHECK enum shm_status shm_heap_create(struct shm_heap *heap, uint32_t slices,
                                               enum shm_huge_pages huge_pages);

/** Where a leader hands its memory out, and the secret that a member must know. */
#define SHM_HEAP_DOOR_NAME_BYTES 24

struct shm_heap_door {
    int listen_fd;
    char name[SHM_HEAP_DOOR_NAME_BYTES]; /* abstract socket name, published to the members */
};

/** Opens a door with a random name. Any PE may do so before it knows whether it is a leader. */
SHM_MUST_CHECK enum shm_status shm_heap_door_open(struct shm_heap_door *door);
void shm_heap_door_close(struct shm_heap_door *door);

/** Called while waiting for members, about every 20 ms: an error ends the wait with it. */
typedef enum shm_status (*shm_heap_check)(void *argument);

/**
 * Leader: hands the memory to the `member_count` PEs in `members`, each of which proves that it
 * knows `job_id`, and returns when every one of them has it and read the right token.
 * Connections of strangers are dropped and cost nothing. Past the deadline: SHM_TIMEOUT_ERROR
 * with the PEs that did not come. A member that cannot map it: SHM_SMEM_ERROR with its reason.
 */
SHM_MUST_CHECK enum shm_status shm_heap_export(struct shm_heap *heap, struct shm_heap_door *door,
                                               uint64_t job_id, const int *members,
                                               int member_count, uint64_t deadline_ns,
                                               shm_heap_check check, void *argument);

/**
 * Member: fetches the memory at the leader's door and proves that it is the same memory by
 * reading the leader's token there; needs the reserved heap. SHM_NOT_FOUND when the door cannot be
 * reached from here or the token cannot be read: the PEs are not on one node. SHM_REFUSED when the
 * leader does not know the job id or does not expect this PE, SHM_MISMATCH when the memory is not
 * of this PE's layout, SHM_CLOSED when the leader gave up.
 */
SHM_MUST_CHECK enum shm_status shm_heap_import(struct shm_heap *heap, const char *door_name,
                                               uint64_t job_id, uint64_t deadline_ns);

/** Member that has failed for a reason of its own: tells the leader so, which would wait for it
 *  otherwise. What cannot be told is dropped. */
void shm_heap_decline(int my_pe, const char *door_name, uint64_t job_id, uint64_t deadline_ns,
                      enum shm_status status, const char *detail);

/** Maps slices first_slice .. first_slice + count - 1 of the memory as those of the PEs
 *  first_pe .. first_pe + count - 1. */
SHM_MUST_CHECK enum shm_status shm_heap_map(struct shm_heap *heap, int first_pe,
                                            uint32_t first_slice, uint32_t count);

/** Bytes by which the memory grows at most when the program touches all of it. */
uint64_t shm_heap_growth_bytes(const struct shm_heap *heap);

/** Gives the memory of this PE's heaps back at once, though a mapping of static data keeps the file
 *  alive. No PE may look there any more. */
void shm_heap_release_pages(struct shm_heap *heap);

/** Unmaps and closes everything; accepts a half-built heap. Static data must have been restored. */
void shm_heap_destroy(struct shm_heap *heap);

/** Start of a PE's slice. */
static inline char *shm_heap_slice(const struct shm_heap *heap, int pe)
{
    return heap->gva + (uint64_t)pe * heap->layout.stride;
}

/* ---- static data of the executable ---- */

/** The writable data of the executable behind its RELRO part: .data, .bss and neighbours. The
 *  struct itself must lie elsewhere (stack, allocated memory, data of a shared library). */
struct shm_static_data {
    char *begin; /* page-aligned */
    size_t bytes;
    size_t file_bytes; /* from there on pages were zero when the program started */
    uint64_t digest;   /* of the layout: equal in PEs that run the same executable */
    bool is_shared;
    int memory_fd;          /* shared: the heap's memfd, borrowed */
    uint64_t memory_offset; /* shared: where the data lies in it */
    char *snapshot;         /* around fork(): private copy; NULL otherwise */
};

/** Finds it; of several such segments the largest. Without any: bytes = 0. */
void shm_static_data_find(struct shm_static_data *out_data);

/** Copies the data into this PE's slice and maps that part over the data itself. `heap` must have
 *  this PE's slice mapped. A store that another thread makes to the data meanwhile may be lost: a
 *  program calls init before it starts threads that write to global variables. */
SHM_MUST_CHECK enum shm_status shm_static_data_share(struct shm_static_data *data,
                                                     const struct shm_heap *heap);

/** Makes the data private again, before the heap is destroyed; harmless when it is not shared.
 * Other threads may go on writing to it. */
SHM_MUST_CHECK enum shm_status shm_static_data_restore(struct shm_static_data *data);

/** Around fork(): prepare in the parent, then parent or child, so that the child gets a private
 *  copy of the data as it was at the fork. All harmless when the data is not shared. */
void shm_static_data_fork_prepare(struct shm_static_data *data);
void shm_static_data_fork_parent(struct shm_static_data *data);
void shm_static_data_fork_child(struct shm_static_data *data);

/* ---- allocator ---- */

/**
 * First-fit allocator with coalescing over offsets 0 .. bytes - 1. Its book-keeping lies in private
 * memory, so that a program that writes past its blocks cannot damage it; and it is deterministic:
 * PEs that make the same calls get the same offsets. Every operation is O(log blocks).
 * Not thread-safe: the caller locks.
 */
struct shm_allocator;

SHM_MUST_CHECK enum shm_status shm_allocator_create(uint64_t bytes,
                                                    struct shm_allocator **out_allocator);
void shm_allocator_destroy(struct shm_allocator *allocator);

/** Takes `bytes` (at least 1) at the lowest place that fits. `alignment` is a power of two up to
 *  SHM_HEAP_ALIGNMENT or 0; blocks are aligned to 64 bytes at least and to pages from one page up.
 *  For these two alignments the place is the lowest of all. For others it is the lowest in the
 *  first 16 gaps of at least `bytes`; when it fits into none of them, the start of the lowest gap
 *  that has room wherever it starts; and without such a gap the lowest of all again.
 *  SHM_MALLOC_FAILED when no gap fits: the detail says what was asked, what is free, the largest
 *  gap and the total; PEs that make the same calls get it alike. SHM_SMEM_ERROR when this process
 *  has no memory for the book-keeping, which may be so on one PE alone. */
SHM_MUST_CHECK enum shm_status shm_allocator_take(struct shm_allocator *allocator, uint64_t bytes,
                                                  uint64_t alignment, uint64_t *out_offset);

/** Gives a block back. SHM_NOT_FOUND when no block starts at `offset`; the detail says whether it
 *  lies inside a block, in free space or outside. */
SHM_MUST_CHECK enum shm_status shm_allocator_give(struct shm_allocator *allocator, uint64_t offset);

/** Grows or shrinks a block (to at least 1 byte) where it lies, whatever its alignment.
 *  SHM_MALLOC_FAILED when there is no room behind it; SHM_SMEM_ERROR as in shm_allocator_take(). */
SHM_MUST_CHECK enum shm_status shm_allocator_resize(struct shm_allocator *allocator,
                                                    uint64_t offset, uint64_t bytes);

/** Bytes that were asked for when the block at `offset` was taken; SHM_NOT_FOUND otherwise. */
SHM_MUST_CHECK enum shm_status shm_allocator_block(const struct shm_allocator *allocator,
                                                   uint64_t offset, uint64_t *out_bytes);

/** The first block that reaches beyond `offset`: the one around it, or else the next one behind it;
 *  false when there is none. `out_bytes` as in shm_allocator_block(). */
bool shm_allocator_find_next(const struct shm_allocator *allocator, uint64_t offset,
                             uint64_t *out_begin, uint64_t *out_bytes);

struct shm_allocator_usage {
    uint64_t total_bytes, free_bytes, largest_gap_bytes, blocks;
};

void shm_allocator_usage(const struct shm_allocator *allocator,
                         struct shm_allocator_usage *out_usage);

#endif
