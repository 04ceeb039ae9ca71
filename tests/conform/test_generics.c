/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the tests of generics/ and, here, those of the generics that take no context. */
#include "generics/generics.h"

#include <stdio.h>

#define CHECK_SELECTED(type, operation)                                                            \
    check_selected(SHMEM_CTX_INVALID, BASIC_NAME(type), operation)
#define CHECK_BITWISE(type, operation)                                                             \
    check_selected(SHMEM_CTX_INVALID, BITWISE_NAME(type), operation)

void check_selected(shmem_ctx_t ctx, const char *type, const char *operation)
{
    const char *prefix = ctx == SHMEM_CTX_INVALID ? "shmem" : "shmem_ctx";
    char name[64];

    assert_in_range(snprintf(name, sizeof(name), "%s_%s_%s", prefix, type, operation), 1,
                    sizeof(name) - 1);
    assert_string_equal(one_pe_call, name);
    assert_ptr_equal(one_pe_context.ctx, ctx);
    one_pe_context = (struct one_pe_context){NULL, SHMEM_CTX_INVALID, 0};
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
        assert_int_equal(shmem_test(&word, SHMEM_CMP_EQ, 3), ONE_PE_RESULT);                       \
        CHECK_SELECTED(type, "test");                                                              \
        shmem_wait_until(&word, SHMEM_CMP_GT, 2);                                                  \
        CHECK_SELECTED(type, "wait_until");                                                        \
        assert_true(one_pe_waits.word.word == &word && one_pe_waits.word.value == 2);              \
    }
    FOR_AMO_TYPES(CHECK)
    CHECK(short, short)
    CHECK(ushort, unsigned short)
#undef CHECK
}

