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

static void alltoall_once(struct member *member, size_t bytes)
{
    size_t total = bytes * (size_t)member->size;

    member_begin(member, total, total);
    member_meet(member);
    member_expect(member,
                  shm_alltoall(&member->collective, bytes != 0 ? member->dest : NULL,
                               bytes != 0 ? member->source : NULL, bytes),
                  SHM_OK);
    for (int rank = 0; rank < member->size; rank++)
        check_block(member, (size_t)rank * bytes, rank, (size_t)member->rank * bytes, bytes);
    check_guards(member, total);
    check_words(member);
}

static void alltoall_all(struct member *member)
{
    for (size_t i = 0; i < LENGTH(sizes); i++)
        alltoall_once(member, sizes[i]);
    alltoall_once(member, SHM_EXCHANGE_BYTES / (size_t)member->size);
    alltoall_once(member, SHM_EXCHANGE_BYTES / (size_t)member->size + 1);
}

static void test_alltoall(void **state)
{
    (void)state;
    assert_string_equal(run_modes(alltoall_all, false), "");
}

/* Element by element, and what lies between the elements. */
static void check_elements(struct member *member, const struct shm_alltoalls *arrays)
{
    size_t element = arrays->element_bytes;
    size_t gap = ((size_t)arrays->dest_stride - 1) * element;

    for (size_t i = 0; i < arrays->count * (size_t)member->size; i++) {
        size_t at = i * (size_t)arrays->dest_stride * element;
        int rank = (int)(i / arrays->count);
        size_t index = (size_t)member->rank * arrays->count + i % arrays->count;

        check_block(member, at, rank, index * (size_t)arrays->source_stride * element, element);
        check_untouched(member, member->dest + at + element, gap);
    }
}

static void alltoalls_once(struct member *member, struct shm_alltoalls arrays)
{
    size_t elements = arrays.count * (size_t)member->size;
    size_t source_bytes = elements * (size_t)arrays.source_stride * arrays.element_bytes;
    size_t dest_bytes = elements * (size_t)arrays.dest_stride * arrays.element_bytes;

    member_begin(member, source_bytes, dest_bytes);
    member_meet(member);
    arrays.dest = arrays.count != 0 ? member->dest : NULL;
    arrays.source = arrays.count != 0 ? member->source : NULL;
    member_expect(member, shm_alltoalls(&member->collective, &arrays), SHM_OK);
    check_elements(member, &arrays);
    check_guards(member, dest_bytes);
    check_words(member);
}

static void alltoalls_all(struct member *member)
{
    static const size_t element_bytes[] = {1, 2, 3, 4, 8, 16, 24};
    static const ptrdiff_t strides[][2] = {{1, 1}, {2, 3}, {3, 1}, {1, 2}};
    static const size_t counts[] = {0, 1, 5, 700};

    for (size_t i = 0; i < LENGTH(element_bytes); i++) {
        for (size_t j = 0; j < LENGTH(strides); j++) {
            for (size_t k = 0; k < LENGTH(counts); k++)
                alltoalls_once(member, (struct shm_alltoalls){.dest_stride = strides[j][0],
                                                              .source_stride = strides[j][1],
                                                              .count = counts[k],
                                                              .element_bytes = element_bytes[i]});
        }
    }
}

static void test_alltoalls(void **state)
{
    (void)state;
    assert_string_equal(run_modes(alltoalls_all, false), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alltoall),
        cmocka_unit_test(test_alltoalls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
