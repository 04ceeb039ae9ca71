/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <aclshmem/shmem.h>, not by programs. */
#ifndef SHMEM_LEGACY_NAMES_H
#define SHMEM_LEGACY_NAMES_H

#define shmem_global_exit aclshmem_global_exit
#define shmem_malloc aclshmem_malloc
#define shmem_ptr aclshmem_ptr
#define shmem_put_float_mem aclshmem_float_put
#define shmem_put_int64_mem aclshmem_int64_put
#define shmem_put_uint16_mem aclshmem_uint16_put
#define shmem_get_float_mem_nbi aclshmem_float_get_nbi
#define shmem_get_int64_mem_nbi aclshmem_int64_get_nbi
#define shmem_get_uint16_mem_nbi aclshmem_uint16_get_nbi
#define shmem_float_p aclshmem_float_p
#define shmem_int64_p aclshmem_int64_p
#define shmem_uint16_p aclshmem_uint16_p
#define shmem_float_g aclshmem_float_g
#define shmem_int64_g aclshmem_int64_g
#define shmem_uint16_g aclshmem_uint16_g
#define shmem_putmem aclshmem_putmem
#define shmem_error_code_t aclshmem_error_code_t
#define shmemx_bootstrap_t aclshmemx_bootstrap_t
#define shmem_init_status_t aclshmemx_init_status_t
#define shmem_transport_t aclshmem_transport_t
#define shmem_init_optional_attr_t aclshmem_init_optional_attr_t
#define shmem_init_attr_t aclshmemx_init_attr_t
#define shmem_uniqueid_t aclshmemx_uniqueid_t
#define shmem_decrypt_handler aclshmem_decrypt_handler

#endif
