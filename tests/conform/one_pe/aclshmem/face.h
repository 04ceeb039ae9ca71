/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_PE_ACLSHMEM_FACE_H
#define ONE_PE_ACLSHMEM_FACE_H

#include "one_pe.h"

#include <aclshmem.h>

static inline int face_init_attr(const char *call, aclshmemx_bootstrap_t bootstrap_flags,
                                 aclshmemx_init_attr_t *attributes)
{
    one_pe_record(call, __func__);
    one_pe_number = (long)bootstrap_flags;
    return attributes == NULL ? ACLSHMEM_INVALID_PARAM : 0;
}

static inline int face_get_uniqueid(const char *call, aclshmemx_uniqueid_t *uid)
{
    one_pe_record(call, __func__);
    uid->version = ACLSHMEM_UNIQUEID_VERSION;
    return 0;
}

static inline int face_set_attr_uniqueid_args(const char *call, int my_pe, int n_pes,
                                              int64_t local_mem_size, aclshmemx_uniqueid_t *uid,
                                              aclshmemx_init_attr_t *aclshmem_attr)
{
    one_pe_record(call, __func__);
    aclshmem_attr->my_pe = my_pe;
    aclshmem_attr->n_pes = n_pes;
    aclshmem_attr->local_mem_size = (uint64_t)local_mem_size;
    aclshmem_attr->comm_args = uid;
    return 0;
}

static inline int face_init_status(const char *call)
{
    one_pe_record(call, __func__);
    return ACLSHMEM_STATUS_IS_INITIALIZED;
}

static inline int face_finalize(const char *call)
{
    one_pe_record(call, __func__);
    return ACLSHMEM_NOT_INITED;
}

static inline void face_global_exit(const char *call, int status)
{
    one_pe_record(call, __func__);
    one_pe_number = status;
}

#endif
