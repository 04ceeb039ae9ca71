/* SPDX-License-Identifier: BSD-3-Clause */
/* Data, then a flag, in every way in which the interface lets one send both. */
#include "litmus.h"

#include <stdalign.h>
#include <stdbool.h>

enum { SLOTS = 32, FEW_WORDS = 6, MANY_WORDS = 400, PAIRS = LITMUS_MAX_PES / 2 };

/* Flag and data in cache lines of their own. */
struct slot {
    alignas(64) long data[MANY_WORDS];
    alignas(64) uint64_t flag; /* number of the last round */
};

static struct slot slots[PAIRS][SLOTS];

struct message {
    struct slot *slot;
    long round;
    size_t words; /* even */
    int pe;       /* where the slot lies */
};

static void fill(long block[MANY_WORDS], const struct message *message)
{
    for (size_t i = 0; i < message->words; i++)
        block[i] = message->round + (long)i;
}

/* What is to be added to the flag. */
static uint64_t missing(const struct message *message)
{
    return (uint64_t)message->round - shmem_uint64_g(&message->slot->flag, message->pe);
}

/* What a copy worker has to do first, now and then. */
static void send_ballast(const struct message *message)
{
    static char ballast[1 << 15], more[1 << 15];

    if (random_below(2) == 0)
        shmem_putmem_nbi(more, ballast, sizeof ballast, message->pe);
}

/* ---- senders ---- */

static void by_p(const struct message *message)
{
    for (size_t i = 0; i < message->words; i++)
        shmem_long_p(&message->slot->data[i], message->round + (long)i, message->pe);
    shmem_fence();
    shmem_uint64_p(&message->slot->flag, (uint64_t)message->round, message->pe);
}

static void by_put(const struct message *message)
{
    uint64_t flag = (uint64_t)message->round;
    long block[MANY_WORDS];

    fill(block, message);
    shmem_long_put(message->slot->data, block, message->words, message->pe);
    shmem_fence();
    shmem_uint64_put(&message->slot->flag, &flag, 1, message->pe);
}

static void by_put_nbi(const struct message *message)
{
    long block[MANY_WORDS];

    fill(block, message);
    send_ballast(message);
    shmem_long_put_nbi(message->slot->data, block, message->words, message->pe);
    shmem_fence();
    shmem_uint64_p(&message->slot->flag, (uint64_t)message->round, message->pe);
    shmem_quiet(); /* the block may be reused */
}

static void by_iput(const struct message *message)
{
    long *data = message->slot->data;
    size_t half = message->words / 2;
    long block[MANY_WORDS];

    fill(block, message);
    shmem_long_iput(data, block, 2, 2, half, message->pe);
    shmem_long_iput(data + 1, block + 1, 2, 2, half, message->pe);
    shmem_fence();
    shmem_uint64_atomic_set(&message->slot->flag, (uint64_t)message->round, message->pe);
}

static void by_atomics(const struct message *message)
{
    uint64_t step = missing(message);

    for (size_t i = 0; i < message->words; i++)
        shmem_long_atomic_set(&message->slot->data[i], message->round + (long)i, message->pe);
    shmem_fence();
    shmem_uint64_atomic_add(&message->slot->flag, step, message->pe);
}

static void by_signal(const struct message *message)
{
    long block[MANY_WORDS];

    fill(block, message);
    shmem_long_put_signal(message->slot->data, block, message->words, &message->slot->flag,
                          (uint64_t)message->round, SHMEM_SIGNAL_SET, message->pe);
}

static void by_added_signal(const struct message *message)
{
    uint64_t step = missing(message);
    long block[MANY_WORDS];

    fill(block, message);
    shmem_long_put_signal(message->slot->data, block, message->words, &message->slot->flag, step,
                          SHMEM_SIGNAL_ADD, message->pe);
}

static void by_signal_nbi(const struct message *message)
{
    long block[MANY_WORDS];

    fill(block, message);
    send_ballast(message);
    shmem_long_put_signal_nbi(message->slot->data, block, message->words, &message->slot->flag,
                              (uint64_t)message->round, SHMEM_SIGNAL_SET, message->pe);
    shmem_quiet();
}

static void by_quiet(const struct message *message)
{
    long block[MANY_WORDS];

    fill(block, message);
    send_ballast(message);
    shmem_long_put_nbi(message->slot->data, block, message->words, message->pe);
    shmem_quiet();
    shmem_uint64_atomic_swap(&message->slot->flag, (uint64_t)message->round, message->pe);
}

