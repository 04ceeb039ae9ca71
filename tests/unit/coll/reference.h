/* SPDX-License-Identifier: BSD-3-Clause */
/* What reductions must give: one element after the other, in a way of its own. */
#ifndef SHM_TEST_COLL_REFERENCE_H
#define SHM_TEST_COLL_REFERENCE_H

#include "coll/coll.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static inline bool is_signed(enum shm_element element)
{
    return element <= SHM_ELEMENT_I64;
}

static inline bool is_integer(enum shm_element element)
{
    return element <= SHM_ELEMENT_U64;
}

static inline bool is_complex(enum shm_element element)
{
    return element == SHM_ELEMENT_C32 || element == SHM_ELEMENT_C64;
}

static inline bool is_legal(enum shm_reduction reduction, enum shm_element element)
{
    if (reduction <= SHM_REDUCE_XOR)
        return is_integer(element);
    return reduction >= SHM_REDUCE_SUM || !is_complex(element);
}

/* Integers as 64 bits, of which the lowest count; these machines are little-endian. */
static inline uint64_t reference_integer(enum shm_reduction reduction, bool is_less, uint64_t a,
                                         uint64_t b)
{
    switch (reduction) {
    case SHM_REDUCE_AND:
        return a & b;
    case SHM_REDUCE_OR:
        return a | b;
    case SHM_REDUCE_XOR:
        return a ^ b;
    case SHM_REDUCE_MIN:
        return is_less ? a : b;
    case SHM_REDUCE_MAX:
        return is_less ? b : a;
    case SHM_REDUCE_SUM:
        return a + b;
    default:
        return a * b;
    }
}

static inline void combine_integer(enum shm_reduction reduction, enum shm_element element,
                                   void *into, const void *from)
{
    size_t bytes = shm_element_bytes(element);
    unsigned shift = 64 - 8 * (unsigned)bytes;
    uint64_t a = 0, b = 0;
    bool is_less;

    memcpy(&a, into, bytes);
    memcpy(&b, from, bytes);
    /* at the top of 64 bits the sign is where the machine expects it */
    if (is_signed(element))
        is_less = (int64_t)(a << shift) < (int64_t)(b << shift);
    else
        is_less = a < b;
    a = reference_integer(reduction, is_less, a, b);
    memcpy(into, &a, bytes);
}

#define REFERENCE_REAL(name, type)                                                                 \
    static inline void name(enum shm_reduction reduction, type *into, type from)                   \
    {                                                                                              \
        if (reduction == SHM_REDUCE_SUM)                                                           \
            *into += from;                                                                         \
        else if (reduction == SHM_REDUCE_PROD)                                                     \
            *into *= from;                                                                         \
        else if (reduction == SHM_REDUCE_MIN)                                                      \
            *into = *into < from ? *into : from;                                                   \
        else                                                                                       \
            *into = *into > from ? *into : from;                                                   \
    }

REFERENCE_REAL(combine_f32, float)
REFERENCE_REAL(combine_f64, double)
REFERENCE_REAL(combine_f80, long double)

#define REFERENCE_COMPLEX(name, type)                                                              \
    static inline void name(enum shm_reduction reduction, type *into, type from)                   \
    {                                                                                              \
        if (reduction == SHM_REDUCE_SUM)                                                           \
            *into += from;                                                                         \
        else                                                                                       \
            *into *= from;                                                                         \
    }

REFERENCE_COMPLEX(combine_c32, float complex)
REFERENCE_COMPLEX(combine_c64, double complex)

/* into = into OP from, for one element. */
static inline void combine_one(enum shm_reduction reduction, enum shm_element element, void *into,
                               const void *from)
{
    if (is_integer(element))
        combine_integer(reduction, element, into, from);
    else if (element == SHM_ELEMENT_F32)
        combine_f32(reduction, into, *(const float *)from);
    else if (element == SHM_ELEMENT_F64)
        combine_f64(reduction, into, *(const double *)from);
    else if (element == SHM_ELEMENT_F80)
        combine_f80(reduction, into, *(const long double *)from);
    else if (element == SHM_ELEMENT_C32)
        combine_c32(reduction, into, *(const float complex *)from);
    else
        combine_c64(reduction, into, *(const double complex *)from);
}

