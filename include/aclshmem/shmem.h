/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * "shmem.h" as host programs of CANN SHMEM include it: everything of <aclshmem.h>, the short names
 * (shmem_malloc and so on), which are macros here, and "acl/acl.h". For C99 and later and C++11 and
 * later.
 *
 * Found by `pkg-config --cflags aclshmem`, or -I PREFIX/include/aclshmem -I PREFIX/include. The
 * <shmem.h> of OpenSHMEM declares functions of the same short names, so that a source file
 * includes one or the other.
 */
#ifndef ACLSHMEM_SHMEM_H
#define ACLSHMEM_SHMEM_H

#ifdef SHMEM_H
#error "OpenSHMEM's <shmem.h> is included already; CANN SHMEM's needs a source file of its own"
#endif
#ifdef __CCE_AICORE__
#error "kernels are not part of this library: it has the host functions of CANN SHMEM only"
#endif

#include "acl/acl.h"

#include <aclshmem.h>
#include <shmem/legacy_names.h>

#endif
