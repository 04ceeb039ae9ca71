/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/coll_internal.h"

#include "members.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* clang-format on */

/* Calls in which the member of the last rank differs from the others. */
static enum shm_status call_other_root(struct member *member, bool is_odd)
{
    return shm_broadcast(&member->collective, member->dest, member->source, 8, is_odd, true);
}

static enum shm_status call_other_bytes(struct member *member, bool is_odd)
{
    return shm_fcollect(&member->collective, member->dest, member->source, is_odd ? 40 : 8);
}

static enum shm_status call_other_dest(struct member *member, bool is_odd)
{
    return shm_collect(&member->collective, member->dest + 16 * is_odd, member->source,
                       8 + 8 * (size_t)is_odd);
}

static enum shm_status call_other_source(struct member *member, bool is_odd)
{
    return shm_alltoall(&member->collective, member->dest, member->source + 16 * is_odd, 8);
}

static enum shm_status call_private_source(struct member *member, bool is_odd)
{
    static const uint64_t private[PES];

    return shm_alltoall(&member->collective, member->dest,
                        is_odd ? (const void *)private : member->source, 8);
}

static enum shm_status call_other_kind(struct member *member, bool is_odd)
{
    if (is_odd)
        return shm_alltoall(&member->collective, member->dest, member->source, 8);
    return shm_fcollect(&member->collective, member->dest, member->source, 8);
}

static enum shm_status call_alltoalls(struct member *member, ptrdiff_t dest_stride,
                                      ptrdiff_t source_stride, size_t count, size_t element_bytes)
{
    struct shm_alltoalls arrays = {member->dest,  member->source, dest_stride,
                                   source_stride, count,          element_bytes};

    return shm_alltoalls(&member->collective, &arrays);
}

static enum shm_status call_other_dest_stride(struct member *member, bool is_odd)
{
    return call_alltoalls(member, 1 + is_odd, 2, 3, 4);
}

static enum shm_status call_other_source_stride(struct member *member, bool is_odd)
{
    return call_alltoalls(member, 1, 2 - is_odd, 3, 4);
}

static enum shm_status call_other_count(struct member *member, bool is_odd)
{
    return call_alltoalls(member, 1, 1, 3 + (size_t)is_odd, 4);
}

static enum shm_status call_other_element(struct member *member, bool is_odd)
{
    return call_alltoalls(member, 1, 1, 3, is_odd ? 8 : 4);
}

struct disagreement {
    enum shm_status (*call)(struct member *member, bool is_odd);
    const char *text;        /* what differs, and how */
    const char *static_text; /* where the arrays are static data; NULL = the same */
};

static const struct disagreement disagreements[] = {
    {call_other_root, "PE_root: 1 instead of 0", NULL},
    {call_other_bytes, "nelems, in bytes: 40 instead of 8", NULL},
    {call_other_dest, "dest: heap + 2097168 instead of heap + 2097152",
     "dest: static data + 2097168 instead of static data + 2097152"},
    {call_other_source, "source: heap + 65552 instead of heap + 65536",
     "source: static data + 65552 instead of static data + 65536"},
    {call_private_source, "source: no symmetric address instead of heap + 65536",
     "source: no symmetric address instead of static data + 65536"},
    {call_other_kind, "the kind of collective: alltoall instead of fcollect", NULL},
    {call_other_dest_stride, "dst: 2 instead of 1", NULL},
    {call_other_source_stride, "sst: 1 instead of 2", NULL},
    {call_other_count, "nelems: 4 instead of 3", NULL},
    {call_other_element, "the bytes of an element: 8 instead of 4", NULL},
};

static void expect_mismatch(struct member *member, const struct disagreement *disagreement)
{
    const struct run *run = member->self->argument;
    bool is_static = run->mode->is_static && disagreement->static_text != NULL;
    char expected[200];

    member_begin(member, 400, 400);
    member_expect(member, disagreement->call(member, member->rank == member->size - 1),
                  SHM_MISMATCH);
    snprintf(expected, sizeof expected, "PE %d differs from PE %d in %s",
             shm_group_pe(&member->group, member->size - 1), member->group.start,
             is_static ? disagreement->static_text : disagreement->text);
    if (strcmp(shm_error_detail(), expected) != 0)
        thread_job_fail(member->self, "the reason is \"%s\", expected \"%s\"", shm_error_detail(),
                        expected);
    check_untouched(member, member->dest, 400);
    check_guards(member, 400);
    check_words(member);
    /* all go on together */
    member_expect(member, disagreement->call(member, false), SHM_OK);
    check_words(member);
}

