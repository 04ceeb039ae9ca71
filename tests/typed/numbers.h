/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the reductions and scans, and checks of what they did. */
#ifndef TYPED_NUMBERS_H
#define TYPED_NUMBERS_H

#include "collectives.h"

#include <limits.h>

enum typed_operation {
    TYPED_AND,
    TYPED_OR,
    TYPED_XOR,
    TYPED_MIN,
    TYPED_MAX,
    TYPED_SUM,
    TYPED_PROD
};

enum typed_class { TYPED_SIGNED, TYPED_UNSIGNED, TYPED_REAL, TYPED_COMPLEX };

/** A call, and what its arrays consist of. */
struct typed_numbers {
    struct typed_collective all;
    enum typed_class class;
    enum typed_operation operation;
    unsigned char *to;
    unsigned char *from; /* may be the same */
};

/* clang-format off */
#define TYPED_CLASS(element)                                                                       \
    _Generic((element)0,                                                                           \
        float: TYPED_REAL, double: TYPED_REAL, long double: TYPED_REAL,                            \
        float _Complex: TYPED_COMPLEX, double _Complex: TYPED_COMPLEX,                             \
        char: CHAR_MIN < 0 ? TYPED_SIGNED : TYPED_UNSIGNED,                                        \
        signed char: TYPED_SIGNED, short: TYPED_SIGNED, int: TYPED_SIGNED, long: TYPED_SIGNED,     \
        long long: TYPED_SIGNED,                                                                   \
        unsigned char: TYPED_UNSIGNED, unsigned short: TYPED_UNSIGNED,                             \
        unsigned int: TYPED_UNSIGNED, unsigned long: TYPED_UNSIGNED,                               \
        unsigned long long: TYPED_UNSIGNED)
/* clang-format on */

/** Fills the source. */
void typed_set_numbers(const struct typed_numbers *numbers);

/** The members have the combination of all sources, and nothing else has changed. */
void typed_check_reduce(const struct typed_numbers *numbers);

/** The members have the combination of the sources before and, if it is inclusive, their own. */
void typed_check_scan(const struct typed_numbers *numbers, bool is_inclusive);

/* with a dest of its own, and in place */
#define TYPED_NUMBERS(name, element, groups, its_operation, statement, check)                      \
    do {                                                                                           \
        for (size_t i = 0; i < 2 * TYPED_CASES; i++) {                                             \
            const struct typed_group *group = &(groups)[typed_cases[i / 2].group];                 \
            struct typed_numbers numbers = {.class = TYPED_CLASS(element),                         \
                                            .operation = its_operation};                           \
            struct typed_collective all = {.element_bytes = sizeof(element)};                      \
            if (!typed_prepare_collective(&all, name, groups, i / 2, 1))                           \
                continue;                                                                          \
            element *from = (element *)all.call.source + TYPED_FROM;                               \
            element *to = i % 2 == 0 ? (element *)all.call.shared + TYPED_TO : from;               \
            numbers.all = all;                                                                     \
            numbers.to = (unsigned char *)to;                                                      \
            numbers.from = (unsigned char *)from;                                                  \
            typed_set_numbers(&numbers);                                                           \
            typed_start(&all.call);                                                                \
            if (group->rank >= 0)                                                                  \
                statement;                                                                         \
            typed_finish(&all.call);                                                               \
            check;                                                                                 \
        }                                                                                          \
    } while (0)

#define REDUCE(function, element, operation)                                                       \
    TYPED_NUMBERS(#function, element, typed_teams, TYPED_##operation,                              \
                  TYPED_SUCCEEDS(function(group->team, to, from, all.count)),                      \
                  typed_check_reduce(&numbers))

#define SET_REDUCE(function, element, operation)                                                   \
    TYPED_NUMBERS(#function, element, typed_sets, TYPED_##operation,                               \
                  function(to, from, (int)all.count, group->start, group->log_stride, group->size, \
                           (element *)typed_work, typed_sync),                                     \
                  (typed_check_reduce(&numbers), typed_check_sync(&all)))

#define INSCAN(function, element)                                                                  \
    TYPED_NUMBERS(#function, element, typed_teams, TYPED_SUM,                                      \
                  TYPED_SUCCEEDS(function(group->team, to, from, all.count)),                      \
                  typed_check_scan(&numbers, true))

#define EXSCAN(function, element)                                                                  \
    TYPED_NUMBERS(#function, element, typed_teams, TYPED_SUM,                                      \
                  TYPED_SUCCEEDS(function(group->team, to, from, all.count)),                      \
                  typed_check_scan(&numbers, false))

#endif