#define CHECK_WORDS(type, op)                                                                      \
    (void)shmem_##op(changing, 2, NULL, SHMEM_CMP_EQ, 3);                                          \
    CHECK_SELECTED(type, #op);                                                                     \
    assert_true(one_pe_waits.words.words == words && one_pe_waits.words.value == 3);               \
    (void)shmem_##op##_vector(changing, 2, NULL, SHMEM_CMP_EQ, values);                            \
    CHECK_SELECTED(type, #op "_vector");                                                           \
    assert_true(one_pe_waits.words.words == words && one_pe_waits.words.values == values)

#define CHECK_LISTED_WORDS(type, op)                                                               \
    (void)shmem_##op(changing, 2, indices, NULL, SHMEM_CMP_EQ, 3);                                 \
    CHECK_SELECTED(type, #op);                                                                     \
    assert_true(one_pe_waits.words.words == words && one_pe_waits.indices == indices);             \
    (void)shmem_##op##_vector(changing, 2, indices, NULL, SHMEM_CMP_EQ, values);                   \
    CHECK_SELECTED(type, #op "_vector");                                                           \
    assert_true(one_pe_waits.words.values == values && one_pe_waits.indices == indices)

static void test_generics_of_several_words(void **state)
{
    size_t indices[2];

    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type words[2] = {0}, values[2] = {0};                                                      \
        volatile type *changing = words;                                                           \
        CHECK_WORDS(type, wait_until_all);                                                         \
        CHECK_WORDS(type, wait_until_any);                                                         \
        CHECK_LISTED_WORDS(type, wait_until_some);                                                 \
        CHECK_WORDS(type, test_all);                                                               \
        CHECK_WORDS(type, test_any);                                                               \
        CHECK_LISTED_WORDS(type, test_some);                                                       \
    }
    FOR_AMO_TYPES(CHECK)
#undef CHECK
}

static void test_collective_generics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type source[1] = {0}, dest[1] = {0};                                                       \
        volatile type *changing = dest;                                                            \
        const volatile type *both = source;                                                        \
        assert_int_equal(shmem_broadcast(A_TEAM, changing, both, 1, 2), ONE_PE_RESULT);            \
        CHECK_SELECTED(type, "broadcast");                                                         \
        assert_true(one_pe_given.dest == dest && one_pe_given.source == source);                   \
        assert_int_equal(shmem_collect(A_TEAM, changing, source, 1), ONE_PE_RESULT);               \
        CHECK_SELECTED(type, "collect");                                                           \
        assert_int_equal(shmem_fcollect(A_TEAM, dest, both, 1), ONE_PE_RESULT);                    \
        CHECK_SELECTED(type, "fcollect");                                                          \
        assert_int_equal(shmem_alltoall(A_TEAM, dest, source, 1), ONE_PE_RESULT);                  \
        CHECK_SELECTED(type, "alltoall");                                                          \
        assert_int_equal(shmem_alltoalls(A_TEAM, changing, both, 3, 4, 1), ONE_PE_RESULT);         \
        CHECK_SELECTED(type, "alltoalls");                                                         \
    }
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

#define CHECK_REDUCE(generic, CHECK_NAME, type)                                                    \
    {                                                                                              \
        type source[1] = {0}, dest[1] = {0};                                                       \
        volatile type *changing = dest;                                                            \
        const volatile type *both = source;                                                        \
        assert_int_equal(shmem_##generic(A_TEAM, changing, source, 1), ONE_PE_RESULT);             \
        CHECK_NAME(type, #generic);                                                                \
        assert_int_equal(shmem_##generic(A_TEAM, dest, both, 1), ONE_PE_RESULT);                   \
        CHECK_NAME(type, #generic);                                                                \
        assert_true(one_pe_given.reduce.dest == dest && one_pe_given.reduce.source == source);     \
    }

static void test_reduction_generics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_REDUCE(and_reduce, CHECK_BITWISE, type)                                                  \
    CHECK_REDUCE(or_reduce, CHECK_BITWISE, type)                                                   \
    CHECK_REDUCE(xor_reduce, CHECK_BITWISE, type)
    FOR_REDUCE_BITWISE_TYPES(CHECK)
#undef CHECK
#define CHECK(name, type)                                                                          \
    CHECK_REDUCE(min_reduce, CHECK_SELECTED, type)                                                 \
    CHECK_REDUCE(max_reduce, CHECK_SELECTED, type)
    FOR_RMA_TYPES(CHECK)
#undef CHECK
#define CHECK(name, type)                                                                          \
    CHECK_REDUCE(sum_reduce, CHECK_SELECTED, type)                                                 \
    CHECK_REDUCE(prod_reduce, CHECK_SELECTED, type)                                                \
    CHECK_REDUCE(sum_inscan, CHECK_SELECTED, type)                                                 \
    CHECK_REDUCE(sum_exscan, CHECK_SELECTED, type)
    FOR_RMA_TYPES(CHECK)
    FOR_COMPLEX_TYPES(CHECK)
#undef CHECK
}

/* A team, or an active set with its work array. */
static void test_two_kinds_of_sync(void **state)
{
    long words[1];

    (void)state;
    assert_int_equal(shmem_sync(A_TEAM), ONE_PE_RESULT);
    assert_string_equal(one_pe_call, "shmem_team_sync");
    assert_ptr_equal(one_pe_given.team, A_TEAM);
    shmem_sync(1, 2, 3, words);
    assert_string_equal(one_pe_call, "shmem_sync");
    assert_true(one_pe_given.set.start == 1 && one_pe_given.set.log_stride == 2 &&
                one_pe_given.set.size == 3 && one_pe_given.set.sync == words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deprecated_generics),
        cmocka_unit_test(test_wait_generics),
        cmocka_unit_test(test_generics_of_several_words),
        cmocka_unit_test(test_collective_generics),
        cmocka_unit_test(test_reduction_generics),
        cmocka_unit_test(test_two_kinds_of_sync),
    };

    return run_plain_generics() + run_generics_on_contexts() +
           cmocka_run_group_tests(tests, NULL, NULL);
}
