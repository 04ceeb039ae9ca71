/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "face.h"

/* No memory is an answer, told by NULL on all PEs; anything else ends the job. */
static void *finish(struct shm_instance *instance, const char *call, enum shm_status status,
                    void *block)
{
    if (status == SHM_OK)
        return block;
    if (status != SHM_MALLOC_FAILED)
        face_refuse(instance, call, status);
    shm_log(SHM_LOG_WARN, "memory", "%s: %s", call, shm_error_detail());
    return NULL;
}

void *openshmem_take(const char *call, size_t bytes, size_t alignment)
{
    struct shm_instance *instance = face_instance(call);
    void *block = NULL;
    enum shm_status status;

    if (bytes == 0)
        return NULL;
    if ((alignment & (alignment - 1)) != 0)
        face_refuse(
            instance, call,
            shm_fail(SHM_INVALID_VALUE, "alignment = %zu, expected a power of two", alignment));
    status = shm_memory_take(instance, SHM_SIDE_DEVICE, call, bytes, alignment, &block);
    return finish(instance, call, status, block);
}

void *openshmem_take_zeroed(const char *call, size_t count, size_t bytes)
{
    struct shm_instance *instance = face_instance(call);
    void *block = NULL;
    enum shm_status status;

    if (count == 0 || bytes == 0)
        return NULL;
    status = shm_memory_take_zeroed(instance, SHM_SIDE_DEVICE, call, count, bytes, &block);
    return finish(instance, call, status, block);
}

void openshmem_give(const char *call, void *block)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (block == NULL)
        return;
    status = shm_memory_give(instance, SHM_SIDE_DEVICE, call, block);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}

void *openshmem_resize(const char *call, void *block, size_t bytes)
{
    struct shm_instance *instance = face_instance(call);
    void *moved = NULL;
    enum shm_status status;

    if (block == NULL)
        return openshmem_take(call, bytes, 0);
    if (bytes == 0) {
        openshmem_give(call, block);
        return NULL;
    }
    status = shm_memory_resize(instance, call, block, bytes, &moved);
    return finish(instance, call, status, moved);
}
