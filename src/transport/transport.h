/* SPDX-License-Identifier: BSD-3-Clause */
/** Engines: the ways in which bytes reach the memory of another PE. */
#ifndef SHM_TRANSPORT_H
#define SHM_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One bit per engine; the numbers are those of aclshmem_transport_t. */
enum shm_engine {
    SHM_ENGINE_MTE = 1 /* the caller loads from and stores to mapped memory */
};

/** An engine of this library, for people who ask. */
struct shm_engine_description {
    enum shm_engine engine;
    const char *name;
    const char *summary;
};

/** All engines that this build has. */
const struct shm_engine_description *shm_engine_list(size_t *out_count);

/** Bit mask of the engines that reach a PE; 0 when none does. */
uint8_t shm_engines_reaching(bool is_mapped);

#endif
