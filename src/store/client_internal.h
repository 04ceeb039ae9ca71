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

/* ---- client_turn.c ---- */

void shm_store_turn_init(struct shm_store_turn *turn);
void shm_store_turn_fini(struct shm_store_turn *turn);

/** False when the deadline passed first. Does not wait for another's turn when it has passed. */
SHM_MUST_CHECK bool shm_store_turn_take(struct shm_store_turn *turn, uint64_t deadline_ns);
void shm_store_turn_end(struct shm_store_turn *turn);

/* ---- client_frames.c: all but sending in a call's turn ---- */

/** Takes the next frame that has arrived; SHM_AGAIN when none is complete. Notes notices. */
SHM_MUST_CHECK enum shm_status shm_store_client_next_frame(struct shm_store_client *client,
                                                           struct shm_store_answer *out_answer);

/** Receives what is there, without waiting. SHM_AGAIN when nothing is. */
SHM_MUST_CHECK enum shm_status shm_store_client_receive(struct shm_store_client *client);

/** Waits for the answer with that sequence number. */
SHM_MUST_CHECK enum shm_status shm_store_client_receive_answer(struct shm_store_client *client,
                                                               uint32_t sequence,
                                                               uint64_t deadline_ns,
                                                               struct shm_store_answer *out_answer);

/** Sends all of a frame, in a turn of its own. After a failure no other can follow. */
SHM_MUST_CHECK enum shm_status shm_store_client_send_frame(struct shm_store_client *client,
                                                           const struct shm_store_frame *frame,
                                                           uint64_t deadline_ns);

/* ---- exchange.c ---- */

/** Keeps what a notice says, if it is the first. Only called in a call's turn. */
void shm_store_client_note(struct shm_store_client *client, const struct shm_store_frame *notice);

/** The failure that the store answered with. */
SHM_MUST_CHECK enum shm_status shm_store_answer_failure(const struct shm_store_frame *answer);

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

/* ---- operations.c ---- */

/** shm_store_get() with flags, or SHM_STORE_MEET, which gives one value. */
SHM_MUST_CHECK enum shm_status shm_store_get_flagged(struct shm_store_client *client,
                                                     struct shm_store_frame *request,
                                                     uint64_t deadline_ns,
                                                     struct shm_store_values *out_values);

/** Puts keys into a request. SHM_INVALID_VALUE when there are too many or one is too long. */
SHM_MUST_CHECK enum shm_status shm_store_request_keys(struct shm_store_frame *request,
                                                      const char *const *keys, size_t count);

#endif
