/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the functions that wait for several words of this PE or test them, and checks of what
 *  they did. */
#ifndef TYPED_MANY_H
#define TYPED_MANY_H

#include "waits.h"

enum {
    TYPED_WORDS = TYPED_EDGES,
    TYPED_MANY_WAITS = TYPED_COMPARISONS * TYPED_EDGES,
    TYPED_MANY_WORDS = TYPED_MANY_WAITS * TYPED_WORDS,
    TYPED_MASKS = 4,
    TYPED_MANY_TESTS = TYPED_MANY_WAITS * TYPED_MASKS
};

/** Which words a wait is for. */
enum typed_purpose { TYPED_ALL, TYPED_ANY, TYPED_SOME };

/** Words and what they must be. */
struct typed_many {
    const struct typed_call *call;
    struct typed_kind kind;
    enum typed_purpose purpose;
    int comparison;
    uint64_t bounds[TYPED_WORDS];
    int status[TYPED_WORDS]; /* not 0: the word is left out */
    const int *mask;         /* status, or NULL when it leaves out none */
    uint64_t start[TYPED_WORDS];
    uint64_t end[TYPED_WORDS];
    size_t last[2]; /* words that end the wait: both for `some`, else the first */
};

/** The wait or test of a number; one bound for all words or, `is_vector`, one for each. The words
 *  of a test are the edges. */
void typed_wait_of(struct typed_many *many, size_t number, bool is_vector);
void typed_test_of(struct typed_many *many, size_t number, bool is_vector);

/** Checks of what a wait returned, with the words as they are behind it. */
void typed_check_waited_all(const struct typed_many *many, const uint64_t now[TYPED_WORDS]);
void typed_check_waited_any(const struct typed_many *many, const uint64_t now[TYPED_WORDS],
                            size_t index);
void typed_check_waited_some(const struct typed_many *many, const uint64_t now[TYPED_WORDS],
                             const size_t *indices, size_t count);

/** Checks of what a test of the edges returned. */
void typed_check_tested_all(const struct typed_many *many, int result);
void typed_check_tested_any(const struct typed_many *many, size_t index);
void typed_check_tested_some(const struct typed_many *many, const size_t *indices, size_t count);

/** All words left out: there is nothing to wait for. */
extern const int typed_leave_out[TYPED_WORDS];

/* what stands for the bounds */
#define TYPED_ONE(element) TYPED_NARROW(element, many.bounds[0])
#define TYPED_EACH(element) bounds

#define TYPED_BOUNDS(element)                                                                      \
    element bounds[TYPED_WORDS];                                                                   \
    for (size_t w = 0; w < TYPED_WORDS; w++)                                                       \
    bounds[w] = TYPED_NARROW(element, many.bounds[w])

#define TYPED_READ_WORDS(now)                                                                      \
    for (size_t w = 0; w < TYPED_WORDS; w++)                                                       \
    now[w] = TYPED_WIDEN(words[w])

/* The PE before this one ends the wait, when its own wait has ended. So whoever returns too early
 * finds the old value. */
#define TYPED_MANY_WAIT(name, element, is_vector, its_purpose, statement, nothing)                 \
    do {                                                                                           \
        struct typed_call call = typed_prepare(name);                                              \
        struct typed_many many = {                                                                 \
            .call = &call, .kind = TYPED_KIND(element), .purpose = its_purpose};                   \
        volatile element *words = (element *)call.shared;                                          \
        for (size_t i = 0; i < TYPED_MANY_WAITS; i++) {                                            \
            typed_wait_of(&many, i, is_vector);                                                    \
            for (size_t w = 0; w < TYPED_WORDS; w++)                                               \
                words[i * TYPED_WORDS + w] = TYPED_NARROW(element, many.start[w]);                 \
        }                                                                                          \
        typed_start(&call);                                                                        \
        for (size_t i = 0; i < TYPED_MANY_WAITS; i++, words += TYPED_WORDS) {                      \
            uint64_t now[TYPED_WORDS];                                                             \
            typed_wait_of(&many, i, is_vector);                                                    \
            TYPED_BOUNDS(element);                                                                 \
            (void)bounds;                                                                          \
            TYPED_END_WAIT(element, call.me == 0);                                                 \
            statement;                                                                             \
            TYPED_END_WAIT(element, call.me != 0);                                                 \
            nothing;                                                                               \
        }                                                                                          \
        typed_finish(&call);                                                                       \
        typed_check_untouched(&call, 0, TYPED_MANY_WORDS * sizeof(element));                       \
    } while (0)

#define TYPED_END_WAIT(element, is_my_turn)                                                        \
    for (size_t w = 0; (is_my_turn) && w < (many.purpose == TYPED_SOME ? 2 : 1); w++)              \
    shmem_p(words + many.last[w], TYPED_NARROW(element, many.end[many.last[w]]),                   \
            (call.me + 1) % shmem_n_pes())

#define TYPED_WAIT_ALL(function, element, is_vector, bound)                                        \
    TYPED_MANY_WAIT(                                                                               \
        #function, element, is_vector, TYPED_ALL,                                                  \
        {                                                                                          \
            function((element *)words, TYPED_WORDS, many.mask, many.comparison, bound(element));   \
            TYPED_READ_WORDS(now);                                                                 \
            typed_check_waited_all(&many, now);                                                    \
        },                                                                                         \
        {                                                                                          \
            function((element *)words, TYPED_WORDS, typed_leave_out, many.comparison,              \
                     bound(element));                                                              \
            function((element *)words, 0, NULL, many.comparison, bound(element));                  \
        })

