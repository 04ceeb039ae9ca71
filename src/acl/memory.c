/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks, and copies within the caller or in a stream. */
#include "acl_internal.h"

#include "base/memory_limit.h"
#include "device/device.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGNMENT 64u
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FIRST_ABOVE ((size_t)1 << 20)

/* ---- blocks ---- */

static size_t alignment_for(size_t bytes, aclrtMemMallocPolicy policy)
{
    switch (policy) {
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_HUGE_ONLY_P2P:
        return HUGE_PAGE;
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_FIRST_P2P:
        return bytes > HUGE_FIRST_ABOVE ? HUGE_PAGE : ALIGNMENT;
    default:
        return ALIGNMENT;
    }
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    size_t alignment = alignment_for(size, policy);
    aclError code;

    if (devPtr == NULL)
        return acl_refuse_null(__func__, "devPtr");
    if (size == 0)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: size = 0, expected 1 or more", __func__);
    if ((unsigned)policy > ACL_MEM_MALLOC_NORMAL_ONLY_P2P)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: policy = %d, expected 0 to %d", __func__,
                          (int)policy, (int)ACL_MEM_MALLOC_NORMAL_ONLY_P2P);
    code = acl_answer(__func__, shm_device_memory_take(SHM_MEMORY_DEVICE, size, alignment, devPtr));
    if (code == ACL_SUCCESS && alignment == HUGE_PAGE && size >= HUGE_PAGE)
        madvise(*devPtr, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* only a wish */
    return code;
}

aclError aclrtFree(void *devPtr)
{
    return devPtr != NULL ? acl_answer(__func__, shm_device_memory_give(SHM_MEMORY_DEVICE, devPtr))
                          : acl_refuse_null(__func__, "devPtr");
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    if (hostPtr == NULL)
        return acl_refuse_null(__func__, "hostPtr");
    if (size == 0)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: size = 0, expected 1 or more", __func__);
    return acl_answer(__func__, shm_device_memory_take(SHM_MEMORY_HOST, size, ALIGNMENT, hostPtr));
}

aclError aclrtFreeHost(void *hostPtr)
{
    return hostPtr != NULL ? acl_answer(__func__, shm_device_memory_give(SHM_MEMORY_HOST, hostPtr))
                           : acl_refuse_null(__func__, "hostPtr");
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
    enum shm_memory_limiter limiter;
    uint64_t all;
    uint64_t available;

    if (free == NULL || total == NULL)
        return acl_refuse_null(__func__, free == NULL ? "free" : "total");
    if ((unsigned)attr > ACL_HBM_MEM_P2P_NORMAL)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: attr = %d, expected 0 to %d", __func__,
                          (int)attr, (int)ACL_HBM_MEM_P2P_NORMAL);
    all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    available = shm_memory_available(&limiter);
    *total = (size_t)all;
    *free = (size_t)(available < all ? available : all); /* swap is no memory */
    return ACL_SUCCESS;
}

/* ---- copies: what is copied is a task, whether a stream does it or the caller ---- */

struct copy_task {
    unsigned char *to;
    const unsigned char *from;
    size_t to_pitch, from_pitch, width, height;
};

struct set_task {
    void *to;
    int value;
    size_t bytes;
};

static void run_copy(void *payload)
{
    const struct copy_task *task = payload;

    for (size_t row = 0; row < task->height; row++)
        memmove(task->to + row * task->to_pitch, task->from + row * task->from_pitch, task->width);
}

static void run_set(void *payload)
{
    const struct set_task *task = payload;

    memset(task->to, task->value, task->bytes);
}

static aclError add(const struct shm_task_request *request, aclrtStream stream)
{
    return acl_answer(request->name, shm_stream_add(stream, request));
}

static aclError add_copy(const char *call, const struct copy_task *task, aclrtStream stream)
{
    return add(&(struct shm_task_request){.run = run_copy,
                                          .payload = task,
                                          .payload_bytes = sizeof *task,
                                          .name = call,
                                          .blocks = {task->to, task->from}},
               stream);
}

