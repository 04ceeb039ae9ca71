/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Extensions of OpenSHMEM that this library offers; names start with shmemx_.
 */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One fact about the library. All texts are UTF-8, one line, and stay valid until the process
 *  ends; none is NULL, and those that mean nothing for a category are "". */
typedef struct shmemx_info_item_t {
    const char *category;      /**< "version", "build", "engine", "bootstrap" or "variable" */
    const char *name;          /**< unique in its category */
    const char *value;         /**< "variable": as in effect, from the environment or the default */
    const char *default_value; /**< "variable": what holds when it is not set */
    const char *help;          /**< what it means, one sentence */
} shmemx_info_item_t;

#include <shmem/shmemx_functions.h>

#ifdef __cplusplus
}
#endif

#endif
