/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares put and get. */
#ifndef ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_RMA_H
#define ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_RMA_H

#include "../../shmem.h"

#endif
