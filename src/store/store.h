/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Key-value store over TCP: a server thread on one PE, one connection per PE, and a group engine
 * (barrier, allgather) on top. The number of a PE is its rank here.
 *
 * All deadlines are absolute (base/clock.h), 0 = never. A call may return up to 5 seconds past its
 * deadline when the store does not answer; the connection is given up then.
 */
#ifndef SHM_STORE_H
#define SHM_STORE_H

#include "base/address.h"
#include "base/status.h"

#include <shmem/plugin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHM_STORE_ITEMS_MAX 10                  /* keys or values of one call */
#define SHM_STORE_KEY_BYTES_MAX 2048            /* of one key, at least 1 */
#define SHM_STORE_VALUE_BYTES_MAX (64ull << 20) /* of one value */
#define SHM_STORE_RANKS_MAX 65536u

struct shm_store_slice {
    const void *data;
    size_t bytes;
};

/* ---- TLS ---- */

/** Certificates and keys. Servers and clients that use them must be gone before they are. */
struct shm_store_tls;

/**
 * Loads what the settings name. SHM_INVALID_PARAM when something is missing or of no use,
 * SHM_NOT_SUPPORTED when this build has no TLS.
 *
 * TLS 1.2 at least; both sides show certificates, which must descend from the authorities and, when
 * lists of revoked certificates are given, must not be on them.
 */
SHM_MUST_CHECK enum shm_status shm_store_tls_create(const struct shm_bootstrap_tls *settings,
                                                    struct shm_store_tls **out_tls);

/** Accepts NULL. */
void shm_store_tls_destroy(struct shm_store_tls *tls);

/* ---- server ---- */

struct shm_store_server;

/**
 * Serves the store at `listen_fd` (a listening TCP socket) in a thread of its own, to ranks
 * 0 .. n_ranks - 1 that know `job_id`; with `tls`, only to those who come with TLS (NULL: only to
 * those who come without). The descriptor is taken over, also on failure.
 */
SHM_MUST_CHECK enum shm_status shm_store_server_create(int listen_fd, uint32_t n_ranks,
                                                       uint64_t job_id, struct shm_store_tls *tls,
                                                       struct shm_store_server **out_server);

/**
 * Serves on until every rank that ever connected said goodbye or failed, then ends the thread.
 * Past the deadline it ends all the same: SHM_TIMEOUT_ERROR with the ranks that are still there.
 */
SHM_MUST_CHECK enum shm_status shm_store_server_stop(struct shm_store_server *server,
                                                     uint64_t deadline_ns);

/** In a forked child, which has no copy of the thread: closes the descriptors and nothing else;
 *  accepts NULL. */
void shm_store_server_forget(struct shm_store_server *server);

/** Ends the thread at once if it still runs, closes all connections; accepts NULL. */
void shm_store_server_destroy(struct shm_store_server *server);

/* ---- client: any thread may call; calls take turns ---- */

struct shm_store_client;

struct shm_store_identity {
    uint32_t rank;
    uint32_t n_ranks;
    uint64_t job_id;
    struct shm_store_tls *tls; /* NULL: plain text */
    /* TLS: the name or address that the store's certificate must be made out to; NULL: any. An
     * address must be in the certificate only when the certificate names addresses. */
    const char *host;
};

/** Connects and introduces itself. SHM_REFUSED with the store's reason, or when one side does not
 *  accept the other's certificate; SHM_TIMEOUT_ERROR; SHM_PROTOCOL when something else listens
 *  there. `identity->host` need not outlive the call. */
SHM_MUST_CHECK enum shm_status shm_store_connect(const struct shm_address_list *addresses,
                                                 const struct shm_store_identity *identity,
                                                 uint64_t deadline_ns,
                                                 struct shm_store_client **out_client);

/** Closes without a goodbye: the others see this rank fail. Accepts NULL. */
void shm_store_close(struct shm_store_client *client);