#define TYPED_WAIT_ANY(function, element, is_vector, bound)                                        \
    TYPED_MANY_WAIT(                                                                               \
        #function, element, is_vector, TYPED_ANY,                                                  \
        {                                                                                          \
            size_t index = function((element *)words, TYPED_WORDS, many.mask, many.comparison,     \
                                    bound(element));                                               \
            TYPED_READ_WORDS(now);                                                                 \
            typed_check_waited_any(&many, now, index);                                             \
        },                                                                                         \
        {                                                                                          \
            CHECK(function((element *)words, TYPED_WORDS, typed_leave_out, many.comparison,        \
                           bound(element)) == SIZE_MAX,                                            \
                  "%s found a word that was left out", call.called);                               \
            CHECK(function((element *)words, 0, NULL, many.comparison, bound(element)) ==          \
                      SIZE_MAX,                                                                    \
                  "%s found one of no words", call.called);                                        \
        })

#define TYPED_WAIT_SOME(function, element, is_vector, bound)                                       \
    TYPED_MANY_WAIT(                                                                               \
        #function, element, is_vector, TYPED_SOME,                                                 \
        {                                                                                          \
            size_t indices[TYPED_WORDS];                                                           \
            size_t count = function((element *)words, TYPED_WORDS, indices, many.mask,             \
                                    many.comparison, bound(element));                              \
            TYPED_READ_WORDS(now);                                                                 \
            typed_check_waited_some(&many, now, indices, count);                                   \
        },                                                                                         \
        {                                                                                          \
            size_t indices[TYPED_WORDS];                                                           \
            CHECK(function((element *)words, TYPED_WORDS, indices, typed_leave_out,                \
                           many.comparison, bound(element)) == 0,                                  \
                  "%s found words that were left out", call.called);                               \
            CHECK(function((element *)words, 0, indices, NULL, many.comparison, bound(element)) == \
                      0,                                                                           \
                  "%s found some of no words", call.called);                                       \
        })

#define WAIT_ALL(function, element) TYPED_WAIT_ALL(function, element, false, TYPED_ONE)
#define WAIT_ANY(function, element) TYPED_WAIT_ANY(function, element, false, TYPED_ONE)
#define WAIT_SOME(function, element) TYPED_WAIT_SOME(function, element, false, TYPED_ONE)
#define WAIT_ALL_VECTOR(function, element) TYPED_WAIT_ALL(function, element, true, TYPED_EACH)
#define WAIT_ANY_VECTOR(function, element) TYPED_WAIT_ANY(function, element, true, TYPED_EACH)
#define WAIT_SOME_VECTOR(function, element) TYPED_WAIT_SOME(function, element, true, TYPED_EACH)

/* The words are the edges, which another PE has put there. */
#define TYPED_MANY_TEST(name, element, is_vector, statement)                                       \
    do {                                                                                           \
        struct typed_call call = typed_prepare(name);                                              \
        struct typed_many many = {.call = &call, .kind = TYPED_KIND(element)};                     \
        element *words = (element *)call.shared;                                                   \
        typed_start(&call);                                                                        \
        for (int i = 0; i < TYPED_EDGES; i++)                                                      \
            shmem_p(words + i, TYPED_NARROW(element, typed_edge(many.kind, i)), call.pe);          \
        typed_finish(&call);                                                                       \
        for (size_t i = 0; i < TYPED_MANY_TESTS; i++) {                                            \
            typed_test_of(&many, i, is_vector);                                                    \
            TYPED_BOUNDS(element);                                                                 \
            (void)bounds;                                                                          \
            statement;                                                                             \
        }                                                                                          \
        typed_check_untouched(&call, 0, TYPED_EDGES * sizeof(element));                            \
    } while (0)

#define TYPED_TEST_ALL(function, element, is_vector, bound)                                        \
    TYPED_MANY_TEST(#function, element, is_vector,                                                 \
                    typed_check_tested_all(&many, function(words, TYPED_WORDS, many.mask,          \
                                                           many.comparison, bound(element))))

#define TYPED_TEST_ANY(function, element, is_vector, bound)                                        \
    TYPED_MANY_TEST(#function, element, is_vector,                                                 \
                    typed_check_tested_any(&many, function(words, TYPED_WORDS, many.mask,          \
                                                           many.comparison, bound(element))))

#define TYPED_TEST_SOME(function, element, is_vector, bound)                                       \
    TYPED_MANY_TEST(#function, element, is_vector, {                                               \
        size_t indices[TYPED_WORDS];                                                               \
        size_t count =                                                                             \
            function(words, TYPED_WORDS, indices, many.mask, many.comparison, bound(element));     \
        typed_check_tested_some(&many, indices, count);                                            \
    })

#define TEST_ALL(function, element) TYPED_TEST_ALL(function, element, false, TYPED_ONE)
#define TEST_ANY(function, element) TYPED_TEST_ANY(function, element, false, TYPED_ONE)
#define TEST_SOME(function, element) TYPED_TEST_SOME(function, element, false, TYPED_ONE)
#define TEST_ALL_VECTOR(function, element) TYPED_TEST_ALL(function, element, true, TYPED_EACH)
#define TEST_ANY_VECTOR(function, element) TYPED_TEST_ANY(function, element, true, TYPED_EACH)
#define TEST_SOME_VECTOR(function, element) TYPED_TEST_SOME(function, element, true, TYPED_EACH)

#endif
