/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations in one stream that belong to several instances. */
#include "instances.h"

#include <acl/acl.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define OK(call) EXPECT((call) == ACL_SUCCESS)

/* The second instance is the chosen one when the stream comes to what the first one asked for; the
 * end of each instance waits for its own operations. */
static void interleave(int pe, int n_pes, const void *argument)
{
    int right = (pe + 1) % n_pes, left = (pe + n_pes - 1) % n_pes;
    int values[2] = {100 + pe, 200 + pe}, got = -1;
    int32_t *gate;
    int *words[2];

    (void)argument;
    EXPECT(start_instance(2, pe, n_pes) == 0);
    EXPECT((gate = aclshmem_calloc(1, sizeof *gate)) != NULL);
    EXPECT((words[0] = aclshmem_calloc(1, sizeof(int))) != NULL);
    EXPECT(start_instance(4, pe, n_pes) == 0);
    EXPECT((words[1] = aclshmem_calloc(1, sizeof(int))) != NULL);
    EXPECT(aclshmemx_instance_ctx_set(2) == 0);
    aclshmemx_signal_wait_until_on_stream(gate, ACLSHMEM_CMP_EQ, 1, NULL);
    aclshmemx_putmem_on_stream(words[0], &values[0], sizeof(int), right, NULL);
    aclshmemx_barrier_all_on_stream(NULL);
    EXPECT(aclshmemx_instance_ctx_set(4) == 0);
    aclshmemx_putmem_on_stream(words[1], &values[1], sizeof(int), right, NULL);
    aclshmemx_barrier_all_on_stream(NULL);
    aclshmemx_getmem_on_stream(&got, words[1], sizeof got, pe, NULL);
    EXPECT(got == -1); /* the words may have changed: the neighbour does not wait for this PE */
    EXPECT(aclshmemx_instance_ctx_set(2) == 0);
    aclshmem_int32_p(gate, 1, pe);
    EXPECT(aclshmemx_instance_ctx_set(4) == 0);
    OK(aclrtSynchronizeStream(NULL));
    EXPECT(*words[0] == 100 + left && *words[1] == 200 + left && got == 200 + left);
    for (int i = 0; i < 300; i++)
        aclshmemx_getmem_on_stream(&got, words[1], sizeof got, right, NULL);
    EXPECT(aclshmemx_finalize(4) == 0);
    EXPECT(got == 200 + pe);
    EXPECT(aclshmemx_finalize(2) == 0);
}

static void test_interleaved(void **state)
{
    int first = find_ports();

    (void)state;
    set_port_range(first);
    run_pes(1, interleave, &first);
    run_pes(3, interleave, &first);
}

/* ---- work that comes when finalize waits for the last PE ---- */

static _Atomic bool is_refused;

static void notice_refusal(int level, const char *message)
{
    (void)level;
    if (strstr(message, "aclshmemx_quiet_on_stream: instance 2 is in finalize") != NULL)
        is_refused = true;
}

/* In a stream whose work finalize does not wait for: asks for more until it is refused. */
static void ask_for_more(void *argument)
{
    _Atomic bool *may_end = argument;

    while (!is_refused)
        aclshmemx_quiet_on_stream(NULL);
    *may_end = true;
}

static void ask_in_finalize(int pe, int n_pes, const void *argument)
{
    _Atomic bool *may_end = *(_Atomic bool *const *)argument;
    aclrtStream stream = NULL;

    EXPECT(start_instance(2, pe, n_pes) == 0);
    if (pe == 0) {
        EXPECT(aclshmemx_set_extern_logger(notice_refusal) == 0);
        OK(aclrtCreateStream(&stream));
        OK(aclrtLaunchHostFunc(stream, ask_for_more, may_end));
    } else {
        while (!*may_end)
            usleep(1000);
    }
    EXPECT(aclshmemx_finalize(2) == 0);
    if (pe == 0)
        OK(aclrtDestroyStream(stream));
}

static void test_late_work(void **state)
{
    _Atomic bool *may_end =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(may_end, MAP_FAILED);
    set_port_range(find_ports());
    run_pes(2, ask_in_finalize, &may_end);
    munmap(may_end, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_late_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
