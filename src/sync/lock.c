/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ticket locks. The home's copy of the long is one word of 64 bits: the upper half counts the
 * tickets drawn, the lower half is the ticket that is being served; the lock is free when they are
 * equal. Both wrap around. All accesses are of 64 bits, so that each sees both halves of one
 * moment; an addition to the upper half carries nowhere. Only the futex calls use the lower half
 * alone: where it lies depends on the byte order.
 *
 * Order: whoever is served has read, as acquire, what the releasing exchange of the last holder
 * stored, or a drawing that followed it in its release sequence. Locked instructions on x86-TSO;
 * acquire and release forms of exclusive loads and stores or of LSE atomics on Arm. No wake-up is
 * missed: who releases learns by the exchange itself whether a ticket was drawn before.
 */
#include "base/futex.h"
#include "sync/sync.h"

#define ONE_DRAWN (1ull << 32)
#define SERVED_HALF (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 1)

union lock_word {
    _Atomic uint64_t both;
    _Atomic uint32_t halves[2]; /* for the futex */
};

_Static_assert(sizeof(union lock_word) == sizeof(long), "a lock is a long");

static uint32_t drawn_of(uint64_t both)
{
    return (uint32_t)(both >> 32);
}

static uint32_t served_of(uint64_t both)
{
    return (uint32_t)both;
}

/* Sleepers of different turns wait for different bits, so that a wake-up meets the one whose turn
 * it is (and those a multiple of 32 turns behind). */
static uint32_t futex_bit(uint32_t ticket)
{
    return 1u << (ticket % 32);
}

/* The copy that counts. Its PE follows from the offset, which is the same on all PEs though their
 * addresses may differ; neighbouring locks have different homes. */
static union lock_word *home_word(const struct shm_instance *instance, const long *lock)
{
    const struct shm_reach *reach = &instance->reach;
    uintptr_t begin =
        shm_reach_has_heap(reach, lock, sizeof *lock) ? reach->heap_begin : reach->static_begin;
    uint64_t number = ((uintptr_t)lock - begin) / sizeof *lock;

    return shm_reach_remote(reach, lock, sizeof *lock, (int)(number % (uint64_t)reach->n_pes));
}

struct turn {
    const union lock_word *word;
    uint32_t ticket;
};

static bool is_my_turn(const struct shm_wait *wait)
{
    const struct turn *turn = wait->argument;

    /* pairs with the release in shm_lock_clear() */
    return served_of(atomic_load_explicit(&turn->word->both, memory_order_acquire)) == turn->ticket;
}

enum shm_status shm_lock_set(struct shm_instance *instance, long *lock, const char *call)
{
    union lock_word *word = home_word(instance, lock);
    /* acquire: pairs with the release in shm_lock_clear() when the lock is free */
    uint64_t before = atomic_fetch_add_explicit(&word->both, ONE_DRAWN, memory_order_acquire);
    struct turn turn = {word, drawn_of(before)};
    struct shm_wait wait = {.is_over = is_my_turn,
                            .argument = &turn,
                            .futex = &word->halves[SERVED_HALF],
                            .futex_bits = futex_bit(turn.ticket),
                            .call = call,
                            .peer = -1};

    if (served_of(before) == turn.ticket)
        return SHM_OK;
    return shm_wait(instance, &wait);
}

bool shm_lock_try(struct shm_instance *instance, long *lock)
{
    union lock_word *word = home_word(instance, lock);
    uint64_t both = atomic_load_explicit(&word->both, memory_order_relaxed);

    /* the exchange fails only when somebody else has taken the lock since; acquire: pairs with the
     * release in shm_lock_clear() */
    return drawn_of(both) == served_of(both) &&
           atomic_compare_exchange_strong_explicit(&word->both, &both, both + ONE_DRAWN,
                                                   memory_order_acquire, memory_order_relaxed);
}

enum shm_status shm_lock_clear(struct shm_instance *instance, long *lock)
{
    union lock_word *word = home_word(instance, lock);
    uint64_t before, after;

    shm_quiet(instance);
    before = atomic_load_explicit(&word->both, memory_order_relaxed);
    do {
        if (drawn_of(before) == served_of(before))
            return shm_fail(SHM_INVALID_VALUE, "lock = %p is not held by any PE", (void *)lock);
        after = ((uint64_t)drawn_of(before) << 32) | (served_of(before) + 1);
        /* release: what was done under the lock is visible to whoever is served next */
    } while (!atomic_compare_exchange_weak_explicit(&word->both, &before, after,
                                                    memory_order_release, memory_order_relaxed));
    if (drawn_of(after) != served_of(after))
        shm_futex_wake_bits(&word->halves[SERVED_HALF], futex_bit(served_of(after)));
    return SHM_OK;
}
