/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of ACLSHMEM in streams, between PEs. */
#include "own_pes.h"

#include <acl/acl.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdatomic.h>

#define OK(call) EXPECT((call) == ACL_SUCCESS)
#define COUNT 1024

static void fill(int *numbers, int from)
{
    for (int i = 0; i < COUNT; i++)
        numbers[i] = from + i;
}

static bool are(const int *numbers, int from)
{
    for (int i = 0; i < COUNT; i++)
        if (numbers[i] != from + i)
            return false;
    return true;
}

/* What streams of PEs do to each other; `stream` may be NULL. */
static void transfer(int pe, int n_pes, aclrtStream stream)
{
    aclshmem_handle_t world = {ACLSHMEM_TEAM_WORLD};
    int *block = aclshmem_calloc(2 * COUNT, sizeof(int));
    int own[COUNT], got[COUNT];

    /* to the PE itself, and the rest stays */
    fill(own, pe * 1000);
    aclshmemx_putmem_on_stream(block, own, sizeof own, pe, stream);
    OK(aclrtSynchronizeStream(stream));
    EXPECT(are(block, pe * 1000));
    for (int i = COUNT; i < 2 * COUNT; i++)
        EXPECT(block[i] == 0);
    aclshmem_barrier_all();
    for (int other = 0; other < n_pes; other++) {
        aclshmemx_getmem_on_stream(got, block, sizeof got, other, stream);
        OK(aclrtSynchronizeStream(stream));
        EXPECT(are(got, other * 1000));
    }
    aclshmem_barrier_all();
    /* around the ring, completed by a wait for the handle */
    aclshmemx_putmem_on_stream(block + COUNT, own, sizeof own, (pe + 1) % n_pes, stream);
    aclshmemx_getmem_on_stream(got, block, sizeof got, (pe + 1) % n_pes, stream);
    aclshmemx_handle_wait(world, stream);
    OK(aclrtSynchronizeStream(stream));
    EXPECT(are(got, (pe + 1) % n_pes * 1000));
    aclshmem_barrier_all();
    EXPECT(are(block + COUNT, (pe + n_pes - 1) % n_pes * 1000));
    aclshmem_barrier_all();
    aclshmem_free(block);
}

static void transfer_all(int pe, int n_pes, const void *address)
{
    aclrtStream stream = NULL;

    join(pe, n_pes, address);
    OK(aclrtCreateStream(&stream));
    transfer(pe, n_pes, stream);
    transfer(pe, n_pes, NULL);
    OK(aclrtDestroyStream(stream));
    EXPECT(aclshmem_finalize() == 0);
}

static void put_behind_the_streams_back(int pe, int n_pes, const void *address)
{
    aclshmem_handle_t world = {ACLSHMEM_TEAM_WORLD};
    aclrtStream stream = NULL;
    uint64_t value = (uint64_t)pe + 1000;
    uint64_t *word;

    join(pe, n_pes, address);
    OK(aclrtCreateStream(&stream));
    word = aclshmem_calloc(1, sizeof *word);
    aclshmem_uint64_put_nbi(word, &value, 1, (pe + 1) % n_pes);
    aclshmemx_handle_wait(world, stream);
    OK(aclrtSynchronizeStream(stream));
    aclshmem_barrier_all();
    EXPECT(*word == (uint64_t)((pe + n_pes - 1) % n_pes) + 1000);
    aclshmem_barrier_all();
    OK(aclrtDestroyStream(stream));
    EXPECT(aclshmem_finalize() == 0);
}

static void test_transfers(void **state)
{
    (void)state;
    for (int pes = 1; pes <= 4; pes++)
        run_job(pes, transfer_all);
    run_job(3, put_behind_the_streams_back);
}

/* ---- signals ---- */

/* A comparison, a value of the neighbour's that does not satisfy it, and one that does. */
static const struct ring_case {
    int cmp;
    int32_t cmp_val, before, after;
} ring_cases[] = {
    {ACLSHMEM_CMP_EQ, 5, 4, 5},  {ACLSHMEM_CMP_NE, 5, 5, 6},  {ACLSHMEM_CMP_GT, -5, -5, -4},
    {ACLSHMEM_CMP_GE, 5, -6, 5}, {ACLSHMEM_CMP_LT, 5, 5, -9}, {ACLSHMEM_CMP_LE, -5, -4, -5},
};

