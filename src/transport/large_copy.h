/* SPDX-License-Identifier: BSD-3-Clause */
/** Copies of a megabyte and more, part of transport.h, which includes this. */
#ifndef SHM_TRANSPORT_LARGE_COPY_H
#define SHM_TRANSPORT_LARGE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** From here on shm_copy_large() may be the faster one. */
#define SHM_COPY_LARGE_BYTES ((size_t)1 << 20)

/** As memmove, by what this processor does best with many bytes. */
void shm_copy_large(void *to, const void *from, size_t bytes);

/** True when that is shm_copy_by_string(). */
bool shm_copy_has_string(void);

/** Copies upwards, byte after byte as far as the result goes: right where `to` does not lie inside
 *  of the bytes at `from`. */
void shm_copy_by_string(void *to, const void *from, size_t bytes);

#endif
