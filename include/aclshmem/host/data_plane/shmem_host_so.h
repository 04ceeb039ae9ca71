/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares data with signals. */
#ifndef ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_SO_H
#define ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_SO_H

#include "../../shmem.h"

#endif
