/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for words and tests of them; locks. */
#include "forwards.h"

/* -5 as the 64 bits to which the type widens it */
#define CHECK_WORD(name, type)                                                                     \
    {                                                                                              \
        type word = 0;                                                                             \
        assert_int_equal(shmem_##name##_test(&word, SHMEM_CMP_GE, (type)-5), ONE_PE_RESULT);       \
        CHECK_CALL("shmem_" #name "_test", "face_test_word");                                      \
        CHECK_WAITS(.argument = "ivar",                                                            \
                    .word = {&word, BITS_OF_MINUS_5(type), WORD_OF(type), SHM_CMP_GE});            \
        CHECK_VOID(shmem_##name##_wait_until, (&word, SHMEM_CMP_LT, (type)-5), "face_wait_word");  \
        CHECK_WAITS(.argument = "ivar",                                                            \
                    .word = {&word, BITS_OF_MINUS_5(type), WORD_OF(type), SHM_CMP_LT});            \
    }

static void test_one_word(void **state)
{
    (void)state;
    FOR_AMO_TYPES(CHECK_WORD)
    CHECK_WORD(short, short)
    CHECK_WORD(ushort, unsigned short)
}

static void test_deprecated_waits(void **state)
{
    long word = 0;

    (void)state;
    CHECK_VOID(shmem_wait_until, (&word, SHMEM_CMP_LT, -5), "face_wait_word");
    CHECK_WAITS(.argument = "ivar", .word = {&word, (uint64_t)-5, SHM_WORD_I64, SHM_CMP_LT});
    CHECK_VOID(shmem_wait, (&word, -5), "face_wait_word");
    CHECK_WAITS(.argument = "ivar", .word = {&word, (uint64_t)-5, SHM_WORD_I64, SHM_CMP_NE});
#define CHECK_WAIT(name, type)                                                                     \
    {                                                                                              \
        type its_word = 0;                                                                         \
        CHECK_VOID(shmem_##name##_wait, (&its_word, (type)-5), "face_wait_word");                  \
        CHECK_WAITS(.argument = "ivar",                                                            \
                    .word = {&its_word, (uint64_t)-5, WORD_OF(type), SHM_CMP_NE});                 \
    }
    CHECK_WAIT(short, short)
    CHECK_WAIT(int, int)
    CHECK_WAIT(long, long)
    CHECK_WAIT(longlong, long long)
}

static void test_signal_waits(void **state)
{
    uint64_t signal = 1ull << 63;

    (void)state;
    assert_true(shmem_signal_fetch(&signal) == 1ull << 63);
    CHECK_CALL("shmem_signal_fetch", "face_signal_fetch");
    assert_true(shmem_signal_wait_until(&signal, SHMEM_CMP_GT, 5) == 1ull << 63);
    CHECK_CALL("shmem_signal_wait_until", "face_signal_wait_until");
    CHECK_WAITS(.word = {&signal, 5, SHM_WORD_U64, SHM_CMP_GT});
}

/* ---- several words ---- */

static const int mask[3];
static size_t indices[3];

/* -5 as the 64 bits to which the type widens it */
#define WORDS(type, kind, values)                                                                  \
    {                                                                                              \
        words, 3, mask, values, 0, kind, SHM_CMP_GE, true                                          \
    }
#define WORDS_OF_ONE_VALUE(type, kind)                                                             \
    {                                                                                              \
        words, 3, mask, NULL, (uint64_t)(type)-5, kind, SHM_CMP_GE, false                          \
    }

#define NO_RESULT(call) call
#define RESULT(call) assert_int_equal(call, ONE_PE_RESULT)

#define CHECK_WORDS(name, type, kind, op, result)                                                  \
    {                                                                                              \
        type words[3] = {0}, values[3] = {0};                                                      \
        result(shmem_##name##_##op(words, 3, mask, SHMEM_CMP_GE, (type)-5));                       \
        CHECK_CALL("shmem_" #name "_" #op, "face_" #op);                                           \
        CHECK_WAITS(.words = WORDS_OF_ONE_VALUE(type, kind));                                      \
        result(shmem_##name##_##op##_vector(words, 3, mask, SHMEM_CMP_GE, values));                \
        CHECK_CALL("shmem_" #name "_" #op "_vector", "face_" #op);                                 \
        CHECK_WAITS(.words = WORDS(type, kind, values));                                           \
    }

#define CHECK_LISTED_WORDS(name, type, kind, op)                                                   \
    {                                                                                              \
        type words[3] = {0}, values[3] = {0};                                                      \
        RESULT(shmem_##name##_##op(words, 3, indices, mask, SHMEM_CMP_GE, (type)-5));              \
        CHECK_CALL("shmem_" #name "_" #op, "face_" #op);                                           \
        CHECK_WAITS(.words = WORDS_OF_ONE_VALUE(type, kind), .indices = indices);                  \
        RESULT(shmem_##name##_##op##_vector(words, 3, indices, mask, SHMEM_CMP_GE, values));       \
        CHECK_CALL("shmem_" #name "_" #op "_vector", "face_" #op);                                 \
        CHECK_WAITS(.words = WORDS(type, kind, values), .indices = indices);                       \
    }

#define CHECK_ALL_WORDS(name, type, kind)                                                          \
    CHECK_WORDS(name, type, kind, wait_until_all, NO_RESULT)                                       \
    CHECK_WORDS(name, type, kind, wait_until_any, RESULT)                                          \
    CHECK_LISTED_WORDS(name, type, kind, wait_until_some)                                          \
    CHECK_WORDS(name, type, kind, test_all, RESULT)                                                \
    CHECK_WORDS(name, type, kind, test_any, RESULT)                                                \
    CHECK_LISTED_WORDS(name, type, kind, test_some)

static void test_several_words(void **state)
{
    (void)state;
#define CHECK_SIGNED(name, type)                                                                   \
    CHECK_ALL_WORDS(name, type, sizeof(type) == 4 ? SHM_WORD_I32 : SHM_WORD_I64)
#define CHECK_UNSIGNED(name, type)                                                                 \
    CHECK_ALL_WORDS(name, type, sizeof(type) == 4 ? SHM_WORD_U32 : SHM_WORD_U64)
    FOR_SIGNED_AMO_TYPES(CHECK_SIGNED)
    FOR_UNSIGNED_AMO_TYPES(CHECK_UNSIGNED)
#undef CHECK_SIGNED
#undef CHECK_UNSIGNED
}

static void test_locks(void **state)
{
    long lock;

    (void)state;
    CHECK_VOID(shmem_set_lock, (&lock), "face_set_lock");
    CHECK_GIVEN(.dest = &lock);
    CHECK_VOID(shmem_clear_lock, (&lock), "face_clear_lock");
    CHECK_GIVEN(.dest = &lock);
    assert_int_equal(shmem_test_lock(&lock), ONE_PE_RESULT);
    CHECK_CALL("shmem_test_lock", "face_test_lock");
    CHECK_GIVEN(.dest = &lock);
}

int run_waits(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_word),     cmocka_unit_test(test_deprecated_waits),
        cmocka_unit_test(test_signal_waits), cmocka_unit_test(test_several_words),
        cmocka_unit_test(test_locks),
    };

    return cmocka_run_group_tests_name("waits and locks", tests, NULL, NULL);
}