static const struct sender {
    const char *name;
    void (*send)(const struct message *message);
} senders[] = {
    {"p, fence, p", by_p},
    {"put, fence, put", by_put},
    {"put_nbi, fence, p", by_put_nbi},
    {"iput, fence, atomic_set", by_iput},
    {"atomic_set, fence, atomic_add", by_atomics},
    {"put_signal, set", by_signal},
    {"put_signal, add", by_added_signal},
    {"put_signal_nbi", by_signal_nbi},
    {"put_nbi, quiet, atomic_swap", by_quiet},
};

/* ---- receivers ---- */

static void by_wait(const struct message *message)
{
    shmem_uint64_wait_until(&message->slot->flag, SHMEM_CMP_GE, (uint64_t)message->round);
}

static void by_signal_wait(const struct message *message)
{
    shmem_signal_wait_until(&message->slot->flag, SHMEM_CMP_EQ, (uint64_t)message->round);
}

static void by_wait_any(const struct message *message)
{
    shmem_uint64_wait_until_any(&message->slot->flag, 1, NULL, SHMEM_CMP_EQ,
                                (uint64_t)message->round);
}

static void by_test(const struct message *message)
{
    while (!shmem_uint64_test(&message->slot->flag, SHMEM_CMP_EQ, (uint64_t)message->round))
        pause_in_loop();
}

static void by_g(const struct message *message)
{
    while (shmem_uint64_g(&message->slot->flag, message->pe) != (uint64_t)message->round)
        pause_in_loop();
}

static void by_fetch(const struct message *message)
{
    while (shmem_uint64_atomic_fetch(&message->slot->flag, message->pe) != (uint64_t)message->round)
        pause_in_loop();
}

/* The first two also when the slot lies on another PE. */
static void (*const receivers[])(const struct message *message) = {
    by_g, by_fetch, by_wait, by_signal_wait, by_wait_any, by_test};

/* ---- the patterns ---- */

/* From the end, which is stored last. */
static void check(const struct message *message, const char *how)
{
    const long *data = message->slot->data;
    long block[MANY_WORDS];

    if (message->pe != shmem_my_pe()) {
        shmem_long_get(block, data, message->words, message->pe);
        data = block;
    }
    for (size_t i = message->words; i-- > 0;) {
        long expected = message->round + (long)i;
        long found = data[i];

        if (found != expected) {
            violation("%s: the flag was there, word %zu of %zu on PE %d was %ld instead of %ld",
                      how, i, message->words, message->pe, found, expected);
            return;
        }
    }
}

static const struct sender *sender_of(long round, int number)
{
    return &senders[agreed_below(sizeof senders / sizeof *senders, round, number)];
}

static size_t words_of(long round, int number)
{
    return agreed_below(4, round, number + 40000) == 0 ? MANY_WORDS : FEW_WORDS;
}

static void receive(const struct message *message, const char *how)
{
    uint32_t choices = message->pe == shmem_my_pe() ? sizeof receivers / sizeof *receivers : 2;

    receivers[random_below(choices)](message);
    check(message, how);
}

/* PEs 2 i and 2 i + 1 are a pair; the slots lie on either, or on a third. */
void pass_messages(long round)
{
    int me = shmem_my_pe();
    uint32_t n_pes = (uint32_t)shmem_n_pes();
    int pair = me / 2;

    if ((me ^ 1) >= (int)n_pes)
        return;
    for (int i = 0; i < SLOTS; i++) {
        int number = pair * SLOTS + i;
        int sending = pair * 2 + (int)agreed_below(2, round, number + 10000);
        bool is_at_receiver = agreed_below(3, round, number + 20000) != 0;
        const struct sender *sender = sender_of(round, number);
        struct message message = {&slots[pair][i], round, words_of(round, number), sending ^ 1};

        if (!is_at_receiver)
            message.pe = (int)agreed_below(n_pes, round, number + 30000);
        dawdle();
        if (me == sending)
            sender->send(&message);
        else
            receive(&message, sender->name);
    }
}

/* PE 0 stores to PE 2; PE 1 sees that and tells PE 2, which must see both. */
void pass_on(long round)
{
    static struct slot chain[SLOTS];
    static uint64_t told[SLOTS];
    int me = shmem_my_pe();

    for (int i = 0; i < SLOTS && me < 3; i++) {
        const struct sender *sender = sender_of(round, i);
        struct message message = {&chain[i], round, words_of(round, i), 2};

        dawdle();
        if (me == 0) {
            sender->send(&message);
        } else if (me == 1) {
            receivers[random_below(2)](&message);
            shmem_fence();
            shmem_uint64_p(&told[i], (uint64_t)round, 2);
        } else {
            shmem_uint64_wait_until(&told[i], SHMEM_CMP_EQ, (uint64_t)round);
            check(&message, sender->name);
        }
    }
}
