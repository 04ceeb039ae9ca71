/* SPDX-License-Identifier: BSD-3-Clause */
/* Of processors with one kind of vector instructions, for which the whole library is compiled: NEON
 * on Arm. */
#include "reduce_loops_internal.h"

const struct shm_reduce_table *shm_reduce_table(enum shm_vector vector)
{
    (void)vector;
    return &shm_reduce_baseline;
}

const struct shm_reduce_table *shm_reduce_complex_table(enum shm_vector vector)
{
    (void)vector;
    return &shm_reduce_complex_baseline;
}
