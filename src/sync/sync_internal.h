/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/sync: reading a word and comparing it, waking the members of a group.
 */
#ifndef SHM_SYNC_INTERNAL_H
#define SHM_SYNC_INTERNAL_H

#include "base/float_bits.h"
#include "sync/sync.h"

/** Where each PE has a processor: wakes members that have begun to sleep, to be called after a
 * store that they may wait for. One load for each, which may overtake the store on x86-TSO and Arm:
 * who is just going to sleep looks again soon. */
static inline void shm_wake_members(const struct shm_instance *instance,
                                    const struct shm_group *group)
{
    for (int rank = 0; rank < group->size; rank++) {
        struct shm_control *control = shm_instance_control(instance, shm_group_pe(group, rank));

        if (atomic_load_explicit(&control->sleepers, memory_order_relaxed) != 0)
            shm_wake_slow(control);
    }
}

/** The word's bits, sign-extended for the signed kinds. Acquire: what its writer stored before it,
 *  with a fence between, is visible afterwards. A plain load on x86-TSO, which keeps loads in
 * order; LDAR or LDAPR on Arm. */
static inline uint64_t shm_word_load(const void *word, enum shm_word_kind kind)
{
    switch (kind) {
    case SHM_WORD_I8:
        return (uint64_t)(int64_t)__atomic_load_n((const int8_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_U8:
        return __atomic_load_n((const uint8_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_I16:
        return (uint64_t)(int64_t)__atomic_load_n((const int16_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_U16:
        return __atomic_load_n((const uint16_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_I32:
        return (uint64_t)(int64_t)__atomic_load_n((const int32_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_U32:
    case SHM_WORD_F32:
        return __atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_I64:
    case SHM_WORD_U64:
        break;
    }
    return __atomic_load_n((const uint64_t *)word, __ATOMIC_ACQUIRE);
}

/* As the comparisons of C: zeros of both signs are equal, and what is no number compares with
 * nothing. */
static inline bool shm_float_compares(float word, enum shm_comparison comparison, float value)
{
    switch (comparison) {
    case SHM_CMP_EQ:
        return word == value;
    case SHM_CMP_NE:
        return word != value;
    case SHM_CMP_GT:
        return word > value;
    case SHM_CMP_GE:
        return word >= value;
    case SHM_CMP_LT:
        return word < value;
    case SHM_CMP_LE:
        break;
    }
    return word <= value;
}

static inline bool shm_word_is_less(uint64_t a, uint64_t b, enum shm_word_kind kind)
{
    if (kind == SHM_WORD_U8 || kind == SHM_WORD_U16 || kind == SHM_WORD_U32 || kind == SHM_WORD_U64)
        return a < b;
    return (int64_t)a < (int64_t)b;
}

/** True when `word` compares so with test->value; both as shm_word_load() returns them. */
static inline bool shm_word_compares(const struct shm_word_test *test, uint64_t word)
{
    if (test->kind == SHM_WORD_F32)
        return shm_float_compares(shm_f32_of_bits((uint32_t)word), test->comparison,
                                  shm_f32_of_bits((uint32_t)test->value));
    switch (test->comparison) {
    case SHM_CMP_EQ:
        return word == test->value;
    case SHM_CMP_NE:
        return word != test->value;
    case SHM_CMP_GT:
        return shm_word_is_less(test->value, word, test->kind);
    case SHM_CMP_GE:
        return !shm_word_is_less(word, test->value, test->kind);
    case SHM_CMP_LT:
        return shm_word_is_less(word, test->value, test->kind);
    case SHM_CMP_LE:
        break;
    }
    return !shm_word_is_less(test->value, word, test->kind);
}

#endif
