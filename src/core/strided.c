/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

/* Blocks may not run into each other at the target; stride 0 with one element is a plain copy. */
static enum shm_status check_strides(const struct shm_strided *copy)
{
    if (copy->to_stride == 0 && copy->count > 1)
        return shm_fail(SHM_INVALID_VALUE, "dst = 0, expected a stride other than 0 for %zu blocks",
                        copy->count);
    if (copy->from_stride == 0 && copy->count > 1)
        return shm_fail(SHM_INVALID_VALUE, "sst = 0, expected a stride other than 0 for %zu blocks",
                        copy->count);
    return SHM_OK;
}

/* Where this process reaches the first element of a strided object of PE `pe`. */
static enum shm_status reach_strided(const struct shm_instance *instance, const char *argument,
                                     const void *address, const uint64_t extent[2], int pe,
                                     char **out_first)
{
    enum shm_status status = SHM_OK;
    char *lowest = shm_check_remote(instance, argument, (const char *)address - extent[0],
                                    extent[1], pe, &status);

    if (lowest != NULL)
        *out_first = lowest + extent[0];
    return status;
}

enum shm_status shm_strided_put(struct shm_instance *instance, const struct shm_strided *copy,
                                int pe)
{
    struct shm_strided reached = *copy;
    uint64_t extent[2]; /* bytes below the first element, bytes in all */
    char *first = NULL;
    enum shm_status status = check_strides(copy);

    if (status == SHM_OK)
        status = shm_strided_extent(copy->to_stride, copy->block, copy->count, copy->element_bytes,
                                    &extent[0], &extent[1]);
    if (status != SHM_OK || extent[1] == 0)
        return status;
    status = reach_strided(instance, "dest", copy->to, extent, pe, &first);
    if (status != SHM_OK)
        return status;
    reached.to = first;
    if (instance->reach.is_debugging)
        status = shm_check_strided_overlap(instance, &reached);
    if (status != SHM_OK)
        return status;
    if (instance->reach.is_special)
        return shm_transfer(instance, &(struct shm_transfer){.copy = reached, .pe = pe}, false);
    shm_copy_strided(&reached);
    shm_wake(instance, pe);
    return SHM_OK;
}

enum shm_status shm_strided_get(struct shm_instance *instance, const struct shm_strided *copy,
                                int pe)
{
    struct shm_strided reached = *copy;
    uint64_t extent[2]; /* bytes below the first element, bytes in all */
    char *first = NULL;
    enum shm_status status = check_strides(copy);

    if (status == SHM_OK)
        status = shm_strided_extent(copy->from_stride, copy->block, copy->count,
                                    copy->element_bytes, &extent[0], &extent[1]);
    if (status != SHM_OK || extent[1] == 0)
        return status;
    status = reach_strided(instance, "source", copy->from, extent, pe, &first);
    if (status != SHM_OK)
        return status;
    reached.from = first;
    if (instance->reach.is_debugging)
        status = shm_check_strided_overlap(instance, &reached);
    if (status != SHM_OK)
        return status;
    if (instance->reach.is_special)
        return shm_transfer(
            instance, &(struct shm_transfer){.copy = reached, .pe = pe, .is_get = true}, false);
    shm_copy_strided(&reached);
    atomic_thread_fence(memory_order_acquire); /* as in shm_get() */
    return SHM_OK;
}