static void disagree(struct member *member)
{
    for (size_t i = 0; i < LENGTH(disagreements) && member->size > 1; i++)
        expect_mismatch(member, &disagreements[i]);
}

static void test_disagreement(void **state)
{
    (void)state;
    assert_string_equal(run_modes(disagree, true), "");
}

/* The first member that differs is named, and of what it differs in the first thing. */
static void disagree_in_several(struct member *member)
{
    char expected[200];

    if (member->size < 3)
        return;
    member_begin(member, 400, 400);
    member_expect(member,
                  shm_broadcast(&member->collective, member->dest + 8 * member->rank,
                                member->source, member->rank == 0 ? 8 : 16, member->rank, true),
                  SHM_MISMATCH);
    snprintf(expected, sizeof expected,
             "PE %d differs from PE %d in nelems, in bytes: 16 instead of 8",
             shm_group_pe(&member->group, 1), member->group.start);
    if (strcmp(shm_error_detail(), expected) != 0)
        thread_job_fail(member->self, "the reason is \"%s\", expected \"%s\"", shm_error_detail(),
                        expected);
    check_words(member);
}

static void test_first_difference(void **state)
{
    (void)state;
    assert_string_equal(run_modes(disagree_in_several, true), "");
}

/* Where there is nothing to move, addresses do not matter. */
static void agree_on_nothing(struct member *member)
{
    bool is_odd = member->rank == member->size - 1;

    member_expect(member,
                  shm_broadcast(&member->collective, is_odd ? NULL : member->dest,
                                is_odd ? NULL : member->source, 0, 0, true),
                  SHM_OK);
    check_words(member);
}

static void test_nothing(void **state)
{
    (void)state;
    assert_string_equal(run_modes(agree_on_nothing, true), "");
}

static struct shm_coll_record reduction(enum shm_reduction operation, enum shm_element element,
                                        bool is_inclusive)
{
    return (struct shm_coll_record){
        .kind = is_inclusive ? SHM_COLL_SCAN : SHM_COLL_REDUCE,
        .count = 1,
        .detail = shm_coll_reduction_detail(operation, element, is_inclusive)};
}

static void agree_on_operations(struct member *member)
{
    struct shm_coll_record sum = reduction(SHM_REDUCE_SUM, SHM_ELEMENT_F64, true);
    struct shm_coll_record product = reduction(SHM_REDUCE_PROD, SHM_ELEMENT_C64, true);
    const char *expected = "in the operation: inclusive product of complex double instead of "
                           "inclusive sum of double";

    if (member->size == 1)
        return;
    member_expect(member, shm_coll_agree(&member->collective, member->rank == 0 ? &sum : &product),
                  SHM_MISMATCH);
    if (strstr(shm_error_detail(), expected) == NULL)
        thread_job_fail(member->self, "the reason is \"%s\"", shm_error_detail());
    check_words(member);
}

static void test_operations(void **state)
{
    (void)state;
    assert_string_equal(run_modes(agree_on_operations, true), "");
}

/* Without SHMEM_DEBUG nobody compares: it costs nothing, not even a barrier. */
static void do_not_compare(struct member *member)
{
    struct shm_coll_record record = reduction(SHM_REDUCE_SUM, SHM_ELEMENT_F64, false);
    uint64_t sequence = member->group.sequence;

    record.count = (uint64_t)member->rank;
    member_expect(member, shm_coll_agree(&member->collective, &record), SHM_OK);
    if (member->group.sequence != sequence)
        thread_job_fail(member->self, "it met the others");
}

static void test_no_comparison(void **state)
{
    (void)state;
    assert_string_equal(run_modes(do_not_compare, false), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disagreement),  cmocka_unit_test(test_first_difference),
        cmocka_unit_test(test_nothing),       cmocka_unit_test(test_operations),
        cmocka_unit_test(test_no_comparison),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
