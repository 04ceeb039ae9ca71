/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Every generated function is called, with the faces of a job of one PE: right widths, right signs,
 * right operation, right order of arguments, and its own name handed on. What is expected stands in
 * these tests once more, independent of the tables.
 */
#ifndef FORWARDS_H
#define FORWARDS_H

#define SHMEM_NO_GENERICS
#include "all_types.h"
#include "one_pe.h"
#include "openshmem/given.h"

#include <aclshmem.h>
#include <shmem.h>
#include <shmemx.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* Handles that nobody else has. */
#define A_TEAM ((shmem_team_t)17)
#define ANOTHER_TEAM ((shmem_team_t)18)
#define A_CONTEXT ((shmem_ctx_t)19)

/** What an array of a type consists of. */
/* clang-format off */
#define ELEMENT_OF(type)                                                                           \
    _Generic((type)0,                                                                              \
        float: SHM_ELEMENT_F32, double: SHM_ELEMENT_F64, long double: SHM_ELEMENT_F80,             \
        float _Complex: SHM_ELEMENT_C32, double _Complex: SHM_ELEMENT_C64,                         \
        char: CHAR_MIN < 0 ? SHM_ELEMENT_I8 : SHM_ELEMENT_U8,                                      \
        signed char: SHM_ELEMENT_I8, unsigned char: SHM_ELEMENT_U8,                                \
        short: SHM_ELEMENT_I16, unsigned short: SHM_ELEMENT_U16,                                   \
        int: SHM_ELEMENT_I32, unsigned int: SHM_ELEMENT_U32,                                       \
        long: sizeof(long) == 8 ? SHM_ELEMENT_I64 : SHM_ELEMENT_I32,                               \
        unsigned long: sizeof(long) == 8 ? SHM_ELEMENT_U64 : SHM_ELEMENT_U32,                      \
        long long: SHM_ELEMENT_I64, unsigned long long: SHM_ELEMENT_U64)
/* clang-format on */

/** The last call was of function `name`, which called face function `face`. */
#define CHECK_CALL(name, face)                                                                     \
    do {                                                                                           \
        assert_string_equal(one_pe_call, name);                                                    \
        assert_string_equal(one_pe_face, face);                                                    \
    } while (0)

#define CHECK_VOID(name, arguments, face)                                                          \
    do {                                                                                           \
        name arguments;                                                                            \
        CHECK_CALL(#name, face);                                                                   \
    } while (0)

/** The last face function was given this, and nothing in the other members of the struct. */
#define CHECK_GIVEN(...) check_given(&(struct one_pe_given){__VA_ARGS__})

void check_given(const struct one_pe_given *expected);

/** The same for waits, tests of words and data with signals. */
#define CHECK_WAITS(...) check_waits(&(struct one_pe_waits){__VA_ARGS__})

void check_waits(const struct one_pe_waits *expected);

/** How a value of a type is waited for. */
/* clang-format off */
#define WORD_OF(type)                                                                              \
    _Generic((type)0,                                                                              \
        float: SHM_WORD_F32, char: CHAR_MIN < 0 ? SHM_WORD_I8 : SHM_WORD_U8,                       \
        signed char: SHM_WORD_I8, unsigned char: SHM_WORD_U8,                                      \
        short: SHM_WORD_I16, unsigned short: SHM_WORD_U16,                                         \
        int: SHM_WORD_I32, unsigned int: SHM_WORD_U32,                                             \
        long: sizeof(long) == 8 ? SHM_WORD_I64 : SHM_WORD_I32,                                     \
        unsigned long: sizeof(long) == 8 ? SHM_WORD_U64 : SHM_WORD_U32,                            \
        long long: SHM_WORD_I64, unsigned long long: SHM_WORD_U64)
/* clang-format on */

/** The 64 bits of -5, or of what it is in a type without a sign. */
#define BITS_OF_MINUS_5(type)                                                                      \
    _Generic((type)0, float : (uint64_t)0xc0a00000, default : (uint64_t)(int64_t)(type)-5)

/** The last PE number was `pe`, translated by `ctx`; SHMEM_CTX_INVALID: not translated. */
void check_pe(shmem_ctx_t ctx, int pe);

/* Each runs the tests of its file and returns how many failed. */
int run_plain_forms(void);
int run_forms_on_contexts(void);
int run_aclshmem(void);
int run_aclshmem_waits(void);
int run_waits(void);
int run_teams(void);
int run_collectives(void);
int run_active_sets(void);

#endif
