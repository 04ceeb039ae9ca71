/* SPDX-License-Identifier: BSD-3-Clause */
/** Locks; part of face.h, which includes this behind the vocabulary. */
#ifndef SHM_OPENSHMEM_LOCK_INLINE_H
#define SHM_OPENSHMEM_LOCK_INLINE_H

/* The instance, when `lock` may be one. */
static inline struct shm_instance *face_lock_instance(const char *call, const long *lock)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status = SHM_OK;

    if ((uintptr_t)lock % sizeof *lock != 0)
        status = shm_explain_alignment("lock", lock, sizeof *lock);
    else
        shm_check_remote(instance, "lock", lock, sizeof *lock, instance->reach.my_pe, &status);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
    return instance;
}

static inline void face_set_lock(const char *call, long *lock)
{
    struct shm_instance *instance = face_lock_instance(call, lock);
    enum shm_status status = shm_lock_set(instance, lock, call);

    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

static inline void face_clear_lock(const char *call, long *lock)
{
    struct shm_instance *instance = face_lock_instance(call, lock);
    enum shm_status status = shm_lock_clear(instance, lock);

    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

/* 1 when somebody holds it, 0 when it was free and now is this caller's. */
static inline int face_test_lock(const char *call, long *lock)
{
    return shm_lock_try(face_lock_instance(call, lock), lock) ? 0 : 1;
}

#endif
