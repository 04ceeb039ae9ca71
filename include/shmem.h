/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * OpenSHMEM 1.6: processing elements share a symmetric heap and reach each other's memory.
 *
 * For C99 and later and C++11 and later. In C11 and later there are also type-generic forms
 * (shmem_put and so on); define SHMEM_NO_GENERICS before to do without them, for instance to define
 * functions of the same names. Every function whose name starts with shmem_ may be defined by the
 * program, which then reaches the library's by the name with a p in front (<pshmem.h>).
 *
 * The functions of <aclshmem.h> are declared here too; their names collide with none of these.
 */
#ifndef SHMEM_H
#define SHMEM_H

#ifdef ACLSHMEM_SHMEM_H
#error "CANN SHMEM's shmem.h is included already; OpenSHMEM's needs a source file of its own"
#endif

#include <shmem/aclshmem_types.h>
#include <shmem/openshmem_constants.h>
#include <stddef.h>
#include <stdint.h>

/* In C++ the complex numbers of C are an extension of the compilers, which a type's name hides. */
#ifdef __cplusplus
__extension__ typedef float _Complex shmem_complex_float;
__extension__ typedef double _Complex shmem_complex_double;
#define SHMEM_COMPLEX(type) shmem_complex_##type
#else
#define SHMEM_COMPLEX(type) type _Complex
#endif

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define SHMEM_NORETURN _Noreturn
#else
#define SHMEM_NORETURN __attribute__((__noreturn__))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Handle of a team: a number that stands for it, not the address of anything. */
typedef struct shmem_team_handle *shmem_team_t;

/** Handle of a context, of the same kind. */
typedef struct shmem_ctx_handle *shmem_ctx_t;

/** Wishes for a new team; a mask says which of them count. */
typedef struct {
    int num_contexts; /**< SHMEM_TEAM_NUM_CONTEXTS: contexts that will be made from it; else 0 */
} shmem_team_config_t;

/** Hints for a session; a mask says which of them count. */
typedef struct {
    size_t total_ops; /**< SHMEM_CTX_SESSION_TOTAL_OPS: operations expected; else SIZE_MAX */
} shmem_ctx_session_config_t;

#include <shmem/aclshmem_functions.h>
#include <shmem/openshmem_functions.h>

#ifdef __cplusplus
}
#include <shmem/openshmem_complex.h>
#endif

#if !defined(__cplusplus) && !defined(SHMEM_NO_GENERICS) && defined(__STDC_VERSION__)
#if __STDC_VERSION__ >= 201112L
#include <shmem/openshmem_generics.h>
#endif
#endif

#endif
