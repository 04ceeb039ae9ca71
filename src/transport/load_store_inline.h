/* SPDX-License-Identifier: BSD-3-Clause */
/** Engine MTE, one element; part of transport.h, which includes this. */
#ifndef SHM_TRANSPORT_LOAD_STORE_INLINE_H
#define SHM_TRANSPORT_LOAD_STORE_INLINE_H

#include "base/inline.h"
#include "transport/large_copy.h"

#include <stdint.h>
#include <string.h>

/** As memmove. */
SHM_ALWAYS_INLINE void shm_copy_bytes(void *to, const void *from, size_t bytes)
{
    if (__builtin_expect(bytes >= SHM_COPY_LARGE_BYTES, 0))
        shm_copy_large(to, from, bytes);
    else
        memmove(to, from, bytes);
}

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
        shm_copy_bytes(to, from, bytes);
    }
}

#endif
