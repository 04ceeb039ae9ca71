/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the functions that send data with a signal, and of those on signals alone; and checks
 * of what they did. */
#ifndef TYPED_SIGNALS_H
#define TYPED_SIGNALS_H

#include "arrays.h"
#include "waits.h"

/* The signal is the last word of the shared memory. The data must be there when it has changed,
 * without any other synchronisation. */
#define TYPED_PUT_SIGNAL(name, function, element, operation, start_of_sum)                         \
    do {                                                                                           \
        for (size_t i = 0; i < sizeof typed_runs / sizeof *typed_runs; i++) {                      \
            const struct typed_shape *shape = &typed_runs[i];                                      \
            struct typed_call call = typed_prepare(name);                                          \
            element *to = (element *)call.shared + shape->to_first;                                \
            element *from = (element *)call.local + shape->from_first;                             \
            uint64_t *signal = (uint64_t *)(call.shared + TYPED_AREA_BYTES) - 1;                   \
            uint64_t start = *signal;                                                              \
            uint64_t end = (start_of_sum) + typed_bits(&call, call.caller, TYPED_OPERAND);         \
            typed_start(&call);                                                                    \
            function(TYPED_FIRST to, from, shape->block, signal,                                   \
                     typed_bits(&call, call.me, TYPED_OPERAND), operation, call.target);           \
            typed_check_signal(&call, signal, start, end);                                         \
            typed_check_put(&call, shape, sizeof(element));                                        \
            typed_finish(&call);                                                                   \
        }                                                                                          \
    } while (0)

#define PUT_SIGNAL(function, element)                                                              \
    do {                                                                                           \
        TYPED_PUT_SIGNAL(#function ", set", function, element, SHMEM_SIGNAL_SET, 0);               \
        TYPED_PUT_SIGNAL(#function ", add", function, element, SHMEM_SIGNAL_ADD, start);           \
    } while (0)

/* The signal changes from `start` to `end`; then it becomes `start` again. */
static inline void typed_check_signal(const struct typed_call *call, uint64_t *signal,
                                      uint64_t start, uint64_t end)
{
    uint64_t found = shmem_signal_wait_until(signal, SHMEM_CMP_NE, start);

    typed_check_value(call, "the signal", &found, &end, sizeof end);
    *signal = start;
}

#define SIGNAL_FETCH(function, element)                                                            \
    do {                                                                                           \
        struct typed_call call = typed_prepare(#function);                                         \
        element *word = (element *)call.shared + 1;                                                \
        element expected = typed_bits(&call, call.caller, TYPED_OPERAND);                          \
        element found;                                                                             \
        typed_start(&call);                                                                        \
        shmem_p(word, typed_bits(&call, call.me, TYPED_OPERAND), call.pe);                         \
        typed_finish(&call);                                                                       \
        found = function(word);                                                                    \
        typed_check_value(&call, "the signal", &found, &expected, sizeof expected);                \
        typed_check_untouched(&call, sizeof(element), 2 * sizeof(element));                        \
    } while (0)

#define SIGNAL_WAIT(function, element)                                                             \
    TYPED_EACH_WAIT(#function, element, true,                                                      \
                    TYPED_RETURNS_END(function((element *)words + i, waits[i].comparison,          \
                                               (element)waits[i].bound)))

#define TYPED_RETURNS_END(statement)                                                               \
    do {                                                                                           \
        uint64_t found = statement;                                                                \
        typed_check_value(&call, "what ended the wait", &found, &waits[i].end, sizeof found);      \
    } while (0)

#endif
