/* SPDX-License-Identifier: BSD-3-Clause */
/* ACLSHMEM: waits for words and tests of them, and data with signals. */
#include "aclshmem/given.h"
#include "forwards.h"

#define FOR_ACLSHMEM_WORDS(F)                                                                      \
    F(float, float)                                                                                \
    F(int8, int8_t)                                                                                \
    F(int16, int16_t)                                                                              \
    F(int32, int32_t)                                                                              \
    F(int64, int64_t)                                                                              \
    F(uint8, uint8_t)                                                                              \
    F(uint16, uint16_t)                                                                            \
    F(uint32, uint32_t)                                                                            \
    F(uint64, uint64_t)                                                                            \
    F(char, char)

static const int mask[3];
static size_t indices[3];

/* The last function was told a result, and left it there. */
#define CHECK_RESULT(out)                                                                          \
    do {                                                                                           \
        assert_int_equal(out, ONE_PE_RESULT);                                                      \
        assert_ptr_equal(one_pe_aclshmem.result, &(out));                                          \
    } while (0)

#define CHECK_WORD(name, type)                                                                     \
    {                                                                                              \
        type word = 0;                                                                             \
        int result = 0;                                                                            \
        CHECK_VOID(aclshmem_##name##_wait_until, (&word, ACLSHMEM_CMP_GE, (type)-5),               \
                   "face_wait_word");                                                              \
        CHECK_WAITS(.argument = "ivar",                                                            \
                    .word = {&word, BITS_OF_MINUS_5(type), WORD_OF(type), SHM_CMP_GE});            \
        CHECK_VOID(aclshmem_##name##_wait, (&word, (type)-5), "face_wait_word");                   \
        CHECK_WAITS(.argument = "ivar",                                                            \
                    .word = {&word, BITS_OF_MINUS_5(type), WORD_OF(type), SHM_CMP_NE});            \
        CHECK_VOID(aclshmem_##name##_test, (&word, ACLSHMEM_CMP_LT, (type)-5, &result),            \
                   "face_test_word");                                                              \
        CHECK_WAITS(.argument = "ivars",                                                           \
                    .word = {&word, BITS_OF_MINUS_5(type), WORD_OF(type), SHM_CMP_LT});            \
        CHECK_RESULT(result);                                                                      \
    }

static void test_one_word(void **state)
{
    int32_t signal = 0;

    (void)state;
    FOR_ACLSHMEM_WORDS(CHECK_WORD)
    CHECK_VOID(aclshmem_signal_wait_until, (&signal, ACLSHMEM_CMP_LE, -5), "face_wait_word");
    CHECK_WAITS(.argument = "sig_addr", .word = {&signal, (uint64_t)-5, SHM_WORD_I32, SHM_CMP_LE});
}

/* ---- several words ---- */

#define CHECK_ONE_VALUE(type)                                                                      \
    .words = {words, 3, mask, NULL, BITS_OF_MINUS_5(type), WORD_OF(type), SHM_CMP_GE, false}
#define CHECK_VALUES(type) .words = {words, 3, mask, values, 0, WORD_OF(type), SHM_CMP_GE, true}

#define CHECK_FOUND(name, type, op, result_type)                                                   \
    {                                                                                              \
        result_type result = 0, results = 0;                                                       \
        CHECK_VOID(aclshmem_##name##_##op, (words, 3, mask, ACLSHMEM_CMP_GE, (type)-5, &result),   \
                   "face_" #op);                                                                   \
        CHECK_WAITS(CHECK_ONE_VALUE(type));                                                        \
        CHECK_RESULT(result);                                                                      \
        CHECK_VOID(aclshmem_##name##_##op##_vector,                                                \
                   (words, 3, mask, ACLSHMEM_CMP_GE, values, &results), "face_" #op);              \
        CHECK_WAITS(CHECK_VALUES(type));                                                           \
        CHECK_RESULT(results);                                                                     \
    }

#define CHECK_LISTED(name, type, op)                                                               \
    {                                                                                              \
        size_t result = 0, results = 0;                                                            \
        CHECK_VOID(aclshmem_##name##_##op,                                                         \
                   (words, 3, indices, mask, ACLSHMEM_CMP_GE, (type)-5, &result), "face_" #op);    \
        CHECK_WAITS(CHECK_ONE_VALUE(type), .indices = indices);                                    \
        CHECK_RESULT(result);                                                                      \
        CHECK_VOID(aclshmem_##name##_##op##_vector,                                                \
                   (words, 3, indices, mask, ACLSHMEM_CMP_GE, values, &results), "face_" #op);     \
        CHECK_WAITS(CHECK_VALUES(type), .indices = indices);                                       \
        CHECK_RESULT(results);                                                                     \
    }

#define CHECK_WORDS(name, type)                                                                    \
    {                                                                                              \
        type words[3] = {0}, values[3] = {0};                                                      \
        CHECK_VOID(aclshmem_##name##_wait_until_all, (words, 3, mask, ACLSHMEM_CMP_GE, (type)-5),  \
                   "face_wait_until_all");                                                         \
        CHECK_WAITS(CHECK_ONE_VALUE(type));                                                        \
        CHECK_VOID(aclshmem_##name##_wait_until_all_vector,                                        \
                   (words, 3, mask, ACLSHMEM_CMP_GE, values), "face_wait_until_all");              \
        CHECK_WAITS(CHECK_VALUES(type));                                                           \
        CHECK_FOUND(name, type, wait_until_any, size_t)                                            \
        CHECK_LISTED(name, type, wait_until_some)                                                  \
        CHECK_FOUND(name, type, test_all, int)                                                     \
        CHECK_FOUND(name, type, test_any, size_t)                                                  \
        CHECK_LISTED(name, type, test_some)                                                        \
    }

static void test_several_words(void **state)
{
    (void)state;
    FOR_ACLSHMEM_WORDS(CHECK_WORDS)
}

/* ---- signals ---- */

/* The signal is a word of 4 bytes, whatever it is called. */
#define CHECK_PUT_SIGNAL(name, bytes, face)                                                        \
    {                                                                                              \
        static _Alignas(16) char areas[2][16];                                                     \
        void *dst = areas[0], *src = areas[1];                                                     \
        int32_t word = 0;                                                                          \
        void *signal = &word;                                                                      \
        name(dst, src, 3, signal, -7, 5, 4);                                                       \
        CHECK_CALL(#name, face);                                                                   \
        assert_int_equal(one_pe_number, 4);                                                        \
        CHECK_WAITS(.put = {dst, src, 3, bytes, signal, 4, (uint64_t)-7, 5});                      \
    }

static void test_data_with_signals(void **state)
{
    (void)state;
#define CHECK_TYPED(name, type)                                                                    \
    CHECK_PUT_SIGNAL(aclshmem_##name##_put_signal, sizeof(type), "face_put_signal")                \
    CHECK_PUT_SIGNAL(aclshmem_##name##_put_signal_nbi, sizeof(type), "face_put_signal_nbi")
#define CHECK_SIZED(bits)                                                                          \
    CHECK_PUT_SIGNAL(aclshmem_put##bits##_signal, bits / 8, "face_put_signal")                     \
    CHECK_PUT_SIGNAL(aclshmem_put##bits##_signal_nbi, bits / 8, "face_put_signal_nbi")
    FOR_ACLSHMEM_TYPES(CHECK_TYPED)
    FOR_SIZES(CHECK_SIZED)
    CHECK_PUT_SIGNAL(aclshmemx_putmem_signal, 1, "face_put_signal")
    CHECK_PUT_SIGNAL(aclshmemx_putmem_signal_nbi, 1, "face_put_signal_nbi")
}

int run_aclshmem_waits(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_word),
        cmocka_unit_test(test_several_words),
        cmocka_unit_test(test_data_with_signals),
    };

    return cmocka_run_group_tests_name("ACLSHMEM waits and signals", tests, NULL, NULL);
}
