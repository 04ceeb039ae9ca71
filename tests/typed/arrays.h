/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the functions that copy arrays, and checks of what they did. */
#ifndef TYPED_ARRAYS_H
#define TYPED_ARRAYS_H

#include "typed.h"

/* elements that lie together; none */
static const struct typed_shape typed_runs[] = {{3, 1, 7, 7, 7, 1}, {4, 4, 1, 1, 0, 1}};

/* strides up and down, together, one element, none */
static const struct typed_shape typed_elements[] = {
    {1, 2, 2, 3, 1, 5},     {2, 1, 3, 1, 1, 5}, {12, 0, -2, 2, 1, 5}, {0, 14, 2, -3, 1, 5},
    {10, 12, -1, -2, 1, 4}, {3, 0, 1, 1, 1, 6}, {5, 6, 2, 3, 1, 1},   {4, 4, 2, 3, 1, 0},
};

/* the same for blocks, and blocks of nothing */
static const struct typed_shape typed_blocks[] = {
    {1, 2, 3, 4, 2, 3},    {2, 1, 2, 3, 2, 4}, {14, 0, -4, 3, 3, 3}, {0, 15, 5, -5, 4, 3},
    {9, 12, -3, -4, 2, 3}, {1, 5, 2, 2, 1, 4}, {3, 3, 4, 4, 0, 2},   {4, 4, 2, 3, 2, 0},
};

#define TYPED_PUTS(name, element, shapes, statement)                                               \
    do {                                                                                           \
        for (size_t i = 0; i < sizeof(shapes) / sizeof *(shapes); i++) {                           \
            const struct typed_shape *shape = &(shapes)[i];                                        \
            struct typed_call call = typed_prepare(name);                                          \
            element *to = (element *)call.shared + shape->to_first;                                \
            element *from = (element *)call.local + shape->from_first;                             \
            typed_start(&call);                                                                    \
            statement;                                                                             \
            typed_finish(&call);                                                                   \
            typed_check_put(&call, shape, sizeof(element));                                        \
        }                                                                                          \
    } while (0)

/* `complete` stands between the call and the moment when the data must be there */
#define TYPED_GETS(name, element, shapes, statement, complete)                                     \
    do {                                                                                           \
        for (size_t i = 0; i < sizeof(shapes) / sizeof *(shapes); i++) {                           \
            const struct typed_shape *shape = &(shapes)[i];                                        \
            struct typed_call call = typed_prepare(name);                                          \
            element *to = (element *)call.local + shape->to_first;                                 \
            element *from = (element *)call.shared + shape->from_first;                            \
            typed_start(&call);                                                                    \
            statement;                                                                             \
            complete;                                                                              \
            typed_check_get(&call, shape, sizeof(element));                                        \
            typed_finish(&call);                                                                   \
        }                                                                                          \
    } while (0)

#define PUT(function, element)                                                                     \
    TYPED_PUTS(#function, element, typed_runs,                                                     \
               function(TYPED_FIRST to, from, shape->block, call.target))

#define IPUT(function, element)                                                                    \
    TYPED_PUTS(#function, element, typed_elements,                                                 \
               function(TYPED_FIRST to, from, shape->to_stride, shape->from_stride, shape->count,  \
                        call.target))

#define IBPUT(function, element)                                                                   \
    TYPED_PUTS(#function, element, typed_blocks,                                                   \
               function(TYPED_FIRST to, from, shape->to_stride, shape->from_stride, shape->block,  \
                        shape->count, call.target))

#define GET(function, element)                                                                     \
    TYPED_GETS(#function, element, typed_runs,                                                     \
               function(TYPED_FIRST to, from, shape->block, call.target), (void)0)

#define GET_NBI(function, element)                                                                 \
    TYPED_GETS(#function, element, typed_runs,                                                     \
               function(TYPED_FIRST to, from, shape->block, call.target), typed_complete(&call))

#define IGET(function, element)                                                                    \
    TYPED_GETS(#function, element, typed_elements,                                                 \
               function(TYPED_FIRST to, from, shape->to_stride, shape->from_stride, shape->count,  \
                        call.target),                                                              \
               (void)0)

#define IBGET(function, element)                                                                   \
    TYPED_GETS(#function, element, typed_blocks,                                                   \
               function(TYPED_FIRST to, from, shape->to_stride, shape->from_stride, shape->block,  \
                        shape->count, call.target),                                                \
               (void)0)

#endif
