/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares types. */
#ifndef ACLSHMEM_HOST_DEVICE_SHMEM_COMMON_TYPES_H
#define ACLSHMEM_HOST_DEVICE_SHMEM_COMMON_TYPES_H

#include "../shmem.h"

#endif
