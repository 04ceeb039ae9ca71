/* SPDX-License-Identifier: BSD-3-Clause */
/* Under SHMEM_DEBUG a put or get whose source and dest have a byte in common does nothing. */
#include "recording_face.h"

static void start_debugged_job(struct thread_job *job)
{
    start_job(job);
    chosen_pe->reach.is_debugging = chosen_pe->reach.is_special = true;
}

static void test_put(void **state)
{
    struct thread_job job;
    uint64_t *words;

    (void)state;
    start_debugged_job(&job);
    words = heap_words(&job, 0);
    words[0] = 7;
    face_put("put", words + 1, words, 2, 8, 0);
    expect_refusal("put: source = 0x");
    face_put_nbi("put_nbi", words, words, 1, 8, 0);
    expect_refusal("put_nbi: source = 0x");
    face_put("put", words, heap_words(&job, 1), 1, 8, 1); /* as shm_pointer() returns it */
    expect_refusal("put: source = 0x");
    assert_int_equal(words[1], 0);
    face_put("put", words + 1, words, 1, 8, 0);
    assert_int_equal(words[1], 7);
    face_put("put", words, words, 2, 8, 1);
    assert_int_equal(heap_words(&job, 1)[1], 7);
    face_p("p", words + 3, words + 1, 8, 0);
    assert_int_equal(words[3], 7);
    face_put("put", words, words, 0, 8, 0);
    expect_no_refusal();
    end_job(&job);
}

static void test_get(void **state)
{
    struct thread_job job;
    uint64_t *words;

    (void)state;
    start_debugged_job(&job);
    words = heap_words(&job, 0);
    words[0] = 7;
    heap_words(&job, 1)[0] = 9;
    face_get("get", words + 1, words, 2, 8, 0);
    expect_refusal("get: source = 0x");
    face_get_nbi("get_nbi", heap_words(&job, 1), words, 1, 8, 1);
    expect_refusal("get_nbi: source = 0x");
    assert_int_equal(words[1], 0);
    face_get("get", words + 1, words, 1, 8, 0);
    assert_int_equal(words[1], 7);
    face_get("get", words, words, 1, 8, 1);
    assert_int_equal(words[0], 9);
    expect_no_refusal();
    end_job(&job);
}

static void test_strided(void **state)
{
    struct thread_job job;
    uint64_t *words;

    (void)state;
    start_debugged_job(&job);
    words = heap_words(&job, 0);
    words[0] = 7;
    face_iput("iput", words + 1, words, 1, 1, 2, 8, 0);
    expect_refusal("iput: blocks of source = 0x");
    face_ibget("ibget", words + 1, words, 2, 2, 2, 2, 8, 0);
    expect_refusal("ibget: blocks of source = 0x");
    assert_int_equal(words[1], 0);
    face_iput("iput", words + 1, words, 2, 2, 4, 8, 0);
    assert_int_equal(words[1], 7);
    face_iget("iget", words, words, 1, 1, 4, 8, 1);
    assert_int_equal(words[0], 0);
    expect_no_refusal();
    end_job(&job);
}

static void test_put_signal(void **state)
{
    struct thread_job job;
    uint64_t *words;

    (void)state;
    start_debugged_job(&job);
    words = heap_words(&job, 0);
    words[0] = 7;
    face_put_signal(
        "put_signal",
        &(struct face_signal_put){words + 1, words, 2, 8, words + 8, 8, 5, SHM_SIGNAL_SET}, 0);
    expect_refusal("put_signal: source = 0x");
    assert_int_equal(words[1], 0);
    assert_int_equal(words[8], 0);
    face_put_signal(
        "put_signal",
        &(struct face_signal_put){words + 1, words, 1, 8, words + 8, 8, 5, SHM_SIGNAL_SET}, 0);
    assert_int_equal(words[1], 7);
    assert_int_equal(words[8], 5);
    expect_no_refusal();
    end_job(&job);
}

static void test_not_without_debug(void **state)
{
    struct thread_job job;
    uint64_t *words;

    (void)state;
    start_job(&job);
    words = heap_words(&job, 0);
    words[0] = 7;
    face_put("put", words + 1, words, 2, 8, 0);
    assert_int_equal(words[1], 7);
    face_get("get", words + 2, words + 1, 2, 8, 0);
    assert_int_equal(words[2], 7);
    face_iput("iput", words + 3, words + 2, 1, 1, 2, 8, 0);
    assert_int_equal(words[3], 7);
    expect_no_refusal();
    end_job(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put),
        cmocka_unit_test(test_get),
        cmocka_unit_test(test_strided),
        cmocka_unit_test(test_put_signal),
        cmocka_unit_test(test_not_without_debug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
