/* SPDX-License-Identifier: BSD-3-Clause */
/** How the PEs of a job meet: loads a bootstrap plug-in and forwards to it. */
#ifndef SHM_BOOTSTRAP_H
#define SHM_BOOTSTRAP_H

#include "base/status.h"

#include <shmem/plugin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A joined job. */
struct shm_bootstrap;

enum shm_bootstrap_kind {
    SHM_BOOTSTRAP_ALONE = 0,        /* one PE, nobody to meet, no plug-in */
    SHM_BOOTSTRAP_CONFIG_STORE = 1, /* aclshmem_bootstrap_config_store.so */
    SHM_BOOTSTRAP_MPI = 2,          /* aclshmem_bootstrap_mpi_....so, one for each MPI */
    SHM_BOOTSTRAP_BOARD = 3,        /* the launcher's, on one machine; no plug-in */
    SHM_BOOTSTRAP_KINDS
};

/**
 * Loads the plug-in (from the folder of the library itself, then by name) and joins the job.
 * request->listen_fd is taken over in every case. Errors: SHM_UNDER_API_UNLOAD (no such file),
 * SHM_DL_FUNC_FAILED (not a plug-in of this version), or what the plug-in says. SHM_NOT_SUPPORTED
 * at a board: some PE cannot come there, so that all of them have to meet elsewhere.
 */
SHM_MUST_CHECK enum shm_status shm_bootstrap_open(enum shm_bootstrap_kind kind,
                                                  const struct shm_bootstrap_request *request,
                                                  struct shm_bootstrap **out_bootstrap);

/* The verbs of the plug-in; see struct shm_bootstrap_ops in <shmem/plugin.h>. */
SHM_MUST_CHECK enum shm_status shm_bootstrap_barrier(struct shm_bootstrap *bootstrap,
                                                     uint64_t deadline_ns);
SHM_MUST_CHECK enum shm_status shm_bootstrap_allgather(struct shm_bootstrap *bootstrap,
                                                       const void *mine, size_t bytes, void *all,
                                                       uint64_t deadline_ns);
SHM_MUST_CHECK enum shm_status shm_bootstrap_poll(struct shm_bootstrap *bootstrap,
                                                  struct shm_bootstrap_event *out_event);
SHM_MUST_CHECK enum shm_status shm_bootstrap_abort(struct shm_bootstrap *bootstrap, int status);
SHM_MUST_CHECK enum shm_status shm_bootstrap_finalize(struct shm_bootstrap *bootstrap,
                                                      uint64_t deadline_ns);

/** In a forked child: closes the descriptors of the parent's connection; accepts NULL. */
void shm_bootstrap_forget(struct shm_bootstrap *bootstrap);

/** Closes the connection without a goodbye, unloads the plug-in; accepts NULL. */
void shm_bootstrap_close(struct shm_bootstrap *bootstrap);

/** Name of a kind ("alone", "config_store", ...), and whether its plug-in can be loaded here. */
const char *shm_bootstrap_name(enum shm_bootstrap_kind kind);
bool shm_bootstrap_is_available(enum shm_bootstrap_kind kind);

/* ---- unique ids ---- */

/** What PE 0 tells the others so that they find it; fits aclshmemx_uniqueid_t.internal. */
#define SHM_UNIQUE_ID_BYTES 124

struct shm_unique_id {
    int32_t listen_fd; /* PE 0's process only; -1 elsewhere */
    uint32_t address_bytes;
    uint64_t job_id;      /* random */
    uint8_t address[32];  /* struct sockaddr_in or sockaddr_in6 */
    uint8_t reserved[68]; /* 0 */
    uint64_t digest;      /* of what stands before, without listen_fd */
} __attribute__((packed, aligned(4)));

/**
 * Makes an id: picks the address that SHMEM_UID_SESSION_ID ("host:port", "[ipv6]:port") or
 * SHMEM_UID_SOCK_IFNAME ("eth0", "eth0:inet4", "eth0:inet6") names, else the first interface that
 * is up and not virtual (loopback when there is nothing else); binds a port and listens there;
 * draws the job id from the kernel. The id owns the socket until shm_bootstrap_open() or
 * shm_unique_id_discard(). SHM_INVALID_PARAM on a malformed variable or when it cannot bind.
 */
SHM_MUST_CHECK enum shm_status shm_unique_id_create(struct shm_unique_id *out_id);

/** Closes the socket of an id that was never used. */
void shm_unique_id_discard(struct shm_unique_id *id);

/** Refuses an id of which a bit has changed on its way, SHM_INVALID_PARAM. */
SHM_MUST_CHECK enum shm_status shm_unique_id_check(const struct shm_unique_id *id);

/** Writes the id's address as text, "tcp://..." or "tcp6://[...]". SHM_INVALID_PARAM when the id
 *  does not hold an IPv4 or IPv6 address. */
SHM_MUST_CHECK enum shm_status shm_unique_id_address(const struct shm_unique_id *id, char *text,
                                                     size_t bytes);

#endif
