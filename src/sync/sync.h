/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Waiting and ordering. Every wait of the library goes through shm_wait(): spin, then yield, then
 * sleep, the sooner the more PEs a node has per processor. While it waits it watches for failed
 * PEs and time limits, and records for others what it waits for.
 */
#ifndef SHM_SYNC_H
#define SHM_SYNC_H

#include "base/inline.h"
#include "instance/instance.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** Something to wait for. */
struct shm_wait {
    /** True when the wait is over; may be called any number of times. Its loads must be acquire. */
    bool (*is_over)(const struct shm_wait *wait);
    const void *argument;          /* for is_over */
    const _Atomic uint32_t *futex; /* word that changes when the wait may be over; NULL: the
                                      instance's own word, which writers wake */
    uint32_t futex_bits;           /* of `futex`: only wake-ups with one of them; 0 = all */
    const char *call;              /* public name of the operation, for reports */
    uint64_t sequence;             /* of the meeting that is waited for, from 1; 0 = none */
    int peer;                      /* PE that is waited for; -1 = several or unknown */
    const struct shm_group *group; /* in which it is waited for; NULL when in none */
    uint64_t deadline_ns;          /* 0: the limit of SHMEM_WAIT_TIMEOUT applies */
};

/**
 * Returns SHM_OK when wait->is_over(). SHM_PEER_LOST when a PE failed (the detail names it),
 * SHM_ABORTED when the job was told to exit, SHM_TIMEOUT_ERROR past the limit (the detail says who
 * is missing), SHM_MISMATCH when a PE that is waited for has entered finalize or, under
 * SHMEM_DEBUG, when all PEs wait in collectives that do not match (the detail says who waits
 * where).
 */
SHM_MUST_CHECK enum shm_status shm_wait(struct shm_instance *instance, const struct shm_wait *wait);

/** Returns when wait->is_over(), which another thread of this PE brings about whatever becomes of
 *  other PEs. `futex` must not be NULL. */
void shm_wait_for_thread(struct shm_instance *instance, const struct shm_wait *wait);

/* ---- waking ---- */

void shm_wake_slow(struct shm_control *control);

/** To be called after a store to memory of PE `pe`: wakes its sleepers. One load when nobody
 *  sleeps. It overtakes no atomic operation, on x86-TSO as that is locked, on Arm as LDAR stays
 *  behind a release: then either we see the sleeper or it sees the store (nap_announced() in
 *  wait.c). A plain store it may overtake: that costs the sleeper one short timed sleep. */
SHM_ALWAYS_INLINE void shm_wake(const struct shm_instance *instance, int pe)
{
    struct shm_control *control;

    if (__builtin_expect(!instance->reach.is_crowded, 1))
        return;
    control = shm_instance_control(instance, pe);
    if (atomic_load_explicit(&control->sleepers, memory_order_seq_cst) != 0)
        shm_wake_slow(control);
}

/*
 * ---- ordering: memory is reached by load and store, so fences of the processor suffice, once the
 * copy worker, where there is one, has done what it was given ----
 */

/** Waits for a transfer that the copy worker was given, and all before it. */
void shm_complete_copy(struct shm_instance *instance, uint32_t ticket);

/** Waits for all transfers that the copy worker was given, by whichever thread. */
void shm_complete_copies(struct shm_instance *instance);

/** Orders earlier stores of this thread before later ones, for every PE. DMB ISH on Arm; on x86-TSO
 *  only the compiler is held back (memmove() ends its non-temporal stores with SFENCE). */
static inline void shm_fence(struct shm_instance *instance)
{
    if (__builtin_expect(instance->copy_worker != NULL, 0))
        shm_complete_copies(instance);
    atomic_thread_fence(memory_order_release);
}

/** Completes all earlier operations of this thread at their targets: no later load overtakes an
 *  earlier store. DMB ISH on Arm, a full fence on x86-TSO. */
