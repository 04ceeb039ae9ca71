/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The profiling interface: pshmem_x is the library's shmem_x under a name that no program or tool
 * replaces. A tool defines shmem_x, does its work and calls pshmem_x.
 */
#ifndef PSHMEM_H
#define PSHMEM_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

#include <shmem/pshmem_functions.h>

#ifdef __cplusplus
}
#endif

#endif
