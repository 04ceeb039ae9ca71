/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain loops over arrays that do not overlap, which compilers turn into vector instructions; this
 * file is compiled for that, once for each kind of instructions (meson.build), of which each has
 * its SHM_REDUCE_TABLE. It is compiled without contraction to fused operations, which would make an
 * element's bits depend on which part of a loop it falls into, and on the kind.
 */
#include "reduce_loops_internal.h"

#include <stdint.h>

#define ORDER_KERNELS(name, type)                                                                  \
    KERNEL(name##_min, type, a < b ? a : b)                                                        \
    KERNEL(name##_max, type, a > b ? a : b)

/* Those of which the bits are the same for signed elements. 1u * keeps the product of two short
 * ones from being one of signed ints, which may not overflow. */
#define BIT_KERNELS(name, type)                                                                    \
    KERNEL(name##_and, type, a &b)                                                                 \
    KERNEL(name##_or, type, a | b)                                                                 \
    KERNEL(name##_xor, type, a ^ b)                                                                \
    KERNEL(name##_sum, type, a + b)                                                                \
    KERNEL(name##_prod, type, 1u * a * b)

#define INTEGER_KERNELS(bits)                                                                      \
    BIT_KERNELS(u##bits, uint##bits##_t)                                                           \
    ORDER_KERNELS(u##bits, uint##bits##_t)                                                         \
    ORDER_KERNELS(i##bits, int##bits##_t)

#define REAL_KERNELS(name, type)                                                                   \
    ORDER_KERNELS(name, type)                                                                      \
    KERNEL(name##_sum, type, a + b)                                                                \
    KERNEL(name##_prod, type, a *b)

INTEGER_KERNELS(8)
INTEGER_KERNELS(16)
INTEGER_KERNELS(32)
INTEGER_KERNELS(64)
REAL_KERNELS(f32, float)
REAL_KERNELS(f64, double)
REAL_KERNELS(f80, long double)

/* Entries of the table, for each group of elements. */
#define UNSIGNED_ENTRIES(operation)                                                                \
    [SHM_ELEMENT_U8] = ENTRY(u8, operation), [SHM_ELEMENT_U16] = ENTRY(u16, operation),            \
    [SHM_ELEMENT_U32] = ENTRY(u32, operation), [SHM_ELEMENT_U64] = ENTRY(u64, operation)
#define SIGNED_ENTRIES(operation)                                                                  \
    [SHM_ELEMENT_I8] = ENTRY(i8, operation), [SHM_ELEMENT_I16] = ENTRY(i16, operation),            \
    [SHM_ELEMENT_I32] = ENTRY(i32, operation), [SHM_ELEMENT_I64] = ENTRY(i64, operation)
#define SIGNED_BIT_ENTRIES(operation)                                                              \
    [SHM_ELEMENT_I8] = ENTRY(u8, operation), [SHM_ELEMENT_I16] = ENTRY(u16, operation),            \
    [SHM_ELEMENT_I32] = ENTRY(u32, operation), [SHM_ELEMENT_I64] = ENTRY(u64, operation)
#define REAL_ENTRIES(operation)                                                                    \
    [SHM_ELEMENT_F32] = ENTRY(f32, operation), [SHM_ELEMENT_F64] = ENTRY(f64, operation),          \
    [SHM_ELEMENT_F80] = ENTRY(f80, operation)
#define BITWISE_ROW(operation)                                                                     \
    {                                                                                              \
        SIGNED_BIT_ENTRIES(operation), UNSIGNED_ENTRIES(operation)                                 \
    }
#define ORDER_ROW(operation)                                                                       \
    {                                                                                              \
        SIGNED_ENTRIES(operation), UNSIGNED_ENTRIES(operation), REAL_ENTRIES(operation)            \
    }
#define ARITHMETIC_ROW(operation)                                                                  \
    {                                                                                              \
        SIGNED_BIT_ENTRIES(operation), UNSIGNED_ENTRIES(operation), REAL_ENTRIES(operation)        \
    }

const struct shm_reduce_table SHM_REDUCE_TABLE = {{
    [SHM_REDUCE_AND] = BITWISE_ROW(and),
    [SHM_REDUCE_OR] = BITWISE_ROW(or),
    [SHM_REDUCE_XOR] = BITWISE_ROW(xor),
    [SHM_REDUCE_MIN] = ORDER_ROW(min),
    [SHM_REDUCE_MAX] = ORDER_ROW(max),
    [SHM_REDUCE_SUM] = ARITHMETIC_ROW(sum),
    [SHM_REDUCE_PROD] = ARITHMETIC_ROW(prod),
}};
