/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The contract of plug-ins: bootstraps (how the PEs of a job meet) and transports (how bytes move
 * to memory that is not mapped).
 *
 * A plug-in is a shared object with one entry function that returns a table. The table starts
 * with the contract number and with its own size, so that it may grow and older plug-ins stay
 * valid. Every slot is filled: a plug-in that does not offer an operation puts a function there
 * that returns SHM_NOT_SUPPORTED. Plug-ins are loaded by name with RTLD_NOW | RTLD_LOCAL, do
 * nothing at load time and keep all their state behind the pointer that open() returns, but for
 * what a library below them has once per process.
 *
 * Times are absolute, in nanoseconds of CLOCK_MONOTONIC; a deadline of 0 means "never".
 */
#ifndef SHMEM_PLUGIN_H
#define SHMEM_PLUGIN_H

#include <shmem/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Number of this contract; a plug-in with another one is refused. */
#define SHM_PLUGIN_ABI 2u

/** What the library offers to a plug-in. */
struct shm_host {
    uint32_t abi;   /**< SHM_PLUGIN_ABI of the library */
    uint32_t bytes; /**< size of this struct as the library knows it */
    /** Sets the calling thread's error detail to `text` and returns `status`. */
    enum shm_status (*fail)(enum shm_status status, const char *text);
    /** Writes one line at `level` (0 debug, 1 info, 2 warn, 3 error, 4 fatal). */
    void (*log)(int level, const char *module, const char *text);
};

/** What the program said about TLS. The texts need no zero at their end, and are the library's. */
struct shm_bootstrap_tls {
    uint32_t bytes;   /**< size of this struct as the library knows it */
    const char *info; /**< "key: value;" pairs that name certificates */
    size_t info_bytes;
    const char *key; /**< private key in PEM form */
    size_t key_bytes;
    const char *password; /**< of the private key; NULL: it has none */
    size_t password_bytes;
    /** Turns the password into clear text; gets the room there is, gives the bytes written; 0 =
     *  done. NULL: the password is clear text. */
    int (*decrypt)(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes);
};

/** Who wants to meet whom, and where. */
struct shm_bootstrap_request {
    uint32_t bytes;       /**< size of this struct as the library knows it */
    int my_pe;            /**< 0 .. n_pes - 1 */
    int n_pes;            /**< at least 1 */
    const char *address;  /**< where PE 0 listens, "tcp://host:port" or "tcp6://[host]:port" */
    int listen_fd;        /**< PE 0: a socket that listens at the address already, or -1; the
                               plug-in takes it over, also when open() fails */
    uint64_t job_id;      /**< secret of the job; PEs with another one are refused */
    uint64_t deadline_ns; /**< open() must have returned by then */
    /** NULL: plain text. Else whatever the PEs say to each other is encrypted and both sides are
     *  authenticated, or open() fails. */
    const struct shm_bootstrap_tls *tls;
    /** MPI: address of the program's MPI_Comm; NULL: MPI_COMM_WORLD. */
    const void *communicator;
    int board_fd; /**< the launcher's board, which stays the library's; for no plug-in */
};

enum shm_bootstrap_event_kind {
    SHM_BOOTSTRAP_NOTHING = 0,
    SHM_BOOTSTRAP_PE_FAILED = 1, /**< PE `pe` broke off without a goodbye */
    SHM_BOOTSTRAP_ABORT = 2      /**< PE `pe` asked every PE to exit with `status` */
};

/** Something that happened to the job while this PE was doing something else. */
struct shm_bootstrap_event {
    enum shm_bootstrap_event_kind kind;
    int pe;
    int status;
};

/** Table of a bootstrap. All functions may be called by any thread, one at a time. */
struct shm_bootstrap_ops {
    uint32_t abi;     /**< SHM_PLUGIN_ABI the plug-in was built with */
    uint32_t bytes;   /**< size of this struct as the plug-in knew it */
    const char *name; /**< "config_store", "mpi", ... */
    /** Joins the job; blocks until this PE is known to the others or the deadline passes. */
    enum shm_status (*open)(const struct shm_host *host,
                            const struct shm_bootstrap_request *request, void **out_state);
    /** Returns when all PEs have called it. Past the deadline: SHM_TIMEOUT_ERROR, and the detail
     *  names the PEs that are missing. A failed PE ends it with SHM_PEER_LOST. */
    enum shm_status (*barrier)(void *state, uint64_t deadline_ns);
    /** Collects `bytes` bytes of every PE into `all` (n_pes * bytes), in the order of PEs. All
     *  PEs pass the same `bytes`, at least 1. Errors as for barrier. */
    enum shm_status (*allgather)(void *state, const void *mine, size_t bytes, void *all,
                                 uint64_t deadline_ns);
    /** Tells what happened to the job; never blocks. Reports the same event again on later calls.
     */
    enum shm_status (*poll)(void *state, struct shm_bootstrap_event *out_event);
    /** Asks every PE of the job to exit with `status`; returns once the request is on its way, if
     *  the plug-in does not end this process itself. */
    enum shm_status (*abort)(void *state, int status);
    /** Says goodbye: after it no PE sees the end of this one as a failure. PE 0 returns when every
     *  PE said goodbye, failed, or the deadline passed. Call close() afterwards. */
    enum shm_status (*finalize)(void *state, uint64_t deadline_ns);
    /** Releases everything without talking to anyone; accepts NULL. */
    void (*close)(void *state);
    /** In a forked child: closes the descriptors, so that the end of the parent can be noticed;
     *  touches nothing else, as other threads may have held locks at the fork. */
    void (*forget)(void *state);
};

/** Entry point of a bootstrap plug-in, under the name SHM_BOOTSTRAP_ENTRY. */
typedef const struct shm_bootstrap_ops *(*shm_bootstrap_entry_function)(void);
#define SHM_BOOTSTRAP_ENTRY "aclshmem_bootstrap_entry"

#ifdef __cplusplus
}
#endif

#endif
