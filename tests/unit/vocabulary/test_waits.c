/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for words, and locks: what they refuse, and what a refused call returns. */
#include "recording_face.h"

/* Every call with the same words, each refused with a text that begins so behind its name. */
static void expect_all_refused(const struct shm_words_test *test, const char *reason)
{
    static const char *const names[] = {"wait_all", "wait_any", "wait_some",
                                        "test_all", "test_any", "test_some"};
    size_t indices[4] = {7, 7, 7, 7};
    char begin[200];

    for (int i = 0; i < 6; i++) {
        if (i == 0)
            face_wait_until_all(names[i], test);
        else if (i == 1)
            assert_int_equal(face_wait_until_any(names[i], test), SIZE_MAX);
        else if (i == 2)
            assert_int_equal(face_wait_until_some(names[i], test, indices), 0);
        else if (i == 3)
            assert_int_equal(face_test_all(names[i], test), 0);
        else if (i == 4)
            assert_int_equal(face_test_any(names[i], test), SIZE_MAX);
        else
            assert_int_equal(face_test_some(names[i], test, indices), 0);
        snprintf(begin, sizeof begin, "%s: %s", names[i], reason);
        expect_refusal(begin);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(indices[i], 7);
}

static void test_refused_words(void **state)
{
    struct thread_job job;
    uint64_t local[2] = {0, 0};
    struct shm_words_test test;
    const struct shm_words_test good = {
        .count = 2, .value = 0, .kind = SHM_WORD_U64, .comparison = SHM_CMP_EQ};

    (void)state;
    start_job(&job);
    test = good;
    test.words = local;
    expect_all_refused(&test, "ivars = ");
    test.words = NULL;
    expect_all_refused(&test, "ivars = ");
    test.words = heap_words(&job, 0) + (1 << 17) - 1; /* the second word lies behind the end */
    expect_all_refused(&test, "ivars = ");
    test.words = (char *)heap_words(&job, 0) + 2;
    expect_all_refused(&test, "ivars = ");
    test.words = heap_words(&job, 0);
    test.count = SIZE_MAX / 8 + 2; /* 8 bytes, if the product wrapped around */
    expect_all_refused(&test, "ivars = ");
    test = good;
    test.words = heap_words(&job, 0);
    test.comparison = (enum shm_comparison)6;
    expect_all_refused(&test, "cmp = 6, expected SHMEM_CMP_EQ (0) to SHMEM_CMP_LE (5)");
    test.comparison = (enum shm_comparison) - 1;
    expect_all_refused(&test, "cmp = -1, expected");
    test.comparison = SHM_CMP_EQ;
    test.has_values = true;
    expect_all_refused(&test, "cmp_values = NULL, expected 2 values");
    chosen_pe = NULL;
    expect_all_refused(&good, "no instance");
    end_job(&job);
}

static void test_indices(void **state)
{
    struct thread_job job;
    struct shm_words_test test = {
        .count = 2, .value = 0, .kind = SHM_WORD_U64, .comparison = SHM_CMP_EQ};

    (void)state;
    start_job(&job);
    test.words = heap_words(&job, 0);
    assert_int_equal(face_wait_until_some("wait_some", &test, NULL), 0);
    expect_refusal("wait_some: indices = NULL, expected room for 2 elements");
    assert_int_equal(face_test_some("test_some", &test, NULL), 0);
    expect_refusal("test_some: indices = NULL, expected room for 2 elements");
    test.count = 0; /* no words may lie anywhere, and need neither room nor values */
    test.words = NULL;
    test.has_values = true;
    assert_int_equal(face_wait_until_some("wait_some", &test, NULL), 0);
    assert_int_equal(face_test_some("test_some", &test, NULL), 0);
    face_wait_until_all("wait_all", &test);
    assert_int_equal(face_wait_until_any("wait_any", &test), SIZE_MAX);
    assert_int_equal(face_test_all("test_all", &test), 1);
    assert_int_equal(face_test_any("test_any", &test), SIZE_MAX);
    expect_no_refusal();
    end_job(&job);
}

static void test_accepted_words(void **state)
{
    struct thread_job job;
    uint16_t *words;
    const uint16_t values[3] = {1, 9, 3};
    const int status[3] = {0, 1, 0};
    size_t indices[3];
    struct shm_words_test test = {
        .count = 3, .values = values, .kind = SHM_WORD_U16, .comparison = SHM_CMP_EQ};

    (void)state;
    start_job(&job);
    words = (uint16_t *)heap_words(&job, 0);
    words[0] = 1;
    words[1] = 2;
    words[2] = 3;
    test.words = words;
    assert_int_equal(face_test_all("test_all", &test), 0);
    assert_int_not_equal(face_test_any("test_any", &test), 1); /* which of the two is open */
    assert_true(face_test_any("test_any", &test) < 3);
    assert_int_equal(face_test_some("test_some", &test, indices), 2);
    assert_int_equal(indices[1], 2);
    test.status = status;
    face_wait_until_all("wait_all", &test);
    assert_int_equal(face_test_all("test_all", &test), 1);
    assert_int_not_equal(face_wait_until_any("wait_any", &test), 1);
    assert_true(face_wait_until_any("wait_any", &test) < 3);
    indices[1] = 0;
    assert_int_equal(face_wait_until_some("wait_some", &test, indices), 2);
    assert_int_equal(indices[1], 2);
    expect_no_refusal();
    end_job(&job);
}

/* ---- locks, whose refusals never return ---- */

static void expect_lock_refused(long *lock, const char *reason)
{
    static const char *const names[] = {"set", "clear", "test"};
    char begin[200];
    jmp_buf end;

    for (volatile int i = 0; i < 3; i++) {
        where_refusals_end = &end;
        if (setjmp(end) == 0) {
            if (i == 0)
                face_set_lock(names[i], lock);
            else if (i == 1)
                face_clear_lock(names[i], lock);
            else
                face_test_lock(names[i], lock);
        }
        where_refusals_end = NULL;
        snprintf(begin, sizeof begin, "%s: %s", names[i], reason);
        expect_refusal(begin);
    }
}

static void test_locks(void **state)
{
    struct thread_job job;
    long local = 0;
    long *lock;

    (void)state;
    start_job(&job);
    lock = (long *)heap_words(&job, 0);
    expect_lock_refused(&local, "lock = ");
    expect_lock_refused(NULL, "lock = ");
    expect_lock_refused((long *)(void *)((char *)lock + 4), "lock = ");
    expect_lock_refused(lock + (1 << 17), "lock = ");
    assert_int_equal(face_test_lock("test", lock), 0);
    assert_int_equal(face_test_lock("test", lock), 1);
    face_clear_lock("clear", lock);
    face_set_lock("set", lock);
    assert_int_equal(face_test_lock("test", lock), 1);
    face_clear_lock("clear", lock);
    expect_no_refusal();
    face_clear_lock("clear", lock);
    expect_refusal("clear: lock = ");
    assert_int_equal(face_test_lock("test", lock), 0);
    end_job(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_words),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_accepted_words),
        cmocka_unit_test(test_locks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
