/* SPDX-License-Identifier: BSD-3-Clause */
#include "face.h"

_Static_assert((int)HOST_SIDE == SHM_SIDE_HOST && (int)DEVICE_SIDE == SHM_SIDE_DEVICE,
               "the core has the same numbers");

/* A PE that cannot keep book of its blocks would leave the others waiting. */
static void *finish(struct shm_instance *instance, const char *call, enum shm_status status,
                    void *block)
{
    if (status == SHM_OK)
        return block;
    if (status == SHM_SMEM_ERROR)
        shm_fatal(instance, status, call);
    face_refuse(instance, call, status);
    return NULL;
}

static bool check_side(const char *call, aclshmem_mem_type_t mem_type)
{
    if (mem_type == HOST_SIDE || mem_type == DEVICE_SIDE)
        return true;
    shm_log(SHM_LOG_ERROR, "aclshmem",
            "%s: mem_type = %d, expected HOST_SIDE (%d) or DEVICE_SIDE (%d)", call, (int)mem_type,
            (int)HOST_SIDE, (int)DEVICE_SIDE);
    return false;
}

void *aclshmem_take(const char *call, size_t bytes, size_t alignment, aclshmem_mem_type_t mem_type)
{
    struct shm_instance *instance = face_instance(call);
    void *block = NULL;
    enum shm_status status;

    if (instance == NULL || !check_side(call, mem_type) || bytes == 0)
        return NULL;
    if ((alignment & (alignment - 1)) != 0)
        status = shm_fail(SHM_INVALID_VALUE, "alignment = %zu, expected a power of two", alignment);
    else
        status = shm_memory_take(instance, (enum shm_side)mem_type, call, bytes, alignment, &block);
    return finish(instance, call, status, block);
}

void *aclshmem_take_zeroed(const char *call, size_t count, size_t bytes,
                           aclshmem_mem_type_t mem_type)
{
    struct shm_instance *instance = face_instance(call);
    void *block = NULL;
    enum shm_status status;

    if (instance == NULL || !check_side(call, mem_type) || count == 0 || bytes == 0)
        return NULL;
    status = shm_memory_take_zeroed(instance, (enum shm_side)mem_type, call, count, bytes, &block);
    return finish(instance, call, status, block);
}

/* A pointer that is no block is logged and otherwise harmless. */
void aclshmem_give(const char *call, void *block, aclshmem_mem_type_t mem_type)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL || !check_side(call, mem_type) || block == NULL)
        return;
    status = shm_memory_give(instance, (enum shm_side)mem_type, call, block);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}

void *aclshmem_heap_base(const char *call, aclshmem_mem_type_t mem_type)
{
    struct shm_instance *instance = face_instance(call);

    if (instance == NULL || !check_side(call, mem_type))
        return NULL;
    if (instance->sides[mem_type].allocator == NULL)
        return NULL;
    return instance->sides[mem_type].begin;
}