/** Leaves in order; only shm_store_close() may follow. */
SHM_MUST_CHECK enum shm_status shm_store_goodbye(struct shm_store_client *client,
                                                 uint64_t deadline_ns);

SHM_MUST_CHECK enum shm_status shm_store_set(struct shm_store_client *client, const char *key,
                                             struct shm_store_slice value, uint64_t deadline_ns);

/** Values of shm_store_get(), in the order of the keys, in one block of memory. */
struct shm_store_values {
    void *block;
    struct shm_store_slice values[SHM_STORE_ITEMS_MAX];
};

/**
 * Waits until all `count` keys exist and reads them at one moment. SHM_TIMEOUT_ERROR past the
 * deadline; SHM_PEER_LOST or SHM_ABORTED, before and while it waits, when a rank failed or asked
 * the job to exit. Free the block with shm_store_values_free().
 */
SHM_MUST_CHECK enum shm_status shm_store_get(struct shm_store_client *client,
                                             const char *const *keys, size_t count,
                                             uint64_t deadline_ns,
                                             struct shm_store_values *out_values);
void shm_store_values_free(struct shm_store_values *values);

/** Adds to a number in decimal text (a missing key counts as 0); gives the sum.
 *  SHM_INVALID_VALUE when the value is not a number or the sum does not fit in 64 bits. */
SHM_MUST_CHECK enum shm_status shm_store_add(struct shm_store_client *client, const char *key,
                                             int64_t delta, uint64_t deadline_ns, int64_t *out_sum);

/** Removes keys; gives how many of them there were. */
SHM_MUST_CHECK enum shm_status shm_store_remove(struct shm_store_client *client,
                                                const char *const *keys, size_t count,
                                                uint64_t deadline_ns, uint64_t *out_removed);

/** Appends to a value (a missing key counts as empty); gives the bytes it has now. */
SHM_MUST_CHECK enum shm_status shm_store_append(struct shm_store_client *client, const char *key,
                                                struct shm_store_slice value, uint64_t deadline_ns,
                                                uint64_t *out_bytes);

/** Sets the key to `desired` if its value is `expected` (a missing key counts as empty). */
SHM_MUST_CHECK enum shm_status shm_store_cas(struct shm_store_client *client, const char *key,
                                             struct shm_store_slice expected,
                                             struct shm_store_slice desired, uint64_t deadline_ns,
                                             bool *out_swapped);

/** Tells every rank to exit with `status`. Does not wait for an answer, nor for other calls. */
SHM_MUST_CHECK enum shm_status shm_store_abort(struct shm_store_client *client, int status,
                                               uint64_t deadline_ns);

struct shm_store_event {
    enum shm_status kind; /* SHM_OK = nothing, SHM_PEER_LOST, SHM_ABORTED */
    uint32_t rank;        /* that failed, or that asked for the exit */
    int exit_status;      /* SHM_ABORTED */
};

/** The first thing that happened to the job, as far as known here. Never blocks. */
void shm_store_poll(struct shm_store_client *client, struct shm_store_event *out_event);

/* ---- group engine: every rank of the job makes the same calls in the same order ---- */

/** Returns when all ranks have called it. SHM_TIMEOUT_ERROR names the missing ranks. */
SHM_MUST_CHECK enum shm_status shm_store_barrier(struct shm_store_client *client,
                                                 uint64_t deadline_ns);

/** Collects `bytes` (at least 1) of every rank into all[n_ranks * bytes], ordered by rank.
 *  SHM_MISMATCH when ranks pass different sizes. Otherwise as shm_store_barrier(). */
SHM_MUST_CHECK enum shm_status shm_store_allgather(struct shm_store_client *client,
                                                   const void *mine, size_t bytes, void *all,
                                                   uint64_t deadline_ns);

/** In a forked child: closes the descriptor and nothing else; accepts NULL. */
void shm_store_client_forget(struct shm_store_client *client);

#endif
