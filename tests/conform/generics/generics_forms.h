/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The tests of the generics that take a context or none. Who includes this defines
 *
 *     FIRST       what stands before the other arguments: nothing, or a context and a comma
 *     IN_CONTEXT  the context, SHMEM_CTX_INVALID when there is none
 *
 * and calls run_forms().
 */
#ifndef GENERICS_FORMS_H
#define GENERICS_FORMS_H

#include "generics.h"

#define CHECK_SELECTED(type, operation) check_selected(IN_CONTEXT, BASIC_NAME(type), operation)
#define CHECK_BITWISE(type, operation) check_selected(IN_CONTEXT, BITWISE_NAME(type), operation)

static void test_copies(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type source[4] = {5, 6, 7, 8}, dest[4] = {0};                                              \
        const type *constant = source;                                                             \
        volatile type *changing = dest;                                                            \
        const volatile type *both = source;                                                        \
        shmem_put(FIRST dest, constant, 2, 0);                                                     \
        CHECK_SELECTED(type, "put");                                                               \
        assert_true(dest[1] == 6 && dest[2] == 0);                                                 \
        shmem_get(FIRST changing, source, 3, 0);                                                   \
        CHECK_SELECTED(type, "get");                                                               \
        assert_true(dest[2] == 7);                                                                 \
        shmem_put_nbi(FIRST dest, changing, 1, 0);                                                 \
        CHECK_SELECTED(type, "put_nbi");                                                           \
        shmem_get_nbi(FIRST dest, both, 1, 0);                                                     \
        CHECK_SELECTED(type, "get_nbi");                                                           \
        shmem_iput(FIRST changing, constant, 1, 1, 1, 0);                                          \
        CHECK_SELECTED(type, "iput");                                                              \
        shmem_iget(FIRST dest, changing, 1, 1, 1, 0);                                              \
        CHECK_SELECTED(type, "iget");                                                              \
        shmem_ibput(FIRST dest, source, 1, 1, 1, 1, 0);                                            \
        CHECK_SELECTED(type, "ibput");                                                             \
        shmem_ibget(FIRST changing, both, 1, 1, 1, 1, 0);                                          \
        CHECK_SELECTED(type, "ibget");                                                             \
        shmem_p(FIRST changing, 9, 0);                                                             \
        CHECK_SELECTED(type, "p");                                                                 \
        assert_true(shmem_g(FIRST changing, 0) == 9);                                              \
        CHECK_SELECTED(type, "g");                                                                 \
        assert_true(shmem_g(FIRST constant + 1, 0) == 6);                                          \
        assert_true(shmem_g(FIRST both + 2, 0) == 7);                                              \
        CHECK_SELECTED(type, "g");                                                                 \
    }
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

static void test_extended_atomics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type word[1] = {1}, fetched[1] = {0};                                                      \
        volatile type *changing = word;                                                            \
        shmem_atomic_set(FIRST changing, 4, 0);                                                    \
        CHECK_SELECTED(type, "atomic_set");                                                        \
        assert_true(shmem_atomic_fetch(FIRST changing, 0) == 4);                                   \
        CHECK_SELECTED(type, "atomic_fetch");                                                      \
        shmem_atomic_fetch_nbi(FIRST fetched, changing, 0);                                        \
        CHECK_SELECTED(type, "atomic_fetch_nbi");                                                  \
        assert_true(fetched[0] == 4);                                                              \
        assert_true(shmem_atomic_swap(FIRST changing, 5, 0) == 4);                                 \
        CHECK_SELECTED(type, "atomic_swap");                                                       \
        shmem_atomic_swap_nbi(FIRST fetched, changing, 6, 0);                                      \
        CHECK_SELECTED(type, "atomic_swap_nbi");                                                   \
        assert_true(fetched[0] == 5 && word[0] == 6);                                              \
    }
    FOR_AMO_EXTENDED_TYPES(CHECK)
#undef CHECK
}

