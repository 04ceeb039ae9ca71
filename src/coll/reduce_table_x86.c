/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce_loops_internal.h"

const struct shm_reduce_table *shm_reduce_table(enum shm_vector vector)
{
    if (vector == SHM_VECTOR_AVX512)
        return &shm_reduce_avx512;
    return vector == SHM_VECTOR_AVX2 ? &shm_reduce_avx2 : &shm_reduce_baseline;
}

const struct shm_reduce_table *shm_reduce_complex_table(enum shm_vector vector)
{
    return vector == SHM_VECTOR_BASELINE ? &shm_reduce_complex_baseline : &shm_reduce_complex_avx2;
}