/* Each PE is let go by its left neighbour, when the value is right and not before. */
static void pass_ring(int pe, int n_pes, const void *address)
{
    int right = (pe + 1) % n_pes;
    aclrtStream stream = NULL;
    int32_t *word;

    join(pe, n_pes, address);
    word = aclshmem_calloc(1, sizeof *word);
    OK(aclrtCreateStream(&stream));
    for (size_t i = 0; i < sizeof ring_cases / sizeof *ring_cases; i++) {
        const struct ring_case *ring = &ring_cases[i];
        aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;

        aclshmemx_signal_op_on_stream(word, ring->before, ACLSHMEM_SIGNAL_SET, right, NULL);
        OK(aclrtSynchronizeStream(NULL));
        aclshmem_barrier_all();
        aclshmemx_signal_wait_until_on_stream(word, ring->cmp, ring->cmp_val, stream);
        aclshmem_barrier_all();
        OK(aclrtStreamQuery(stream, &status));
        EXPECT(status == ACL_STREAM_STATUS_NOT_READY);
        EXPECT(*word == ring->before);
        aclshmem_barrier_all();
        aclshmemx_signal_op_on_stream(word, ring->after, ACLSHMEM_SIGNAL_SET, right, NULL);
        OK(aclrtSynchronizeStream(stream));
        EXPECT(*word == ring->after);
        OK(aclrtSynchronizeStream(NULL));
        aclshmem_barrier_all();
    }
    OK(aclrtDestroyStream(stream));
    EXPECT(aclshmem_finalize() == 0);
}

/* Additions of all PEs to all words; whoever sees the last one sees the data put before it. */
static void add_and_follow(int pe, int n_pes, const void *address)
{
    aclrtStream stream = NULL;
    int *data;
    int32_t *word;

    join(pe, n_pes, address);
    data = aclshmem_calloc((size_t)n_pes, sizeof *data);
    word = aclshmem_calloc(1, sizeof *word);
    OK(aclrtCreateStream(&stream));
    for (int other = 0; other < n_pes; other++) {
        aclshmemx_putmem_on_stream(data + pe, &(int){pe + 1}, 0, other, stream); /* nothing */
        aclshmemx_putmem_on_stream(data + pe, &pe, sizeof pe, other, stream);
        aclshmemx_quiet_on_stream(stream);
        aclshmemx_signal_op_on_stream(word, 10, ACLSHMEM_SIGNAL_ADD, other, stream);
    }
    aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_EQ, 10 * n_pes, stream);
    OK(aclrtSynchronizeStream(stream));
    EXPECT(*word == 10 * n_pes);
    for (int other = 0; other < n_pes; other++)
        EXPECT(data[other] == other);
    OK(aclrtDestroyStream(stream));
    EXPECT(aclshmem_finalize() == 0);
}

static void test_signals(void **state)
{
    (void)state;
    run_job(2, pass_ring);
    run_job(5, pass_ring);
    run_job(4, add_and_follow);
}

/* ---- barriers ---- */

#define ROUNDS 30

static void count_up(void *number)
{
    atomic_fetch_add((_Atomic int *)number, 1);
}

static void take_a_while(void *unused)
{
    (void)unused;
    usleep(50000);
}

/* Destroying a team waits for the barriers of it that streams have. */
static void destroy_team_behind_barriers(int pe, int n_pes, const void *address)
{
    aclshmem_team_t odd = ACLSHMEM_TEAM_INVALID;
    aclrtStream streams[2];
    int32_t *word;

    join(pe, n_pes, address);
    word = aclshmem_calloc(1, sizeof *word);
    OK(aclrtCreateStream(&streams[0]));
    OK(aclrtCreateStream(&streams[1]));
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 1, 2, n_pes / 2, &odd) == 0);
    aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_EQ, 1, streams[0]);
    for (int round = 0; round < ROUNDS; round++)
        aclshmemx_barrier_on_stream(odd, streams[round % 2]);
    OK(aclrtLaunchHostFunc(NULL, take_a_while, NULL));
    aclshmemx_signal_op_on_stream(word, 1, ACLSHMEM_SIGNAL_SET, pe, NULL);
    aclshmem_team_destroy(odd);
    EXPECT(odd == ACLSHMEM_TEAM_INVALID || __atomic_load_n(word, __ATOMIC_ACQUIRE) == 1);
    aclshmem_barrier_all();
    OK(aclrtDestroyStream(streams[0]));
    OK(aclrtDestroyStream(streams[1]));
    EXPECT(aclshmem_finalize() == 0);
}

