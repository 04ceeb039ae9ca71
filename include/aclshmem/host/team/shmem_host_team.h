/* SPDX-License-Identifier: BSD-3-Clause */
/** Where CANN SHMEM declares teams. */
#ifndef ACLSHMEM_HOST_TEAM_SHMEM_HOST_TEAM_H
#define ACLSHMEM_HOST_TEAM_SHMEM_HOST_TEAM_H

#include "../../shmem.h"

#endif
