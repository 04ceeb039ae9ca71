/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the generated programs stand on. All PEs call each function at the same time, each for
 * another PE; the memory of both is filled before and looked at, to the last byte, behind it.
 * Every call has values of its own, which differ per PE and element and fill the whole width.
 */
#ifndef TYPED_H
#define TYPED_H

#include "check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TYPED_AREA_BYTES = 2048 };

/** Elements of 128 bits have no type of their own. */
struct typed_128 {
    _Alignas(16) uint64_t halves[2];
};

/** The functions of one row of the tables; made by generate_tests.py. Ends with name NULL. */
struct typed_family {
    const char *name;
    void (*run)(void);
};

extern const struct typed_family typed_families[];

/** True when the functions have a context as first argument. */
extern const bool typed_are_on_contexts;

/** What the functions work on. */
struct typed_context {
    const char *name; /* NULL when they have no such argument */
    shmem_ctx_t ctx;
    bool is_reversed; /* its team numbers the PEs from the last to the first */
};

/** One function under test, called by every PE. */
struct typed_call {
    const char *called;    /* the function, and the context if there are several */
    unsigned number;       /* of the calls up to now: the same on every PE */
    int me;                /* this PE */
    int pe;                /* whom it calls the function for */
    int caller;            /* who calls the function for it */
    shmem_ctx_t ctx;       /* what it calls the function on */
    int target;            /* number of `pe` there */
    unsigned char *shared; /* TYPED_AREA_BYTES of symmetric memory: heap and static in turn */
    unsigned char *source; /* the same of the other */
    unsigned char *local;  /* TYPED_AREA_BYTES of this PE's own */
};

/** What a value is for. */
enum typed_role { TYPED_START, TYPED_OPERAND, TYPED_SHARED, TYPED_SOURCE, TYPED_LOCAL };

/** After init, with a block of TYPED_AREA_BYTES of the symmetric heap: runs all families. */
void typed_run(void *heap_block, const struct typed_context *context);

/** Fills the areas. */
struct typed_call typed_prepare(const char *function);

/** Behind this all PEs have prepared their memory. */
void typed_start(const struct typed_call *call);

/** Completes what this PE has begun. */
void typed_complete(const struct typed_call *call);

/** Behind this all PEs have called the function, and what it does is complete. */
void typed_finish(const struct typed_call *call);

/** A value of 64 bits that no other PE, role or call has. */
uint64_t typed_bits(const struct typed_call *call, int pe, enum typed_role role);

/** Spreads every bit of the argument over all bits of the result. */
uint64_t typed_mix(uint64_t bits);

/** What typed_prepare put into the area of that role on that PE. */
void typed_fill(const struct typed_call *call, int pe, enum typed_role role, unsigned char *area);

/** The area of this PE is as expected. */
void typed_check_area(const struct typed_call *call, enum typed_role role,
                      const unsigned char *expected);

/** The area of this PE is as typed_prepare left it, but for the bytes from `from` to `to`. */
void typed_check_rest(const struct typed_call *call, enum typed_role role, size_t from, size_t to);

/** Compares the bytes of two values. */
void typed_check_value(const struct typed_call *call, const char *what, const void *found,
                       const void *expected, size_t bytes);

/** typed_check_rest() for `shared`; all of `local` is as it was. */
void typed_check_untouched(const struct typed_call *call, size_t from, size_t to);

/** A copy of blocks: its strides and first elements are counted in elements. */
struct typed_shape {
    size_t to_first;
    size_t from_first;
    ptrdiff_t to_stride;
    ptrdiff_t from_stride;
    size_t block;
    size_t count;
};

/** The caller's copy from its local to this PE's shared memory did that and nothing else. */
void typed_check_put(const struct typed_call *call, const struct typed_shape *shape,
                     size_t element_bytes);

/** This PE's copy from the other's shared to its local memory did that and nothing else. */
void typed_check_get(const struct typed_call *call, const struct typed_shape *shape,
                     size_t element_bytes);

#endif
