/* SPDX-License-Identifier: BSD-3-Clause */
/** The loops of reductions, compiled for several kinds of vector instructions. */
#ifndef SHM_COLL_REDUCE_LOOPS_INTERNAL_H
#define SHM_COLL_REDUCE_LOOPS_INTERNAL_H

#include "coll/reduce_kernel.h"

#include <stddef.h>

/* Both loops of a kernel; `combined` is the result for the elements a and b. */
#define KERNEL(name, type, combined)                                                               \
    static void name##_into(void *into_array, const void *from_array, size_t count)                \
    {                                                                                              \
        type *restrict into = into_array;                                                          \
        const type *restrict from = from_array;                                                    \
                                                                                                   \
        for (size_t i = 0; i < count; i++) {                                                       \
            type a = into[i];                                                                      \
            type b = from[i];                                                                      \
                                                                                                   \
            into[i] = combined;                                                                    \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name##_pair(void *out_array, const void *first_array, const void *second_array,    \
                            size_t count)                                                          \
    {                                                                                              \
        type *restrict out = out_array;                                                            \
        const type *restrict first = first_array;                                                  \
        const type *restrict second = second_array;                                                \
                                                                                                   \
        for (size_t i = 0; i < count; i++) {                                                       \
            type a = first[i];                                                                     \
            type b = second[i];                                                                    \
                                                                                                   \
            out[i] = combined;                                                                     \
        }                                                                                          \
    }

/** Of a table. */
#define ENTRY(name, operation)                                                                     \
    {                                                                                              \
        name##_##operation##_into, name##_##operation##_pair                                       \
    }

/** Empty where a reduction is not defined for the element. */
struct shm_reduce_table {
    struct shm_reduce_kernel kernels[SHM_REDUCTIONS][SHM_ELEMENTS];
};

extern const struct shm_reduce_table shm_reduce_baseline;
extern const struct shm_reduce_table shm_reduce_complex_baseline;
/* x86 only */
extern const struct shm_reduce_table shm_reduce_avx2, shm_reduce_avx512;
extern const struct shm_reduce_table shm_reduce_complex_avx2;

/** Made of instructions that the processor has; for complex elements, and for all others. */
const struct shm_reduce_table *shm_reduce_complex_table(enum shm_vector vector);
const struct shm_reduce_table *shm_reduce_table(enum shm_vector vector);

#endif
