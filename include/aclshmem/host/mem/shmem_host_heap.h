/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares the symmetric heap. */
#ifndef ACLSHMEM_HOST_MEM_SHMEM_HOST_HEAP_H
#define ACLSHMEM_HOST_MEM_SHMEM_HOST_HEAP_H

#include "../../shmem.h"

#endif