static inline void reference_combine(enum shm_reduction reduction, enum shm_element element,
                                     void *into, const void *from, size_t count)
{
    size_t bytes = shm_element_bytes(element);

    for (size_t i = 0; i < count; i++)
        combine_one(reduction, element, (char *)into + i * bytes, (const char *)from + i * bytes);
}

/* 64 bits that look like chance, the same for the same seed. */
static inline uint64_t mix(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15u;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
    return seed ^ seed >> 31;
}

/* Zeros of both signs, extremes, and numbers of so different sizes that sums depend on the order.
 */
static inline double awkward_real(uint64_t chance, double greatest)
{
    const double special[] = {0.0, -0.0, 1.0, -1.0, greatest, -greatest, 0.1, 1 / greatest};

    if (chance % 4 == 0)
        return special[chance / 4 % 8];
    return (double)(int64_t)(chance | 1) / (double)((uint64_t)1 << (40 + chance / 64 % 24));
}

static inline uint64_t awkward_integer(uint64_t chance, unsigned bits)
{
    uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t special[] = {0, 1, UINT64_MAX, top, top - 1, 2, UINT64_MAX - 1, top + 1};

    return chance % 2 == 0 ? special[chance / 2 % 8] : mix(chance);
}

/* Parts whose products stay finite. */
static inline void awkward_complex(enum shm_element element, uint64_t chance, void *out)
{
    double re = awkward_real(chance | 1, 1) / 1024;
    double im = chance % 8 == 0 ? -0.0 : awkward_real(mix(chance) | 1, 1) / 1024;

    if (element == SHM_ELEMENT_C32)
        ((float *)out)[0] = (float)re, ((float *)out)[1] = (float)im;
    else
        ((double *)out)[0] = re, ((double *)out)[1] = im;
}

static inline void awkward_one(enum shm_element element, uint64_t chance, void *out)
{
    unsigned bytes = (unsigned)shm_element_bytes(element);
    uint64_t integer;

    if (is_integer(element)) {
        integer = awkward_integer(chance, 8 * bytes);
        memcpy(out, &integer, bytes);
    } else if (element == SHM_ELEMENT_F32) {
        *(float *)out = (float)awkward_real(chance, 3e38);
    } else if (element == SHM_ELEMENT_F64) {
        *(double *)out = awkward_real(chance, 1e308);
    } else if (element == SHM_ELEMENT_F80) {
        memset(out, 0, bytes); /* some of them do not count */
        *(long double *)out = (long double)awkward_real(chance, 1e308);
    } else {
        awkward_complex(element, chance, out);
    }
}

/* Values that differ for each element and seed. */
static inline void fill_awkward(enum shm_element element, void *array, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        awkward_one(element, mix(seed * 1000003 + i),
                    (char *)array + i * shm_element_bytes(element));
}

static inline bool is_same_real(long double a, long double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Equal to the bit; but any NaN is like another, and bytes of padding do not count. */
static inline bool is_same(enum shm_element element, const void *a, const void *b, size_t count)
{
    size_t bytes = count * shm_element_bytes(element);
    bool is_equal = memcmp(a, b, bytes) == 0;

    if (is_integer(element) || is_equal)
        return is_equal;
    is_equal = true;
    for (size_t i = 0; i < count && element == SHM_ELEMENT_F80; i++)
        is_equal &= is_same_real(((const long double *)a)[i], ((const long double *)b)[i]);
    for (size_t i = 0; i < bytes / 4 && (element == SHM_ELEMENT_F32 || element == SHM_ELEMENT_C32);
         i++)
        is_equal &= is_same_real(((const float *)a)[i], ((const float *)b)[i]);
    for (size_t i = 0; i < bytes / 8 && (element == SHM_ELEMENT_F64 || element == SHM_ELEMENT_C64);
         i++)
        is_equal &= is_same_real(((const double *)a)[i], ((const double *)b)[i]);
    return is_equal;
}

#endif
