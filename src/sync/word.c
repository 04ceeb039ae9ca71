/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync/sync.h"

/* The word's bits, sign-extended for the signed kinds. Acquire: what its writer stored before it
 * is visible afterwards. */
static uint64_t load_word(const void *word, enum shm_word_kind kind)
{
    switch (kind) {
    case SHM_WORD_I16:
        return (uint64_t)(int64_t)__atomic_load_n((const int16_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_U16:
        return __atomic_load_n((const uint16_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_I32:
        return (uint64_t)(int64_t)__atomic_load_n((const int32_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_U32:
        return __atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE);
    case SHM_WORD_I64:
    case SHM_WORD_U64:
        break;
    }
    return __atomic_load_n((const uint64_t *)word, __ATOMIC_ACQUIRE);
}

static bool is_less(uint64_t a, uint64_t b, enum shm_word_kind kind)
{
    if (kind == SHM_WORD_U16 || kind == SHM_WORD_U32 || kind == SHM_WORD_U64)
        return a < b;
    return (int64_t)a < (int64_t)b;
}

bool shm_word_is(const struct shm_word_test *test)
{
    uint64_t word = load_word(test->word, test->kind);

    switch (test->comparison) {
    case SHM_CMP_EQ:
        return word == test->value;
    case SHM_CMP_NE:
        return word != test->value;
    case SHM_CMP_GT:
        return is_less(test->value, word, test->kind);
    case SHM_CMP_GE:
        return !is_less(word, test->value, test->kind);
    case SHM_CMP_LT:
        return is_less(word, test->value, test->kind);
    case SHM_CMP_LE:
        break;
    }
    return !is_less(test->value, word, test->kind);
}

static bool word_is(const struct shm_wait *wait)
{
    return shm_word_is(wait->argument);
}

enum shm_status shm_wait_until(struct shm_instance *instance, const struct shm_word_test *test,
                               const char *call)
{
    struct shm_wait wait = {.is_over = word_is, .argument = test, .call = call, .peer = -1};

    return shm_wait(instance, &wait);
}
