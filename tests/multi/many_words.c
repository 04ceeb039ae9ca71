/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits and tests for several words that all PEs write to: which words are given, and when. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#define MOST_PES 64
#define ROUNDS 50

static long words[MOST_PES];
static int narrow[MOST_PES];
static uint64_t data[MOST_PES];

/* Every PE writes data, and then its word, to every PE. */
static void announce(long round)
{
    int me = shmem_my_pe();

    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        shmem_uint64_p(&data[me], (uint64_t)round * 100 + (uint64_t)me, pe);
        shmem_fence();
        shmem_long_atomic_set(&words[me], round, pe);
    }
}

static void expect_word(size_t index, long round, const char *call)
{
    CHECK(index < (size_t)shmem_n_pes(), "%s gave %zu", call, index);
    CHECK(words[index] == round, "%s: word %zu is %ld in round %ld", call, index, words[index],
          round);
    CHECK(data[index] == (uint64_t)round * 100 + index, "%s: data of PE %zu is %llu", call, index,
          (unsigned long long)data[index]);
}

/* Each PE's word once; status leaves out those that came. */
static void take_one_by_one(long round, bool is_test)
{
    int status[MOST_PES] = {0};
    int n_pes = shmem_n_pes();

    for (int taken = 0; taken < n_pes;) {
        size_t index =
            is_test ? shmem_long_test_any(words, (size_t)n_pes, status, SHMEM_CMP_EQ, round)
                    : shmem_long_wait_until_any(words, (size_t)n_pes, status, SHMEM_CMP_EQ, round);

        if (index == SIZE_MAX && is_test)
            continue;
        expect_word(index, round, "any");
        CHECK(status[index] == 0, "word %zu was given although it is left out", index);
        status[index] = 1;
        taken++;
    }
    CHECK(shmem_long_test_any(words, (size_t)n_pes, status, SHMEM_CMP_EQ, round) == SIZE_MAX,
          "a word is given although all are left out");
}

static void take_some(long round, bool is_test)
{
    size_t indices[MOST_PES];
    int status[MOST_PES] = {0};
    size_t n_pes = (size_t)shmem_n_pes();

    for (size_t taken = 0; taken < n_pes;) {
        size_t count =
            is_test
                ? shmem_long_test_some(words, n_pes, indices, status, SHMEM_CMP_EQ, round)
                : shmem_long_wait_until_some(words, n_pes, indices, status, SHMEM_CMP_EQ, round);

        CHECK(count <= n_pes - taken && (count > 0 || is_test), "%zu words after %zu", count,
              taken);
        for (size_t i = 0; i < count; i++) {
            expect_word(indices[i], round, "some");
            CHECK(status[indices[i]] == 0, "word %zu was given twice", indices[i]);
            status[indices[i]] = 1;
        }
        taken += count;
    }
}

static void take_all(long round, bool is_test)
{
    size_t n_pes = (size_t)shmem_n_pes();

    if (is_test)
        while (!shmem_long_test_all(words, n_pes, NULL, SHMEM_CMP_EQ, round))
            continue;
    else
        shmem_long_wait_until_all(words, n_pes, NULL, SHMEM_CMP_EQ, round);
    for (size_t i = 0; i < n_pes; i++)
        expect_word(i, round, "all");
}

static void check_rounds(void)
{
    static void (*const takers[])(long, bool) = {take_one_by_one, take_some, take_all};

    for (long round = 1; round <= ROUNDS; round++) {
        announce(round);
        takers[round % 3](round, round % 2 == 0);
        shmem_barrier_all();
    }
}

/* Words that stay satisfied, none left out: each must be given in a series of calls. */
static void check_turns(bool is_test)
{
    bool was_given[MOST_PES] = {false};
    size_t n_pes = (size_t)shmem_n_pes();

    for (size_t left = n_pes; left > 0;) {
        size_t index = is_test
                           ? shmem_long_test_any(words, n_pes, NULL, SHMEM_CMP_EQ, ROUNDS)
                           : shmem_long_wait_until_any(words, n_pes, NULL, SHMEM_CMP_EQ, ROUNDS);

        expect_word(index, ROUNDS, "turns");
        left -= !was_given[index];
        was_given[index] = true;
    }
}

/* A value of its own for each word, which PE i writes at place i. */
static void check_vectors(void)
{
    int me = shmem_my_pe();
    size_t n_pes = (size_t)shmem_n_pes();
    int wanted[MOST_PES];
    size_t indices[MOST_PES];

    for (size_t i = 0; i < n_pes; i++)
        wanted[i] = -(int)i - 1;
    CHECK(!shmem_int_test_all_vector(narrow, n_pes, NULL, SHMEM_CMP_EQ, wanted), "before");
    CHECK(shmem_int_test_any_vector(narrow, n_pes, NULL, SHMEM_CMP_EQ, wanted) == SIZE_MAX,
          "before");
    CHECK(shmem_int_test_some_vector(narrow, n_pes, indices, NULL, SHMEM_CMP_LE, wanted) == 0,
          "before");
    shmem_barrier_all();
    for (int pe = 0; pe < (int)n_pes; pe++)
        shmem_int_atomic_set(&narrow[me], -me - 1, pe);
    CHECK(shmem_int_wait_until_any_vector(narrow, n_pes, NULL, SHMEM_CMP_EQ, wanted) < n_pes,
          "any");
    CHECK(shmem_int_wait_until_some_vector(narrow, n_pes, indices, NULL, SHMEM_CMP_EQ, wanted) > 0,
          "some");
    shmem_int_wait_until_all_vector(narrow, n_pes, NULL, SHMEM_CMP_EQ, wanted);
    for (size_t i = 0; i < n_pes; i++)
        CHECK(narrow[i] == wanted[i], "word %zu is %d", i, narrow[i]);
}

/* Nothing to wait for. */
static void check_empty(void)
{
    int status[MOST_PES];
    size_t indices[MOST_PES];

    memset(status, 1, sizeof status);
    shmem_long_wait_until_all(words, 3, status, SHMEM_CMP_EQ, -1);
    shmem_long_wait_until_all(words, 0, NULL, SHMEM_CMP_EQ, -1);
    CHECK(shmem_long_wait_until_any(words, 3, status, SHMEM_CMP_EQ, -1) == SIZE_MAX, "left out");
    CHECK(shmem_long_wait_until_any(words, 0, NULL, SHMEM_CMP_EQ, -1) == SIZE_MAX, "none");
    CHECK(shmem_long_wait_until_some(words, 3, indices, status, SHMEM_CMP_EQ, -1) == 0, "left out");
    CHECK(shmem_long_wait_until_some(words, 0, indices, NULL, SHMEM_CMP_EQ, -1) == 0, "none");
    CHECK(shmem_long_test_all(words, 3, status, SHMEM_CMP_EQ, -1), "all of none hold");
}

int main(void)
{
    shmem_init();
    CHECK(shmem_n_pes() <= MOST_PES, "%d PEs", shmem_n_pes());
    check_rounds();
    check_turns(true);
    check_turns(false);
    check_vectors();
    check_empty();
    shmem_finalize();
    return 0;
}
