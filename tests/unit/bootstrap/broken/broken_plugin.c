/* SPDX-License-Identifier: BSD-3-Clause */
/* A plug-in with a flaw. Its functions are never called: the loader must turn it away before. */
#include <shmem/plugin.h>
#include <stdlib.h>
#include <string.h>

static enum shm_status open_never(const struct shm_host *host,
                                  const struct shm_bootstrap_request *request, void **out_state)
{
    (void)host;
    (void)request;
    (void)out_state;
    abort();
}

static enum shm_status barrier_never(void *state, uint64_t deadline_ns)
{
    (void)state;
    (void)deadline_ns;
    abort();
}

static enum shm_status allgather_never(void *state, const void *mine, size_t bytes, void *all,
                                       uint64_t deadline_ns)
{
    (void)state;
    (void)mine;
    (void)bytes;
    (void)all;
    (void)deadline_ns;
    abort();
}

static enum shm_status poll_never(void *state, struct shm_bootstrap_event *out_event)
{
    (void)state;
    (void)out_event;
    abort();
}

static enum shm_status abort_never(void *state, int status)
{
    (void)state;
    (void)status;
    abort();
}

static void close_never(void *state)
{
    (void)state;
    abort();
}

static struct shm_bootstrap_ops ops = {
    .abi = SHM_PLUGIN_ABI,
    .bytes = sizeof ops,
    .name = "broken",
    .open = open_never,
    .barrier = barrier_never,
    .allgather = allgather_never,
    .poll = poll_never,
    .abort = abort_never,
    .finalize = barrier_never,
    .close = close_never,
    .forget = close_never,
};

const struct shm_bootstrap_ops *aclshmem_bootstrap_entry(void);

const struct shm_bootstrap_ops *aclshmem_bootstrap_entry(void)
{
    const char *flaw = getenv("BROKEN_PLUGIN_FLAW");

    if (flaw == NULL || strcmp(flaw, "null table") == 0)
        return NULL;
    if (strcmp(flaw, "other contract") == 0)
        ops.abi = SHM_PLUGIN_ABI + 1;
    if (strcmp(flaw, "short table") == 0)
        ops.bytes = sizeof ops - 8;
    if (strcmp(flaw, "empty slot") == 0)
        ops.poll = NULL;
    if (strcmp(flaw, "empty last slot") == 0)
        ops.forget = NULL;
    return &ops;
}
