/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where kernels have their scratch memory, for each engine that moves data for them. Kept for the
 * kernels that will read it: host code copies without scratch memory.
 */
#include "face.h"

/* An engine cannot do with less. */
static int set(const char *call, enum shm_scratch_engine engine, uint32_t least_bytes,
               const struct shm_scratch *wanted)
{
    struct shm_instance *instance = shm_current();

    if (instance == NULL)
        return aclshmem_refuse(call,
                               shm_fail(SHM_NOT_INITED, "called before init or after finalize"));
    if (wanted->bytes < least_bytes)
        return aclshmem_refuse(call,
                               shm_fail(SHM_INVALID_VALUE, "ub_size = %u, expected at least %u",
                                        wanted->bytes, least_bytes));
    instance->scratch[engine] = *wanted;
    return ACLSHMEM_SUCCESS;
}

int face_set_mte_config(const char *call, uint64_t offset, uint32_t ub_size, uint32_t sync_id)
{
    return set(call, SHM_SCRATCH_MTE, 0, &(struct shm_scratch){offset, ub_size, sync_id});
}

int face_set_sdma_config(const char *call, uint64_t offset, uint32_t ub_size, uint32_t sync_id)
{
    return set(call, SHM_SCRATCH_SDMA, ACLSHMEM_SDMA_FLAG_LENGTH,
               &(struct shm_scratch){offset, ub_size, sync_id});
}

int face_set_rdma_config(const char *call, uint64_t offset, uint32_t ub_size, uint32_t sync_id)
{
    return set(call, SHM_SCRATCH_RDMA, ACLSHMEM_RDMA_MTE_STAGING_UB_SIZE,
               &(struct shm_scratch){offset, ub_size, sync_id});
}

int face_set_udma_config(const char *call, uint64_t offset, uint32_t ub_size, uint32_t sync_id)
{
    return set(call, SHM_SCRATCH_UDMA, ACLSHMEM_UDMA_MTE_STAGING_UB_SIZE,
               &(struct shm_scratch){offset, ub_size, sync_id});
}
