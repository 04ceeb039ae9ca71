/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares start and end. */
#ifndef ACLSHMEM_HOST_INIT_SHMEM_HOST_INIT_H
#define ACLSHMEM_HOST_INIT_SHMEM_HOST_INIT_H

#include "../../shmem.h"

#endif
