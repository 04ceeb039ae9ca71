/* SPDX-License-Identifier: BSD-3-Clause */
#include "combine.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* clang-format on */

/* Every count in one group, as it takes long. */
static void reduce_counts(struct member *member)
{
    for (size_t count = 0; count <= 70; count += member->size == 3 ? 1 : 35)
        check_all_kinds(member, REDUCE, count);
    check_all_kinds(member, REDUCE, 300);
}

static void test_all_kinds(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_counts, false), "");
}

/* Around what fits into an exchange buffer, and several blocks for each member. */
static void reduce_large(struct member *member)
{
    static const struct sample samples[] = {
        {REDUCE, SHM_REDUCE_SUM, SHM_ELEMENT_F64, SHM_EXCHANGE_BYTES / 8, false},
        {REDUCE, SHM_REDUCE_SUM, SHM_ELEMENT_F64, SHM_EXCHANGE_BYTES / 8 + 1, false},
        {REDUCE, SHM_REDUCE_SUM, SHM_ELEMENT_I8, SHM_EXCHANGE_BYTES, true},
        {REDUCE, SHM_REDUCE_SUM, SHM_ELEMENT_I8, SHM_EXCHANGE_BYTES + 1, true},
        {REDUCE, SHM_REDUCE_MIN, SHM_ELEMENT_I16, 4999, false},
        {REDUCE, SHM_REDUCE_SUM, SHM_ELEMENT_F32, 40000, true},
        {REDUCE, SHM_REDUCE_PROD, SHM_ELEMENT_C64, 5000, true},
        {REDUCE, SHM_REDUCE_MAX, SHM_ELEMENT_F80, 5000, false},
    };

    for (size_t i = 0; i < LENGTH(samples); i++)
        check_sample(member, &samples[i]);
}

static void test_large(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_large, false), "");
}

/* The same. */
static void reduce_large_kinds(struct member *member)
{
    if (member->size == 3 && member->group.slot != SHM_SLOT_NONE)
        check_all_kinds(member, REDUCE, 7000);
}

static void test_large_kinds(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_large_kinds, false), "");
}

static void reduce_rounds(struct member *member)
{
    check_rounds(member, REDUCE, member->self->instance->options.debug ? 12 : 100);
}

static void test_rounds(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_rounds, false), "");
}

/* With SHMEM_DEBUG the members compare their arguments first. */
static void test_debug(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_rounds, true), "");
}

static void differ(struct member *member)
{
    struct sample sample = {REDUCE, SHM_REDUCE_SUM, SHM_ELEMENT_I32, 1, false};

    if (member->rank == 1)
        sample.reduction = SHM_REDUCE_MAX;
    if (member->size == 1)
        return;
    member_expect(member, combine(member, &sample), SHM_MISMATCH);
    if (strstr(shm_error_detail(), "in the operation: max of int32 instead of sum of int32") ==
        NULL)
        fail_sample(member, &sample, shm_error_detail());
}

static void test_difference(void **state)
{
    (void)state;
    assert_string_equal(run_modes(differ, true), "");
}

/* Numbers that are none: what comes out is free, but the same bits on all members. */
static void fill_with_nans(enum shm_element element, void *array, size_t count, int rank)
{
    fill_awkward(element, array, count, 77 + (unsigned)rank);
    for (size_t i = (size_t)rank; i < count; i += 3) {
        if (element == SHM_ELEMENT_F32)
            ((float *)array)[i] = i % 2 == 0 ? NAN : -NAN;
        else
            ((double *)array)[i] = i % 2 == 0 ? NAN : -NAN;
    }
}

static void expect_equal_bits(struct member *member, const struct sample *sample)
{
    const struct shm_reach *reach = &member->self->instance->reach;
    const void *dest = dest_of(member, sample);
    const void *first = shm_reach_remote(reach, dest, 0, shm_group_pe(&member->group, 0));

    fill_with_nans(sample->element, source_of(member, sample), sample->count, member->rank);
    member_expect(member, combine(member, sample), SHM_OK);
    /* until dest of the first rank is ready */
    member_expect(member, shm_barrier(member->self->instance, &member->watch, "watch"), SHM_OK);
    if (memcmp(dest, first, sample->count * shm_element_bytes(sample->element)) != 0)
        fail_sample(member, sample, "bits differ");
    /* until all have compared */
    member_expect(member, shm_barrier(member->self->instance, &member->watch, "watch"), SHM_OK);
}

static void reduce_nans(struct member *member)
{
    static const enum shm_reduction reductions[] = {SHM_REDUCE_MIN, SHM_REDUCE_MAX, SHM_REDUCE_SUM,
                                                    SHM_REDUCE_PROD};

    for (unsigned i = 0; i < 16; i++) {
        struct sample sample = {.operation = REDUCE,
                                .reduction = reductions[i / 4],
                                .element = i & 1 ? SHM_ELEMENT_F32 : SHM_ELEMENT_F64,
                                .count = i & 2 ? 37 : 5001};

        expect_equal_bits(member, &sample);
    }
}

static void test_nans(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_nans, false), "");
}

/* Nothing to combine, but nobody goes on before all have come. */
static _Atomic unsigned arrivals[SHM_SLOT_FIRST_FREE + 2 * LENGTH(shapes)];

static void reduce_nothing(struct member *member)
{
    struct sample sample = {
        .operation = REDUCE, .reduction = SHM_REDUCE_MAX, .element = SHM_ELEMENT_F80};
    /* in all modes */
    _Atomic unsigned *counter = &arrivals[member->watch.slot];

    for (unsigned round = 1; round <= 20; round++) {
        unsigned before = atomic_fetch_add(counter, 1);

        member_expect(member, combine(member, &sample), SHM_OK);
        if (atomic_load(counter) / (unsigned)member->size == before / (unsigned)member->size)
            fail_sample(member, &sample, "went on before all had come");
        member_expect(member, shm_barrier(member->self->instance, &member->watch, "watch"), SHM_OK);
    }
}

static void test_nothing(void **state)
{
    (void)state;
    assert_string_equal(run_modes(reduce_nothing, false), "");
}

/* One member of two is enough: these errors come before anybody waits. */
static void fail_alone(struct member *member)
{
    struct sample sample = {REDUCE, SHM_REDUCE_MIN, SHM_ELEMENT_C32, 1, false};

    if (member->rank != 0)
        return;
    member_expect(member, combine(member, &sample), SHM_INVALID_VALUE);
    if (strcmp(shm_error_detail(), "reduction = min of complex float, expected one that is defined "
                                   "for these elements") != 0)
        fail_sample(member, &sample, shm_error_detail());
    sample.element = SHM_ELEMENT_I64;
    sample.count = SIZE_MAX / 8 + 1;
    member_expect(member, combine(member, &sample), SHM_INVALID_VALUE);
    if (strstr(shm_error_detail(), "at most 2305843009213693951 elements of 8 bytes") == NULL)
        fail_sample(member, &sample, shm_error_detail());
}

static void test_errors(void **state)
{
    (void)state;
    assert_string_equal(run_modes(fail_alone, false), "");
    assert_string_equal(run_modes(fail_alone, true), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),   cmocka_unit_test(test_large),
        cmocka_unit_test(test_large_kinds), cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_debug),       cmocka_unit_test(test_difference),
        cmocka_unit_test(test_nans),        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