/* Store, barrier, get, barrier, all in streams; barriers of one team in two streams in turn. */
static void meet_in_streams(int pe, int n_pes, const void *address)
{
    int right = (pe + 1) % n_pes;
    int values[ROUNDS], got[ROUNDS];
    aclrtStream streams[2];
    _Atomic int done = 0;
    int *word;

    join(pe, n_pes, address);
    word = aclshmem_calloc(1, sizeof *word);
    OK(aclrtCreateStream(&streams[0]));
    OK(aclrtCreateStream(&streams[1]));
    for (int round = 0; round < ROUNDS; round++) {
        values[round] = round * 100 + pe;
        aclshmemx_putmem_on_stream(word, &values[round], sizeof(int), right, streams[0]);
        aclshmemx_barrier_all_on_stream(streams[0]);
        aclshmemx_getmem_on_stream(&got[round], word, sizeof(int), pe, streams[0]);
        aclshmemx_barrier_on_stream(ACLSHMEM_TEAM_WORLD, streams[0]);
        aclshmemx_barrier_all_on_stream(streams[1]);
    }
    OK(aclrtLaunchHostFunc(streams[1], count_up, &done));
    aclshmemx_barrier_on_stream(ACLSHMEM_TEAM_INVALID, streams[1]); /* nothing */
    OK(aclrtSynchronizeStream(streams[1]));
    OK(aclrtSynchronizeStream(streams[0]));
    for (int round = 0; round < ROUNDS; round++)
        EXPECT(got[round] == round * 100 + (pe + n_pes - 1) % n_pes);
    EXPECT(atomic_load(&done) == 1);
    OK(aclrtDestroyStream(streams[0]));
    OK(aclrtDestroyStream(streams[1]));
    EXPECT(aclshmem_finalize() == 0);
}

static void test_barriers(void **state)
{
    (void)state;
    run_job(2, meet_in_streams);
    run_job(5, meet_in_streams);
    run_job(5, destroy_team_behind_barriers);
}

/* ---- events, and what is queued when a stream or the job ends ---- */

/* The second stream reads from a neighbour what the first has waited for. */
static void follow_events(int pe, int n_pes, const void *address)
{
    int left = (pe + n_pes - 1) % n_pes;
    aclrtStream streams[2];
    aclrtEvent event = NULL;
    int32_t *word;
    int *data, got = -1;

    join(pe, n_pes, address);
    word = aclshmem_calloc(1, sizeof *word);
    data = aclshmem_calloc(1, sizeof *data);
    OK(aclrtCreateStream(&streams[0]));
    OK(aclrtCreateStream(&streams[1]));
    OK(aclrtCreateEvent(&event));
    aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_EQ, 1, streams[0]);
    OK(aclrtRecordEvent(event, streams[0]));
    OK(aclrtStreamWaitEvent(streams[1], event));
    aclshmemx_getmem_on_stream(&got, data, sizeof got, left, streams[1]);
    aclshmem_barrier_all();
    *data = pe + 7;
    aclshmemx_signal_op_on_stream(word, 1, ACLSHMEM_SIGNAL_SET, (pe + 1) % n_pes, NULL);
    OK(aclrtSynchronizeStream(streams[1]));
    EXPECT(got == left + 7);
    OK(aclrtDestroyEvent(event));
    OK(aclrtDestroyStream(streams[0]));
    OK(aclrtDestroyStream(streams[1]));
    EXPECT(aclshmem_finalize() == 0);
}

#define STREAMS 64

