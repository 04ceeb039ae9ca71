/* SPDX-License-Identifier: BSD-3-Clause */
/** Hot bodies of rma.h, which includes this. */
#ifndef SHM_RMA_INLINE_H
#define SHM_RMA_INLINE_H

#include "base/float_bits.h"
#include "base/inline.h"

#include <string.h>

/** Puts bytes into memory of PE `pe` (translated address). */
SHM_ALWAYS_INLINE void shm_put(const struct shm_instance *instance, void *to, const void *from,
                               size_t bytes, int pe)
{
    shm_copy_element(to, from, bytes);
    shm_wake(instance, pe);
}

/** Gets bytes from memory of another PE (translated address). A get that has returned took place
 *  before what follows: x86-TSO keeps loads before later loads and stores, Arm needs DMB ISHLD. */
SHM_ALWAYS_INLINE void shm_get(void *to, const void *from, size_t bytes)
{
    shm_copy_element(to, from, bytes);
    atomic_thread_fence(memory_order_acquire);
}

/** Atomic operations; each returns what the word held before. */
enum shm_atomic_operation {
    SHM_ATOMIC_FETCH,
    SHM_ATOMIC_SET,
    SHM_ATOMIC_SWAP,
    SHM_ATOMIC_COMPARE_SWAP,
    SHM_ATOMIC_ADD,
    SHM_ATOMIC_AND,
    SHM_ATOMIC_OR,
    SHM_ATOMIC_XOR
};

SHM_ALWAYS_INLINE uint32_t shm_atomic_u32(enum shm_atomic_operation operation, uint32_t *word,
                                          uint32_t value, uint32_t condition)
{
    switch (operation) {
    case SHM_ATOMIC_FETCH:
        return __atomic_load_n(word, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_SET:
        __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
        return 0;
    case SHM_ATOMIC_SWAP:
        return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_COMPARE_SWAP:
        __atomic_compare_exchange_n(word, &condition, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return condition;
    case SHM_ATOMIC_ADD:
        return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_AND:
        return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_OR:
        return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_XOR:
        break;
    }
    return __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST);
}

SHM_ALWAYS_INLINE uint64_t shm_atomic_u64(enum shm_atomic_operation operation, uint64_t *word,
                                          uint64_t value, uint64_t condition)
{
    switch (operation) {
    case SHM_ATOMIC_FETCH:
        return __atomic_load_n(word, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_SET:
        __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
        return 0;
    case SHM_ATOMIC_SWAP:
        return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_COMPARE_SWAP:
        __atomic_compare_exchange_n(word, &condition, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return condition;
    case SHM_ATOMIC_ADD:
        return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_AND:
        return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_OR:
        return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST);
    case SHM_ATOMIC_XOR:
        break;
    }
    return __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST);
}

/**
 * Applies an operation to an aligned word of 4 or 8 bytes with the processor's instructions:
 * atomic among all PEs of the node and with plain loads and stores. Sequentially consistent, so
 * that it also orders against a sleeper's announcement (sync/wait.c): LOCK or XCHG on x86-TSO; on
 * Arm STLR, LDAR, and LSE atomics or exclusives with acquire and release. With constant arguments
 * it compiles to one instruction.
 */
SHM_ALWAYS_INLINE uint64_t shm_atomic(enum shm_atomic_operation operation, void *word, size_t bytes,
                                      uint64_t value, uint64_t condition)
{
    if (bytes == 4)
        return shm_atomic_u32(operation, word, (uint32_t)value, (uint32_t)condition);
    return shm_atomic_u64(operation, word, value, condition);
}

/** Signal operators; the numbers are those of SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD. */
enum shm_signal_operator { SHM_SIGNAL_SET = 0, SHM_SIGNAL_ADD = 1 };

/** Updates a signal of PE `pe`, a word of 4 or 8 bytes (translated address, aligned). Whoever sees
 *  the new value sees what this thread stored before: the update is a release, to pair with the
 *  acquire loads in src/sync (XCHG or LOCK XADD on x86-TSO; STLR or LDADDAL on Arm). */
SHM_ALWAYS_INLINE void shm_signal(const struct shm_instance *instance, void *word, size_t bytes,
                                  enum shm_signal_operator signal_operator, uint64_t signal, int pe)
{
    shm_atomic(signal_operator == SHM_SIGNAL_SET ? SHM_ATOMIC_SET : SHM_ATOMIC_ADD, word, bytes,
               signal, 0);
    shm_wake(instance, pe);
}

#endif
