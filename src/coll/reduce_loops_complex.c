/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As reduce_loops.c, for complex numbers: SHM_REDUCE_COMPLEX_TABLE. Never compiled for a kind of
 * instructions that has fused ones: gcc 12 makes them of products whose parts are added and
 * subtracted in turns, whatever it is told about contraction.
 */
#include "reduce_loops_internal.h"

struct complex_f32 {
    float re, im;
};

struct complex_f64 {
    double re, im;
};

/* The textbook formula, as with CX_LIMITED_RANGE: C's product would call a function that repairs
 * infinities which have become NaN. */
#define COMPLEX_FUNCTIONS(type)                                                                    \
    static inline struct type type##_sum(struct type a, struct type b)                             \
    {                                                                                              \
        return (struct type){a.re + b.re, a.im + b.im};                                            \
    }                                                                                              \
                                                                                                   \
    static inline struct type type##_product(struct type a, struct type b)                         \
    {                                                                                              \
        return (struct type){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};                \
    }

COMPLEX_FUNCTIONS(complex_f32)
COMPLEX_FUNCTIONS(complex_f64)

#define COMPLEX_KERNELS(name, type)                                                                \
    KERNEL(name##_sum, struct type, type##_sum(a, b))                                              \
    KERNEL(name##_prod, struct type, type##_product(a, b))

COMPLEX_KERNELS(c32, complex_f32)
COMPLEX_KERNELS(c64, complex_f64)

#define ROW(operation)                                                                             \
    {                                                                                              \
        [SHM_ELEMENT_C32] = ENTRY(c32, operation), [SHM_ELEMENT_C64] = ENTRY(c64, operation)       \
    }

const struct shm_reduce_table SHM_REDUCE_COMPLEX_TABLE = {{
    [SHM_REDUCE_SUM] = ROW(sum),
    [SHM_REDUCE_PROD] = ROW(prod),
}};
