/* SPDX-License-Identifier: BSD-3-Clause */
/* A wait that meets the failure of a PE. The linker lets this file answer for the bootstrap. */
#include "../thread_job.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

static struct thread_job job;
static bool ends_the_wait; /* PE 1, before it fails */
static bool is_ended;

enum shm_status __wrap_shm_bootstrap_poll(struct shm_bootstrap *bootstrap,
                                          struct shm_bootstrap_event *out_event);

enum shm_status __wrap_shm_bootstrap_poll(struct shm_bootstrap *bootstrap,
                                          struct shm_bootstrap_event *out_event)
{
    (void)bootstrap;
    is_ended = ends_the_wait;
    *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_PE_FAILED, .pe = 1};
    return SHM_OK;
}

static int start(void **state)
{
    struct thread_job_request request = {.n_pes = 2, .heap_bytes = 4096, .is_crowded = true};

    (void)state;
    thread_job_start(&job, &request);
    return 0;
}

static int end(void **state)
{
    (void)state;
    thread_job_end(&job);
    return 0;
}

static bool is_over(const struct shm_wait *wait)
{
    (void)wait;
    return is_ended;
}

static enum shm_status wait_for_pe_1(void)
{
    struct shm_wait wait = {.is_over = is_over, .call = "some_call", .peer = 1};

    is_ended = false;
    return shm_wait(job.pes[0], &wait);
}

static void test_failed_before(void **state)
{
    (void)state;
    ends_the_wait = false;
    assert_int_equal(wait_for_pe_1(), SHM_PEER_LOST);
    assert_string_equal(shm_error_detail(), "PE 1 failed: it ended without calling finalize");
}

static void test_failed_behind_its_part(void **state)
{
    (void)state;
    ends_the_wait = true;
    assert_int_equal(wait_for_pe_1(), SHM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failed_behind_its_part),
        cmocka_unit_test(test_failed_before),
    };

    return cmocka_run_group_tests_name("wait", tests, start, end);
}
