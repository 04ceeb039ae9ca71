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

/* Half of the counts in each group, as all would take long. */
static void scan_counts(struct member *member)
{
    static const size_t counts[] = {0, 1, 7, 33, 70, 300, 64, 129};

    for (size_t i = member->size & 1; i < LENGTH(counts); i += 2) {
        check_all_kinds(member, EXCLUSIVE_SCAN, counts[i]);
        check_all_kinds(member, INCLUSIVE_SCAN, counts[i]);
    }
}

static void test_all_kinds(void **state)
{
    (void)state;
    assert_string_equal(run_modes(scan_counts, false), "");
}

/* Several blocks for each member. */
static void scan_large(struct member *member)
{
    static const struct sample samples[] = {
        {EXCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_F64, 40000, false},
        {EXCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_I32, 9000, true},
        {EXCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_I8, SHM_EXCHANGE_BYTES + 1, false},
        {INCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_I8, SHM_EXCHANGE_BYTES, true},
        {INCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_I64, 5000, false},
        {INCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_F32, 39999, true},
        {INCLUSIVE_SCAN, SHM_REDUCE_MAX, SHM_ELEMENT_F80, 5000, true},
    };

    for (size_t i = 0; i < LENGTH(samples); i++)
        check_sample(member, &samples[i]);
}

static void test_large(void **state)
{
    (void)state;
    assert_string_equal(run_modes(scan_large, false), "");
}

static void scan_rounds(struct member *member)
{
    unsigned rounds = member->self->instance->options.debug ? 12 : 50;

    check_rounds(member, EXCLUSIVE_SCAN, rounds);
    check_rounds(member, INCLUSIVE_SCAN, rounds);
}

static void test_rounds(void **state)
{
    (void)state;
    assert_string_equal(run_modes(scan_rounds, false), "");
}

static void test_debug(void **state)
{
    (void)state;
    assert_string_equal(run_modes(scan_rounds, true), "");
}

/* One member asks for the other scan. */
static void differ(struct member *member)
{
    struct sample sample = {EXCLUSIVE_SCAN, SHM_REDUCE_SUM, SHM_ELEMENT_I32, 1, false};

    if (member->rank == member->size - 1)
        sample.operation = INCLUSIVE_SCAN;
    if (member->size == 1)
        return;
    member_expect(member, combine(member, &sample), SHM_MISMATCH);
    if (strstr(shm_error_detail(),
               "operation: inclusive sum of int32 instead of exclusive sum of int32") == NULL)
        fail_sample(member, &sample, shm_error_detail());
}

static void test_difference(void **state)
{
    (void)state;
    assert_string_equal(run_modes(differ, true), "");
}

/* One member of two is enough: these errors come before anybody waits. */
static void fail_alone(struct member *member)
{
    struct sample sample = {INCLUSIVE_SCAN, SHM_REDUCE_XOR, SHM_ELEMENT_F32, 1, false};

    if (member->rank != 0)
        return;
    member_expect(member, combine(member, &sample), SHM_INVALID_VALUE);
    if (strstr(shm_error_detail(), "reduction = xor of float") == NULL)
        fail_sample(member, &sample, shm_error_detail());
    sample.reduction = SHM_REDUCE_SUM;
    sample.count = SIZE_MAX / 2;
    member_expect(member, combine(member, &sample), SHM_INVALID_VALUE);
}

static void test_errors(void **state)
{
    (void)state;
    assert_string_equal(run_modes(fail_alone, false), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),  cmocka_unit_test(test_large),
        cmocka_unit_test(test_rounds),     cmocka_unit_test(test_debug),
        cmocka_unit_test(test_difference), cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
