/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks, sleepers, atomics, blocks in flight. */
#include "litmus.h"

#include <stdalign.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 40, LOCKS = 3, WORDS = 6, BLOCKS = 4, BLOCK_WORDS = 600 };

/* ---- locks ---- */

/* The counter lies on another PE than the lock's word in two of three cases. */
void take_locks(long round)
{
    static long locks[LOCKS], counters[LOCKS], holders[LOCKS];
    int n_pes = shmem_n_pes();

    for (int i = 0; i < TURNS; i++) {
        uint32_t which = random_below(LOCKS);
        int home = (int)which % n_pes;
        long others, before;

        if (i % 4 != 0 || shmem_test_lock(&locks[which]) != 0)
            shmem_set_lock(&locks[which]);
        others = shmem_long_atomic_fetch_inc(&holders[which], home);
        if (others != 0)
            violation("lock %u: %ld others hold it", which, others);
        before = shmem_long_g(&counters[which], home);
        dawdle();
        shmem_long_p(&counters[which], before + 1, home);
        shmem_long_atomic_add(&holders[which], -1, home);
        shmem_clear_lock(&locks[which]);
        dawdle();
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        long sum = 0;

        for (int i = 0; i < LOCKS; i++)
            sum += shmem_long_g(&counters[i], i % n_pes);
        if (sum != round * TURNS * n_pes)
            violation("the counters say %ld, the locks were taken %ld times", sum,
                      round * TURNS * n_pes);
    }
}

/* ---- sleepers ---- */

static uint64_t tokens[WORDS];

static void pass_token(uint64_t value, int pe, size_t place)
{
    switch (random_below(4)) {
    case 0:
        shmem_uint64_p(&tokens[place], value, pe);
        break;
    case 1:
        shmem_uint64_atomic_set(&tokens[place], value, pe);
        break;
    case 2:
        shmem_uint64_put(&tokens[place], &value, 1, pe);
        break;
    default:
        shmem_put8_signal(NULL, NULL, 0, &tokens[place], value, SHMEM_SIGNAL_SET, pe);
    }
}

static void wait_for_token(uint64_t value, size_t place)
{
    size_t indices[WORDS];
    uint64_t seen = value;

    switch (random_below(4)) {
    case 0:
        shmem_uint64_wait_until(&tokens[place], SHMEM_CMP_EQ, value);
        break;
    case 1:
        seen = shmem_signal_wait_until(&tokens[place], SHMEM_CMP_GE, value);
        break;
    case 2:
        if (shmem_uint64_wait_until_any(tokens, WORDS, NULL, SHMEM_CMP_EQ, value) != place)
            violation("another word than %zu has the token", place);
        break;
    default:
        if (shmem_uint64_wait_until_some(tokens, WORDS, indices, NULL, SHMEM_CMP_EQ, value) != 1 ||
            indices[0] != place)
            violation("other words than %zu have the token", place);
    }
    if (seen != value)
        violation("the wait for %llu ended with %llu", (unsigned long long)value,
                  (unsigned long long)seen);
}

/* The token grows at every step. It goes round to the right; sometimes its holder lets the others
 * fall asleep first. */
void wake_sleepers(long round)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    for (long i = 0; i < TURNS; i++) {
        uint64_t value = (uint64_t)((round * TURNS + i) * n_pes + me);
        size_t place = (size_t)(value % WORDS);

        if (me != 0 || i != 0)
            wait_for_token(value, place);
        dawdle();
        if (random_below(TURNS) == 0)
            usleep(random_below(600));
        if (me != n_pes - 1 || i != TURNS - 1)
            pass_token(value + 1, (me + 1) % n_pes, (size_t)((value + 1) % WORDS));
    }
}

/* ---- atomics ---- */

/* A number drawn twice, or one that falls, is one that was lost. */
static void draw_numbers(int32_t *counter, long *exchanged)
{
    static int32_t last;

    for (int i = 0; i < TURNS; i++) {
        int32_t drawn = shmem_int32_atomic_fetch_add(counter, 1, 0);
        long expected = shmem_long_atomic_fetch(exchanged, 0);
        long found;

        if (drawn < last)
            violation("PE drew %d behind %d", drawn, last);
        last = drawn + 1;
        while ((found = shmem_long_atomic_compare_swap(exchanged, expected, expected + 1, 0)) !=
               expected)
            expected = found;
    }
}

