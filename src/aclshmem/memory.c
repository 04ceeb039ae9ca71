/* SPDX-License-Identifier: BSD-3-Clause */
#include "face.h"

static void *finish(struct shm_instance *instance, const char *call, enum shm_status status,
                    void *block)
{
    if (status == SHM_OK)
        return block;
    face_refuse(instance, call, status);
    return NULL;
}

void *aclshmem_take(const char *call, size_t bytes, size_t alignment)
{
    struct shm_instance *instance = face_instance(call);
    void *block = NULL;
    enum shm_status status;

    if (instance == NULL || bytes == 0)
        return NULL;
    if ((alignment & (alignment - 1)) != 0)
        status = shm_fail(SHM_INVALID_VALUE, "alignment = %zu, expected a power of two", alignment);
    else
        status = shm_memory_take(instance, call, bytes, alignment, &block);
    return finish(instance, call, status, block);
}

void *aclshmem_take_zeroed(const char *call, size_t count, size_t bytes)
{
    struct shm_instance *instance = face_instance(call);
    void *block = NULL;
    enum shm_status status;

    if (instance == NULL || count == 0 || bytes == 0)
        return NULL;
    status = shm_memory_take_zeroed(instance, call, count, bytes, &block);
    return finish(instance, call, status, block);
}

/* A pointer that is no block is logged and otherwise harmless. */
void aclshmem_give(const char *call, void *block)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL || block == NULL)
        return;
    status = shm_memory_give(instance, call, block);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}
