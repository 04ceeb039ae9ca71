/* SPDX-License-Identifier: BSD-3-Clause */
/** One rank's connection to the store. */
#ifndef SHM_STORE_CLIENT_INTERNAL_H
#define SHM_STORE_CLIENT_INTERNAL_H

#include "store/channel_internal.h"
#include "store/wire_internal.h"

#include <pthread.h>
#include <stdatomic.h>

#define SHM_STORE_CLIENT_REASON_BYTES 512

/* A lock that can be waited for until a deadline of CLOCK_MONOTONIC. (pthread_mutex_clocklock()
 * would be that, but thread checkers do not know it yet.) */
struct shm_store_turn {
    pthread_mutex_t mutex;
    pthread_cond_t freed;
    bool is_taken;
};

struct shm_store_client {
    struct shm_store_channel channel;
    struct shm_store_identity identity;
    struct shm_store_turn call_turn; /* one request at a time; guards what follows */
    uint32_t sequence;
    struct shm_store_reader reader;
    bool is_lost; /* the connection is of no use any more */
    _Atomic bool has_left;
    char reason[SHM_STORE_CLIENT_REASON_BYTES]; /* of the first event */
    struct shm_store_turn send_turn; /* one frame at a time; an abort needs no other turn */
    bool is_cut;                     /* part of a frame was sent: no other can follow */
    _Atomic uint64_t group_round;
    /* the first event: kind << 56 | rank << 32 | exit status. Relaxed: one word holds all of it */
    _Atomic uint64_t event;
};

/** Answer to a request; the slices of the frame lie in `block`, which is to be freed. */
struct shm_store_answer {
    struct shm_store_frame frame;
    void *block;
};

/** Sends a request and waits for its answer. The store's failures become this call's. */
SHM_MUST_CHECK enum shm_status shm_store_exchange(struct shm_store_client *client,
                                                  struct shm_store_frame *request,
                                                  uint64_t deadline_ns,
                                                  struct shm_store_answer *out_answer);

/** As shm_store_exchange() when only the number of the answer counts. */
SHM_MUST_CHECK enum shm_status shm_store_exchange_number(struct shm_store_client *client,
                                                         struct shm_store_frame *request,
                                                         uint64_t deadline_ns,
                                                         uint64_t *out_number);

/** shm_store_get() with flags, or SHM_STORE_MEET, which gives one value. */
SHM_MUST_CHECK enum shm_status shm_store_get_flagged(struct shm_store_client *client,
                                                     struct shm_store_frame *request,
                                                     uint64_t deadline_ns,
                                                     struct shm_store_values *out_values);

/** Puts keys into a request. SHM_INVALID_VALUE when there are too many or one is too long. */
SHM_MUST_CHECK enum shm_status shm_store_request_keys(struct shm_store_frame *request,
                                                      const char *const *keys, size_t count);

#endif
