/* SPDX-License-Identifier: BSD-3-Clause */
/** Bits of floating-point values, for what only moves them. */
#ifndef SHM_BASE_FLOAT_BITS_H
#define SHM_BASE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t shm_bits_of_f32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float shm_f32_of_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t shm_bits_of_f64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double shm_f64_of_bits(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
