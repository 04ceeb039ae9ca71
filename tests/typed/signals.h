/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the functions that send data with a signal, and of those on signals alone; and checks
 * of what they did. */
#ifndef TYPED_SIGNALS_H
#define TYPED_SIGNALS_H

#include "arrays.h"
#include "waits.h"

/* The signal is the last word of the shared memory. The data must be there when it has changed,
 * without any other synchronisation. */
#define TYPED_PUT_SIGNAL(name, function, element, word, wait, operation, start_of_sum)             \
    do {                                                                                           \
        for (size_t i = 0; i < sizeof typed_runs / sizeof *typed_runs; i++) {                      \
            const struct typed_shape *shape = &typed_runs[i];                                      \
            struct typed_call call = typed_prepare(name);                                          \
            element *to = (element *)call.shared + shape->to_first;                                \
            element *from = (element *)call.local + shape->from_first;                             \
            word *signal = (word *)(call.shared + TYPED_AREA_BYTES) - 1;                           \
            word start = *signal;                                                                  \
            word end =                                                                             \
                (word)((uint64_t)(start_of_sum) + typed_bits(&call, call.caller, TYPED_OPERAND));  \
            typed_start(&call);                                                                    \
            function(TYPED_FIRST to, from, shape->block, (void *)signal,                           \
                     (word)typed_bits(&call, call.me, TYPED_OPERAND), operation, call.target);     \
            wait(signal, SHMEM_CMP_NE, start);                                                     \
            typed_check_value(&call, "the signal", signal, &end, sizeof end);                      \
            *signal = start;                                                                       \
            typed_check_put(&call, shape, sizeof(element));                                        \
            typed_finish(&call);                                                                   \
        }                                                                                          \
    } while (0)

#define TYPED_PUT_SIGNALS(function, element, word, wait)                                           \
    do {                                                                                           \
        TYPED_PUT_SIGNAL(#function ", set", function, element, word, wait, SHMEM_SIGNAL_SET, 0);   \
        TYPED_PUT_SIGNAL(#function ", add", function, element, word, wait, SHMEM_SIGNAL_ADD,       \
                         start);                                                                   \
    } while (0)

#define PUT_SIGNAL(function, element)                                                              \
    TYPED_PUT_SIGNALS(function, element, uint64_t, shmem_signal_wait_until)
#define PUT_SIGNAL_32(function, element)                                                           \
    TYPED_PUT_SIGNALS(function, element, int32_t, shmem_int32_wait_until)

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
                                               TYPED_NARROW(element, waits[i].bound))))

#define TYPED_RETURNS_END(statement)                                                               \
    do {                                                                                           \
        uint64_t found = statement;                                                                \
        typed_check_value(&call, "what ended the wait", &found, &waits[i].end, sizeof found);      \
    } while (0)

#endif