static void test_standard_atomics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type word[1] = {1}, fetched[1] = {0};                                                      \
        volatile type *changing = word;                                                            \
        assert_true(shmem_atomic_compare_swap(FIRST changing, 1, 2, 0) == 1);                      \
        CHECK_SELECTED(type, "atomic_compare_swap");                                               \
        shmem_atomic_compare_swap_nbi(FIRST fetched, changing, 2, 3, 0);                           \
        CHECK_SELECTED(type, "atomic_compare_swap_nbi");                                           \
        shmem_atomic_add(FIRST changing, 2, 0);                                                    \
        CHECK_SELECTED(type, "atomic_add");                                                        \
        assert_true(shmem_atomic_fetch_add(FIRST changing, 2, 0) == 5);                            \
        CHECK_SELECTED(type, "atomic_fetch_add");                                                  \
        shmem_atomic_fetch_add_nbi(FIRST fetched, changing, 2, 0);                                 \
        CHECK_SELECTED(type, "atomic_fetch_add_nbi");                                              \
        shmem_atomic_inc(FIRST changing, 0);                                                       \
        CHECK_SELECTED(type, "atomic_inc");                                                        \
        assert_true(shmem_atomic_fetch_inc(FIRST changing, 0) == 10);                              \
        CHECK_SELECTED(type, "atomic_fetch_inc");                                                  \
        shmem_atomic_fetch_inc_nbi(FIRST fetched, changing, 0);                                    \
        CHECK_SELECTED(type, "atomic_fetch_inc_nbi");                                              \
        assert_true(fetched[0] == 11 && word[0] == 12);                                            \
    }
    FOR_AMO_TYPES(CHECK)
#undef CHECK
}

static void test_bitwise_atomics(void **state)
{
    (void)state;
#define CHECK_OPERATION(type, op, operand, result)                                                 \
    {                                                                                              \
        type word[1] = {12}, fetched[1] = {0};                                                     \
        volatile type *changing = word;                                                            \
        shmem_atomic_##op(FIRST changing, operand, 0);                                             \
        CHECK_BITWISE(type, "atomic_" #op);                                                        \
        assert_true(word[0] == (result));                                                          \
        word[0] = 12;                                                                              \
        assert_true(shmem_atomic_fetch_##op(FIRST changing, operand, 0) == 12);                    \
        CHECK_BITWISE(type, "atomic_fetch_" #op);                                                  \
        shmem_atomic_fetch_##op##_nbi(FIRST fetched, changing, operand, 0);                        \
        CHECK_BITWISE(type, "atomic_fetch_" #op "_nbi");                                           \
        assert_true(fetched[0] == (result));                                                       \
    }
#define CHECK(name, type)                                                                          \
    CHECK_OPERATION(type, and, 10, 8)                                                              \
    CHECK_OPERATION(type, or, 10, 14)                                                              \
    CHECK_OPERATION(type, xor, 10, 6)
    FOR_AMO_BITWISE_TYPES(CHECK)
#undef CHECK
#undef CHECK_OPERATION
}

static void test_signals(void **state)
{
    uint64_t signal[1] = {1};

    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type source[1] = {5}, dest[1] = {0};                                                       \
        volatile type *changing = dest;                                                            \
        shmem_put_signal(FIRST changing, source, 1, signal, 2, SHMEM_SIGNAL_ADD, 0);               \
        CHECK_SELECTED(type, "put_signal");                                                        \
        assert_true(one_pe_waits.put.dest == dest && one_pe_waits.put.sig_addr == signal);         \
        shmem_put_signal_nbi(FIRST dest, changing, 1, signal, 2, SHMEM_SIGNAL_SET, 0);             \
        CHECK_SELECTED(type, "put_signal_nbi");                                                    \
    }
    FOR_RMA_TYPES(CHECK)
#undef CHECK
    shmem_signal_set(FIRST signal, 3, 0);
    check_selected(IN_CONTEXT, "signal", "set");
    shmem_signal_add(FIRST signal, 4, 0);
    check_selected(IN_CONTEXT, "signal", "add");
    assert_int_equal(signal[0], 7);
}

static int run_forms(const char *group)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),           cmocka_unit_test(test_extended_atomics),
        cmocka_unit_test(test_standard_atomics), cmocka_unit_test(test_bitwise_atomics),
        cmocka_unit_test(test_signals),
    };

    return cmocka_run_group_tests_name(group, tests, NULL, NULL);
}

#endif
