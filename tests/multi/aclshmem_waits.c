/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits and tests of ACLSHMEM: what they find, and what they do with wrong arguments. */
#include "own_pes.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#define FOR_WORDS(F)                                                                               \
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

enum { WORDS = 5, AREA = 512 };

static const int in[WORDS];                     /* leaves out no word */
static const int out[WORDS] = {1, -1, 7, 1, 1}; /* leaves out all */

static void *begin(int pe, int n_pes, const void *address)
{
    void *block;

    join(pe, n_pes, address);
    block = aclshmem_calloc(1, AREA);
    EXPECT(block != NULL);
    return block;
}

/* ---- the word of one neighbour after the other ---- */

/* The word goes from 0 to 5 on the left, and only then here. */
static void wait_in_turn(int pe, int n_pes, const void *address)
{
    void *shared = begin(pe, n_pes, address);
    int right = (pe + 1) % n_pes;

#define WAIT_FOR(name, type, wait)                                                                 \
    {                                                                                              \
        type *word = (type *)shared + 1;                                                           \
        memset(shared, 0, AREA);                                                                   \
        aclshmem_barrier_all();                                                                    \
        if (pe == 0)                                                                               \
            aclshmem_##name##_p(word, 5, right);                                                   \
        wait;                                                                                      \
        EXPECT(*word == 5);                                                                        \
        if (pe != 0)                                                                               \
            aclshmem_##name##_p(word, 5, right);                                                   \
        aclshmem_barrier_all();                                                                    \
        EXPECT(word[-1] == 0 && word[1] == 0);                                                     \
    }
#define WAIT_FOR_ALL(name, type)                                                                   \
    WAIT_FOR(name, type, aclshmem_##name##_wait_until(word, ACLSHMEM_CMP_EQ, 5))                   \
    WAIT_FOR(name, type, aclshmem_##name##_wait_until(word, ACLSHMEM_CMP_NE, 0))                   \
    WAIT_FOR(name, type, aclshmem_##name##_wait_until(word, ACLSHMEM_CMP_GT, 4))                   \
    WAIT_FOR(name, type, aclshmem_##name##_wait_until(word, ACLSHMEM_CMP_GE, 5))                   \
    WAIT_FOR(name, type, aclshmem_##name##_wait(word, 0))
    FOR_WORDS(WAIT_FOR_ALL)
    WAIT_FOR(int32, int32_t, aclshmem_signal_wait_until(word, ACLSHMEM_CMP_EQ, 5))
    EXPECT(aclshmem_finalize() == 0);
}

static void test_waits_end_in_turn(void **state)
{
    (void)state;
    run_job(3, wait_in_turn);
}

/* ---- several words ---- */

/* The same comparison for five words, as one value and as one for each. */
struct expectation {
    int comparison;
    int value;
    size_t lowest;
    size_t count;
};

/* of the words 1, 1, 5, 1, 5 */
static const struct expectation expectations[] = {
    {ACLSHMEM_CMP_EQ, 5, 2, 2},        {ACLSHMEM_CMP_NE, 5, 0, 3}, {ACLSHMEM_CMP_GT, 1, 2, 2},
    {ACLSHMEM_CMP_GE, 5, 2, 2},        {ACLSHMEM_CMP_LT, 6, 0, 5}, {ACLSHMEM_CMP_LE, 1, 0, 3},
    {ACLSHMEM_CMP_GT, 5, SIZE_MAX, 0},
};

/* For the words that there are. */
static bool holds(const struct expectation *expected, double word)
{
    switch (expected->comparison) {
    case ACLSHMEM_CMP_EQ:
        return word == expected->value;
    case ACLSHMEM_CMP_NE:
        return word != expected->value;
    case ACLSHMEM_CMP_GT:
        return word > expected->value;
    case ACLSHMEM_CMP_GE:
        return word >= expected->value;
    case ACLSHMEM_CMP_LT:
        return word < expected->value;
    default:
        return word <= expected->value;
    }
}

static void look_at_words(int pe, int n_pes, const void *address)
{
    void *shared = begin(pe, n_pes, address);
    int result;
    size_t index, count, indices[WORDS];

#define LOOK(type, name, of, comparison, value)                                                    \
    result = -1;                                                                                   \
    aclshmem_##name##_test_all##of(words, WORDS, in, comparison, value, &result);                  \
    EXPECT(result == (expected->count == WORDS));                                                  \
    index = count = 99;                                                                            \
    aclshmem_##name##_test_any##of(words, WORDS, in, comparison, value, &index);                   \
    EXPECT(index == expected->lowest);                                                             \
    aclshmem_##name##_test_some##of(words, WORDS, indices, in, comparison, value, &count);         \
    EXPECT(count == expected->count && (count == 0 || indices[0] == index));                       \
    if (count > 0) {                                                                               \
        index = count = 99;                                                                        \
        aclshmem_##name##_wait_until_any##of(words, WORDS, in, comparison, value, &index);         \
        EXPECT(index < WORDS && holds(expected, words[index]));                                    \
        aclshmem_##name##_wait_until_some##of(words, WORDS, indices, in, comparison, value,        \
                                              &count);                                             \
        EXPECT(count == expected->count && indices[0] == expected->lowest);                        \
    }                                                                                              \
    if (count == WORDS)                                                                            \
        aclshmem_##name##_wait_until_all##of(words, WORDS, in, comparison, value);
#define LOOK_AT(name, type)                                                                        \
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {                      \
        const struct expectation *expected = &expectations[i];                                     \
        type *words = (type *)shared;                                                              \
        type each[WORDS];                                                                          \
        for (int w = 0; w < WORDS; w++) {                                                          \
            words[w] = w == 2 || w == 4 ? 5 : 1;                                                   \
            each[w] = (type)expected->value;                                                       \
        }                                                                                          \
        for (int w = 0; w < WORDS; w++) {                                                          \
            result = -1;                                                                           \
            aclshmem_##name##_test(words + w, expected->comparison, each[w], &result);             \
            EXPECT(result == holds(expected, words[w]));                                           \
        }                                                                                          \
        LOOK(type, name, , expected->comparison, (type)expected->value)                            \
        LOOK(type, name, _vector, expected->comparison, each)                                      \
    }
    FOR_WORDS(LOOK_AT)
    EXPECT(aclshmem_finalize() == 0);
}

static void test_several_words(void **state)
{
    (void)state;
    run_job(1, look_at_words);
}

/* ---- values at the edges of the types ---- */

static void compare_edges(int pe, int n_pes, const void *address)
{
    void *shared = begin(pe, n_pes, address);

#define IS(name, type, left, comparison, right, expected)                                          \
    {                                                                                              \
        int result = -1;                                                                           \
        *(type *)shared = left;                                                                    \
        aclshmem_##name##_test((type *)shared, comparison, right, &result);                        \
        EXPECT(result == (expected));                                                              \
    }
    IS(int8, int8_t, INT8_MIN, ACLSHMEM_CMP_LT, INT8_MAX, 1)
    IS(int8, int8_t, -1, ACLSHMEM_CMP_EQ, -1, 1)
    IS(uint8, uint8_t, UINT8_MAX, ACLSHMEM_CMP_LT, 1, 0)
    IS(uint8, uint8_t, UINT8_MAX, ACLSHMEM_CMP_EQ, UINT8_MAX, 1)
    IS(char, char, CHAR_MAX, ACLSHMEM_CMP_GT, CHAR_MIN, 1)
    IS(char, char, (char)-1, ACLSHMEM_CMP_LT, 1, CHAR_MIN < 0)
    IS(char, char, (char)-1, ACLSHMEM_CMP_EQ, (char)-1, 1)
    IS(float, float, -1.5f, ACLSHMEM_CMP_LT, -1.25f, 1)
    IS(float, float, -1.0f, ACLSHMEM_CMP_LT, 1.0f, 1)
    IS(float, float, 0.25f, ACLSHMEM_CMP_GT, 0.125f, 1)
    IS(float, float, 0.0f, ACLSHMEM_CMP_EQ, -0.0f, 1)
    IS(float, float, 0.0f, ACLSHMEM_CMP_NE, -0.0f, 0)
    IS(float, float, FLT_MAX, ACLSHMEM_CMP_LT, INFINITY, 1)
    for (int comparison = ACLSHMEM_CMP_EQ; comparison <= ACLSHMEM_CMP_LE; comparison++)
        IS(float, float, NAN, comparison, NAN, comparison == ACLSHMEM_CMP_NE)
    EXPECT(aclshmem_finalize() == 0);
}

static void test_edges(void **state)
{
    (void)state;
    run_job(1, compare_edges);
}

/* ---- what is no set, no comparison, no place for the result ---- */

static void look_at_nothing(int pe, int n_pes, const void *address)
{
    void *shared = begin(pe, n_pes, address);
    size_t indices[WORDS];

#define NOTHING(name, type, of, value, words, status)                                              \
    {                                                                                              \
        size_t index = 99, count = 99;                                                             \
        int result = -1;                                                                           \
        aclshmem_##name##_wait_until_all##of(shared, words, status, ACLSHMEM_CMP_EQ, value);       \
        aclshmem_##name##_wait_until_any##of(shared, words, status, ACLSHMEM_CMP_EQ, value,        \
                                             &index);                                              \
        aclshmem_##name##_wait_until_some##of(shared, words, indices, status, ACLSHMEM_CMP_EQ,     \
                                              value, &count);                                      \
        EXPECT(index == SIZE_MAX && count == 0);                                                   \
        index = count = 99;                                                                        \
        aclshmem_##name##_test_any##of(shared, words, status, ACLSHMEM_CMP_EQ, value, &index);     \
        aclshmem_##name##_test_some##of(shared, words, indices, status, ACLSHMEM_CMP_EQ, value,    \
                                        &count);                                                   \
        aclshmem_##name##_test_all##of(shared, words, status, ACLSHMEM_CMP_EQ, value, &result);    \
        EXPECT(index == SIZE_MAX && count == 0 && result == 1);                                    \
    }
#define NOTHING_OF(name, type)                                                                     \
    {                                                                                              \
        type each[WORDS] = {9, 9, 9, 9, 9};                                                        \
        NOTHING(name, type, , 9, 0, NULL)                                                          \
        NOTHING(name, type, , 9, WORDS, out)                                                       \
        NOTHING(name, type, _vector, each, 0, NULL)                                                \
        NOTHING(name, type, _vector, each, WORDS, out)                                             \
    }
    FOR_WORDS(NOTHING_OF)
    EXPECT(aclshmem_finalize() == 0);
}

static void test_empty_sets(void **state)
{
    (void)state;
    run_job(1, look_at_nothing);
}

/* The word never satisfies a real comparison: a wait that returned was refused. */
static void compare_wrongly(int pe, int n_pes, const void *address)
{
    void *shared = begin(pe, n_pes, address);
    int local_word = 0;
    size_t indices[WORDS];

#define REFUSED(name, type, of, value, words, comparison)                                          \
    {                                                                                              \
        size_t index = 99, count = 99;                                                             \
        int result = -1;                                                                           \
        aclshmem_##name##_wait_until_all##of(words, WORDS, in, comparison, value);                 \
        aclshmem_##name##_wait_until_any##of(words, WORDS, in, comparison, value, &index);         \
        aclshmem_##name##_wait_until_some##of(words, WORDS, indices, in, comparison, value,        \
                                              &count);                                             \
        EXPECT(index == SIZE_MAX && count == 0);                                                   \
        index = count = 99;                                                                        \
        aclshmem_##name##_test_any##of(words, WORDS, in, comparison, value, &index);               \
        aclshmem_##name##_test_some##of(words, WORDS, indices, in, comparison, value, &count);     \
        aclshmem_##name##_test_all##of(words, WORDS, in, comparison, value, &result);              \
        EXPECT(index == SIZE_MAX && count == 0 && result == 0);                                    \
    }
#define REFUSED_OF(name, type)                                                                     \
    for (int bad = -1; bad <= 6; bad += 7) {                                                       \
        type each[WORDS] = {9, 9, 9, 9, 9};                                                        \
        int answer = -1;                                                                           \
        REFUSED(name, type, , 9, shared, bad)                                                      \
        REFUSED(name, type, _vector, each, shared, bad)                                            \
        aclshmem_##name##_wait_until(shared, bad, 9);                                              \
        aclshmem_##name##_test(shared, bad, 9, &answer);                                           \
        EXPECT(answer == 0);                                                                       \
    }
    FOR_WORDS(REFUSED_OF)
    REFUSED(int32, int32_t, , 9, &local_word, ACLSHMEM_CMP_EQ) /* not symmetric */
    aclshmem_signal_wait_until(shared, 6, 9);
    aclshmem_signal_wait_until(&local_word, ACLSHMEM_CMP_EQ, 9);
    aclshmem_int32_wait(&local_word, 0);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_wrong_comparisons(void **state)
{
    (void)state;
    run_job(1, compare_wrongly);
}

static void answer_nowhere(int pe, int n_pes, const void *address)
{
    int32_t *words = begin(pe, n_pes, address);
    int32_t each[WORDS] = {0};
    size_t indices[WORDS] = {9};

    for (int comparison = ACLSHMEM_CMP_EQ; comparison <= 6; comparison += 6) {
        aclshmem_int32_test(words, comparison, 0, NULL);
        aclshmem_int32_test_all(words, WORDS, in, comparison, 0, NULL);
        aclshmem_int32_test_any(words, WORDS, in, comparison, 0, NULL);
        aclshmem_int32_test_some(words, WORDS, indices, in, comparison, 0, NULL);
        aclshmem_int32_wait_until_any(words, WORDS, in, comparison, 0, NULL);
        aclshmem_int32_wait_until_some(words, WORDS, indices, in, comparison, 0, NULL);
        aclshmem_int32_test_all_vector(words, WORDS, in, comparison, each, NULL);
        aclshmem_int32_test_any_vector(words, WORDS, in, comparison, each, NULL);
        aclshmem_int32_test_some_vector(words, WORDS, indices, in, comparison, each, NULL);
        aclshmem_int32_wait_until_any_vector(words, WORDS, in, comparison, each, NULL);
        aclshmem_int32_wait_until_some_vector(words, WORDS, indices, in, comparison, each, NULL);
    }
    EXPECT(indices[0] == 0);
    EXPECT(aclshmem_finalize() == 0);
    /* without an instance: refused, and answered as for no words */
    aclshmem_int32_test_any(words, WORDS, in, ACLSHMEM_CMP_EQ, 0, indices);
    EXPECT(indices[0] == SIZE_MAX);
    aclshmem_int32_wait_until(words, ACLSHMEM_CMP_NE, 0);
}

static void test_no_place_for_the_result(void **state)
{
    (void)state;
    run_job(1, answer_nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits_end_in_turn),
        cmocka_unit_test(test_several_words),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_empty_sets),
        cmocka_unit_test(test_wrong_comparisons),
        cmocka_unit_test(test_no_place_for_the_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