void add_up(long round)
{
    alignas(64) static int32_t crowded; /* all PEs add to it at full speed */
    alignas(64) static int32_t counter;
    static int32_t narrow;
    static long exchanged;
    static uint64_t bits;
    static uint64_t swapped; /* one PE's number and round; 0 at first */
    int me = shmem_my_pe();
    long all = round * TURNS * shmem_n_pes();

    for (int i = 0; i < 4 * TURNS; i++)
        shmem_int32_atomic_inc(&crowded, 0);
    draw_numbers(&counter, &exchanged);
    for (int i = 0; i < TURNS; i++) {
        int32_t seen = shmem_int32_atomic_fetch(&narrow, 0);
        int32_t before;

        while ((before = shmem_int32_atomic_compare_swap(&narrow, seen, seen + 1, 0)) != seen)
            seen = before;
        shmem_uint64_atomic_or(&bits, 1ull << me, 0);
        if ((shmem_uint64_atomic_fetch_and(&bits, ~(1ull << me), 0) >> me & 1) == 0)
            violation("the bit that this PE had set was gone");
        shmem_uint64_atomic_fetch_xor(&bits, 1ull << (me + 32), 0);
        shmem_uint64_atomic_swap(&swapped, (uint64_t)round, 0);
    }
    shmem_barrier_all();
    if (me == 0 && crowded != (int32_t)(4 * all))
        violation("%d additions instead of %ld", crowded, 4 * all);
    if (me == 0 && (counter != (int32_t)all || narrow != (int32_t)all || exchanged != all))
        violation("%d additions, %d and %ld exchanges, expected %ld of each", counter, narrow,
                  exchanged, all);
    if (me == 0 && (bits != 0 || swapped != (uint64_t)round))
        violation("bits 0x%llx, swapped %llu", (unsigned long long)bits,
                  (unsigned long long)swapped);
}

/* ---- any of several ---- */

void find_any(long round)
{
    enum { CALLS = 60 * WORDS };

    static long words[WORDS];
    int found[WORDS] = {0};
    int left = (shmem_my_pe() + 1) % shmem_n_pes();

    for (int i = 0; i < WORDS; i++)
        shmem_long_p(&words[i], round, left);
    for (int i = 0; i < CALLS; i++) {
        size_t index = i % 2 != 0
                           ? shmem_long_test_any(words, WORDS, NULL, SHMEM_CMP_GE, round)
                           : shmem_long_wait_until_any(words, WORDS, NULL, SHMEM_CMP_GE, round);

        if (index < WORDS && words[index] < round)
            violation("word %zu was told to be there, it is %ld", index, words[index]);
        if (index < WORDS)
            found[index]++;
    }
    shmem_long_wait_until_all(words, WORDS, NULL, SHMEM_CMP_GE, round);
    for (int i = 0; i < CALLS; i++)
        found[shmem_long_test_any(words, WORDS, NULL, SHMEM_CMP_GE, round)]++;
    for (int i = 0; i < WORDS; i++) {
        if (found[i] == 0)
            violation("%d calls found every word but %d", CALLS, i);
    }
}

/* ---- blocks ---- */

/* Puts to the right and gets from the left at once, of all sizes; the parts of the own block that
 * neighbours write and read are different ones. */
void move_blocks(long round)
{
    static long given[BLOCKS][BLOCK_WORDS], shown[BLOCK_WORDS];
    long sent[BLOCKS][BLOCK_WORDS], got[BLOCKS][BLOCK_WORDS];
    size_t words = 1 + agreed_below(BLOCK_WORDS, round, 0);
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int left = (me + n_pes - 1) % n_pes;

    for (size_t i = 0; i < words; i++)
        shown[i] = round * 1000 + me;
    shmem_barrier_all();
    for (int block = 0; block < BLOCKS; block++) {
        for (size_t i = 0; i < words; i++)
            sent[block][i] = round * 1000 + me;
        shmem_long_put_nbi(given[block], sent[block], words, (me + 1) % n_pes);
        shmem_long_get_nbi(got[block], shown, words, left);
        dawdle();
    }
    shmem_quiet();
    for (int block = 0; block < BLOCKS; block++) {
        if (got[block][words - 1] != round * 1000 + left || got[block][0] != got[block][words - 1])
            violation("block %d of %zu words was not got behind quiet: %ld and %ld", block, words,
                      got[block][0], got[block][words - 1]);
    }
    memset(sent, 0, sizeof sent); /* may be reused behind quiet */
    shmem_barrier_all();
    for (int block = 0; block < BLOCKS; block++) {
        if (given[block][words - 1] != round * 1000 + left ||
            given[block][0] != given[block][words - 1])
            violation("block %d of %zu words was not put behind quiet: %ld and %ld", block, words,
                      given[block][0], given[block][words - 1]);
    }
}
