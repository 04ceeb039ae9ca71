/* SPDX-License-Identifier: BSD-3-Clause */
/* The C11 generics select the function of the pointer's type, and take volatile pointers. */
#include "all_types.h"
#include "one_pe.h"

#include <shmem.h>
#include <stdio.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* types of the same meaning share a function: compare with the one of the basic type */
/* clang-format off */
#define BASIC_NAME(type)                                                                           \
    _Generic((type)0,                                                                              \
        float: "float", double: "double", long double: "longdouble",                               \
        char: "char", signed char: "schar", unsigned char: "uchar",                                \
        short: "short", unsigned short: "ushort", int: "int", unsigned int: "uint",                \
        long: "long", unsigned long: "ulong", long long: "longlong",                               \
        unsigned long long: "ulonglong")

/* clang-format on */

static void check_selected(const char *basic_name, const char *operation)
{
    char name[64];

    assert_in_range(snprintf(name, sizeof(name), "shmem_%s_%s", basic_name, operation), 1,
                    sizeof(name) - 1);
    assert_string_equal(one_pe_call, name);
}

#define CHECK_SELECTED(type, operation) check_selected(BASIC_NAME(type), operation)

static void test_rma_generics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type source[4] = {5, 6, 7, 8}, dest[4] = {0};                                              \
        const type *constant = source;                                                             \
        volatile type *changing = dest;                                                            \
        shmem_put(dest, constant, 2, 0);                                                           \
        CHECK_SELECTED(type, "put");                                                               \
        assert_true(dest[1] == 6 && dest[2] == 0);                                                 \
        shmem_get(changing, source, 3, 0);                                                         \
        CHECK_SELECTED(type, "get");                                                               \
        assert_true(dest[2] == 7);                                                                 \
        shmem_put_nbi(dest, changing, 1, 0);                                                       \
        CHECK_SELECTED(type, "put_nbi");                                                           \
        shmem_get_nbi(dest, (const volatile type *)source, 1, 0);                                  \
        CHECK_SELECTED(type, "get_nbi");                                                           \
        shmem_iput(changing, constant, 1, 1, 1, 0);                                                \
        CHECK_SELECTED(type, "iput");                                                              \
        shmem_iget(dest, changing, 1, 1, 1, 0);                                                    \
        CHECK_SELECTED(type, "iget");                                                              \
        shmem_ibput(dest, source, 1, 1, 1, 1, 0);                                                  \
        CHECK_SELECTED(type, "ibput");                                                             \
        shmem_ibget(dest, source, 1, 1, 1, 1, 0);                                                  \
        CHECK_SELECTED(type, "ibget");                                                             \
        shmem_p(changing, 9, 0);                                                                   \
        CHECK_SELECTED(type, "p");                                                                 \
        assert_true(shmem_g(changing, 0) == 9);                                                    \
        CHECK_SELECTED(type, "g");                                                                 \
        assert_true(shmem_g(constant + 1, 0) == 6);                                                \
    }
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

