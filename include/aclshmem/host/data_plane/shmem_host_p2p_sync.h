/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares waits. */
#ifndef ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_P2P_SYNC_H
#define ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_P2P_SYNC_H

#include "../../shmem.h"

#endif
