/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the functions on single values: p, g and the atomics; and checks of what they did. */
#ifndef TYPED_WORDS_H
#define TYPED_WORDS_H

#include "typed.h"

/* through a signed number, so that floating values have both signs */
#define TYPED_VALUE(element, bits) ((element)(int64_t)(bits))
#define TYPED_START_OF(element, pe) TYPED_VALUE(element, typed_bits(&call, pe, TYPED_START))
#define TYPED_OPERAND_OF(element, pe) TYPED_VALUE(element, typed_bits(&call, pe, TYPED_OPERAND))

/* the lower half is full: adding 1 carries into the upper half */
#define TYPED_FULL_OF(element, pe)                                                                 \
    TYPED_VALUE(element,                                                                           \
                typed_bits(&call, pe, TYPED_START) | (((uint64_t)1 << 4 * sizeof(element)) - 1))

/* the rest of a long double is padding */
#define TYPED_BYTES(element) _Generic((element)0, long double : 10, default : sizeof(element))

#define TYPED_EQUAL(what, found, expected, element)                                                \
    do {                                                                                           \
        element is = (found);                                                                      \
        element should_be = (expected);                                                            \
        typed_check_value(&call, what, &is, &should_be, TYPED_BYTES(element));                     \
    } while (0)

/* The word has values of `start` before and the value `end` when all have called the function. */
#define TYPED_WORD(name, element, start, statement, end)                                           \
    do {                                                                                           \
        struct typed_call call = typed_prepare(name);                                              \
        element *word = (element *)call.shared + 1;                                                \
        *word = start(element, call.me);                                                           \
        typed_start(&call);                                                                        \
        statement;                                                                                 \
        typed_finish(&call);                                                                       \
        TYPED_EQUAL("the word", *word, end, element);                                              \
        typed_check_untouched(&call, sizeof(element), 2 * sizeof(element));                        \
    } while (0)

/* The same; the statement also brings the value that the other PE's word had. */
#define TYPED_FETCH(name, element, start, statement, end)                                          \
    do {                                                                                           \
        struct typed_call call = typed_prepare(name);                                              \
        element *word = (element *)call.shared + 1;                                                \
        element fetched[3] = {1, 2, 3};                                                            \
        *word = start(element, call.me);                                                           \
        typed_start(&call);                                                                        \
        statement;                                                                                 \
        typed_finish(&call);                                                                       \
        TYPED_EQUAL("the fetched value", fetched[1], start(element, call.pe), element);            \
        TYPED_EQUAL("the value before it", fetched[0], 1, element);                                \
        TYPED_EQUAL("the value behind it", fetched[2], 3, element);                                \
        TYPED_EQUAL("the word", *word, end, element);                                              \
        typed_check_untouched(&call, sizeof(element), 2 * sizeof(element));                        \
    } while (0)

/* what becomes of an old value */
#define SET(element, old, value) (value)
#define ADD(element, old, value) ((element)((uint64_t)(old) + (uint64_t)(value)))
#define AND(element, old, value) ((element)((uint64_t)(old) & (uint64_t)(value)))
#define OR(element, old, value) ((element)((uint64_t)(old) | (uint64_t)(value)))
#define XOR(element, old, value) ((element)((uint64_t)(old) ^ (uint64_t)(value)))

#define TYPED_UPDATED(element, operation)                                                          \
    operation(element, TYPED_START_OF(element, call.me), TYPED_OPERAND_OF(element, call.caller))
#define TYPED_INCREMENTED(element) ADD(element, TYPED_FULL_OF(element, call.me), 1)

#define FETCH(function, element)                                                                   \
    TYPED_FETCH(#function, element, TYPED_START_OF,                                                \
                fetched[1] = function(TYPED_FIRST word, call.target),                              \
                TYPED_START_OF(element, call.me))

#define FETCH_NBI(function, element)                                                               \
    TYPED_FETCH(#function, element, TYPED_START_OF,                                                \
                function(TYPED_FIRST fetched + 1, word, call.target),                              \
                TYPED_START_OF(element, call.me))

