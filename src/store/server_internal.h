/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The server: one thread, one epoll set, one struct. A connection is a stranger until its hello
 * was accepted and the connection of a rank from then on. Nothing closes a connection while events
 * are handled: it is condemned, and buried when the events at hand are done.
 */
#ifndef SHM_STORE_SERVER_INTERNAL_H
#define SHM_STORE_SERVER_INTERNAL_H

#include "store/channel_internal.h"
#include "store/table_internal.h"
#include "store/wire_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/queue.h>

#define SHM_STORE_REASON_BYTES 400 /* longest text sent to clients */

enum shm_store_rank_state {
    SHM_STORE_RANK_ABSENT = 1, /* never connected; the states are bits for shm_store_pe_list() */
    SHM_STORE_RANK_PRESENT = 2,
    SHM_STORE_RANK_LEFT = 4, /* said goodbye */
    SHM_STORE_RANK_FAILED = 8
};

/* A GET that waits; part of its connection. */
struct shm_store_waiter {
    struct shm_store_entry *entry; /* the first key that does not exist; NULL = not waiting */
    struct shm_store_waiter *next; /* on the same entry */
    struct shm_store_waiter **link;
    struct shm_store_connection *connection;
    struct shm_store_frame request;
    void *block;          /* the bytes of the request */
    uint64_t deadline_ns; /* 0 = never */
    size_t heap_index;    /* in the timers, counted from 1; 0 = not there */
};

/* A frame on its way out. */
struct shm_store_outgoing {
    struct shm_store_outgoing *next;
    uint8_t head[SHM_STORE_HEADER_BYTES + 4 * SHM_STORE_ITEMS_MAX];
    size_t head_bytes;
    uint32_t part_count;
    struct shm_store_buffer *parts[SHM_STORE_ITEMS_MAX];
    size_t part_bytes[SHM_STORE_ITEMS_MAX]; /* a value may have grown since */
};

enum shm_store_connection_state {
    SHM_STORE_STRANGER,
    SHM_STORE_MEMBER,
    SHM_STORE_DISMISSED /* refused, or said goodbye: nothing more is expected from it */
};

struct shm_store_connection {
    struct shm_store_channel channel;
    uint32_t rank;
    uint32_t armed_events; /* what epoll watches */
    enum shm_store_connection_state state;
    bool is_open;          /* it speaks in clear text, or the TLS handshake is done */
    bool wants_to_write;   /* during the handshake */
    bool closes_when_sent; /* refused; stays on the list of strangers, whose time is limited */
    bool is_lingering;     /* all is said: what still comes is thrown away until its end */
    uint64_t accepted_ns;
    struct shm_store_reader reader;
    struct shm_store_outgoing *first_outgoing;
    struct shm_store_outgoing **outgoing_end;
    size_t outgoing_count;
    size_t sent_bytes; /* of the first one */
    struct shm_store_waiter waiter;
    const char *end_reason; /* condemned; reads on from "PE 3 failed: " */
    TAILQ_ENTRY(shm_store_connection) all_link;
    TAILQ_ENTRY(shm_store_connection) stranger_link;
    STAILQ_ENTRY(shm_store_connection) condemned_link;
};

TAILQ_HEAD(shm_store_connections, shm_store_connection);
STAILQ_HEAD(shm_store_condemned, shm_store_connection);

/* Waiters by deadline: a binary heap in an array that holds one more than the ranks there are. */
struct shm_store_timers {
    struct shm_store_waiter **heap; /* from 1 */
    size_t count;
};

/* What all members were told: the first failure and the first wish to exit. */
struct shm_store_notice {
    enum shm_status status; /* SHM_PEER_LOST or SHM_ABORTED */
    uint32_t rank;
    int32_t exit_status;
    struct shm_store_buffer *reason;
};

struct shm_store_server {
    int listen_fd; /* -1 once every rank has joined */
    int epoll_fd;
    int wake_fd;
    uint32_t n_ranks;
    uint64_t job_id;
    struct shm_store_tls *tls; /* NULL: plain text */
    uint64_t now_ns;           /* as of the events at hand */
    struct shm_store_table table;
    struct shm_store_timers timers;
    struct shm_store_connections all;
    struct shm_store_connections strangers; /* the oldest first */
    struct shm_store_condemned condemned;
    size_t stranger_count;
    size_t unsent_count;    /* connections that have outgoing frames */
    uint64_t accept_paused; /* until then no descriptor is tried for; 0 = accepting */
    bool has_warned;        /* that no connection can be accepted */
    uint8_t *rank_states;
    struct shm_store_connection **members; /* by rank; NULL = not present */
    uint32_t member_count;
    uint32_t joined_count;              /* ranks that were ever present */
    struct shm_store_notice notices[2]; /* in the order of events; the first answers every wait */
    size_t notice_count;
    uint32_t refusal_count;
    char last_refusal[SHM_STORE_REASON_BYTES]; /* "" = none */
    /* shared with the thread that created the server */
    pthread_t thread;
    bool has_thread;
    _Atomic uint32_t stop_request; /* enum shm_store_stop */
    uint64_t stop_deadline_ns;     /* written before stop_request */
};