/* Destroying a stream waits for its work, and so does finalize for that of all streams. */
static void leave_work(int pe, int n_pes, const void *address)
{
    int right = (pe + 1) % n_pes;
    int values[STREAMS], last = 99;
    aclrtStream streams[STREAMS];
    int32_t *word;
    int *data;

    join(pe, n_pes, address);
    word = aclshmem_calloc(1, sizeof *word);
    data = aclshmem_calloc(STREAMS, sizeof *data);
    for (int i = 0; i < STREAMS; i++) {
        values[i] = i + pe;
        OK(aclrtCreateStream(&streams[i]));
        aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_EQ, 1, streams[i]);
        aclshmemx_putmem_on_stream(data + i, &values[i], sizeof(int), right, streams[i]);
    }
    aclshmem_barrier_all();
    for (int i = 0; i < STREAMS; i++)
        EXPECT(data[i] == 0);
    aclshmem_barrier_all();
    aclshmemx_signal_op_on_stream(word, 1, ACLSHMEM_SIGNAL_SET, right, NULL);
    for (int i = 0; i < STREAMS; i++)
        OK(aclrtDestroyStream(streams[i]));
    aclshmem_barrier_all();
    for (int i = 0; i < STREAMS; i++)
        EXPECT(data[i] == i + (pe + n_pes - 1) % n_pes);
    for (int i = 0; i < 500; i++)
        aclshmemx_getmem_on_stream(&last, data + i % STREAMS, sizeof last, right, NULL);
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(last == 499 % STREAMS + pe);
}

static void test_events_and_ends(void **state)
{
    (void)state;
    run_job(3, follow_events);
    run_job(2, leave_work);
}

/* ---- what is refused ---- */

/* The text that `function` writes to standard error in the PE; EXPECTs that it has `part`. */
static void expect_log(int file, const char *part)
{
    static char text[4096];
    ssize_t bytes = pread(file, text, sizeof text - 1, 0);

    EXPECT(bytes >= 0);
    text[bytes] = '\0';
    EXPECT(strstr(text, part) != NULL);
    EXPECT(ftruncate(file, 0) == 0);
}

static void refuse(int pe, int n_pes, const void *address)
{
    aclshmem_handle_t wrong = {17};
    int32_t *words, number = 1;
    FILE *log = tmpfile();
    int file = fileno(log);
    int saved = dup(STDERR_FILENO);
    aclrtStream gone = NULL;
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;

    join(pe, n_pes, address);
    words = aclshmem_calloc(2, sizeof *words);
    OK(aclrtCreateStream(&gone));
    OK(aclrtDestroyStream(gone));
    EXPECT(fcntl(file, F_SETFL, O_APPEND) == 0 && dup2(file, STDERR_FILENO) >= 0);
#define LOGGED(call, part)                                                                         \
    do {                                                                                           \
        call;                                                                                      \
        expect_log(file, part);                                                                    \
    } while (0)
    LOGGED(aclshmemx_putmem_on_stream(words, &number, 4, n_pes, NULL), "pe = ");
    LOGGED(aclshmemx_putmem_on_stream(&number, words, 4, 0, NULL), "dst = ");
    LOGGED(aclshmemx_putmem_on_stream(words, &number, 4, 0, gone),
           "aclshmemx_putmem_on_stream: stream = ");
    LOGGED(aclshmemx_getmem_on_stream(words, &number, 4, 0, NULL), "src = ");
    LOGGED(aclshmemx_getmem_on_stream(words, words, 4, -1, NULL), "pe = -1");
    LOGGED(aclshmemx_quiet_on_stream(gone), "stream = ");
    LOGGED(aclshmemx_signal_op_on_stream(words, 1, 2, 0, NULL), "sig_op = 2");
    LOGGED(aclshmemx_signal_op_on_stream(&number, 1, ACLSHMEM_SIGNAL_SET, 0, NULL), "sig_addr = ");
    LOGGED(
        aclshmemx_signal_op_on_stream((void *)((char *)words + 1), 1, ACLSHMEM_SIGNAL_SET, 0, NULL),
        "not aligned");
    LOGGED(aclshmemx_signal_wait_until_on_stream(words, 6, 0, NULL), "cmp = 6");
    LOGGED(aclshmemx_signal_wait_until_on_stream(&number, ACLSHMEM_CMP_EQ, 0, NULL), "sig_addr = ");
    LOGGED(aclshmemx_handle_wait(wrong, NULL), "handle.team_id = 17");
    LOGGED(aclshmemx_barrier_all_on_stream(gone), "stream = ");
    OK(aclrtStreamQuery(NULL, &status));
    EXPECT(status == ACL_STREAM_STATUS_COMPLETE && words[0] == 0 && words[1] == 0);
    aclshmemx_barrier_all_on_stream(NULL); /* the one that was refused left no gap */
    OK(aclrtSynchronizeStream(NULL));
    EXPECT(aclshmem_finalize() == 0);
    LOGGED(aclshmemx_quiet_on_stream(NULL), "before init or after finalize");
    LOGGED(aclshmemx_barrier_all_on_stream(NULL), "before init or after finalize");
    EXPECT(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    fclose(log);
}

/* Finalize gives up on a stream that comes to no end, says what is left, and can be tried again. */
static void finalize_late(int pe, int n_pes, const void *address)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, address);
    FILE *log = tmpfile();
    int saved = dup(STDERR_FILENO);
    int32_t *word;

    attributes.option_attr.control_operation_timeout = 1;
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
    word = aclshmem_calloc(1, sizeof *word);
    aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_EQ, 1, NULL);
    aclshmemx_quiet_on_stream(NULL);
    EXPECT(dup2(fileno(log), STDERR_FILENO) >= 0);
    EXPECT(aclshmem_finalize() == ACLSHMEM_TIMEOUT_ERROR);
    EXPECT(dup2(saved, STDERR_FILENO) >= 0);
    expect_log(fileno(log), "stream 0 has 2 operations left and is in "
                            "aclshmemx_signal_wait_until_on_stream");
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED);
    aclshmem_int32_p(word, 1, pe);
    EXPECT(aclshmem_finalize() == 0);
    close(saved);
    fclose(log);
}

