/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares the log. */
#ifndef ACLSHMEM_HOST_UTILS_SHMEM_LOG_H
#define ACLSHMEM_HOST_UTILS_SHMEM_LOG_H

#include "../../shmem.h"

#endif
