/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/rma.h"

enum shm_status shm_strided_extent(ptrdiff_t stride, size_t block, size_t count,
                                   size_t element_bytes, uint64_t *out_below, uint64_t *out_bytes)
{
    size_t step = stride < 0 ? 0 - (size_t)stride : (size_t)stride;
    size_t span;
    size_t bytes;

    if (count == 0 || block == 0) {
        *out_below = *out_bytes = 0;
        return SHM_OK;
    }
    if (__builtin_mul_overflow(count - 1, step, &span) ||
        __builtin_mul_overflow(span, element_bytes, &span) ||
        __builtin_mul_overflow(block, element_bytes, &bytes) ||
        __builtin_add_overflow(span, bytes, &bytes) || bytes > (size_t)PTRDIFF_MAX)
        return shm_fail(SHM_INVALID_VALUE,
                        "%zu blocks of %zu elements of %zu bytes, %td elements apart, exceed the "
                        "address space",
                        count, block, element_bytes, stride);
    *out_below = stride < 0 ? span : 0;
    *out_bytes = bytes;
    return SHM_OK;
}