static inline void shm_quiet(struct shm_instance *instance)
{
    if (__builtin_expect(instance->copy_worker != NULL, 0))
        shm_complete_copies(instance);
    atomic_thread_fence(memory_order_seq_cst);
}

/* ---- barrier ---- */

/** Returns when all members have entered it; completes all stores before it. Collective over the
 *  group, which one thread of a PE uses at a time. Errors as for shm_wait(). */
SHM_MUST_CHECK enum shm_status shm_barrier(struct shm_instance *instance, struct shm_group *group,
                                           const char *call);

/** As shm_barrier(), with a limit of its own. */
SHM_MUST_CHECK enum shm_status shm_barrier_until(struct shm_instance *instance,
                                                 struct shm_group *group, const char *call,
                                                 uint64_t deadline_ns);

#include "sync/showing.h"

/* ---- collectives of different kinds ---- */

/** What a program's collectives do. Under SHMEM_DEBUG a member of a group shows it as the first
 * word of its exchange buffer, 64 bits. */
enum shm_collective_kind {
    SHM_COLL_BARRIER,
    SHM_COLL_BROADCAST,
    SHM_COLL_FCOLLECT,
    SHM_COLL_COLLECT,
    SHM_COLL_ALLTOALL,
    SHM_COLL_ALLTOALLS,
    SHM_COLL_REDUCE,
    SHM_COLL_SCAN,
    SHM_COLL_SPLIT_STRIDED,
    SHM_COLL_SPLIT_2D,
    SHM_COLL_DESTROY,
    SHM_COLL_KINDS
};

/** "barrier or sync" for instance; "?" for a word that is no kind. */
const char *shm_collective_kind_name(uint64_t kind);

/** Compares what the members have shown at the last barrier: SHM_MISMATCH when one was in another
 *  kind than the first member. */
SHM_MUST_CHECK enum shm_status shm_collective_kinds_agree(const struct shm_instance *instance,
                                                          const struct shm_group *group);

/** A barrier that is all that a collective of the program does, but for what concerns the PE alone.
 *  Under SHMEM_DEBUG, SHM_MISMATCH when a member is in another kind. */
SHM_MUST_CHECK enum shm_status shm_collective_barrier(struct shm_instance *instance,
                                                      struct shm_group *group,
                                                      enum shm_collective_kind kind,
                                                      const char *call);

/* ---- waiting for a word ---- */

/** Comparisons; the numbers are those of SHMEM_CMP_EQ .. SHMEM_CMP_LE. */
enum shm_comparison {
    SHM_CMP_EQ = 0,
    SHM_CMP_NE = 1,
    SHM_CMP_GT = 2,
    SHM_CMP_GE = 3,
    SHM_CMP_LT = 4,
    SHM_CMP_LE = 5
};

/** How the bits of a word are read. */
enum shm_word_kind {
    SHM_WORD_I8,
    SHM_WORD_U8,
    SHM_WORD_I16,
    SHM_WORD_U16,
    SHM_WORD_I32,
    SHM_WORD_U32,
    SHM_WORD_I64,
    SHM_WORD_U64,
    SHM_WORD_F32,
    /* a char has a sign on some machines and none on others */
    SHM_WORD_CHAR = CHAR_MIN < 0 ? SHM_WORD_I8 : SHM_WORD_U8
};

/** Width of a word. */
static inline size_t shm_word_bytes(enum shm_word_kind kind)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4};

    return bytes[kind];
}

/** A word and what it must be. `value` holds the bits, sign-extended for the signed kinds; F32 is
 *  compared as a number. */
struct shm_word_test {
    const void *word;
    uint64_t value;
    enum shm_word_kind kind;
    enum shm_comparison comparison;
};

/** True when the word satisfies the test now (an acquire load). */
bool shm_word_is(const struct shm_word_test *test);

/** Returns when the word satisfies the test. Errors as for shm_wait(). */
SHM_MUST_CHECK enum shm_status shm_wait_until(struct shm_instance *instance,
                                              const struct shm_word_test *test, const char *call);

