/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares barriers. */
#ifndef ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_CC_H
#define ACLSHMEM_HOST_DATA_PLANE_SHMEM_HOST_CC_H

#include "../../shmem.h"

#endif
