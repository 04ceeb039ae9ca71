/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the functions that wait for a word of this PE or test it, and checks of what they did.
 */
#ifndef TYPED_WAITS_H
#define TYPED_WAITS_H

#include "typed.h"

/** A value as the 64 bits that an element of this kind widens to. */
struct typed_kind {
    size_t bytes;
    bool is_signed;
};

/* a float holds the values of a kind of 2 bytes with a sign */
#define TYPED_KIND(element)                                                                        \
    {                                                                                              \
        _Generic((element)0, float : 2, default : sizeof(element)), (element)-1 < (element)1       \
    }

/** An element as the 64 bits say, and back. */
#define TYPED_NARROW(element, bits) ((element)(int64_t)(bits))
#define TYPED_WIDEN(value) ((uint64_t)(int64_t)(value))

enum {
    TYPED_EDGES = 6,
    TYPED_COMPARISONS = 6,
    TYPED_MOST_WAITS = TYPED_EDGES * TYPED_EDGES * TYPED_COMPARISONS
};

extern const int typed_comparisons[TYPED_COMPARISONS];

/** Values that tell widths and signs apart: around zero, the sign bit and the middle. */
uint64_t typed_edge(struct typed_kind kind, int index);

bool typed_compares(struct typed_kind kind, uint64_t left, int comparison, uint64_t right);

/** The wait ends when the word compares with the bound: at once, or when `end` has replaced
 * `start`. */
struct typed_wait {
    int comparison;
    uint64_t start;
    uint64_t end;
    uint64_t bound;
};

/** Waits of all comparisons with all bounds. */
size_t typed_waits(struct typed_kind kind, struct typed_wait out_waits[TYPED_MOST_WAITS]);

/* The condition of the next wait is fulfilled by the PE before this one, when its own wait has
 * ended. So whoever returns too early finds the old value. */
#define TYPED_EACH_WAIT(name, element, condition, statement)                                       \
    do {                                                                                           \
        const struct typed_kind kind = TYPED_KIND(element);                                        \
        struct typed_wait waits[TYPED_MOST_WAITS];                                                 \
        size_t count = typed_waits(kind, waits);                                                   \
        struct typed_call call = typed_prepare(name);                                              \
        volatile element *words = (element *)call.shared;                                          \
        for (size_t i = 0; i < count; i++)                                                         \
            words[i] = TYPED_NARROW(element, waits[i].start);                                      \
        typed_start(&call);                                                                        \
        for (size_t i = 0; i < count; i++) {                                                       \
            if (condition) {                                                                       \
                TYPED_PASS_ON(call.me == 0, element);                                              \
                statement;                                                                         \
                TYPED_HAS_ENDED(element);                                                          \
                TYPED_PASS_ON(call.me != 0, element);                                              \
            }                                                                                      \
        }                                                                                          \
        typed_finish(&call);                                                                       \
        typed_check_untouched(&call, 0, count * sizeof(element));                                  \
    } while (0)

#define WAIT_UNTIL(function, element)                                                              \
    TYPED_EACH_WAIT(#function, element, true,                                                      \
                    function((element *)words + i, waits[i].comparison,                            \
                             TYPED_NARROW(element, waits[i].bound)))

/* until the word is no longer the value */
#define WAIT(function, element)                                                                    \
    TYPED_EACH_WAIT(#function, element, waits[i].comparison == SHMEM_CMP_NE,                       \
                    function((element *)words + i, TYPED_NARROW(element, waits[i].bound)))

#define TYPED_PASS_ON(is_my_turn, element)                                                         \
    do {                                                                                           \
        if ((is_my_turn) && waits[i].start != waits[i].end)                                        \
            shmem_p(words + i, TYPED_NARROW(element, waits[i].end),                                \
                    (call.me + 1) % shmem_n_pes());                                                \
    } while (0)

#define TYPED_HAS_ENDED(element)                                                                   \
    CHECK(words[i] == TYPED_NARROW(element, waits[i].end),                                         \
          "%s: the word is 0x%llx, expected 0x%llx instead of 0x%llx; comparison %d with 0x%llx",  \
          call.called, (unsigned long long)TYPED_WIDEN(words[i]),                                  \
          (unsigned long long)waits[i].end, (unsigned long long)waits[i].start,                    \
          waits[i].comparison, (unsigned long long)waits[i].bound)

#define TEST(function, element)                                                                    \
    do {                                                                                           \
        const struct typed_kind kind = TYPED_KIND(element);                                        \
        struct typed_call call = typed_prepare(#function);                                         \
        element *words = (element *)call.shared;                                                   \
        typed_start(&call);                                                                        \
        for (int i = 0; i < TYPED_EDGES; i++)                                                      \
            shmem_p(words + i, TYPED_NARROW(element, typed_edge(kind, i)), call.pe);               \
        typed_finish(&call);                                                                       \
        for (int i = 0; i < TYPED_MOST_WAITS; i++) {                                               \
            uint64_t left = typed_edge(kind, i % TYPED_EDGES);                                     \
            uint64_t right = typed_edge(kind, i / TYPED_EDGES % TYPED_EDGES);                      \
            int comparison = typed_comparisons[i / (TYPED_EDGES * TYPED_EDGES)];                   \
            int result =                                                                           \
                function(words + i % TYPED_EDGES, comparison, TYPED_NARROW(element, right));       \
            CHECK(result == typed_compares(kind, left, comparison, right),                         \
                  "%s: %d for 0x%llx, comparison %d, 0x%llx", call.called, result,                 \
                  (unsigned long long)left, comparison, (unsigned long long)right);                \
        }                                                                                          \
        typed_check_untouched(&call, 0, TYPED_EDGES * sizeof(element));                            \
    } while (0)

#endif
