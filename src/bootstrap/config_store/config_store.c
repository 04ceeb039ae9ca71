/* SPDX-License-Identifier: BSD-3-Clause */
/* Bootstrap over the store of this library: PE 0 serves it, every PE is a client. With TLS both
 * roles use the certificate and the key of their PE. */
#include "base/address.h"
#include "base/clock.h"
#include "store/store.h"

#include <shmem/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ABORT_LIMIT_MS 1000u
#define HOST_BYTES 256

struct config_store {
    struct shm_store_tls *tls;       /* NULL: plain text */
    struct shm_store_server *server; /* PE 0 */
    struct shm_store_client *client;
};

static void config_store_close(void *state)
{
    struct config_store *store = state;

    if (store == NULL)
        return;
    shm_store_close(store->client);
    shm_store_server_destroy(store->server);
    shm_store_tls_destroy(store->tls);
    free(store);
}

/* Listens at the first of the addresses that this machine has. */
static enum shm_status listen_at(const struct shm_address_list *addresses, int *out_fd)
{
    enum shm_status status = SHM_INVALID_PARAM;

    for (size_t i = 0; i < addresses->count; i++) {
        status = shm_address_listen(&addresses->entries[i], out_fd);
        if (status == SHM_OK)
            break;
    }
    return status;
}

/* Takes `listen_fd` over; gives the address that the socket really has. */
static enum shm_status serve(struct config_store *store,
                             const struct shm_bootstrap_request *request, int listen_fd,
                             struct shm_address_list *out_addresses)
{
    enum shm_status status = SHM_OK;
    struct shm_address_list own = {.count = 1};

    if (listen_fd < 0)
        status = shm_address_parse(request->address, 0, &own);
    if (status == SHM_OK && listen_fd < 0)
        status = listen_at(&own, &listen_fd);
    if (status != SHM_OK)
        return status;
    own.count = 1;
    status = shm_address_of_socket(listen_fd, &own.entries[0]);
    if (status != SHM_OK) {
        close(listen_fd);
        return status;
    }
    status = shm_store_server_create(listen_fd, (uint32_t)request->n_pes, request->job_id,
                                     store->tls, &store->server);
    if (status == SHM_OK)
        *out_addresses = own;
    return status;
}

/* The host of an address that was parsed before: without scheme, port, brackets and interface. */
static void copy_host(const char *address, char host[HOST_BYTES])
{
    const char *start = strstr(address, "://") + 3;
    size_t bytes;

    if (*start == '[')
        start++;
    bytes = start[-1] == '[' ? strcspn(start, "%]") : strcspn(start, ":");
    if (bytes >= HOST_BYTES)
        bytes = HOST_BYTES - 1; /* then no certificate fits */
    memcpy(host, start, bytes);
    host[bytes] = '\0';
}

static enum shm_status join(struct config_store *store, const struct shm_bootstrap_request *request)
{
    struct shm_store_identity identity = {.rank = (uint32_t)request->my_pe,
                                          .n_ranks = (uint32_t)request->n_pes,
                                          .job_id = request->job_id,
                                          .tls = store->tls};
    struct shm_address_list addresses;
    char host[HOST_BYTES];
    enum shm_status status = SHM_OK;

    /* PE 0 finds itself at an address of its own socket, which no certificate need name */
    if (request->my_pe == 0)
        status = serve(store, request, request->listen_fd, &addresses);
    else
        status = shm_address_parse(request->address, 0, &addresses);
    if (status != SHM_OK)
        return status;
    if (request->my_pe != 0) {
        copy_host(request->address, host);
        identity.host = host;
    }
    return shm_store_connect(&addresses, &identity, request->deadline_ns, &store->client);
}

