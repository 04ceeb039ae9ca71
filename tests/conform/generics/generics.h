/* SPDX-License-Identifier: BSD-3-Clause */
/** The C11 generics select the function of the pointer's type, and take volatile pointers. */
#ifndef GENERICS_H
#define GENERICS_H

#include "all_types.h"
#include "one_pe.h"
#include "openshmem/given.h"

#include <shmem.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* types of the same meaning share a function: compare with the one of the basic type */
#define BASIC_NAME(type)                                                                           \
    _Generic((type)0,                                                                              \
        float: "float", double: "double", long double: "longdouble",                               \
        float _Complex: "complexf", double _Complex: "complexd",                                   \
        char: "char", signed char: "schar", unsigned char: "uchar",                                \
        short: "short", unsigned short: "ushort", int: "int", unsigned int: "uint",                \
        long: "long", unsigned long: "ulong", long long: "longlong",                               \
        unsigned long long: "ulonglong")

/* of signed types only those of a given width have bitwise operations */
#define BITWISE_NAME(type)                                                                         \
    _Generic((type)0,                                                                              \
        signed char: "int8", short: "int16", int: "int32", long: "int64", long long: "int64",      \
        default: BASIC_NAME(type))
/* clang-format on */

#define A_TEAM ((shmem_team_t)17)
#define A_CONTEXT ((shmem_ctx_t)19)

/** The last call was of the function prefix_type_operation, with `ctx` or, if that is
 *  SHMEM_CTX_INVALID, without a context. */
void check_selected(shmem_ctx_t ctx, const char *type, const char *operation);

/* Each runs the tests of its file and returns how many failed. */
int run_plain_generics(void);
int run_generics_on_contexts(void);

#endif
