/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of several words against an oracle of their own, and waits among threads. */
#include "../thread_job.h"
#include "base/float_bits.h"
#include "rma/rma.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>
#include <string.h>

#define COUNT 7
#define ROUNDS 300
#define FLICKERS 20000
#define PES 4

static void start_job(struct thread_job *job, int n_pes, bool is_crowded)
{
    struct thread_job_request request = {
        .n_pes = n_pes, .heap_bytes = 1 << 20, .static_bytes = 4096, .is_crowded = is_crowded};

    thread_job_start(job, &request);
}

/* Runs `function` on all PEs, which must find nothing wrong. */
static void run(struct thread_job *job, void (*function)(struct thread_job_pe *self))
{
    thread_job_run(job, function, NULL);
    if (job->failure[0] != '\0')
        fail_msg("%s", job->failure);
}

/* Words at the start of a PE's heap. */
static uint64_t *heap_words(const struct thread_job *job, int pe)
{
    return (uint64_t *)job->pes[pe]->reach.heap_begin;
}

static const enum shm_comparison comparisons[] = {SHM_CMP_EQ, SHM_CMP_NE, SHM_CMP_GT,
                                                  SHM_CMP_GE, SHM_CMP_LT, SHM_CMP_LE};

/* One table of values for all kinds: what is stored is the low bytes. */
static const int64_t samples[COUNT] = {0, 1, -1, INT16_MIN, INT32_MIN, INT64_MIN, 0x7fff};

static __int128 as_kind(int64_t value, enum shm_word_kind kind)
{
    switch (kind) {
    case SHM_WORD_I8:
        return (int8_t)value;
    case SHM_WORD_U8:
        return (uint8_t)value;
    case SHM_WORD_F32:
        return (__int128)(float)value;
    case SHM_WORD_I16:
        return (int16_t)value;
    case SHM_WORD_U16:
        return (uint16_t)value;
    case SHM_WORD_I32:
        return (int32_t)value;
    case SHM_WORD_U32:
        return (uint32_t)value;
    case SHM_WORD_I64:
        return value;
    case SHM_WORD_U64:
        break;
    }
    return (uint64_t)value;
}

static bool is_so(__int128 word, enum shm_comparison comparison, __int128 value)
{
    const bool answers[] = {word == value, word != value, word > value,
                            word >= value, word < value,  word <= value};

    return answers[comparison];
}

static void store(void *words, size_t index, int64_t value, enum shm_word_kind kind)
{
    size_t bytes = shm_word_bytes(kind);
    int8_t i8 = (int8_t)value;
    int16_t i16 = (int16_t)value;
    int32_t i32 = kind == SHM_WORD_F32 ? (int32_t)shm_bits_of_f32((float)value) : (int32_t)value;

    memcpy((char *)words + index * bytes,
           bytes == 1   ? (void *)&i8
           : bytes == 2 ? (void *)&i16
           : bytes == 4 ? (void *)&i32
                        : (void *)&value,
           bytes);
}

/* What a search from `first` on finds of the expected ones, and from 0 on behind them. */
static size_t first_from(size_t first, const size_t *expected, size_t expected_count)
{
    for (size_t i = 0; i < expected_count; i++) {
        if (expected[i] >= first)
            return expected[i];
    }
    return expected_count == 0 ? SIZE_MAX : expected[0];
}

/* `values` is NULL where `value` stands for all. */
static void expect(const struct shm_words_test *test, const int64_t *values, int64_t value)
{
    size_t found[COUNT + 1], expected[COUNT + 1];
    size_t expected_count = 0, included = 0;

    for (size_t i = 0; i < test->count; i++) {
        __int128 word = as_kind(samples[i], test->kind);
        __int128 other = as_kind(values != NULL ? values[i] : value, test->kind);

        if (test->status != NULL && test->status[i] != 0)
            continue;
        included++;
        if (is_so(word, test->comparison, other))
            expected[expected_count++] = i;
    }
    found[expected_count] = 4711; /* must stay */
    assert_int_equal(shm_words_all(test), expected_count == included);
    for (size_t first = 0; first <= test->count; first++)
        assert_int_equal(shm_words_any(test, first), first_from(first, expected, expected_count));
    assert_int_equal(shm_words_some(test, found), expected_count);
    assert_memory_equal(found, expected, expected_count * sizeof *found);
    assert_int_equal(found[expected_count], 4711);
}

