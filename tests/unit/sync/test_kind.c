/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of different kinds that meet by mistake, with PEs that are threads. */
#include "../thread_job.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

#define PES 4

/* Which kind each PE is in at the first barrier, and the line that tells; NULL: none. */
struct meeting {
    enum shm_collective_kind kinds[PES];
    const char *text;
};

static void meet(struct thread_job_pe *self)
{
    const struct meeting *meeting = self->argument;
    struct shm_group *group = &self->instance->world;
    enum shm_status status =
        shm_collective_barrier(self->instance, group, meeting->kinds[self->pe], "call");

    if (status != (meeting->text == NULL ? SHM_OK : SHM_MISMATCH))
        thread_job_fail(self, "status %d", (int)status);
    else if (meeting->text != NULL && strcmp(shm_error_detail(), meeting->text) != 0)
        thread_job_fail(self, "\"%s\", expected \"%s\"", shm_error_detail(), meeting->text);
    /* what was shown counts for that barrier only */
    for (int i = 0; i < 3; i++) {
        status = shm_collective_barrier(self->instance, group, SHM_COLL_BARRIER, "call");
        if (status != SHM_OK)
            thread_job_fail(self, "barrier %d behind it: status %d", i, (int)status);
    }
}

static void expect(const struct meeting *meeting, bool has_debug)
{
    struct thread_job_request request = {
        .n_pes = PES, .heap_bytes = 4096, .is_crowded = true, .has_debug = has_debug};
    struct thread_job job;

    thread_job_start(&job, &request);
    thread_job_run(&job, meet, meeting);
    assert_string_equal(job.failure, "");
    thread_job_end(&job);
}

static void test_same_kind(void **state)
{
    static const struct meeting barrier = {
        {SHM_COLL_BARRIER, SHM_COLL_BARRIER, SHM_COLL_BARRIER, SHM_COLL_BARRIER}, NULL};
    static const struct meeting destroy = {
        {SHM_COLL_DESTROY, SHM_COLL_DESTROY, SHM_COLL_DESTROY, SHM_COLL_DESTROY}, NULL};

    (void)state;
    expect(&barrier, true);
    expect(&destroy, true);
}

/* All learn of the first PE that is in another kind than the first of all. */
static void test_other_kind(void **state)
{
    static const struct meeting last = {
        {SHM_COLL_BARRIER, SHM_COLL_BARRIER, SHM_COLL_BARRIER, SHM_COLL_DESTROY},
        "PE 3 differs from PE 0 in the kind of collective: destroy instead of barrier or sync"};
    static const struct meeting several = {
        {SHM_COLL_SPLIT_2D, SHM_COLL_SPLIT_2D, SHM_COLL_SPLIT_STRIDED, SHM_COLL_SCAN},
        "PE 2 differs from PE 0 in the kind of collective: split instead of split into 2d"};

    (void)state;
    expect(&last, true);
    expect(&several, true);
}

static void test_without_debug(void **state)
{
    static const struct meeting mixed = {
        {SHM_COLL_BARRIER, SHM_COLL_DESTROY, SHM_COLL_BARRIER, SHM_COLL_DESTROY}, NULL};

    (void)state;
    expect(&mixed, false);
}

static void test_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHM_COLL_KINDS; kind++) {
        const char *name = shm_collective_kind_name((uint64_t)kind);

        assert_non_null(name);
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(name, shm_collective_kind_name((uint64_t)other));
    }
    assert_string_equal(shm_collective_kind_name(SHM_COLL_SPLIT_STRIDED), "split");
    assert_string_equal(shm_collective_kind_name(SHM_COLL_KINDS), "?");
    assert_string_equal(shm_collective_kind_name(UINT64_MAX), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_kind),
        cmocka_unit_test(test_other_kind),
        cmocka_unit_test(test_without_debug),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