enum shm_store_stop {
    SHM_STORE_STOP_NOT = 0,
    SHM_STORE_STOP_WHEN_DONE = 1,
    SHM_STORE_STOP_NOW = 2
};

/* ---- server.c ---- */

/** Keys that have a value. Any thread. */
size_t shm_store_server_key_count(const struct shm_store_server *server);

/* ---- connection.c ---- */

/** Takes a new connection in; closes `fd` when there is no memory for it. */
void shm_store_connection_add(struct shm_store_server *server, int fd);

/** Handles what epoll reported. */
void shm_store_connection_ready(struct shm_store_server *server,
                                struct shm_store_connection *connection, uint32_t events);

/** Marks the connection for its end; the first reason stays. */
void shm_store_connection_condemn(struct shm_store_server *server,
                                  struct shm_store_connection *connection, const char *reason);

/** Says nothing more and waits for the other side to close, so that what was said arrives. */
void shm_store_connection_linger(struct shm_store_server *server,
                                 struct shm_store_connection *connection);

/** Closes the connection and releases all it holds. */
void shm_store_connection_destroy(struct shm_store_server *server,
                                  struct shm_store_connection *connection);

/** Sends a frame with the given buffers as values (they are shared, not taken over). */
void shm_store_connection_send(struct shm_store_server *server,
                               struct shm_store_connection *connection,
                               struct shm_store_frame *frame,
                               struct shm_store_buffer *const *values);

/** Answers a request that succeeded with a number. */
void shm_store_reply_number(struct shm_store_server *server,
                            struct shm_store_connection *connection, uint32_t sequence,
                            uint64_t number);

/** Answers a request that failed. */
void shm_store_reply_failure(struct shm_store_server *server,
                             struct shm_store_connection *connection, uint32_t sequence,
                             enum shm_status status, struct shm_store_buffer *reason);

/* ---- membership.c ---- */

/** Judges the first frame of a stranger: it becomes a member or is refused. SHM_PROTOCOL when that
 *  frame is no hello. */
SHM_MUST_CHECK enum shm_status shm_store_admit(struct shm_store_server *server,
                                               struct shm_store_connection *connection,
                                               const struct shm_store_frame *frame);

/** Turns a stranger away: the last failure recorded is logged, and is what it hears when it speaks
 *  in clear text or has gone through the TLS handshake; in between, TLS has told it. */
void shm_store_refuse(struct shm_store_server *server, struct shm_store_connection *connection,
                      uint32_t sequence);

/** The member leaves in order. */
void shm_store_dismiss(struct shm_store_server *server, struct shm_store_connection *connection);

/** The member's connection ended without a goodbye; tells the others. */
void shm_store_lose(struct shm_store_server *server, struct shm_store_connection *connection);

/** Tells all members that `rank` wants the job to exit. */
void shm_store_tell_abort(struct shm_store_server *server, uint32_t rank, int32_t exit_status);

/* ---- request.c ---- */

/** Executes one request of a member. SHM_PROTOCOL when it is not one that may come now. */
SHM_MUST_CHECK enum shm_status shm_store_execute(struct shm_store_server *server,
                                                 struct shm_store_connection *connection,
                                                 const struct shm_store_frame *frame);

/* ---- waiting.c ---- */

SHM_MUST_CHECK enum shm_status shm_store_timers_init(struct shm_store_timers *timers,
                                                     uint32_t n_ranks);
void shm_store_timers_fini(struct shm_store_timers *timers);

/** Answers the GET if all its keys exist, else keeps it until they do. */
void shm_store_wait_begin(struct shm_store_server *server, struct shm_store_connection *connection,
                          const struct shm_store_frame *request);

/** The entry has a value now: answers those who wait for it, or lets them wait for another key. */
void shm_store_wait_wake(struct shm_store_server *server, struct shm_store_entry *entry);

/** Answers a waiting connection with a failure. */
void shm_store_wait_fail(struct shm_store_server *server, struct shm_store_connection *connection,
                         enum shm_status status, struct shm_store_buffer *reason);

/** Forgets what the connection waits for; harmless when it does not. */
void shm_store_wait_cancel(struct shm_store_server *server,
                           struct shm_store_connection *connection);

/** Answers those whose limit has passed. */
void shm_store_wait_expire(struct shm_store_server *server);

/** When the next limit passes; 0 = never. */
uint64_t shm_store_wait_deadline(const struct shm_store_server *server);

#endif
