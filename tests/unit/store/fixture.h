/* SPDX-License-Identifier: BSD-3-Clause */
/** What the tests of the store share: a server on loopback, clients, raw sockets, threads. */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include "store/server_internal.h"

#include "base/clock.h"
#include "base/socket.h"
#include "store/store.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOB_ID 0x1122334455667788ull
#define LONG_MS 30000u

struct fixture {
    struct shm_store_server *server;
    struct shm_address_list addresses;
    uint32_t n_ranks;
    struct shm_store_tls *tls; /* NULL: plain text */
};

static inline void start_server_with(struct fixture *fixture, uint32_t n_ranks,
                                     struct shm_store_tls *tls)
{
    struct shm_address_list any;
    int fd = -1;

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &any), SHM_OK);
    assert_int_equal(shm_address_listen(&any.entries[0], &fd), SHM_OK);
    fixture->n_ranks = n_ranks;
    fixture->tls = tls;
    fixture->addresses.count = 1;
    assert_int_equal(shm_address_of_socket(fd, &fixture->addresses.entries[0]), SHM_OK);
    assert_int_equal(shm_store_server_create(fd, n_ranks, JOB_ID, fixture->tls, &fixture->server),
                     SHM_OK);
}

static inline void start_server(struct fixture *fixture, uint32_t n_ranks)
{
    start_server_with(fixture, n_ranks, NULL);
}

static inline uint64_t soon(void)
{
    return shm_deadline_after_ms(LONG_MS);
}

static inline struct shm_store_client *join(const struct fixture *fixture, uint32_t rank)
{
    struct shm_store_identity identity = {
        .rank = rank, .n_ranks = fixture->n_ranks, .job_id = JOB_ID, .tls = fixture->tls};
    struct shm_store_client *client = NULL;
    enum shm_status status = shm_store_connect(&fixture->addresses, &identity, soon(), &client);

    if (status != SHM_OK)
        fprintf(stderr, "rank %u: %s\n", rank, shm_error_detail());
    assert_int_equal(status, SHM_OK);
    return client;
}

static inline void leave(struct shm_store_client *client)
{
    assert_int_equal(shm_store_goodbye(client, soon()), SHM_OK);
    shm_store_close(client);
}

/* A connection that speaks for itself. */
static inline int raw_connect(const struct fixture *fixture)
{
    int fd = -1;

    assert_int_equal(shm_address_connect(&fixture->addresses, soon(), &fd), SHM_OK);
    return fd;
}

static inline void raw_send(int fd, const void *data, size_t bytes)
{
    assert_int_equal(shm_socket_send(fd, data, bytes, soon()), SHM_OK);
}

/* Writes a frame into `flat`; returns its bytes. */
static inline size_t flat_frame(const struct shm_store_frame *frame, uint8_t *flat)
{
    size_t used = shm_store_frame_write_head(frame, flat);

    for (uint32_t i = 0; i < frame->key_count; used += frame->keys[i].bytes, i++)
        memcpy(flat + used, frame->keys[i].data, frame->keys[i].bytes);
    for (uint32_t i = 0; i < frame->value_count; used += frame->values[i].bytes, i++)
        memcpy(flat + used, frame->values[i].data, frame->values[i].bytes);
    return used;
}

static inline size_t flat_hello(const struct shm_store_hello *hello, uint8_t *flat)
{
    uint8_t bytes[SHM_STORE_HELLO_BYTES];
    struct shm_store_frame frame = {.operation = SHM_STORE_HELLO,
                                    .value_count = 1,
                                    .values = {{.data = bytes, .bytes = sizeof bytes}}};

    shm_store_hello_write(hello, bytes);
    return flat_frame(&frame, flat);
}

static inline struct shm_store_hello good_hello(const struct fixture *fixture, uint32_t rank)
{
    return (struct shm_store_hello){.magic = SHM_STORE_MAGIC,
                                    .version = SHM_STORE_VERSION,
                                    .rank = rank,
                                    .n_ranks = fixture->n_ranks,
                                    .job_id = JOB_ID};
}

/* Receives one frame, whose slices lie in `flat`. */
static inline void raw_receive(int fd, uint8_t *flat, size_t capacity,
                               struct shm_store_frame *out_frame)
{
    size_t used = 0;
    enum shm_status status = SHM_AGAIN;

    while (status == SHM_AGAIN) {
        assert_true(used < capacity);
        assert_int_equal(shm_socket_receive(fd, flat + used, 1, soon()), SHM_OK);
        used++;
        status = shm_store_frame_parse(flat, used, capacity, out_frame);
    }
    assert_int_equal(status, SHM_OK);
}

/* The server closes the connection without having sent anything more. */
static inline void expect_closed(int fd)
{
    char byte;

    assert_int_equal(shm_socket_receive(fd, &byte, 1, soon()), SHM_CLOSED);
    close(fd);
}

/* A member that speaks for itself. */
static inline int raw_join(const struct fixture *fixture, uint32_t rank)
{
    struct shm_store_hello hello = good_hello(fixture, rank);
    struct shm_store_frame reply;
    uint8_t flat[256];
    int fd = raw_connect(fixture);

    raw_send(fd, flat, flat_hello(&hello, flat));
    raw_receive(fd, flat, sizeof flat, &reply);
    assert_int_equal(reply.status, SHM_OK);
    return fd;
}

static inline struct shm_store_slice slice_of(const char *text)
{
    return (struct shm_store_slice){.data = text, .bytes = strlen(text)};
}

static inline void expect_stored(struct shm_store_client *client, const char *key,
                                 const char *expected)
{
    struct shm_store_values values;

    assert_int_equal(shm_store_get(client, &key, 1, soon(), &values), SHM_OK);
    assert_int_equal(values.values[0].bytes, strlen(expected));
    assert_memory_equal(values.values[0].data, expected, strlen(expected));
    shm_store_values_free(&values);
}

/* A client of each rank in a thread of its own; cmocka's assertions belong to the main thread, so
 * a worker returns a status and leaves its detail. */
struct worker {
    const struct fixture *fixture;
    struct shm_store_client *client;
    uint32_t rank;
    enum shm_status (*run)(struct worker *worker);
    enum shm_status status;
    char detail[SHM_DETAIL_BYTES];
    pthread_t thread;
};

static inline void *run_worker(void *argument)
{
    struct worker *worker = argument;

    worker->status = worker->run(worker);
    snprintf(worker->detail, sizeof worker->detail, "%s", shm_error_detail());
    return NULL;
}

static inline void start_worker(struct worker *worker, const struct fixture *fixture,
                                struct shm_store_client *client, uint32_t rank,
                                enum shm_status (*run)(struct worker *worker))
{
    *worker = (struct worker){.fixture = fixture, .client = client, .rank = rank, .run = run};
    assert_int_equal(pthread_create(&worker->thread, NULL, run_worker, worker), 0);
}

#endif
