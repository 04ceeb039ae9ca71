/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The classical patterns of two words. PEs run through the slots without meeting, so that they are
 * at the same slot at about the same time; what they saw is compared when the round is over.
 */
#include "litmus.h"

#include <stdalign.h>

enum { SLOTS = 200 };

/* Each word in a cache line of its own. */
struct word {
    alignas(64) long value; /* number of the last round */
};

static struct word x[SLOTS], y[SLOTS];
static long first_seen[SLOTS], second_seen[SLOTS]; /* by this PE */

/* What PE `pe` saw. */
static void fetch_seen(long first[SLOTS], long second[SLOTS], int pe)
{
    shmem_long_get(first, first_seen, SLOTS, pe);
    shmem_long_get(second, second_seen, SLOTS, pe);
}

/* The words lie on their writers in odd rounds, on their readers in even ones. */
void buffer_stores(long round)
{
    int me = shmem_my_pe();
    struct word *mine = me == 0 ? x : y;
    struct word *other = me == 0 ? y : x;
    int is_at_writer = (int)(round & 1);
    long first[SLOTS], second[SLOTS];

    for (int i = 0; i < SLOTS && me < 2; i++) {
        shmem_long_p(&mine[i].value, round, is_at_writer ? me : 1 - me);
        shmem_quiet();
        first_seen[i] = shmem_long_g(&other[i].value, is_at_writer ? 1 - me : me);
        if (i % 8 == 0)
            dawdle();
    }
    shmem_barrier_all();
    if (me != 0)
        return;
    fetch_seen(first, second, 1);
    for (int i = 0; i < SLOTS; i++) {
        if (first_seen[i] != round && first[i] != round)
            violation("slot %d: PE 0 read %ld, PE 1 read %ld, both behind the quiet of their own "
                      "stores of %ld",
                      i, first_seen[i], first[i], round);
    }
}

void buffer_loads(long round)
{
    int me = shmem_my_pe();
    struct word *mine = me == 0 ? x : y;
    struct word *other = me == 0 ? y : x;
    long first[SLOTS], second[SLOTS];

    for (int i = 0; i < SLOTS && me < 2; i++) {
        first_seen[i] = shmem_long_g(&other[i].value, 0);
        shmem_long_p(&mine[i].value, -round, 0); /* other values than those of buffer_stores() */
        if (i % 8 == 0)
            dawdle();
    }
    shmem_barrier_all();
    if (me != 0)
        return;
    fetch_seen(first, second, 1);
    for (int i = 0; i < SLOTS; i++) {
        if (first_seen[i] == -round && first[i] == -round)
            violation("slot %d: both PEs read the %ld that the other stored only after its read", i,
                      -round);
    }
}

static void write_one(struct word *words, long value, int pe)
{
    for (int i = 0; i < SLOTS; i++) {
        shmem_long_atomic_set(&words[i].value, value, pe);
        if (i % 8 == 0)
            dawdle();
    }
}

/* PEs 0 and 1 write, 2 and 3 read. */
void read_independent(long round)
{
    static struct word here[SLOTS]; /* of PE 0 and of PE 1 */
    int me = shmem_my_pe();
    long first[SLOTS], second[SLOTS];

    if (me < 2)
        write_one(here, round, me);
    for (int i = 0; i < SLOTS && (me == 2 || me == 3); i++) {
        first_seen[i] = shmem_long_atomic_fetch(&here[i].value, me - 2);
        second_seen[i] = shmem_long_atomic_fetch(&here[i].value, 3 - me);
        if (i % 8 == 0)
            dawdle();
    }
    shmem_barrier_all();
    if (me != 2)
        return;
    fetch_seen(first, second, 3);
    for (int i = 0; i < SLOTS; i++) {
        if (first_seen[i] == round && second_seen[i] != round && first[i] == round &&
            second[i] != round)
            violation("slot %d: PE 2 saw %ld on PE 0 and then %ld on PE 1, PE 3 saw them the other "
                      "way round",
                      i, round, second_seen[i]);
    }
}

/* PE 0 makes a word on PE 1 grow, in several ways; all others read it. */
void read_twice(long round)
{
    static struct word growing;
    static long last;
    int me = shmem_my_pe();
    long value = (round - 1) * SLOTS;

    for (int i = 0; i < SLOTS; i++) {
        long seen;

        if (me == 0) {
            value++;
            if (i % 3 == 0)
                shmem_long_put(&growing.value, &value, 1, 1);
            else if (i % 3 == 1)
                shmem_long_p(&growing.value, value, 1);
            else
                shmem_long_atomic_inc(&growing.value, 1);
            shmem_fence();
            continue;
        }
        seen = i % 2 != 0 ? shmem_long_g(&growing.value, 1)
                          : shmem_long_atomic_fetch(&growing.value, 1);
        if (seen < last)
            violation("the word fell from %ld to %ld", last, seen);
        last = seen;
    }
    shmem_barrier_all();
    last = shmem_long_g(&growing.value, 1);
    if (last != round * SLOTS)
        violation("the word is %ld behind the barrier, %ld was stored last", last, round * SLOTS);
}

/* PE 0 stores words all of whose bytes are the same. */
void keep_whole(long round)
{
    static uint64_t word8;
    static uint32_t word4;
    static uint16_t word2;
    int me = shmem_my_pe();

    for (int i = 0; i < SLOTS; i++) {
        uint64_t bytes = 0x0101010101010101u * (uint8_t)(round + i);

        if (me == 0) {
            shmem_uint64_p(&word8, bytes, 1);
            shmem_uint32_p(&word4, (uint32_t)bytes, 1);
            shmem_uint16_put(&word2, &(uint16_t){(uint16_t)bytes}, 1, 1);
            continue;
        }
        bytes = shmem_uint64_g(&word8, 1);
        if (bytes != 0x0101010101010101u * (uint8_t)bytes)
            violation("8 bytes are 0x%016llx", (unsigned long long)bytes);
        bytes = shmem_uint32_g(&word4, 1);
        if (bytes != 0x01010101u * (uint8_t)bytes)
            violation("4 bytes are 0x%08llx", (unsigned long long)bytes);
        bytes = shmem_uint16_g(&word2, 1);
        if (bytes != 0x0101u * (uint8_t)bytes)
            violation("2 bytes are 0x%04llx", (unsigned long long)bytes);
    }
}

/* Every PE stores to bytes and words of its own, which lie among those of the others on PE 0. */
void keep_neighbours(long round)
{
    static uint8_t bytes[SLOTS][LITMUS_MAX_PES];
    static uint16_t words[SLOTS][LITMUS_MAX_PES];
    int me = shmem_my_pe();

    for (int i = 0; i < SLOTS; i++) {
        shmem_uint8_p(&bytes[i][me], (uint8_t)(round + me), 0);
        shmem_uint16_put(&words[i][me], &(uint16_t){(uint16_t)(round * 3 + me)}, 1, 0);
        if (i % 8 == 0)
            dawdle();
    }
    shmem_barrier_all();
    for (int i = 0; i < SLOTS && me == 0; i++) {
        for (int pe = 0; pe < shmem_n_pes(); pe++) {
            if (bytes[i][pe] != (uint8_t)(round + pe) || words[i][pe] != (uint16_t)(round * 3 + pe))
                violation("slot %d: PE %d stored %u and %u, they are %u and %u", i, pe,
                          (uint8_t)(round + pe), (uint16_t)(round * 3 + pe), bytes[i][pe],
                          words[i][pe]);
        }
    }
}
