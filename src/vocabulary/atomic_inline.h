/* SPDX-License-Identifier: BSD-3-Clause */
/** Atomics; part of vocabulary.h, which includes this. */
#ifndef SHM_VOCABULARY_ATOMIC_INLINE_H
#define SHM_VOCABULARY_ATOMIC_INLINE_H

SHM_ALWAYS_INLINE uint64_t face_atomic(const char *call, enum shm_atomic_operation operation,
                                       const void *word, size_t bytes, uint64_t value,
                                       uint64_t condition, int pe)
{
    struct shm_instance *instance = face_instance(call);
    const char *argument = operation == SHM_ATOMIC_FETCH ? "source" : "dest";
    void *remote;
    uint64_t before;

    if (instance == NULL)
        return 0;
    if (__builtin_expect(((uintptr_t)word & (bytes - 1)) != 0, 0)) {
        face_refuse(instance, call, shm_explain_alignment(argument, word, bytes));
        return 0;
    }
    remote = face_remote(instance, call, argument, word, bytes, pe);
    if (remote == NULL)
        return 0;
    before = shm_atomic(operation, remote, bytes, value, condition);
    if (operation != SHM_ATOMIC_FETCH)
        shm_wake(instance, pe);
    return before;
}

static inline uint32_t face_atomic_fetch_u32(const char *call, const void *source, int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_FETCH, source, 4, 0, 0, pe);
}

static inline void face_atomic_set_u32(const char *call, void *dest, uint32_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_SET, dest, 4, value, 0, pe);
}

static inline uint32_t face_atomic_swap_u32(const char *call, void *dest, uint32_t value, int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_SWAP, dest, 4, value, 0, pe);
}

static inline uint32_t face_atomic_compare_swap_u32(const char *call, void *dest, uint32_t cond,
                                                    uint32_t value, int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_COMPARE_SWAP, dest, 4, value, cond, pe);
}

static inline void face_atomic_add_u32(const char *call, void *dest, uint32_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_ADD, dest, 4, value, 0, pe);
}

static inline uint32_t face_atomic_fetch_add_u32(const char *call, void *dest, uint32_t value,
                                                 int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_ADD, dest, 4, value, 0, pe);
}

static inline void face_atomic_and_u32(const char *call, void *dest, uint32_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_AND, dest, 4, value, 0, pe);
}

static inline uint32_t face_atomic_fetch_and_u32(const char *call, void *dest, uint32_t value,
                                                 int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_AND, dest, 4, value, 0, pe);
}

static inline void face_atomic_or_u32(const char *call, void *dest, uint32_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_OR, dest, 4, value, 0, pe);
}

static inline uint32_t face_atomic_fetch_or_u32(const char *call, void *dest, uint32_t value,
                                                int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_OR, dest, 4, value, 0, pe);
}

static inline void face_atomic_xor_u32(const char *call, void *dest, uint32_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_XOR, dest, 4, value, 0, pe);
}

static inline uint32_t face_atomic_fetch_xor_u32(const char *call, void *dest, uint32_t value,
                                                 int pe)
{
    return (uint32_t)face_atomic(call, SHM_ATOMIC_XOR, dest, 4, value, 0, pe);
}

static inline uint64_t face_atomic_fetch_u64(const char *call, const void *source, int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_FETCH, source, 8, 0, 0, pe);
}

static inline void face_atomic_set_u64(const char *call, void *dest, uint64_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_SET, dest, 8, value, 0, pe);
}

static inline uint64_t face_atomic_swap_u64(const char *call, void *dest, uint64_t value, int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_SWAP, dest, 8, value, 0, pe);
}

static inline uint64_t face_atomic_compare_swap_u64(const char *call, void *dest, uint64_t cond,
                                                    uint64_t value, int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_COMPARE_SWAP, dest, 8, value, cond, pe);
}

static inline void face_atomic_add_u64(const char *call, void *dest, uint64_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_ADD, dest, 8, value, 0, pe);
}

static inline uint64_t face_atomic_fetch_add_u64(const char *call, void *dest, uint64_t value,
                                                 int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_ADD, dest, 8, value, 0, pe);
}

static inline void face_atomic_and_u64(const char *call, void *dest, uint64_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_AND, dest, 8, value, 0, pe);
}

static inline uint64_t face_atomic_fetch_and_u64(const char *call, void *dest, uint64_t value,
                                                 int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_AND, dest, 8, value, 0, pe);
}

static inline void face_atomic_or_u64(const char *call, void *dest, uint64_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_OR, dest, 8, value, 0, pe);
}

static inline uint64_t face_atomic_fetch_or_u64(const char *call, void *dest, uint64_t value,
                                                int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_OR, dest, 8, value, 0, pe);
}

static inline void face_atomic_xor_u64(const char *call, void *dest, uint64_t value, int pe)
{
    face_atomic(call, SHM_ATOMIC_XOR, dest, 8, value, 0, pe);
}

static inline uint64_t face_atomic_fetch_xor_u64(const char *call, void *dest, uint64_t value,
                                                 int pe)
{
    return (uint64_t)face_atomic(call, SHM_ATOMIC_XOR, dest, 8, value, 0, pe);
}

static inline float face_atomic_fetch_f32(const char *call, const void *source, int pe)
{
    return shm_f32_of_bits(face_atomic_fetch_u32(call, source, pe));
}

static inline void face_atomic_set_f32(const char *call, void *dest, float value, int pe)
{
    face_atomic_set_u32(call, dest, shm_bits_of_f32(value), pe);
}

static inline float face_atomic_swap_f32(const char *call, void *dest, float value, int pe)
{
    return shm_f32_of_bits(face_atomic_swap_u32(call, dest, shm_bits_of_f32(value), pe));
}

static inline double face_atomic_fetch_f64(const char *call, const void *source, int pe)
{
    return shm_f64_of_bits(face_atomic_fetch_u64(call, source, pe));
}

static inline void face_atomic_set_f64(const char *call, void *dest, double value, int pe)
{
    face_atomic_set_u64(call, dest, shm_bits_of_f64(value), pe);
}

static inline double face_atomic_swap_f64(const char *call, void *dest, double value, int pe)
{
    return shm_f64_of_bits(face_atomic_swap_u64(call, dest, shm_bits_of_f64(value), pe));
}

#endif
