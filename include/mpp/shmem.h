/* SPDX-License-Identifier: BSD-3-Clause */
/** The old place of <shmem.h>. */
#ifndef MPP_SHMEM_H
#define MPP_SHMEM_H

#include "../shmem.h"

#endif
