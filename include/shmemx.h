/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Extensions of OpenSHMEM that this library offers; names start with shmemx_.
 */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The team of the PEs of this PE's node. */
#define SHMEMX_TEAM_NODE ((shmem_team_t)3L)

/** One fact about the library. All texts are UTF-8 and one line. They stay valid until the process
 *  ends; those of a variable's value only until the environment changes. */
typedef struct shmemx_info_item_t {
    const char *category;      /**< "version", "build", "engine", "bootstrap", "variable" or,
                                   from init to finalize, "topology" */
    const char *name;          /**< unique in its category */
    const char *value;         /**< "variable": as the environment sets it, NULL when it does not */
    const char *default_value; /**< "variable": what holds when it is not set; NULL = nothing */
    const char *help;          /**< what it means, one sentence */
} shmemx_info_item_t;

#include <shmem/shmemx_functions.h>

#ifdef __cplusplus
}
#endif

#endif
