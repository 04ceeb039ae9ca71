/* SPDX-License-Identifier: BSD-3-Clause */
/** A hash (FNV-1a, 64 bits) for tables and for telling layouts apart. Whoever knows its start can
 * make two inputs meet. */
#ifndef SHM_BASE_HASH_H
#define SHM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SHM_HASH_START 0xcbf29ce484222325ull

/** Goes on with `hash`, at first SHM_HASH_START, over more bytes. */
static inline uint64_t shm_hash_add(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 0x100000001b3ull;
    return hash;
}

#endif
