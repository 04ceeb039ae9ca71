/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The tests of the OpenSHMEM functions that exist alone and on a context. Who includes this defines
 * the form (forms.h), and calls run_forms().
 */
#ifndef FORMS_TESTS_H
#define FORMS_TESTS_H

#include "forms.h"

static void test_typed_copies_move_whole_elements(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_COPY(name, type, put)                                                                    \
    CHECK_COPY(name, type, get)                                                                    \
    CHECK_COPY(name, type, put_nbi)                                                                \
    CHECK_COPY(name, type, get_nbi)                                                                \
    CHECK_SCALAR(name, type)
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

static void test_strides_count_elements(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_STRIDED(name, type, iput)                                                                \
    CHECK_STRIDED(name, type, iget)                                                                \
    CHECK_BLOCKS(name, type, ibput)                                                                \
    CHECK_BLOCKS(name, type, ibget)
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

static void test_sized_copies_count_elements_of_that_size(void **state)
{
    (void)state;
#define CHECK(bits)                                                                                \
    CHECK_SIZED(put, bits, , "face_put")                                                           \
    CHECK_SIZED(get, bits, , "face_get")                                                           \
    CHECK_SIZED(put, bits, _nbi, "face_put_nbi")                                                   \
    CHECK_SIZED(get, bits, _nbi, "face_get_nbi")                                                   \
    CHECK_SIZED_STRIDED(iput, bits)                                                                \
    CHECK_SIZED_STRIDED(iget, bits)                                                                \
    CHECK_SIZED_BLOCKS(ibput, bits)                                                                \
    CHECK_SIZED_BLOCKS(ibget, bits)
    FOR_SIZES(CHECK)
#undef CHECK
}

static void test_mem_copies_count_bytes(void **state)
{
    (void)state;
    CHECK_MEM(putmem, "face_put")
    CHECK_MEM(putmem_nbi, "face_put_nbi")
    CHECK_MEM(getmem, "face_get")
    CHECK_MEM(getmem_nbi, "face_get_nbi")
}

static void test_extended_atomics_keep_value_and_sign(void **state)
{
    (void)state;
    FOR_AMO_EXTENDED_TYPES(CHECK_EXTENDED_ATOMICS)
}

static void test_standard_atomics(void **state)
{
    (void)state;
    FOR_AMO_TYPES(CHECK_STANDARD_ATOMICS)
}

static void test_bitwise_atomics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_BITWISE_ATOMICS(name, type, and, 10, 8)                                                  \
    CHECK_BITWISE_ATOMICS(name, type, or, 10, 14)                                                  \
    CHECK_BITWISE_ATOMICS(name, type, xor, 10, 6)
    FOR_AMO_BITWISE_TYPES(CHECK)
#undef CHECK
}

static void test_data_with_a_signal(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_PUT_SIGNAL(name##_put_signal, sizeof(type), "face_put_signal")                           \
    CHECK_PUT_SIGNAL(name##_put_signal_nbi, sizeof(type), "face_put_signal_nbi")
    FOR_RMA_TYPES(CHECK)
#undef CHECK
#define CHECK(bits)                                                                                \
    CHECK_PUT_SIGNAL(put##bits##_signal, bits / 8, "face_put_signal")                              \
    CHECK_PUT_SIGNAL(put##bits##_signal_nbi, bits / 8, "face_put_signal_nbi")
    FOR_SIZES(CHECK)
#undef CHECK
    CHECK_PUT_SIGNAL(putmem_signal, 1, "face_put_signal")
    CHECK_PUT_SIGNAL(putmem_signal_nbi, 1, "face_put_signal_nbi")
}

static void test_signals_alone(void **state)
{
    uint64_t signal[2] = {1, 1};

    (void)state;
    FUNCTION(signal_set)(FIRST signal, 1ull << 63, 4);
    CHECK_FORM(signal_set, "face_signal_set", 4);
    assert_true(signal[0] == 1ull << 63);
    FUNCTION(signal_add)(FIRST signal, 1ull << 62, 6);
    CHECK_FORM(signal_add, "face_signal_add", 6);
    assert_true(signal[0] == 3ull << 62 && signal[1] == 1);
}

static int run_forms(const char *group)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_copies_move_whole_elements),
        cmocka_unit_test(test_strides_count_elements),
        cmocka_unit_test(test_sized_copies_count_elements_of_that_size),
        cmocka_unit_test(test_mem_copies_count_bytes),
        cmocka_unit_test(test_extended_atomics_keep_value_and_sign),
        cmocka_unit_test(test_standard_atomics),
        cmocka_unit_test(test_bitwise_atomics),
        cmocka_unit_test(test_data_with_a_signal),
        cmocka_unit_test(test_signals_alone),
    };

    return cmocka_run_group_tests_name(group, tests, NULL, NULL);
}

#endif
