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

#define ROUNDS 200
#define BYTES_MOST 1600 /* some calls fit into the buffers, some do not */

/* Members do not wait for each other between calls: who is done changes its source and goes on,
 * while others may still be copying. */
static void broadcast_round(struct member *member, size_t bytes)
{
    int root = (int)(member->round % (unsigned)member->size);

    member_expect(
        member, shm_broadcast(&member->collective, member->dest, member->source, bytes, root, true),
        SHM_OK);
    check_block(member, 0, root, 0, bytes);
}

static void fcollect_round(struct member *member, size_t bytes)
{
    member_expect(member, shm_fcollect(&member->collective, member->dest, member->source, bytes),
                  SHM_OK);
    for (int rank = 0; rank < member->size; rank++)
        check_block(member, (size_t)rank * bytes, rank, 0, bytes);
}

static void collect_round(struct member *member, size_t bytes)
{
    size_t at = 0;

    member_expect(member,
                  shm_collect(&member->collective, member->dest, member->source,
                              bytes / (size_t)(member->rank + 1)),
                  SHM_OK);
    for (int rank = 0; rank < member->size; rank++) {
        check_block(member, at, rank, 0, bytes / (size_t)(rank + 1));
        at += bytes / (size_t)(rank + 1);
    }
}

static void alltoall_round(struct member *member, size_t bytes)
{
    size_t block = bytes / (size_t)member->size;

    member_expect(member, shm_alltoall(&member->collective, member->dest, member->source, block),
                  SHM_OK);
    for (int rank = 0; rank < member->size; rank++)
        check_block(member, (size_t)rank * block, rank, (size_t)member->rank * block, block);
}

static void alltoalls_round(struct member *member, size_t bytes)
{
    size_t count = bytes / 8 / (size_t)member->size;
    struct shm_alltoalls arrays = {member->dest, member->source, 1, 1, count, 8};

    member_expect(member, shm_alltoalls(&member->collective, &arrays), SHM_OK);
    for (int rank = 0; rank < member->size; rank++)
        check_block(member, (size_t)rank * count * 8, rank, (size_t)member->rank * count * 8,
                    count * 8);
}

struct call {
    void (*round)(struct member *member, size_t bytes);
    bool waits_for_all; /* to come */
    bool wants_dest;    /* ready on all before the first calls */
};

static const struct call calls[] = {
    {broadcast_round, .waits_for_all = false, .wants_dest = false},
    {fcollect_round, .waits_for_all = true, .wants_dest = true},
    {collect_round, .waits_for_all = true, .wants_dest = false},
    {alltoall_round, .waits_for_all = true, .wants_dest = true},
    {alltoalls_round, .waits_for_all = true, .wants_dest = true},
};

static void begin_rounds(struct member *member, size_t bytes)
{
    member_clear(member->other_dest, (size_t)member->size * bytes);
    member_meet(member);
}

static void run_rounds(struct member *member, int rounds)
{
    uint32_t chance = 1; /* the same on all members */
    const struct call *last = &calls[1];

    begin_rounds(member, BYTES_MOST);
    for (int i = 0; i < rounds; i++) {
        const struct call *call;

        chance = chance * 1664525u + 1013904223u;
        call = &calls[(chance >> 24) % LENGTH(calls)];
        member_begin_in_turn(member, BYTES_MOST, (size_t)member->size * BYTES_MOST);
        if (call->wants_dest && !last->waits_for_all)
            member_meet(member);
        call->round(member, (chance >> 8) % BYTES_MOST);
        last = call;
    }
    check_words(member);
}

static void run_many_rounds(struct member *member)
{
    run_rounds(member, ROUNDS);
}

static void run_some_rounds(struct member *member)
{
    run_rounds(member, ROUNDS / 5);
}

/* One call after the other of the same kind meets the same half of the buffers every other time. */
static void run_rounds_of_a_kind(struct member *member)
{
    for (size_t kind = 0; kind < LENGTH(calls); kind++) {
        begin_rounds(member, 64);
        for (int i = 0; i < ROUNDS / 10; i++) {
            member_begin_in_turn(member, 64, (size_t)member->size * 64);
            calls[kind].round(member, 64);
        }
    }
    check_words(member);
}

static void test_rounds(void **state)
{
    (void)state;
    assert_string_equal(run_modes(run_many_rounds, false), "");
}

static void test_rounds_of_a_kind(void **state)
{
    (void)state;
    assert_string_equal(run_modes(run_rounds_of_a_kind, false), "");
}

static void test_rounds_with_debug(void **state)
{
    (void)state;
    assert_string_equal(run_modes(run_some_rounds, true), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_rounds_of_a_kind),
        cmocka_unit_test(test_rounds_with_debug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