static aclError add_set(const char *call, void (*run)(void *payload), const struct set_task *task,
                        aclrtStream stream)
{
    return add(&(struct shm_task_request){.run = run,
                                          .payload = task,
                                          .payload_bytes = sizeof *task,
                                          .name = call,
                                          .blocks = {task->to}},
               stream);
}

static aclError check_ends(const char *call, const void *to, const void *from, aclrtMemcpyKind kind)
{
    if (to == NULL || from == NULL)
        return acl_refuse_null(call, to == NULL ? "dst" : "src");
    if ((unsigned)kind > ACL_MEMCPY_DEVICE_TO_DEVICE)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: kind = %d, expected 0 to %d", call,
                          (int)kind, (int)ACL_MEMCPY_DEVICE_TO_DEVICE);
    return ACL_SUCCESS;
}

static aclError check_room(const char *call, const char *room, size_t most, size_t count)
{
    if (count <= most)
        return ACL_SUCCESS;
    return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: count = %zu, expected at most %s = %zu", call,
                      count, room, most);
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    aclError code = check_ends(__func__, dst, src, kind);

    if (code == ACL_SUCCESS)
        code = check_room(__func__, "destMax", destMax, count);
    if (code == ACL_SUCCESS)
        memmove(dst, src, count);
    return code;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream)
{
    struct copy_task task = {dst, src, count, count, count, 1};
    aclError code = check_ends(__func__, dst, src, kind);

    if (code == ACL_SUCCESS)
        code = check_room(__func__, "destMax", destMax, count);
    return code == ACL_SUCCESS ? add_copy(__func__, &task, stream) : code;
}

static aclError check_rows(const char *call, const struct copy_task *task, aclrtMemcpyKind kind)
{
    aclError code = check_ends(call, task->to, task->from, kind);

    if (code != ACL_SUCCESS || (task->width <= task->to_pitch && task->width <= task->from_pitch))
        return code;
    return acl_refuse(ACL_ERROR_INVALID_PARAM,
                      "%s: width = %zu, expected at most dpitch = %zu and spitch = %zu", call,
                      task->width, task->to_pitch, task->from_pitch);
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind)
{
    struct copy_task task = {dst, src, dpitch, spitch, width, height};
    aclError code = check_rows(__func__, &task, kind);

    if (code == ACL_SUCCESS)
        run_copy(&task);
    return code;
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream)
{
    struct copy_task task = {dst, src, dpitch, spitch, width, height};
    aclError code = check_rows(__func__, &task, kind);

    return code == ACL_SUCCESS ? add_copy(__func__, &task, stream) : code;
}

static aclError check_set(const char *call, const struct set_task *task, size_t most)
{
    return task->to != NULL ? check_room(call, "maxCount", most, task->bytes)
                            : acl_refuse_null(call, "devPtr");
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    struct set_task task = {devPtr, value, count};
    aclError code = check_set(__func__, &task, maxCount);

    if (code == ACL_SUCCESS)
        run_set(&task);
    return code;
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream)
{
    struct set_task task = {devPtr, value, count};
    aclError code = check_set(__func__, &task, maxCount);

    return code == ACL_SUCCESS ? add_set(__func__, run_set, &task, stream) : code;
}

/* ---- cache ---- */

static void run_prefetch(void *payload)
{
    const struct set_task *task = payload;

    for (size_t at = 0; at < task->bytes; at += ALIGNMENT)
        __builtin_prefetch((const char *)task->to + at);
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream)
{
    struct set_task task = {src, 0, size};

    if (src == NULL)
        return acl_refuse_null(__func__, "src");
    if (cmoType != ACL_RT_CMO_TYPE_PREFETCH)
        return acl_refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: cmoType = %d, expected %d",
                          __func__, (int)cmoType, (int)ACL_RT_CMO_TYPE_PREFETCH);
    return add_set(__func__, run_prefetch, &task, stream);
}