static void expect_kind(enum shm_word_kind kind, const int *status)
{
    int64_t words[COUNT + 1], values[COUNT + 1];
    int64_t wanted[COUNT];

    for (size_t i = 0; i < COUNT; i++)
        store(words, i, samples[i], kind);
    for (size_t c = 0; c < 6; c++) {
        struct shm_words_test test = {.words = words,
                                      .count = COUNT,
                                      .status = status,
                                      .kind = kind,
                                      .comparison = comparisons[c]};

        for (size_t shift = 0; shift < COUNT; shift++) {
            test.values = NULL;
            test.value = kind == SHM_WORD_F32 ? shm_bits_of_f32((float)samples[shift])
                                              : (uint64_t)as_kind(samples[shift], kind);
            expect(&test, NULL, samples[shift]);
            for (size_t i = 0; i < COUNT; i++) {
                wanted[i] = samples[(i + shift) % COUNT];
                store(values, i, wanted[i], kind);
            }
            test.values = values;
            test.value = 12345; /* must not matter */
            expect(&test, wanted, 0);
            test.count = shift;
            expect(&test, wanted, 0);
            test.count = COUNT;
        }
    }
}

static void test_all_kinds(void **state)
{
    static const int none[COUNT] = {0};
    static const int every[COUNT] = {1, -1, 2, 1, 1, 1, 1 << 30};
    static const int odd[COUNT] = {0, 1, 0, 1, 0, 1, 0};
    static const int most[COUNT] = {1, 1, 1, 1, 0, 1, 1};

    (void)state;
    for (int kind = SHM_WORD_I8; kind <= SHM_WORD_F32; kind++) {
        expect_kind((enum shm_word_kind)kind, NULL);
        expect_kind((enum shm_word_kind)kind, none);
        expect_kind((enum shm_word_kind)kind, every);
        expect_kind((enum shm_word_kind)kind, odd);
        expect_kind((enum shm_word_kind)kind, most);
    }
}

/* Waits for nothing are over at once, whatever the words hold. */
static void test_empty_waits(void **state)
{
    uint64_t word = 0;
    int left_out = 1;
    struct shm_words_test tests[] = {
        {.count = 0, .value = 1, .kind = SHM_WORD_U64},
        {.words = &word, .count = 1, .status = &left_out, .value = 1, .kind = SHM_WORD_U64}};
    struct thread_job job;

    (void)state;
    start_job(&job, PES, true);
    for (size_t i = 0; i < 2; i++) {
        size_t index = 5, count = 5;

        assert_int_equal(shm_wait_until_all(job.pes[0], &tests[i], "wait"), SHM_OK);
        assert_int_equal(shm_wait_until_any(job.pes[0], &tests[i], "wait", &index), SHM_OK);
        assert_int_equal(index, SIZE_MAX);
        assert_int_equal(shm_wait_until_some(job.pes[0], &tests[i], "wait", NULL, &count), SHM_OK);
        assert_int_equal(count, 0);
    }
    thread_job_end(&job);
}

/* Calls by turns for arrays of several sizes; each gets to look first at each of its words, and not
 * only after very many calls. */
static void test_each_word_has_its_turn(void **state)
{
    static const size_t counts[] = {1, 2, 3, 64, 2};
    struct thread_job job;
    bool had_turn[5][64] = {0};

    (void)state;
    start_job(&job, PES, true);
    for (size_t call = 0; call < 5 * 200; call++) {
        size_t count = counts[call % 5];
        size_t turn = shm_words_turn(job.pes[0], count);

        assert_true(turn < count);
        had_turn[call % 5][turn] = true;
    }
    for (size_t array = 0; array < 5; array++) {
        for (size_t i = 0; i < counts[array]; i++)
            assert_true(had_turn[array][i]);
    }
    assert_int_equal(shm_words_turn(job.pes[0], 0), 0);
    thread_job_end(&job);
}

/* A wait that fails leaves its outputs alone and says where it stood. */
static void test_limit(void **state)
{
    uint64_t words[2] = {0, 0};
    struct shm_words_test test = {.words = words, .count = 2, .value = 1, .kind = SHM_WORD_U64};
    struct shm_word_test one = {&words[0], 1, SHM_WORD_U64, SHM_CMP_EQ};
    size_t indices[2], index = 5, count = 5;
    uint64_t value = 5;
    struct thread_job job;

    (void)state;
    start_job(&job, PES, false);
    job.pes[1]->node_pes = calloc(1, sizeof(int));
    job.pes[1]->options.wait_timeout_s = 0.02;
    assert_int_equal(shm_wait_until_all(job.pes[1], &test, "some_wait"), SHM_TIMEOUT_ERROR);
    assert_non_null(strstr(shm_error_detail(), "PE 1 waiting in some_wait"));
    assert_int_equal(shm_wait_until_any(job.pes[1], &test, "wait", &index), SHM_TIMEOUT_ERROR);
    assert_int_equal(shm_wait_until_some(job.pes[1], &test, "wait", indices, &count),
                     SHM_TIMEOUT_ERROR);
    assert_int_equal(shm_wait_until_value(job.pes[1], &one, "wait", &value), SHM_TIMEOUT_ERROR);
    assert_int_equal(index, 5);
    assert_int_equal(count, 5);
    assert_int_equal(value, 5);
    thread_job_end(&job);
}

