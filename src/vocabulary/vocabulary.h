/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The vocabulary of both faces: what the generated functions call. Included by a face's face.h
 * behind its own definitions of
 *
 *     struct shm_instance *face_instance(const char *call);
 *         the current instance, or NULL (or no return) when there is none
 *     void face_refuse(struct shm_instance *instance, const char *call, enum shm_status status);
 *         this face's policy for an error whose detail has been set; may not return
 *     size_t face_first_word(struct shm_instance *instance, size_t count);
 *         where a test of any of several words looks first
 *
 * `call` is the public name of the function. An operation that is refused does nothing.
 */
#ifndef SHM_VOCABULARY_H
#define SHM_VOCABULARY_H

#include "base/inline.h"
#include "core/core.h"
#include "rma/rma.h"
#include "sync/sync.h"

/* ---- contiguous ---- */

SHM_ALWAYS_INLINE void *face_remote(struct shm_instance *instance, const char *call,
                                    const char *argument, const void *address, uint64_t bytes,
                                    int pe)
{
    enum shm_status status = SHM_OK;
    void *remote = shm_check_remote(instance, argument, address, bytes, pe, &status);

    if (__builtin_expect(remote == NULL, 0))
        face_refuse(instance, call, status);
    return remote;
}

/* Too many elements make a size that no object has, so that the check of the object refuses it. */
SHM_ALWAYS_INLINE size_t face_bytes(size_t nelems, size_t element_bytes)
{
    size_t bytes;

    return __builtin_mul_overflow(nelems, element_bytes, &bytes) ? SIZE_MAX : bytes;
}

/* Under SHMEM_DEBUG put and get take these ways, which look for bytes in common; apart from the
 * others, so that those need no registers for them. Both addresses are this process's. */
SHM_COLD void face_put_checked(struct shm_instance *instance, const char *call, void *remote,
                               const void *source, size_t bytes, int pe)
{
    enum shm_status status = shm_check_overlap(instance, remote, bytes, source, bytes, false);

    if (status == SHM_OK)
        shm_put(instance, remote, source, bytes, pe);
    else
        face_refuse(instance, call, status);
}

SHM_COLD void face_get_checked(struct shm_instance *instance, const char *call, void *dest,
                               const void *remote, size_t bytes)
{
    enum shm_status status = shm_check_overlap(instance, dest, bytes, remote, bytes, false);

    if (status == SHM_OK)
        shm_get(dest, remote, bytes);
    else
        face_refuse(instance, call, status);
}

SHM_ALWAYS_INLINE void face_put(const char *call, void *dest, const void *source, size_t nelems,
                                size_t element_bytes, int pe)
{
    struct shm_instance *instance = face_instance(call);
    size_t bytes = face_bytes(nelems, element_bytes);
    void *remote;

    if (instance == NULL || bytes == 0)
        return;
    remote = face_remote(instance, call, "dest", dest, bytes, pe);
    if (remote == NULL)
        return;
    if (__builtin_expect(instance->reach.is_debugging, 0))
        face_put_checked(instance, call, remote, source, bytes, pe);
    else
        shm_put(instance, remote, source, bytes, pe);
}

SHM_ALWAYS_INLINE void face_get(const char *call, void *dest, const void *source, size_t nelems,
                                size_t element_bytes, int pe)
{
    struct shm_instance *instance = face_instance(call);
    size_t bytes = face_bytes(nelems, element_bytes);
    void *remote;

    if (instance == NULL || bytes == 0)
        return;
    remote = face_remote(instance, call, "source", source, bytes, pe);
    if (remote == NULL)
        return;
    if (__builtin_expect(instance->reach.is_debugging, 0))
        face_get_checked(instance, call, dest, remote, bytes);
    else
        shm_get(dest, remote, bytes);
}

/* Memory that is reached by load and store has nothing to overlap with: the transfer is done when
 * the call returns, which the non-blocking forms allow. */
SHM_ALWAYS_INLINE void face_put_nbi(const char *call, void *dest, const void *source, size_t nelems,
                                    size_t element_bytes, int pe)
{
    face_put(call, dest, source, nelems, element_bytes, pe);
}

SHM_ALWAYS_INLINE void face_get_nbi(const char *call, void *dest, const void *source, size_t nelems,
                                    size_t element_bytes, int pe)
{
    face_get(call, dest, source, nelems, element_bytes, pe);
}

SHM_ALWAYS_INLINE void face_p(const char *call, void *dest, const void *value, size_t bytes, int pe)
{
    struct shm_instance *instance = face_instance(call);
    void *remote = NULL;

    if (instance != NULL)
        remote = face_remote(instance, call, "dest", dest, bytes, pe);
    if (remote != NULL)
        shm_put(instance, remote, value, bytes, pe);
}

SHM_ALWAYS_INLINE void face_g(const char *call, void *value, const void *source, size_t bytes,
                              int pe)
{
    struct shm_instance *instance = face_instance(call);
    void *remote = NULL;

    if (instance != NULL)
        remote = face_remote(instance, call, "source", source, bytes, pe);
    if (remote != NULL)
        shm_get(value, remote, bytes);
    else
        memset(value, 0, bytes);
}

/* ---- strided ---- */

static inline void face_ibput(const char *call, void *dest, const void *source, ptrdiff_t dst,
                              ptrdiff_t sst, size_t bsize, size_t nblocks, size_t element_bytes,
                              int pe)
{
    struct shm_strided copy = {dest, source, dst, sst, bsize, nblocks, element_bytes};
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return;
    status = shm_strided_put(instance, &copy, pe);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

static inline void face_ibget(const char *call, void *dest, const void *source, ptrdiff_t dst,
                              ptrdiff_t sst, size_t bsize, size_t nblocks, size_t element_bytes,
                              int pe)
{
    struct shm_strided copy = {dest, source, dst, sst, bsize, nblocks, element_bytes};
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return;
    status = shm_strided_get(instance, &copy, pe);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

static inline void face_iput(const char *call, void *dest, const void *source, ptrdiff_t dst,
                             ptrdiff_t sst, size_t nelems, size_t element_bytes, int pe)
{
    face_ibput(call, dest, source, dst, sst, 1, nelems, element_bytes, pe);
}

static inline void face_iget(const char *call, void *dest, const void *source, ptrdiff_t dst,
                             ptrdiff_t sst, size_t nelems, size_t element_bytes, int pe)
{
    face_ibget(call, dest, source, dst, sst, 1, nelems, element_bytes, pe);
}

/* ---- ordering and barriers ---- */

static inline void face_fence(const char *call)
{
    if (face_instance(call) != NULL)
        shm_fence();
}

static inline void face_quiet(const char *call)
{
    if (face_instance(call) != NULL)
        shm_quiet();
}

static inline void face_barrier_all(const char *call)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return;
    status = shm_collective_barrier(instance, &instance->world, SHM_COLL_BARRIER, call);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

#include "vocabulary/atomic_inline.h"
#include "vocabulary/signal_inline.h"
#include "vocabulary/wait_inline.h"

#endif
