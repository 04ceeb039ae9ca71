/* SPDX-License-Identifier: BSD-3-Clause */
/** Combines arrays element by element. Internal to src/coll. */
#ifndef SHM_COLL_REDUCE_KERNEL_H
#define SHM_COLL_REDUCE_KERNEL_H

#include "base/vector.h"
#include "coll/coll.h"

/**
 * The loops of one reduction of one kind of element. An element's result depends on its operands
 * alone, neither on its place in the array nor on `count`. Arrays must be aligned as their
 * elements are, and must not overlap.
 */
struct shm_reduce_kernel {
    /** into[i] = into[i] OP from[i] */
    void (*into)(void *into, const void *from, size_t count);
    /** out[i] = first[i] OP second[i] */
    void (*pair)(void *out, const void *first, const void *second, size_t count);
};

/** Made of instructions that the processor must have; results are the same for all of them. NULL
 *  when the reduction is not defined for the element, or one of the two does not exist. */
const struct shm_reduce_kernel *
shm_reduce_kernel(enum shm_vector vector, enum shm_reduction reduction, enum shm_element element);

/** Names for error details; "?" for what does not exist. */
const char *shm_reduction_name(enum shm_reduction reduction);
const char *shm_element_name(enum shm_element element);

#endif
