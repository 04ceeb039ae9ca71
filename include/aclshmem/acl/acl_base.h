/* SPDX-License-Identifier: BSD-3-Clause */
/** For programs that include this part of CANN's interface only: all of it is in acl.h. */
#ifndef SHMEM_ACL_ACL_BASE_H
#define SHMEM_ACL_ACL_BASE_H

#include "acl.h"

#endif