static void test_refused(void **state)
{
    (void)state;
    run_job(1, refuse);
    run_job(2, refuse);
    run_job(1, finalize_late);
}

/* ---- copies of the runtime interface, to and from the heap ---- */

static void finalize_before_copies(int pe, int n_pes, const void *address)
{
    aclrtStream stream = NULL;
    char bytes[64] = "";
    char *block;

    join(pe, n_pes, address);
    OK(aclrtCreateStream(&stream));
    block = aclshmem_malloc(MIB);
    OK(aclrtLaunchHostFunc(stream, take_a_while, NULL));
    OK(aclrtMemsetAsync(block, MIB, 7, MIB, stream));
    OK(aclrtMemcpyAsync(bytes, sizeof bytes, block, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(bytes[0] == 7 && bytes[63] == 7);
    OK(aclrtDestroyStream(stream));
}

static void test_copies(void **state)
{
    (void)state;
    run_job(2, finalize_before_copies);
}

/* ---- a PE is lost while streams wait for it ---- */

static void wait_for_the_dead(int pe, int n_pes, const void *address)
{
    aclrtStream stream = NULL;
    int32_t *word;

    join(pe, n_pes, address);
    word = aclshmem_calloc(1, sizeof *word);
    if (pe == 1)
        _exit(3);
    OK(aclrtCreateStream(&stream));
    aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_EQ, 1, stream);
    aclrtSynchronizeStream(stream);
    _exit(77); /* not reached: the stream ends the job */
}

/* Runs PE `pe` and returns its process; its standard error goes to `file`. */
static pid_t start_pe(int pe, const char *address, int file)
{
    pid_t pid = fork();

    if (pid == 0) {
        alarm(60);
        dup2(file, STDERR_FILENO);
        wait_for_the_dead(pe, 2, address);
    }
    return pid;
}

static void test_lost_pe(void **state)
{
    FILE *log = tmpfile();
    char address[64], text[1000] = "";
    pid_t pids[2];
    int statuses[2];

    (void)state;
    assert_non_null(log);
    find_address(address);
    for (int pe = 0; pe < 2; pe++)
        assert_true((pids[pe] = start_pe(pe, address, fileno(log))) > 0);
    for (int pe = 0; pe < 2; pe++)
        assert_int_equal(waitpid(pids[pe], &statuses[pe], 0), pids[pe]);
    assert_true(pread(fileno(log), text, sizeof text - 1, 0) > 0);
    fclose(log);
    assert_int_equal(WEXITSTATUS(statuses[1]), 3);
    assert_true(WIFEXITED(statuses[0]) && WEXITSTATUS(statuses[0]) == 1);
    assert_string_equal(text, "PE 0: aclshmemx_signal_wait_until_on_stream: PE 1 failed: it ended "
                              "without calling finalize\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfers), cmocka_unit_test(test_signals),
        cmocka_unit_test(test_barriers),  cmocka_unit_test(test_events_and_ends),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_lost_pe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
