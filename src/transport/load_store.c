/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport/transport.h"

/* Inlined with a constant element size, so that each element is one load and one store. */
static inline __attribute__((always_inline)) void copy_elements(const struct shm_strided *copy,
                                                                size_t element_bytes)
{
    char *to = copy->to;
    const char *from = copy->from;
    ptrdiff_t to_step = copy->to_stride * (ptrdiff_t)element_bytes;
    ptrdiff_t from_step = copy->from_stride * (ptrdiff_t)element_bytes;

    for (size_t i = 0; i < copy->count; i++) {
        shm_copy_element(to, from, element_bytes);
        to += to_step;
        from += from_step;
    }
}

static void copy_blocks(const struct shm_strided *copy)
{
    char *to = copy->to;
    const char *from = copy->from;

    for (size_t i = 0; i < copy->count; i++) {
        shm_copy_bytes(to, from, copy->block * copy->element_bytes);
        to += copy->to_stride * (ptrdiff_t)copy->element_bytes;
        from += copy->from_stride * (ptrdiff_t)copy->element_bytes;
    }
}

void shm_copy_strided(const struct shm_strided *copy)
{
    if (copy->block != 1) {
        copy_blocks(copy);
        return;
    }
    switch (copy->element_bytes) {
    case 1:
        copy_elements(copy, 1);
        break;
    case 2:
        copy_elements(copy, 2);
        break;
    case 4:
        copy_elements(copy, 4);
        break;
    case 8:
        copy_elements(copy, 8);
        break;
    default:
        copy_elements(copy, copy->element_bytes);
    }
}
