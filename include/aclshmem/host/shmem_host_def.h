/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares constants and types. */
#ifndef ACLSHMEM_HOST_SHMEM_HOST_DEF_H
#define ACLSHMEM_HOST_SHMEM_HOST_DEF_H

#include "../shmem.h"

#endif
