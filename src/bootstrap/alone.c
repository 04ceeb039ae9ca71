/* SPDX-License-Identifier: BSD-3-Clause */
/* A job of one PE: everyone is there, and everything that was said is known. */
#include "bootstrap/bootstrap_internal.h"

#include "base/status.h"

#include <string.h>
#include <unistd.h>

static enum shm_status alone_open(const struct shm_host *host,
                                  const struct shm_bootstrap_request *request, void **out_state)
{
    (void)host;
    if (request->listen_fd >= 0)
        close(request->listen_fd); /* nobody will come */
    if (request->n_pes != 1 || request->my_pe != 0)
        return shm_fail(SHM_INVALID_PARAM, "PE %d of %d without a bootstrap, expected 0 of 1",
                        request->my_pe, request->n_pes);
    *out_state = NULL;
    return SHM_OK;
}

static enum shm_status alone_barrier(void *state, uint64_t deadline_ns)
{
    (void)state;
    (void)deadline_ns;
    return SHM_OK;
}

static enum shm_status alone_allgather(void *state, const void *mine, size_t bytes, void *all,
                                       uint64_t deadline_ns)
{
    (void)state;
    (void)deadline_ns;
    if (bytes == 0)
        return shm_fail(SHM_INVALID_VALUE, "allgather of 0 bytes, expected at least 1");
    memmove(all, mine, bytes);
    return SHM_OK;
}

static enum shm_status alone_poll(void *state, struct shm_bootstrap_event *out_event)
{
    (void)state;
    *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_NOTHING};
    return SHM_OK;
}

static enum shm_status alone_abort(void *state, int status)
{
    (void)state;
    (void)status;
    return SHM_OK;
}

static void alone_close(void *state)
{
    (void)state;
}

static const struct shm_bootstrap_ops ops = {
    .abi = SHM_PLUGIN_ABI,
    .bytes = sizeof ops,
    .name = "alone",
    .open = alone_open,
    .barrier = alone_barrier,
    .allgather = alone_allgather,
    .poll = alone_poll,
    .abort = alone_abort,
    .finalize = alone_barrier,
    .close = alone_close,
    .forget = alone_close,
};

const struct shm_bootstrap_ops *shm_bootstrap_alone_entry(void)
{
    return &ops;
}
