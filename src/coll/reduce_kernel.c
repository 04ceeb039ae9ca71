/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain loops over arrays that do not overlap, which compilers turn into vector instructions; this
 * file is compiled for that (meson.build), and without contraction to fused operations, which
 * would make an element's bits depend on which part of a loop it falls into.
 */
#include "reduce_kernel.h"

#include <stdint.h>

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

#define COMPLEX_KERNELS(name, type)                                                                \
    KERNEL(name##_sum, struct type, type##_sum(a, b))                                              \
    KERNEL(name##_prod, struct type, type##_product(a, b))

INTEGER_KERNELS(8)
INTEGER_KERNELS(16)
INTEGER_KERNELS(32)
INTEGER_KERNELS(64)
REAL_KERNELS(f32, float)
REAL_KERNELS(f64, double)
REAL_KERNELS(f80, long double)
COMPLEX_KERNELS(c32, complex_f32)
COMPLEX_KERNELS(c64, complex_f64)

/* Entries of the table, for each group of elements. */
#define ENTRY(name, operation)                                                                     \
    {                                                                                              \
        name##_##operation##_into, name##_##operation##_pair                                       \
    }
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
#define COMPLEX_ENTRIES(operation)                                                                 \
    [SHM_ELEMENT_C32] = ENTRY(c32, operation), [SHM_ELEMENT_C64] = ENTRY(c64, operation)

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
        SIGNED_BIT_ENTRIES(operation), UNSIGNED_ENTRIES(operation), REAL_ENTRIES(operation),       \
            COMPLEX_ENTRIES(operation)                                                             \
    }

static const struct shm_reduce_kernel kernels[SHM_REDUCTIONS][SHM_ELEMENTS] = {
    [SHM_REDUCE_AND] = BITWISE_ROW(and),     [SHM_REDUCE_OR] = BITWISE_ROW(or),
    [SHM_REDUCE_XOR] = BITWISE_ROW(xor),     [SHM_REDUCE_MIN] = ORDER_ROW(min),
    [SHM_REDUCE_MAX] = ORDER_ROW(max),       [SHM_REDUCE_SUM] = ARITHMETIC_ROW(sum),
    [SHM_REDUCE_PROD] = ARITHMETIC_ROW(prod)};

const struct shm_reduce_kernel *shm_reduce_kernel(enum shm_reduction reduction,
                                                  enum shm_element element)
{
    const struct shm_reduce_kernel *kernel;

    if ((unsigned)reduction >= SHM_REDUCTIONS || (unsigned)element >= SHM_ELEMENTS)
        return NULL;
    kernel = &kernels[reduction][element];
    return kernel->into != NULL ? kernel : NULL;
}

size_t shm_element_bytes(enum shm_element element)
{
    static const unsigned char bytes[SHM_ELEMENTS] = {
        [SHM_ELEMENT_I8] = 1,
        [SHM_ELEMENT_I16] = 2,
        [SHM_ELEMENT_I32] = 4,
        [SHM_ELEMENT_I64] = 8,
        [SHM_ELEMENT_U8] = 1,
        [SHM_ELEMENT_U16] = 2,
        [SHM_ELEMENT_U32] = 4,
        [SHM_ELEMENT_U64] = 8,
        [SHM_ELEMENT_F32] = sizeof(float),
        [SHM_ELEMENT_F64] = sizeof(double),
        [SHM_ELEMENT_F80] = sizeof(long double),
        [SHM_ELEMENT_C32] = sizeof(struct complex_f32),
        [SHM_ELEMENT_C64] = sizeof(struct complex_f64),
    };

    return bytes[element];
}

const char *shm_reduction_name(enum shm_reduction reduction)
{
    static const char *const names[SHM_REDUCTIONS] = {"and", "or",  "xor",    "min",
                                                      "max", "sum", "product"};

    return (unsigned)reduction < SHM_REDUCTIONS ? names[reduction] : "?";
}

const char *shm_element_name(enum shm_element element)
{
    static const char *const names[SHM_ELEMENTS] = {
        "int8",   "int16", "int32",  "int64",       "uint8",         "uint16",        "uint32",
        "uint64", "float", "double", "long double", "complex float", "complex double"};

    return (unsigned)element < SHM_ELEMENTS ? names[element] : "?";
}
