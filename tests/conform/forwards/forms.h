/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Checks of functions that exist in several forms. Who includes this defines the form:
 *
 *     FUNCTION(name)  function of that name: shmem_long_put for long_put
 *     NAME(name)      the same as text
 *     FIRST           what stands before the other arguments: nothing, or a context and a comma
 *     IN_CONTEXT      the context, SHMEM_CTX_INVALID when there is none
 */
#ifndef FORMS_H
#define FORMS_H

#include "forwards.h"

#define CHECK_FORM(name, face, pe)                                                                 \
    do {                                                                                           \
        CHECK_CALL(NAME(name), face);                                                              \
        check_pe(IN_CONTEXT, pe);                                                                  \
    } while (0)

/* ---- copies ---- */

/* copies 3 of 4 elements: the fourth must stay as it was */
#define CHECK_COPY(name, type, op)                                                                 \
    {                                                                                              \
        type source[4], dest[4], before;                                                           \
        memset(source, 0x5a, sizeof(source));                                                      \
        memset(dest, 0x11, sizeof(dest));                                                          \
        memcpy(&before, &dest[3], sizeof(before));                                                 \
        FUNCTION(name##_##op)(FIRST dest, source, 3, 4);                                           \
        CHECK_FORM(name##_##op, "face_" #op, 4);                                                   \
        assert_memory_equal(dest, source, 3 * sizeof(type));                                       \
        assert_memory_equal(&dest[3], &before, sizeof(before));                                    \
    }

#define CHECK_SCALAR(name, type)                                                                   \
    {                                                                                              \
        type cell[2] = {1, 1};                                                                     \
        FUNCTION(name##_p)(FIRST cell, 77, 5);                                                     \
        CHECK_FORM(name##_p, "face_p", 5);                                                         \
        assert_true(cell[0] == 77 && cell[1] == 1);                                                \
        assert_true(FUNCTION(name##_g)(FIRST cell, 6) == 77);                                      \
        CHECK_FORM(name##_g, "face_g", 6);                                                         \
    }

/* every second element of the source to every third of the target */
#define CHECK_STRIDED(name, type, op)                                                              \
    {                                                                                              \
        type source[4] = {1, 2, 3, 4}, dest[6] = {0};                                              \
        FUNCTION(name##_##op)(FIRST dest, source, 3, 2, 2, 4);                                     \
        CHECK_FORM(name##_##op, "face_" #op, 4);                                                   \
        assert_true(dest[0] == 1 && dest[3] == 3);                                                 \
        assert_true(dest[1] == 0 && dest[2] == 0 && dest[4] == 0 && dest[5] == 0);                 \
    }

/* blocks of 2, 3 apart in the source and 4 apart in the target */
#define CHECK_BLOCKS(name, type, op)                                                               \
    {                                                                                              \
        type source[6] = {1, 2, 3, 4, 5, 6}, dest[8] = {0};                                        \
        FUNCTION(name##_##op)(FIRST dest, source, 4, 3, 2, 2, 9);                                  \
        CHECK_FORM(name##_##op, "face_" #op, 9);                                                   \
        assert_true(dest[0] == 1 && dest[1] == 2 && dest[4] == 4 && dest[5] == 5);                 \
        assert_true(dest[2] == 0 && dest[3] == 0 && dest[6] == 0 && dest[7] == 0);                 \
    }

/* copies `count` bytes, of which each has a value of its own */
#define CHECK_BYTES(name, face, call, count)                                                       \
    {                                                                                              \
        unsigned char source[64], dest[64] = {0}, zero[64] = {0};                                  \
        for (unsigned char i = 0; i < sizeof(source); i++)                                         \
            source[i] = (unsigned char)(i + 1);                                                    \
        call;                                                                                      \
        CHECK_FORM(name, face, 8);                                                                 \
        assert_memory_equal(dest, source, count);                                                  \
        assert_memory_equal(dest + (count), zero, sizeof(dest) - (count));                         \
    }

#define CHECK_SIZED(op, bits, tail, face)                                                          \
    CHECK_BYTES(op##bits##tail, face, FUNCTION(op##bits##tail)(FIRST dest, source, 3, 8),          \
                3 * bits / 8)

#define CHECK_MEM(name, face) CHECK_BYTES(name, face, FUNCTION(name)(FIRST dest, source, 7, 8), 7)

/* two elements, two apart in the source and one in the target */
#define CHECK_SIZED_STRIDED(op, bits)                                                              \
    {                                                                                              \
        unsigned char source[64], dest[64] = {0}, zero[64] = {0};                                  \
        memset(source, 0x5a, sizeof(source));                                                      \
        memset(source + bits / 8, 0x33, bits / 8);                                                 \
        FUNCTION(op##bits)(FIRST dest, source, 1, 2, 2, 8);                                        \
        CHECK_FORM(op##bits, "face_" #op, 8);                                                      \
        assert_memory_equal(dest, source, bits / 8);                                               \
        assert_memory_equal(dest + bits / 8, source, bits / 8);                                    \
        assert_memory_equal(dest + 2 * (bits / 8), zero, bits / 8);                                \
    }

/* a block of one and then another, two apart in the target */
#define CHECK_SIZED_BLOCKS(op, bits)                                                               \
    {                                                                                              \
        unsigned char source[64], dest[64] = {0}, zero[64] = {0};                                  \
        memset(source, 0x5a, sizeof(source));                                                      \
        memset(source + bits / 8, 0x33, bits / 8);                                                 \
        FUNCTION(op##bits)(FIRST dest, source, 2, 1, 1, 2, 8);                                     \
        CHECK_FORM(op##bits, "face_" #op, 8);                                                      \
        assert_memory_equal(dest, source, bits / 8);                                               \
        assert_memory_equal(dest + bits / 8, zero, bits / 8);                                      \
        assert_memory_equal(dest + 2 * (bits / 8), source + bits / 8, bits / 8);                   \
    }

/* ---- atomics: which face function is meant shows in what it does ---- */

#define CHECK_ATOMIC(name, pe)                                                                     \
    do {                                                                                           \
        assert_string_equal(one_pe_call, NAME(name));                                              \
        check_pe(IN_CONTEXT, pe);                                                                  \
    } while (0)

#define CHECK_EXTENDED_ATOMICS(name, type)                                                         \
    {                                                                                              \
        type word[1] = {0}, fetched[1] = {0};                                                      \
        FUNCTION(name##_atomic_set)(FIRST word, (type)-5, 2);                                      \
        CHECK_ATOMIC(name##_atomic_set, 2);                                                        \
        assert_true(word[0] == (type)-5);                                                          \
        assert_true(FUNCTION(name##_atomic_fetch)(FIRST word, 2) == (type)-5);                     \
        CHECK_ATOMIC(name##_atomic_fetch, 2);                                                      \
        FUNCTION(name##_atomic_fetch_nbi)(FIRST fetched, word, 3);                                 \
        CHECK_ATOMIC(name##_atomic_fetch_nbi, 3);                                                  \
        assert_true(fetched[0] == (type)-5);                                                       \
        assert_true(FUNCTION(name##_atomic_swap)(FIRST word, 9, 2) == (type)-5 && word[0] == 9);   \
        CHECK_ATOMIC(name##_atomic_swap, 2);                                                       \
        FUNCTION(name##_atomic_swap_nbi)(FIRST fetched, word, 10, 3);                              \
        CHECK_ATOMIC(name##_atomic_swap_nbi, 3);                                                   \
        assert_true(fetched[0] == 9 && word[0] == 10);                                             \
    }

#define CHECK_STANDARD_ATOMICS(name, type)                                                         \
    {                                                                                              \
        type word[2] = {(type)-5, 1}, fetched[1] = {0};                                            \
        assert_true(FUNCTION(name##_atomic_compare_swap)(FIRST word, 4, 6, 2) == (type)-5);        \
        CHECK_ATOMIC(name##_atomic_compare_swap, 2);                                               \
        assert_true(FUNCTION(name##_atomic_compare_swap)(FIRST word, (type)-5, (type)-6, 3) ==     \
                    (type)-5);                                                                     \
        CHECK_ATOMIC(name##_atomic_compare_swap, 3);                                               \
        FUNCTION(name##_atomic_compare_swap_nbi)(FIRST fetched, word, (type)-6, 10, 2);            \
        CHECK_ATOMIC(name##_atomic_compare_swap_nbi, 2);                                           \
        assert_true(fetched[0] == (type)-6 && word[0] == 10);                                      \
        FUNCTION(name##_atomic_add)(FIRST word, 3, 4);                                             \
        CHECK_ATOMIC(name##_atomic_add, 4);                                                        \
        assert_true(FUNCTION(name##_atomic_fetch_add)(FIRST word, 2, 5) == 13);                    \
        CHECK_ATOMIC(name##_atomic_fetch_add, 5);                                                  \
        FUNCTION(name##_atomic_fetch_add_nbi)(FIRST fetched, word, 5, 6);                          \
        CHECK_ATOMIC(name##_atomic_fetch_add_nbi, 6);                                              \
        assert_true(fetched[0] == 15 && word[0] == 20);                                            \
        FUNCTION(name##_atomic_inc)(FIRST word, 7);                                                \
        CHECK_ATOMIC(name##_atomic_inc, 7);                                                        \
        assert_true(FUNCTION(name##_atomic_fetch_inc)(FIRST word, 8) == 21);                       \
        CHECK_ATOMIC(name##_atomic_fetch_inc, 8);                                                  \
        FUNCTION(name##_atomic_fetch_inc_nbi)(FIRST fetched, word, 7);                             \
        CHECK_ATOMIC(name##_atomic_fetch_inc_nbi, 7);                                              \
        assert_true(fetched[0] == 22 && word[0] == 23 && word[1] == 1);                            \
    }

#define CHECK_BITWISE_ATOMICS(name, type, op, operand, result)                                     \
    {                                                                                              \
        type word[1] = {12}, fetched[1] = {0};                                                     \
        FUNCTION(name##_atomic_##op)(FIRST word, operand, 1);                                      \
        CHECK_ATOMIC(name##_atomic_##op, 1);                                                       \
        assert_true(word[0] == (result));                                                          \
        word[0] = 12;                                                                              \
        assert_true(FUNCTION(name##_atomic_fetch_##op)(FIRST word, operand, 2) == 12);             \
        CHECK_ATOMIC(name##_atomic_fetch_##op, 2);                                                 \
        assert_true(word[0] == (result));                                                          \
        word[0] = 12;                                                                              \
        FUNCTION(name##_atomic_fetch_##op##_nbi)(FIRST fetched, word, operand, 3);                 \
        CHECK_ATOMIC(name##_atomic_fetch_##op##_nbi, 3);                                           \
        assert_true(fetched[0] == 12 && word[0] == (result));                                      \
    }

/* ---- signals ---- */

#define CHECK_PUT_SIGNAL(name, bytes, face)                                                        \
    {                                                                                              \
        static _Alignas(16) char areas[2][16];                                                     \
        void *dest = areas[0], *source = areas[1];                                                 \
        uint64_t signal;                                                                           \
        FUNCTION(name)(FIRST dest, source, 3, &signal, 1ull << 63, 5, 4);                          \
        CHECK_FORM(name, face, 4);                                                                 \
        CHECK_WAITS(.put = {dest, source, 3, bytes, &signal, 8, 1ull << 63, 5});                   \
    }

#endif