static enum shm_status check_request(const struct shm_host *host,
                                     const struct shm_bootstrap_request *request)
{
    if (host->abi != SHM_PLUGIN_ABI || request->bytes < sizeof *request)
        return shm_fail(SHM_DL_FUNC_FAILED,
                        "the config_store plug-in has contract %u, the library %u", SHM_PLUGIN_ABI,
                        host->abi);
    if (request->n_pes < 1 || (uint32_t)request->n_pes > SHM_STORE_RANKS_MAX)
        return shm_fail(SHM_INVALID_VALUE, "a job of %d PEs, expected 1..%u", request->n_pes,
                        SHM_STORE_RANKS_MAX);
    if (request->my_pe < 0 || request->my_pe >= request->n_pes)
        return shm_fail(SHM_INVALID_VALUE, "PE number %d, expected 0..%d", request->my_pe,
                        request->n_pes - 1);
    if (request->address == NULL && (request->my_pe != 0 || request->listen_fd < 0))
        return shm_fail(SHM_INVALID_PARAM, "no address of the store");
    return SHM_OK;
}

static enum shm_status config_store_open(const struct shm_host *host,
                                         const struct shm_bootstrap_request *request,
                                         void **out_state)
{
    struct config_store *store = NULL;
    enum shm_status status = check_request(host, request);

    if (status == SHM_OK) {
        store = calloc(1, sizeof *store);
        if (store == NULL)
            status = shm_fail(SHM_MALLOC_FAILED, "no memory for the bootstrap");
    }
    if (status == SHM_OK && request->tls != NULL)
        status = shm_store_tls_create(request->tls, &store->tls);
    if (status != SHM_OK || request->my_pe != 0) {
        if (request->listen_fd >= 0)
            close(request->listen_fd); /* nobody else will */
    }
    if (status == SHM_OK)
        status = join(store, request);
    if (status != SHM_OK) {
        config_store_close(store);
        return status;
    }
    *out_state = store;
    return SHM_OK;
}

static enum shm_status config_store_barrier(void *state, uint64_t deadline_ns)
{
    return shm_store_barrier(((struct config_store *)state)->client, deadline_ns);
}

static enum shm_status config_store_allgather(void *state, const void *mine, size_t bytes,
                                              void *all, uint64_t deadline_ns)
{
    return shm_store_allgather(((struct config_store *)state)->client, mine, bytes, all,
                               deadline_ns);
}

static enum shm_status config_store_poll(void *state, struct shm_bootstrap_event *out_event)
{
    struct shm_store_event event;

    shm_store_poll(((struct config_store *)state)->client, &event);
    *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_NOTHING};
    if (event.kind == SHM_PEER_LOST)
        out_event->kind = SHM_BOOTSTRAP_PE_FAILED;
    if (event.kind == SHM_ABORTED)
        out_event->kind = SHM_BOOTSTRAP_ABORT;
    out_event->pe = (int)event.rank;
    out_event->status = event.exit_status;
    return SHM_OK;
}

/* The answer to any later request tells that the server has passed the abort on: this process,
 * which may be the server's, can end. */
static enum shm_status config_store_abort(void *state, int exit_status)
{
    struct shm_store_client *client = ((struct config_store *)state)->client;
    uint64_t deadline_ns = shm_deadline_after_ms(ABORT_LIMIT_MS);
    enum shm_status status = shm_store_abort(client, exit_status, deadline_ns);
    const char *key = "abort"; /* nobody sets it */
    uint64_t removed;

    return status == SHM_OK ? shm_store_remove(client, &key, 1, deadline_ns, &removed) : status;
}

static enum shm_status config_store_finalize(void *state, uint64_t deadline_ns)
{
    struct config_store *store = state;
    enum shm_status status = shm_store_goodbye(store->client, deadline_ns);

    if (status != SHM_OK || store->server == NULL)
        return status;
    return shm_store_server_stop(store->server, deadline_ns);
}

static void config_store_forget(void *state)
{
    struct config_store *store = state;

    shm_store_client_forget(store->client);
    shm_store_server_forget(store->server);
}

static const struct shm_bootstrap_ops ops = {
    .abi = SHM_PLUGIN_ABI,
    .bytes = sizeof ops,
    .name = "config_store",
    .open = config_store_open,
    .barrier = config_store_barrier,
    .allgather = config_store_allgather,
    .poll = config_store_poll,
    .abort = config_store_abort,
    .finalize = config_store_finalize,
    .close = config_store_close,
    .forget = config_store_forget,
};

const struct shm_bootstrap_ops *aclshmem_bootstrap_entry(void);

const struct shm_bootstrap_ops *aclshmem_bootstrap_entry(void)
{
    return &ops;
}
