/* SPDX-License-Identifier: BSD-3-Clause */
/** Which vector instructions the library uses where it has loops for several kinds. */
#ifndef SHM_BASE_VECTOR_H
#define SHM_BASE_VECTOR_H

#include "base/status.h"

#include <stdbool.h>

enum shm_vector {
    SHM_VECTOR_AUTO,     /* the best of those below that the processor has */
    SHM_VECTOR_BASELINE, /* what the library is compiled for: SSE2 on x86-64, NEON on Arm */
    SHM_VECTOR_AVX2,
    SHM_VECTOR_AVX512, /* F, BW, DQ and VL */
    SHM_VECTORS
};

/** True when this processor has the instructions, and the system lets programs use them. */
bool shm_vector_is_there(enum shm_vector vector);

/** What is meant by a wish, never SHM_VECTOR_AUTO; SHM_INVALID_VALUE when that is not there. */
SHM_MUST_CHECK enum shm_status shm_vector_choose(enum shm_vector wish, enum shm_vector *out_vector);

#endif
