/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Engines: the ways in which bytes reach the memory of another PE. They know addresses and
 * processes, not the job: src/rma chooses one for each transfer.
 */
#ifndef SHM_TRANSPORT_H
#define SHM_TRANSPORT_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** One bit per engine; the numbers are those of aclshmem_transport_t. */
enum shm_engine {
    SHM_ENGINE_NONE = 0,
    SHM_ENGINE_MTE = 1,  /* the caller loads from and stores to mapped memory */
    SHM_ENGINE_ROCE = 2, /* a network between nodes: not in this build */
    SHM_ENGINE_SDMA = 4, /* a thread of the PE copies mapped memory in the background */
    SHM_ENGINE_UDMA = 8  /* the kernel copies to and from the other process */
};

/** In a mask of engines that were asked for: those of them that cannot work are left out, which
 *  otherwise is an error. */
#define SHM_ENGINES_THAT_WORK 0x80

/** All engines that a program may ask for. */
#define SHM_ENGINES_ALL (SHM_ENGINE_MTE | SHM_ENGINE_ROCE | SHM_ENGINE_SDMA | SHM_ENGINE_UDMA)
#define SHM_ENGINES 4

/** An engine, for people who ask. */
struct shm_engine_description {
    enum shm_engine engine;
    const char *name;
    const char *summary;
    bool is_built;
};

/** All engines, in the order in which they are preferred. */
const struct shm_engine_description *shm_engine_list(size_t *out_count);

/** Engines that a mask of data_op_engine_type_t asks for, whose bits have another order. */
uint8_t shm_engines_of_data_operations(unsigned mask);

/** Engines that a text asks for: the names of SHMEM_ENGINES, separated by commas,
 *  or "any" for all that work. SHM_INVALID_VALUE for anything else. */
SHM_MUST_CHECK enum shm_status shm_engines_parse(const char *text, uint8_t *out_engines);

/** The first of `usable` in the order of preference; NONE when there is none. */
enum shm_engine shm_engine_first(uint8_t usable);

/* ---- MTE: load and store ---- */

#include "transport/load_store_inline.h"

/** Elements at `stride` elements from each other. */
struct shm_strided {
    void *to;
    const void *from;
    ptrdiff_t to_stride;   /* in elements */
    ptrdiff_t from_stride; /* in elements */
    size_t block;          /* elements that lie side by side, at least 1 */
    size_t count;          /* blocks */
    size_t element_bytes;
};

/** Copies blocks between two strided layouts; single elements of 1, 2, 4 and 8 bytes with one load
 *  and one store each. */
void shm_copy_strided(const struct shm_strided *copy);

/** A transfer, whichever engine does it. Both addresses are of this process. */
struct shm_transfer {
    struct shm_strided copy;
    int pe; /* whose memory is written or read */
    bool is_get;
    uint8_t signal_bytes;  /* 4 or 8: a signal follows a put; 0: none does */
    int signal_operator;   /* enum shm_signal_operator */
    void *signal;          /* address of this process */
    uint64_t signal_value; /* of the operator */
};

/* ---- SDMA: a thread that copies ---- */

/**
 * A thread that does transfers one after the other in the order in which they were given. It is
 * started with the first of them, sleeps when there are none, and blocks all signals.
 */
struct shm_copy_worker;

/** `perform(argument, transfer)` runs in the thread, once for each transfer. */
SHM_MUST_CHECK enum shm_status
shm_copy_worker_create(void (*perform)(void *argument, const struct shm_transfer *transfer),
                       void *argument, struct shm_copy_worker **out_worker);

/** Waits for the transfers that were given, ends the thread and frees the rest; accepts NULL. */
void shm_copy_worker_destroy(struct shm_copy_worker *worker);

/**
 * Gives the worker a transfer; any thread may. SHM_AGAIN, without a detail, while as many wait as
 * the queue holds. The ticket is done when shm_copy_worker_is_done() says so.
 * SHM_MALLOC_FAILED when there is no thread to be had.
 */
SHM_MUST_CHECK enum shm_status shm_copy_worker_try_give(struct shm_copy_worker *worker,
                                                        const struct shm_transfer *transfer,
                                                        uint32_t *out_ticket);

/** Ticket of the last transfer that was given by any thread. */
uint32_t shm_copy_worker_last(const struct shm_copy_worker *worker);

/** Ticket of the transfer that must be done before the queue has room again, when it is full. */
uint32_t shm_copy_worker_oldest(const struct shm_copy_worker *worker);

/** True when the transfer of the ticket and all before it are done; then their stores are visible
 *  to the caller. */
bool shm_copy_worker_is_done(const struct shm_copy_worker *worker, uint32_t ticket);

/** The word that changes with each transfer that is done; its sleepers are woken between expect()
 *  and forget(). */
const _Atomic uint32_t *shm_copy_worker_futex(const struct shm_copy_worker *worker);
void shm_copy_worker_expect(struct shm_copy_worker *worker);
void shm_copy_worker_forget(struct shm_copy_worker *worker);

/* ---- UDMA: copies by the kernel ---- */

/** Another process whose memory the kernel copies. */
struct shm_kernel_peer {
    int pe; /* for error details */
    pid_t pid;
    intptr_t shift; /* from an address of this process to the peer's address of the same byte */
};

/** Copies to the peer (`copy->to` is shifted) or from it (`copy->from` is). SHM_PEER_LOST when its
 *  process is gone; SHM_NOT_SUPPORTED when the kernel refuses; SHM_INVALID_VALUE when one side has
 *  no such memory. Part of the bytes may have been copied then. */
SHM_MUST_CHECK enum shm_status shm_kernel_copy(const struct shm_kernel_peer *peer,
                                               const struct shm_strided *copy, bool is_get);

/** Lets processes that are no descendants of the other side copy memory of this one, where Yama
 *  forbids that by default. */
void shm_kernel_copy_permit(void);

/** 0 when the kernel lets this process read the peer's `word` and write it back, both as they are;
 *  errno otherwise, and ESRCH when it is another process that has the number. */
int shm_kernel_copy_try(const struct shm_kernel_peer *peer, _Atomic uint64_t *word);

#endif
