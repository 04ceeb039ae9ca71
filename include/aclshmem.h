/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * ACLSHMEM: the host side of CANN SHMEM, for C99 and later and C++11 and later. Needs no NPU.
 *
 * Functions that return int give 0 or a negative value of aclshmem_error_code_t.
 */
#ifndef ACLSHMEM_H
#define ACLSHMEM_H

#include <shmem/aclshmem_plain_names.h>
#include <shmem/aclshmem_types.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <shmem/aclshmem_functions.h>

#ifdef __cplusplus
}
#endif

#endif
