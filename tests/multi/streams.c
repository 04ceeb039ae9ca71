/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams in a program of OpenSHMEM that has one thread itself, and that ends with work left. */
#include "check.h"

#include <aclshmem/acl/acl.h>
#include <unistd.h>

#define ROUNDS 200

static int word, counter; /* symmetric */
static int32_t signal_word;
static int got[ROUNDS];
static int expected;

static void check_at_the_end(void)
{
    if (got[ROUNDS - 1] == expected)
        return;
    fprintf(stderr, "the last get left %d, expected %d\n", got[ROUNDS - 1], expected);
    _exit(1);
}

int main(void)
{
    aclrtStream stream = NULL;
    int me, n_pes, left;

    atexit(check_at_the_end); /* behind what the library does at exit */
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    left = (me + n_pes - 1) % n_pes;
    CHECK(aclrtCreateStream(&stream) == ACL_SUCCESS, "no stream");
    aclshmemx_putmem_on_stream(&word, &me, sizeof me, (me + 1) % n_pes, stream);
    aclshmemx_barrier_all_on_stream(stream);
    CHECK(aclrtSynchronizeStream(stream) == ACL_SUCCESS, "%s", aclGetRecentErrMsg());
    CHECK(word == left, "%d, expected %d", word, left);
    aclshmemx_signal_op_on_stream(&signal_word, 1, ACLSHMEM_SIGNAL_ADD, 0, stream);
    if (me == 0)
        aclshmemx_signal_wait_until_on_stream(&signal_word, ACLSHMEM_CMP_EQ, n_pes, stream);
    CHECK(aclrtDestroyStream(stream) == ACL_SUCCESS, "%s", aclGetRecentErrMsg());
    CHECK(me != 0 || signal_word == n_pes, "%d, expected %d", signal_word, n_pes);

    /* left for the end of the program */
    expected = left;
    aclshmemx_barrier_all_on_stream(NULL);
    for (int i = 0; i < ROUNDS; i++)
        aclshmemx_getmem_on_stream(&got[i], &word, sizeof word, me, NULL);
    aclshmemx_signal_op_on_stream(&counter, 1, ACLSHMEM_SIGNAL_ADD, left, NULL);
    return 0;
}
