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

/* Addresses that do not matter are not passed. */
static void broadcast_once(struct member *member, size_t bytes, int root, bool has_root_dest)
{
    bool is_reached = has_root_dest || member->rank != root;
    void *dest = bytes != 0 && is_reached ? member->dest : NULL;
    void *source = bytes != 0 && member->rank == root ? member->source : NULL;

    member_begin(member, bytes, bytes);
    member_expect(member,
                  shm_broadcast(&member->collective, dest, source, bytes, root, has_root_dest),
                  SHM_OK);
    if (is_reached)
        check_block(member, 0, root, 0, bytes);
    else
        check_untouched(member, member->dest, bytes);
    check_guards(member, bytes);
    check_words(member);
}

static void broadcast_in_place(struct member *member, size_t bytes, int root)
{
    unsigned char *dest = member->dest;

    member_begin(member, 0, bytes);
    for (size_t i = 0; i < bytes; i++)
        dest[i] = pattern(seed_of(member, member->rank), i);
    member_expect(member, shm_broadcast(&member->collective, dest, dest, bytes, root, true),
                  SHM_OK);
    check_block(member, 0, root, 0, bytes);
    check_guards(member, bytes);
    check_words(member);
}

static void broadcast_all(struct member *member)
{
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        for (int root = 0; root < member->size; root++) {
            broadcast_once(member, sizes[i], root, true);
            broadcast_once(member, sizes[i], root, false);
            broadcast_in_place(member, sizes[i], root);
        }
    }
}

static void test_broadcast(void **state)
{
    (void)state;
    assert_string_equal(run_modes(broadcast_all, false), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_broadcast)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
