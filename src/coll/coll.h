/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Collective operations of a group of PEs, untyped. All members call with the same arguments
 * (collect: but for the number of bytes). Addresses are this PE's; they have been checked to be
 * symmetric, except where a function says so. dest and source are the same or do not overlap.
 *
 * Memory is reached by load and store, so members read each other's source and write each other's
 * dest directly. What fits into the exchange buffers of a group with a slot costs one meeting;
 * larger arrays cost two, one before the first access and one behind the last. The first is left
 * out by shm_fcollect(), shm_alltoall() and shm_alltoalls(): dest must be ready on all members
 * before one calls.
 *
 * Errors are those of shm_wait(), and SHM_MISMATCH where SHMEM_DEBUG is set and a member's
 * arguments differ: the detail names the first such PE, the argument and both values.
 */
#ifndef SHM_COLL_H
#define SHM_COLL_H

#include "instance/instance.h"
#include "sync/sync.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who does it, and the public name of the call. */
struct shm_collective {
    struct shm_instance *instance;
    struct shm_group *group;
    const char *call;
};

/** Copies `bytes` from the source of rank `root` to dest of all others and, if `has_root_dest`, of
 *  the root. Without SHMEM_DEBUG nobody looks at the source of others, nor at a dest of the root
 *  that gets nothing. */
SHM_MUST_CHECK enum shm_status shm_broadcast(const struct shm_collective *collective, void *dest,
                                             const void *source, size_t bytes, int root,
                                             bool has_root_dest);

/** Concatenates `bytes` of each member in the order of ranks, in dest of all. */
SHM_MUST_CHECK enum shm_status shm_fcollect(const struct shm_collective *collective, void *dest,
                                            const void *source, size_t bytes);

/** As shm_fcollect(), `bytes` may differ. dest is checked here, as only this knows how much of it
 *  is written: SHM_INVALID_VALUE when that is more than symmetric memory has there. */
SHM_MUST_CHECK enum shm_status shm_collect(const struct shm_collective *collective, void *dest,
                                           const void *source, size_t bytes);

/** Block j of the source of rank i becomes block i of dest of rank j; blocks of `bytes`. */
SHM_MUST_CHECK enum shm_status shm_alltoall(const struct shm_collective *collective, void *dest,
                                            const void *source, size_t bytes);

/** Elements of an alltoalls: `count` for each member, strides in elements. */
struct shm_alltoalls {
    void *dest;
    const void *source;
    ptrdiff_t dest_stride;   /* at least 1 */
    ptrdiff_t source_stride; /* at least 1 */
    size_t count;
    size_t element_bytes;
};

/** As shm_alltoall(), with elements that are not side by side: element i of block j lies at
 *  (j * count + i) * stride. */
SHM_MUST_CHECK enum shm_status shm_alltoalls(const struct shm_collective *collective,
                                             const struct shm_alltoalls *arrays);

/* ---- reductions ---- */

enum shm_reduction {
    SHM_REDUCE_AND,
    SHM_REDUCE_OR,
    SHM_REDUCE_XOR,
    SHM_REDUCE_MIN,
    SHM_REDUCE_MAX,
    SHM_REDUCE_SUM,
    SHM_REDUCE_PROD,
    SHM_REDUCTIONS
};

/** What an array consists of. */
enum shm_element {
    SHM_ELEMENT_I8,
    SHM_ELEMENT_I16,
    SHM_ELEMENT_I32,
    SHM_ELEMENT_I64,
    SHM_ELEMENT_U8,
    SHM_ELEMENT_U16,
    SHM_ELEMENT_U32,
    SHM_ELEMENT_U64,
    SHM_ELEMENT_F32,
    SHM_ELEMENT_F64,
    SHM_ELEMENT_F80, /* long double */
    SHM_ELEMENT_C32, /* complex float */
    SHM_ELEMENT_C64, /* complex double */
    SHM_ELEMENTS,
    SHM_ELEMENT_CHAR = CHAR_MIN < 0 ? SHM_ELEMENT_I8 : SHM_ELEMENT_U8
};

/** Bytes of one element. */
size_t shm_element_bytes(enum shm_element element);

/** An array of every member, and what to do with it. */
struct shm_reduce {
    void *dest;
    const void *source;
    size_t count;
    enum shm_reduction reduction; /* bitwise ones for integers only; min, max not for complex */
    enum shm_element element;
};

/** dest of all = the sources combined element by element, in the order of ranks: every member gets
 *  the same bits, in every run. Integers wrap around. */
SHM_MUST_CHECK enum shm_status shm_reduce(const struct shm_collective *collective,
                                          const struct shm_reduce *reduce);

/** Prefix reduction: dest of rank r combines the sources of the ranks 0 to r, or, if not
 *  `is_inclusive`, 0 to r - 1; rank 0 then gets zeros. */
SHM_MUST_CHECK enum shm_status shm_scan(const struct shm_collective *collective,
                                        const struct shm_reduce *reduce, bool is_inclusive);

#endif
