/* SPDX-License-Identifier: BSD-3-Clause */
/** Engine MTE, one element; part of transport.h, which includes this. */
#ifndef SHM_TRANSPORT_LOAD_STORE_INLINE_H
#define SHM_TRANSPORT_LOAD_STORE_INLINE_H

#include "base/inline.h"

#include <stdint.h>
#include <string.h>

/** Copies one element; compiled to a single load and store where bytes is 1, 2, 4 or 8. */
SHM_ALWAYS_INLINE void shm_copy_element(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        *(volatile uint8_t *)to = *(const volatile uint8_t *)from;
        break;
    case 2:
        __builtin_memcpy(to, from, 2);
        break;
    case 4:
        __builtin_memcpy(to, from, 4);
        break;
    case 8:
        __builtin_memcpy(to, from, 8);
        break;
    default:
        memmove(to, from, bytes);
    }
}

#endif
