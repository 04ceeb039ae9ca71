/* SPDX-License-Identifier: BSD-3-Clause */
/** Atomics and waiting for a word; part of vocabulary.h, which includes this. */
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

/* ---- waiting for a word of this PE ---- */

static inline void face_wait_word(const char *call, const struct shm_word_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return;
    status = shm_check_comparison(test);
    if (status == SHM_OK)
        status = shm_wait_until(instance, test, call);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

static inline int face_test_word(const char *call, const struct shm_word_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return 0;
    status = shm_check_comparison(test);
    if (__builtin_expect(status != SHM_OK, 0)) {
        face_refuse(instance, call, status);
        return 0;
    }
    return shm_word_is(test);
}

static inline void face_wait_until_i16(const char *call, const void *ivar, int cmp, int16_t value)
{
    struct shm_word_test test = {ivar, (uint64_t)(int64_t)value, SHM_WORD_I16,
                                 (enum shm_comparison)cmp};

    face_wait_word(call, &test);
}

static inline int face_test_i16(const char *call, const void *ivar, int cmp, int16_t value)
{
    struct shm_word_test test = {ivar, (uint64_t)(int64_t)value, SHM_WORD_I16,
                                 (enum shm_comparison)cmp};

    return face_test_word(call, &test);
}

static inline void face_wait_until_u16(const char *call, const void *ivar, int cmp, uint16_t value)
{
    struct shm_word_test test = {ivar, value, SHM_WORD_U16, (enum shm_comparison)cmp};

    face_wait_word(call, &test);
}

static inline int face_test_u16(const char *call, const void *ivar, int cmp, uint16_t value)
{
    struct shm_word_test test = {ivar, value, SHM_WORD_U16, (enum shm_comparison)cmp};

    return face_test_word(call, &test);
}

static inline void face_wait_until_i32(const char *call, const void *ivar, int cmp, int32_t value)
{
    struct shm_word_test test = {ivar, (uint64_t)(int64_t)value, SHM_WORD_I32,
                                 (enum shm_comparison)cmp};

    face_wait_word(call, &test);
}

static inline int face_test_i32(const char *call, const void *ivar, int cmp, int32_t value)
{
    struct shm_word_test test = {ivar, (uint64_t)(int64_t)value, SHM_WORD_I32,
                                 (enum shm_comparison)cmp};

    return face_test_word(call, &test);
}

static inline void face_wait_until_u32(const char *call, const void *ivar, int cmp, uint32_t value)
{
    struct shm_word_test test = {ivar, value, SHM_WORD_U32, (enum shm_comparison)cmp};

    face_wait_word(call, &test);
}

static inline int face_test_u32(const char *call, const void *ivar, int cmp, uint32_t value)
{
    struct shm_word_test test = {ivar, value, SHM_WORD_U32, (enum shm_comparison)cmp};

    return face_test_word(call, &test);
}

static inline void face_wait_until_i64(const char *call, const void *ivar, int cmp, int64_t value)
{
    struct shm_word_test test = {ivar, (uint64_t)(int64_t)value, SHM_WORD_I64,
                                 (enum shm_comparison)cmp};

    face_wait_word(call, &test);
}

static inline int face_test_i64(const char *call, const void *ivar, int cmp, int64_t value)
{
    struct shm_word_test test = {ivar, (uint64_t)(int64_t)value, SHM_WORD_I64,
                                 (enum shm_comparison)cmp};

    return face_test_word(call, &test);
}

static inline void face_wait_until_u64(const char *call, const void *ivar, int cmp, uint64_t value)
{
    struct shm_word_test test = {ivar, value, SHM_WORD_U64, (enum shm_comparison)cmp};

    face_wait_word(call, &test);
}

static inline int face_test_u64(const char *call, const void *ivar, int cmp, uint64_t value)
{
    struct shm_word_test test = {ivar, value, SHM_WORD_U64, (enum shm_comparison)cmp};

    return face_test_word(call, &test);
}

#endif