/* ---- among threads: PE 0 waits for words that the others put ---- */

/* Word of each PE, in memory of PE 0: the number of the round. */
static void put_round(struct thread_job_pe *self, uint64_t round)
{
    uint64_t *words = heap_words(self->job, 0);

    __atomic_store_n(&words[self->pe + PES], round, __ATOMIC_RELAXED); /* data */
    shm_atomic(SHM_ATOMIC_SET, &words[self->pe], 8, round, 0);
    shm_wake(self->instance, 0);
}

static void expect_data(struct thread_job_pe *self, size_t index, uint64_t round)
{
    const uint64_t *words = heap_words(self->job, 0);

    if (__atomic_load_n(&words[index + PES], __ATOMIC_RELAXED) != round)
        thread_job_fail(self, "data came after its word");
}

static void wait_for_all(struct thread_job_pe *self, struct shm_words_test *test)
{
    if (shm_wait_until_all(self->instance, test, "all") != SHM_OK || !shm_words_all(test))
        thread_job_fail(self, "all");
    for (size_t i = 1; i < PES; i++)
        expect_data(self, i, test->value);
}

static void wait_for_each(struct thread_job_pe *self, const struct shm_words_test *test,
                          int *status)
{
    for (int i = 1; i < PES; i++) {
        size_t index = 0;

        if (shm_wait_until_any(self->instance, test, "any", &index) != SHM_OK || index >= PES ||
            status[index] != 0) {
            thread_job_fail(self, "any");
            return;
        }
        expect_data(self, index, test->value);
        status[index] = 1;
    }
}

static void wait_for_some(struct thread_job_pe *self, const struct shm_words_test *test,
                          int *status)
{
    for (size_t left = PES - 1; left != 0;) {
        size_t indices[PES], count = 0;

        if (shm_wait_until_some(self->instance, test, "some", indices, &count) != SHM_OK ||
            count == 0 || count > left) {
            thread_job_fail(self, "some");
            return;
        }
        left -= count;
        for (size_t i = 0; i < count; i++) {
            expect_data(self, indices[i], test->value);
            status[indices[i]]++;
        }
    }
    for (int i = 1; i < PES; i++) {
        if (status[i] != 1)
            thread_job_fail(self, "some");
    }
}

static void gather(struct thread_job_pe *self)
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        int status[PES] = {1};
        struct shm_words_test test = {
            heap_words(self->job, 0), PES, status, NULL, round, SHM_WORD_U64, SHM_CMP_EQ, false};

        if (self->pe != 0)
            put_round(self, round);
        else if (round % 3 == 0)
            wait_for_all(self, &test);
        else if (round % 3 == 1)
            wait_for_each(self, &test, status);
        else
            wait_for_some(self, &test, status);
        if (shm_barrier(self->instance, &self->instance->world, "barrier") != SHM_OK)
            thread_job_fail(self, "barrier");
    }
}

static void test_gather(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job, PES, false);
    run(&job, gather);
    thread_job_end(&job);
    start_job(&job, PES, true);
    run(&job, gather);
    thread_job_end(&job);
}

/* PE 1 never lets a word stand still; the wait must tell the value that ended it. */
static void flicker(struct thread_job_pe *self)
{
    uint64_t *words = heap_words(self->job, 0);
    struct shm_word_test odd = {&words[0], 1, SHM_WORD_U64, SHM_CMP_EQ};

    for (int i = 0; self->pe == 0 && i < FLICKERS; i++) {
        uint64_t value = 0;

        if (shm_wait_until_value(self->instance, &odd, "wait", &value) != SHM_OK || value != 1)
            thread_job_fail(self, "value");
    }
    if (self->pe == 0)
        __atomic_store_n(&words[1], 1, __ATOMIC_RELAXED);
    while (self->pe == 1 && __atomic_load_n(&words[1], __ATOMIC_RELAXED) == 0) {
        shm_atomic(SHM_ATOMIC_SET, &words[0], 8, 1, 0);
        shm_wake(self->instance, 0);
        shm_atomic(SHM_ATOMIC_SET, &words[0], 8, 2, 0);
    }
}

static void test_value(void **state)
{
    struct thread_job job;

    (void)state;
    start_job(&job, 2, false);
    run(&job, flicker);
    thread_job_end(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_empty_waits),
        cmocka_unit_test(test_each_word_has_its_turn),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
