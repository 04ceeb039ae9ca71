/* SPDX-License-Identifier: BSD-3-Clause */
#include "members.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* clang-format on */

static void fcollect_once(struct member *member, size_t bytes)
{
    size_t total = bytes * (size_t)member->size;

    member_begin(member, bytes, total);
    member_meet(member);
    member_expect(member,
                  shm_fcollect(&member->collective, bytes != 0 ? member->dest : NULL,
                               bytes != 0 ? member->source : NULL, bytes),
                  SHM_OK);
    for (int rank = 0; rank < member->size; rank++)
        check_block(member, (size_t)rank * bytes, rank, 0, bytes);
    check_guards(member, total);
    check_words(member);
}

static void fcollect_all(struct member *member)
{
    for (size_t i = 0; i < LENGTH(sizes); i++)
        fcollect_once(member, sizes[i]);
}

static void test_fcollect(void **state)
{
    (void)state;
    assert_string_equal(run_modes(fcollect_all, false), "");
}

/* How much each member contributes. */
static size_t equal_share(size_t size, int rank)
{
    (void)rank;
    return size;
}

static size_t mixed_share(size_t size, int rank)
{
    const size_t parts[] = {size / 2, 0, size, 3};

    return parts[rank % 4];
}

static size_t single_share(size_t size, int rank)
{
    return rank == 1 ? size : 0;
}

static size_t (*const shares[])(size_t size, int rank) = {equal_share, mixed_share, single_share};

/* A member without a contribution has no address for it either. */
static void collect_once(struct member *member, size_t size, size_t (*share)(size_t size, int rank))
{
    size_t bytes = share(size, member->rank);
    size_t total = 0;

    for (int rank = 0; rank < member->size; rank++)
        total += share(size, rank);
    member_begin(member, bytes, total);
    member_expect(member,
                  shm_collect(&member->collective, total != 0 ? member->dest : NULL,
                              bytes != 0 ? member->source : NULL, bytes),
                  SHM_OK);
    check_guards(member, total);
    total = 0;
    for (int rank = 0; rank < member->size; rank++) {
        check_block(member, total, rank, 0, share(size, rank));
        total += share(size, rank);
    }
    check_words(member);
}

static void collect_all(struct member *member)
{
    static const size_t brims[] = {1007, 1008, 1009}; /* what the buffers just hold, or not */

    for (size_t kind = 0; kind < LENGTH(shares); kind++) {
        for (size_t i = 0; i < LENGTH(sizes); i++)
            collect_once(member, sizes[i], shares[kind]);
        for (size_t i = 0; i < LENGTH(brims); i++)
            collect_once(member, brims[i], shares[kind]);
    }
}

static void test_collect(void **state)
{
    (void)state;
    assert_string_equal(run_modes(collect_all, false), "");
}

/* Bytes of dest up to the end of symmetric memory: room for all but one byte of the total. */
static void collect_too_much(struct member *member, size_t bytes)
{
    const struct run *run = member->self->argument;
    const struct shm_reach *reach = &member->self->instance->reach;
    uintptr_t end = run->mode->is_static ? reach->static_begin + reach->static_bytes
                                         : reach->heap_begin + reach->heap_bytes;
    unsigned char *dest = (unsigned char *)end - bytes * (size_t)member->size + 1;

    member_begin(member, bytes, 0);
    dest[0] = UNTOUCHED;
    member_expect(member, shm_collect(&member->collective, dest, member->source, bytes),
                  SHM_INVALID_VALUE);
    if (strstr(shm_error_detail(), "expected room for") == NULL)
        thread_job_fail(member->self, "the reason is \"%s\"", shm_error_detail());
    check_untouched(member, dest, 1);
    check_words(member);
    /* dest fits */
    member_expect(member, shm_collect(&member->collective, dest - 1, member->source, bytes),
                  SHM_OK);
    check_words(member);
}

/* One member passes a dest that is none: it hears so, the others get their data. */
static void collect_astray(struct member *member, size_t bytes)
{
    bool is_astray = member->rank == member->size - 1;

    member_begin(member, bytes, bytes * (size_t)member->size);
    member_expect(
        member,
        shm_collect(&member->collective, is_astray ? NULL : member->dest, member->source, bytes),
        is_astray ? SHM_INVALID_VALUE : SHM_OK);
    for (int rank = 0; rank < member->size && !is_astray; rank++)
        check_block(member, (size_t)rank * bytes, rank, 0, bytes);
    check_words(member);
}

static void refuse_all(struct member *member)
{
    collect_too_much(member, 100);
    collect_too_much(member, 5000);
    collect_astray(member, 100);
    collect_astray(member, 5000);
    /* a sum that no size can hold: with two members it wraps around to nothing */
    member_begin(member, 0, 0);
    if (member->size > 1)
        member_expect(member,
                      shm_collect(&member->collective, member->dest, member->source,
                                  member->rank < 2 ? SIZE_MAX / 2 + 1 : 2),
                      SHM_INVALID_VALUE);
    collect_once(member, 100, equal_share);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_string_equal(run_modes(refuse_all, false), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fcollect),
        cmocka_unit_test(test_collect),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