/** As shm_wait_until(), and tells with which bits the word satisfied the test; it may hold others
 *  by now. */
SHM_MUST_CHECK enum shm_status shm_wait_until_value(struct shm_instance *instance,
                                                    const struct shm_word_test *test,
                                                    const char *call, uint64_t *out_value);

/* ---- waiting for several words ---- */

/** Words of this PE side by side, and what they must be. */
struct shm_words_test {
    const void *words;
    size_t count;
    const int *status;  /* words whose status is not 0 are left out; NULL: none are */
    const void *values; /* one for each word, of the words' width; NULL: `value` for all */
    uint64_t value;     /* sign-extended for the signed kinds */
    enum shm_word_kind kind;
    enum shm_comparison comparison;
    bool has_values; /* `values` must not be NULL: the checks of the faces look at this */
};

/** True when all words that are not left out satisfy the test; so when all are left out. */
bool shm_words_all(const struct shm_words_test *test);

/** Index of a word that satisfies the test: of the first one from index `first` (at most count) on,
 *  else of the first one of all; SIZE_MAX when there is none. */
size_t shm_words_any(const struct shm_words_test *test, size_t first);

/** Where to look first: another index each time, so that a word that stays satisfied is found
 *  sooner or later, however many others are. */
size_t shm_words_turn(struct shm_instance *instance, size_t count);

/** Writes the indices of the words that satisfy the test, ascending, and returns their number. */
size_t shm_words_some(const struct shm_words_test *test, size_t *indices);

/** Returns when shm_words_all() holds. Errors as for shm_wait(). */
SHM_MUST_CHECK enum shm_status shm_wait_until_all(struct shm_instance *instance,
                                                  const struct shm_words_test *test,
                                                  const char *call);

/** Returns when a word satisfies the test; at once, with SIZE_MAX, when all are left out. */
SHM_MUST_CHECK enum shm_status shm_wait_until_any(struct shm_instance *instance,
                                                  const struct shm_words_test *test,
                                                  const char *call, size_t *out_index);

/** Returns when at least one word satisfies the test; at once, with 0, when all are left out. */
SHM_MUST_CHECK enum shm_status shm_wait_until_some(struct shm_instance *instance,
                                                   const struct shm_words_test *test,
                                                   const char *call, size_t *indices,
                                                   size_t *out_count);

/* ---- locks ---- */

/**
 * A lock is a symmetric long, zero when it is new. One PE's copy, chosen by the address, holds two
 * counters: tickets drawn, and the ticket being served. PEs and threads get the lock in the order
 * in which they drew; a sleeper is woken when its own turn comes, and only then.
 * `lock` must have been checked to be symmetric and aligned.
 */
SHM_MUST_CHECK enum shm_status shm_lock_set(struct shm_instance *instance, long *lock,
                                            const char *call);

/** Takes the lock if it is free: true when it was taken. */
bool shm_lock_try(struct shm_instance *instance, long *lock);

/** Completes all stores, then releases the lock. SHM_INVALID_VALUE when nobody holds it. */
SHM_MUST_CHECK enum shm_status shm_lock_clear(struct shm_instance *instance, long *lock);

/* ---- what PEs do ---- */

/** Sets this PE's public record to a state in which it does not wait. */
void shm_activity_set(struct shm_instance *instance, enum shm_activity_state state);

/** Writes who waits where, one clause per group of PEs: "PEs 0-2 waiting in shmem_barrier_all
 *  (number 17); PE 3 in the program's own code". Always terminated. */
void shm_activity_report(const struct shm_instance *instance, char *text, size_t bytes);

/** Appends the PEs that `has(argument, pe)` selects to `text`: "PE 7", "PEs 0-3, 7" or nothing. */
void shm_pe_list(char *text, size_t bytes, int n_pes, bool (*has)(const void *argument, int pe),
                 const void *argument);

#endif