static void test_amo_generics(void **state)
{
    (void)state;
#define CHECK_EXTENDED(name, type)                                                                 \
    {                                                                                              \
        type word = 1, fetched = 0;                                                                \
        volatile type *changing = &word;                                                           \
        shmem_atomic_set(changing, 4, 0);                                                          \
        CHECK_SELECTED(type, "atomic_set");                                                        \
        assert_true(shmem_atomic_fetch(changing, 0) == 4);                                         \
        CHECK_SELECTED(type, "atomic_fetch");                                                      \
        shmem_atomic_fetch_nbi(&fetched, changing, 0);                                             \
        assert_true(fetched == 4);                                                                 \
        assert_true(shmem_atomic_swap(changing, 5, 0) == 4);                                       \
        CHECK_SELECTED(type, "atomic_swap");                                                       \
        shmem_atomic_swap_nbi(&fetched, changing, 6, 0);                                           \
        CHECK_SELECTED(type, "atomic_swap_nbi");                                                   \
        assert_true(fetched == 5 && word == 6);                                                    \
    }
    FOR_AMO_EXTENDED_TYPES(CHECK_EXTENDED)
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type word = 1, fetched = 0;                                                                \
        assert_true(shmem_atomic_compare_swap(&word, 1, 2, 0) == 1);                               \
        CHECK_SELECTED(type, "atomic_compare_swap");                                               \
        shmem_atomic_compare_swap_nbi(&fetched, &word, 2, 3, 0);                                   \
        shmem_atomic_add(&word, 2, 0);                                                             \
        CHECK_SELECTED(type, "atomic_add");                                                        \
        assert_true(shmem_atomic_fetch_add(&word, 2, 0) == 5);                                     \
        shmem_atomic_fetch_add_nbi(&fetched, &word, 2, 0);                                         \
        shmem_atomic_inc(&word, 0);                                                                \
        CHECK_SELECTED(type, "atomic_inc");                                                        \
        assert_true(shmem_atomic_fetch_inc(&word, 0) == 10);                                       \
        shmem_atomic_fetch_inc_nbi(&fetched, &word, 0);                                            \
        assert_true(fetched == 11 && word == 12);                                                  \
    }
    FOR_AMO_TYPES(CHECK)
#undef CHECK
}

static void test_bitwise_generics(void **state)
{
    uint32_t word = 12, fetched = 0;
    int32_t signed_word = 12;
    int64_t long_word = 12;

    (void)state;
    shmem_atomic_and(&word, 10, 0);
    shmem_atomic_or(&word, 1, 0);
    shmem_atomic_xor(&word, 3, 0);
    assert_int_equal(word, 10);
    assert_int_equal(shmem_atomic_fetch_and(&word, 8, 0), 10);
    assert_int_equal(shmem_atomic_fetch_or(&word, 4, 0), 8);
    assert_int_equal(shmem_atomic_fetch_xor(&word, 4, 0), 12);
    shmem_atomic_fetch_and_nbi(&fetched, &word, 15, 0);
    shmem_atomic_fetch_or_nbi(&fetched, &word, 1, 0);
    shmem_atomic_fetch_xor_nbi(&fetched, &word, 2, 0);
    assert_true(fetched == 9 && word == 11);
    assert_string_equal(one_pe_call, "shmem_uint_atomic_fetch_xor_nbi");
    shmem_atomic_and(&signed_word, 10, 0);
    assert_string_equal(one_pe_call, "shmem_int32_atomic_and");
    shmem_atomic_and(&long_word, 10, 0);
    assert_string_equal(one_pe_call, "shmem_int64_atomic_and");
}

static void test_deprecated_generics(void **state)
{
    long word = 1;
    double real = 1;

    (void)state;
    shmem_set(&real, 2.5, 0);
    assert_true(shmem_fetch(&real, 0) == 2.5 && shmem_swap(&real, 1.0, 0) == 2.5);
    assert_string_equal(one_pe_call, "shmem_double_swap");
    shmem_add(&word, 2, 0);
    shmem_inc(&word, 0);
    assert_true(shmem_fadd(&word, 1, 0) == 4 && shmem_finc(&word, 0) == 5);
    assert_int_equal(shmem_cswap(&word, 6, 7, 0), 6);
    assert_string_equal(one_pe_call, "shmem_long_cswap");
}

static void test_wait_generics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        volatile type word = 3;                                                                    \
        assert_int_equal(shmem_test(&word, SHMEM_CMP_EQ, 3), 1);                                   \
        CHECK_SELECTED(type, "test");                                                              \
        shmem_wait_until(&word, SHMEM_CMP_GT, 2);                                                  \
        CHECK_SELECTED(type, "wait_until");                                                        \
    }
    FOR_AMO_TYPES(CHECK)
    CHECK(short, short)
    CHECK(ushort, unsigned short)
#undef CHECK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rma_generics),        cmocka_unit_test(test_amo_generics),
        cmocka_unit_test(test_bitwise_generics),    cmocka_unit_test(test_wait_generics),
        cmocka_unit_test(test_deprecated_generics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
