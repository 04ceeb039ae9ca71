/* SPDX-License-Identifier: BSD-3-Clause */
/* Several instances in a process: their ports, which of them calls mean, their end. */
#include "rendezvous_internal.h"

#include "base/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT_RANGE "SHMEM_INSTANCE_PORT_RANGE"
#define PORT_MIN 1025 /* as for addresses */
#define PORT_MAX 65535

/* ---- ports ---- */

struct port_range {
    int64_t start, end;
};

static bool parse_range(const char *text, struct port_range *out)
{
    const char *colon = strchr(text, ':');
    char start[8];

    if (colon == NULL || (size_t)(colon - text) >= sizeof start)
        return false;
    snprintf(start, sizeof start, "%.*s", (int)(colon - text), text);
    return shm_parse_integer(start, 0, PORT_MAX, &out->start) == SHM_OK &&
           shm_parse_integer(colon + 1, out->start, PORT_MAX, &out->end) == SHM_OK;
}

static enum shm_status find_port(uint64_t id, int *out_port)
{
    const char *text = getenv(PORT_RANGE);
    struct port_range range;

    if (text == NULL)
        return shm_fail(SHM_INVALID_VALUE,
                        "instance_id = %llu, but " PORT_RANGE " is not set: an instance other than "
                        "0 that meets at an address takes its port from there",
                        (unsigned long long)id);
    if (!parse_range(text, &range))
        return shm_fail(SHM_INVALID_VALUE,
                        PORT_RANGE " = %s, expected start:end, two ports up to 65535 in this order",
                        text);
    if (id > (uint64_t)(range.end - range.start))
        return shm_fail(SHM_INVALID_VALUE,
                        "instance_id = %llu, expected at most %lld for " PORT_RANGE " = %s",
                        (unsigned long long)id, (long long)(range.end - range.start), text);
    *out_port = (int)(range.start + (int64_t)id);
    if (*out_port < PORT_MIN)
        return shm_fail(SHM_INVALID_VALUE,
                        "instance_id = %llu has port %d of " PORT_RANGE " = %s, expected 1025 to "
                        "65535",
                        (unsigned long long)id, *out_port, text);
    return SHM_OK;
}

/* Writes the port in the place of the 0 at the end. */
static enum shm_status set_port(char ip_port[ACLSHMEM_MAX_IP_PORT_LEN], int port)
{
    const char *colon = NULL;
    size_t room;
    size_t bytes;

    if (memchr(ip_port, '\0', ACLSHMEM_MAX_IP_PORT_LEN) != NULL)
        colon = strrchr(ip_port, ':');
    if (colon == NULL || strcmp(colon, ":0") != 0)
        return shm_fail(SHM_INVALID_VALUE,
                        "ip_port = %.*s, expected port 0 for an instance other than 0: " PORT_RANGE
                        " gives the port",
                        ACLSHMEM_MAX_IP_PORT_LEN, ip_port);
    bytes = (size_t)(colon - ip_port) + 1;
    room = ACLSHMEM_MAX_IP_PORT_LEN - bytes;
    if (snprintf(ip_port + bytes, room, "%d", port) >= (int)room)
        return shm_fail(SHM_INVALID_VALUE,
                        "ip_port has no room for port %d, expected %d characters", port,
                        ACLSHMEM_MAX_IP_PORT_LEN - 1);
    return SHM_OK;
}

enum shm_status aclshmem_place_instance(aclshmemx_bootstrap_t flags,
                                        const aclshmemx_init_attr_t *attributes,
                                        aclshmemx_init_attr_t *out)
{
    bool has_other_place = (flags & (ACLSHMEMX_INIT_WITH_MPI | ACLSHMEMX_INIT_WITH_UNIQUEID)) != 0;
    int port = 0;
    enum shm_status status;

    *out = *attributes;
    if (out->instance_id == 0 || has_other_place || (flags & ACLSHMEMX_INIT_WITH_DEFAULT) == 0)
        return SHM_OK;
    status = find_port(out->instance_id, &port);
    return status == SHM_OK ? set_port(out->ip_port, port) : status;
}

/* ---- choosing ---- */

_Static_assert(sizeof(aclshmem_instance_ctx) == sizeof(struct shm_instance_context) &&
                   offsetof(aclshmem_instance_ctx, id) ==
                       offsetof(struct shm_instance_context, id) &&
                   offsetof(aclshmem_instance_ctx, instance) ==
                       offsetof(struct shm_instance_context, instance),
               "the program sees the name of the instance itself");

aclshmem_instance_ctx *aclshmem_context(void)
{
    static const struct shm_instance_context none = {0, NULL};
    const struct shm_instance *instance = shm_current();

    return (aclshmem_instance_ctx *)(instance != NULL ? &instance->context : &none);
}

void aclshmem_miss_instance(const char *call)
{
    shm_log(SHM_LOG_ERROR, "aclshmem", "%s: called before init or after finalize", call);
}

int aclshmem_choose(const char *call, uint64_t id)
{
    enum shm_status status = shm_choose(id);

    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
}

/* ---- leaving ---- */

int aclshmem_leave_instance(const char *call, uint64_t id)
{
    enum shm_status status = shm_stop(id);

    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
}

int aclshmem_leave(const char *call)
{
    const struct shm_instance *instance = shm_current();

    return instance == NULL ? ACLSHMEM_SUCCESS
                            : aclshmem_leave_instance(call, instance->context.id);
}
