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

/* The ways of put and get under SHMEM_DEBUG, which looks for bytes in common, and where another
 * engine than MTE may move them; of put also where it may have to wake somebody. Apart from the
 * others, so that those need no registers for them. Both addresses are this process's. */
SHM_COLD bool face_may_put(struct shm_instance *instance, const char *call, void *remote,
                           const void *source, size_t bytes)
{
    enum shm_status status = SHM_OK;

    if (instance->reach.is_debugging)
        status = shm_check_overlap(instance, remote, bytes, source, bytes, false);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
    return status == SHM_OK;
}

SHM_COLD void face_transfer(struct shm_instance *instance, const char *call,
                            const struct shm_transfer *transfer, bool is_nonblocking)
{
    const struct shm_strided *copy = &transfer->copy;
    enum shm_status status;

    if (!face_may_put(instance, call, copy->to, copy->from, copy->element_bytes))
        return;
    status = shm_transfer(instance, transfer, is_nonblocking);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}

SHM_COLD void face_put_carefully(struct shm_instance *instance, const char *call, void *remote,
                                 const void *source, size_t bytes, int pe)
{
    struct shm_transfer transfer = shm_transfer_of(remote, source, bytes, pe, false);

    if (instance->reach.is_special)
        face_transfer(instance, call, &transfer, false);
    else
        shm_put(instance, remote, source, bytes, pe);
}

SHM_COLD void face_get_specially(struct shm_instance *instance, const char *call, void *dest,
                                 const void *remote, size_t bytes, int pe)
{
    struct shm_transfer transfer = shm_transfer_of(dest, remote, bytes, pe, true);

    face_transfer(instance, call, &transfer, false);
}

SHM_COLD void face_put_nbi_carefully(struct shm_instance *instance, const char *call, void *remote,
                                     const void *source, size_t bytes, int pe)
{
    struct shm_transfer transfer = shm_transfer_of(remote, source, bytes, pe, false);

    if (instance->reach.is_special)
        face_transfer(instance, call, &transfer, true);
    else
        shm_put(instance, remote, source, bytes, pe);
}

SHM_COLD void face_get_nbi_specially(struct shm_instance *instance, const char *call, void *dest,
                                     const void *remote, size_t bytes, int pe)
{
    struct shm_transfer transfer = shm_transfer_of(dest, remote, bytes, pe, true);

    face_transfer(instance, call, &transfer, true);
}

typedef void face_put_way(struct shm_instance *instance, const char *call, void *remote,
                          const void *source, size_t bytes, int pe);
typedef void face_get_way(struct shm_instance *instance, const char *call, void *dest,
                          const void *remote, size_t bytes, int pe);

SHM_ALWAYS_INLINE void face_put_bytes(const char *call, void *dest, const void *source,
                                      size_t bytes, int pe, face_put_way *careful_way)
{
    struct shm_instance *instance = face_instance(call);
    void *remote;

    if (instance == NULL || bytes == 0)
        return;
    remote = face_remote(instance, call, "dest", dest, bytes, pe);
    if (remote == NULL)
        return;
    if (__builtin_expect(instance->reach.needs_care != 0, 0))
        careful_way(instance, call, remote, source, bytes, pe);
    else
        shm_copy_element(remote, source, bytes);
}

SHM_ALWAYS_INLINE void face_get_bytes(const char *call, void *dest, const void *source,
                                      size_t bytes, int pe, face_get_way *special_way)
{
    struct shm_instance *instance = face_instance(call);
    void *remote;

    if (instance == NULL || bytes == 0)
        return;
    remote = face_remote(instance, call, "source", source, bytes, pe);
    if (remote == NULL)
        return;
    if (__builtin_expect(instance->reach.is_special, 0))
        special_way(instance, call, dest, remote, bytes, pe);
    else
        shm_get(dest, remote, bytes);
}

SHM_ALWAYS_INLINE void face_put(const char *call, void *dest, const void *source, size_t nelems,
                                size_t element_bytes, int pe)
{
    face_put_bytes(call, dest, source, face_bytes(nelems, element_bytes), pe, face_put_carefully);
}

SHM_ALWAYS_INLINE void face_get(const char *call, void *dest, const void *source, size_t nelems,
                                size_t element_bytes, int pe)
{
    face_get_bytes(call, dest, source, face_bytes(nelems, element_bytes), pe, face_get_specially);
}

/* A transfer by load and store has nothing to overlap with: it is done when the call returns, which
 * the non-blocking forms allow. */
SHM_ALWAYS_INLINE void face_put_nbi(const char *call, void *dest, const void *source, size_t nelems,
                                    size_t element_bytes, int pe)
{
    face_put_bytes(call, dest, source, face_bytes(nelems, element_bytes), pe,
                   face_put_nbi_carefully);
}

SHM_ALWAYS_INLINE void face_get_nbi(const char *call, void *dest, const void *source, size_t nelems,
                                    size_t element_bytes, int pe)
{
    face_get_bytes(call, dest, source, face_bytes(nelems, element_bytes), pe,
                   face_get_nbi_specially);
}

SHM_ALWAYS_INLINE void face_p(const char *call, void *dest, const void *value, size_t bytes, int pe)
{
    struct shm_instance *instance = face_instance(call);
    void *remote = NULL;

    if (instance != NULL)
        remote = face_remote(instance, call, "dest", dest, bytes, pe);
    if (remote == NULL)
        return;
    if (__builtin_expect(instance->reach.needs_care != 0, 0))
        face_put_carefully(instance, call, remote, value, bytes, pe);
    else
        shm_copy_element(remote, value, bytes);
}

SHM_ALWAYS_INLINE void face_g(const char *call, void *value, const void *source, size_t bytes,
                              int pe)
{
    struct shm_instance *instance = face_instance(call);
    void *remote = NULL;

    if (instance != NULL)
        remote = face_remote(instance, call, "source", source, bytes, pe);
    if (remote == NULL)
        memset(value, 0, bytes);
    else if (__builtin_expect(instance->reach.is_special, 0))
        face_get_specially(instance, call, value, remote, bytes, pe);
    else
        shm_get(value, remote, bytes);
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
    struct shm_instance *instance = face_instance(call);

    if (instance != NULL)
        shm_fence(instance);
}

static inline void face_quiet(const char *call)
{
    struct shm_instance *instance = face_instance(call);

    if (instance != NULL)
        shm_quiet(instance);
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