#define UPDATE(function, element, operation)                                                       \
    TYPED_WORD(#function, element, TYPED_START_OF,                                                 \
               function(TYPED_FIRST word, TYPED_OPERAND_OF(element, call.me), call.target),        \
               TYPED_UPDATED(element, operation))

#define FETCH_UPDATE(function, element, operation)                                                 \
    TYPED_FETCH(#function, element, TYPED_START_OF,                                                \
                fetched[1] =                                                                       \
                    function(TYPED_FIRST word, TYPED_OPERAND_OF(element, call.me), call.target),   \
                TYPED_UPDATED(element, operation))

#define FETCH_UPDATE_NBI(function, element, operation)                                             \
    TYPED_FETCH(                                                                                   \
        #function, element, TYPED_START_OF,                                                        \
        function(TYPED_FIRST fetched + 1, word, TYPED_OPERAND_OF(element, call.me), call.target),  \
        TYPED_UPDATED(element, operation))

#define INC(function, element)                                                                     \
    TYPED_WORD(#function, element, TYPED_FULL_OF, function(TYPED_FIRST word, call.target),         \
               TYPED_INCREMENTED(element))

#define FETCH_INC(function, element)                                                               \
    TYPED_FETCH(#function, element, TYPED_FULL_OF,                                                 \
                fetched[1] = function(TYPED_FIRST word, call.target), TYPED_INCREMENTED(element))

#define FETCH_INC_NBI(function, element)                                                           \
    TYPED_FETCH(#function, element, TYPED_FULL_OF,                                                 \
                function(TYPED_FIRST fetched + 1, word, call.target), TYPED_INCREMENTED(element))

/* A condition that differs from the word in the bits `wrong`: the lowest and the highest must tell.
 */
#define TYPED_CONDITION_OF(element, pe, wrong) XOR(element, TYPED_START_OF(element, pe), wrong)
#define TYPED_HIGHEST(element) ((uint64_t)1 << (8 * sizeof(element) - 1))

#define COMPARE_SWAP(function, element)                                                            \
    do {                                                                                           \
        TYPED_COMPARE_SWAP(#function, function, element, 0, TYPED_UPDATED(element, SET));          \
        TYPED_COMPARE_SWAP(#function, function, element, 1, TYPED_START_OF(element, call.me));     \
        TYPED_COMPARE_SWAP(#function, function, element, TYPED_HIGHEST(element),                   \
                           TYPED_START_OF(element, call.me));                                      \
    } while (0)

#define TYPED_COMPARE_SWAP(name, function, element, wrong, end)                                    \
    TYPED_FETCH(name, element, TYPED_START_OF,                                                     \
                fetched[1] =                                                                       \
                    function(TYPED_FIRST word, TYPED_CONDITION_OF(element, call.pe, wrong),        \
                             TYPED_OPERAND_OF(element, call.me), call.target),                     \
                end)

#define COMPARE_SWAP_NBI(function, element)                                                        \
    do {                                                                                           \
        TYPED_COMPARE_SWAP_NBI(#function, function, element, 0, TYPED_UPDATED(element, SET));      \
        TYPED_COMPARE_SWAP_NBI(#function, function, element, 1, TYPED_START_OF(element, call.me)); \
        TYPED_COMPARE_SWAP_NBI(#function, function, element, TYPED_HIGHEST(element),               \
                               TYPED_START_OF(element, call.me));                                  \
    } while (0)

#define TYPED_COMPARE_SWAP_NBI(name, function, element, wrong, end)                                \
    TYPED_FETCH(name, element, TYPED_START_OF,                                                     \
                function(TYPED_FIRST fetched + 1, word,                                            \
                         TYPED_CONDITION_OF(element, call.pe, wrong),                              \
                         TYPED_OPERAND_OF(element, call.me), call.target),                         \
                end)

#endif
