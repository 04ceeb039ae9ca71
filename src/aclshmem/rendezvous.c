/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the PEs of an instance meet, by what the program says in its attributes. */
#include "rendezvous_internal.h"

#include <fcntl.h>
#include <string.h>

#define LEAST_PORT 1025

static bool has_address(const aclshmemx_init_attr_t *attributes)
{
    return memchr(attributes->ip_port, '\0', sizeof attributes->ip_port) != NULL &&
           attributes->ip_port[0] != '\0';
}

static enum shm_status meet_at_address(const aclshmemx_init_attr_t *attributes,
                                       struct aclshmem_rendezvous *out)
{
    struct shm_address_list list;
    enum shm_status status = shm_address_parse(attributes->ip_port, LEAST_PORT, &list);
    int fd = attributes->option_attr.sockFd;

    if (status != SHM_OK)
        return status;
    strcpy(out->address, attributes->ip_port);
    out->job_id = attributes->instance_id; /* no secret: whoever may connect may join */
    out->listen_fd = -1;
    if (attributes->my_pe == 0 && fd > 0) {
        out->listen_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        if (out->listen_fd < 0)
            return shm_fail(SHM_INVALID_PARAM, "sockFd = %d is not an open socket", fd);
    }
    return SHM_OK;
}

/* The number in an id means something only in the process that made it. */
static bool is_listening_there(int fd, const char *address)
{
    struct shm_address bound;
    char text[SHM_ADDRESS_TEXT_BYTES];

    if (fd < 0 || shm_address_of_socket(fd, &bound) != SHM_OK)
        return false;
    shm_address_format(&bound, text);
    return strcmp(text, address) == 0;
}

static enum shm_status meet_at_id(const aclshmemx_init_attr_t *attributes,
                                  struct aclshmem_rendezvous *out)
{
    aclshmemx_uniqueid_t *uid = attributes->comm_args;
    struct shm_unique_id id;
    enum shm_status status;

    if (uid == NULL)
        return shm_fail(SHM_INVALID_PARAM, "comm_args = NULL, expected a unique id");
    if (uid->version != ACLSHMEM_UNIQUEID_VERSION)
        return shm_fail(SHM_INVALID_PARAM, "unique id of version %d, expected %d", uid->version,
                        ACLSHMEM_UNIQUEID_VERSION);
    memcpy(&id, uid->internal, sizeof id);
    status = shm_unique_id_check(&id);
    if (status == SHM_OK)
        status = shm_unique_id_address(&id, out->address, sizeof out->address);
    if (status != SHM_OK)
        return status;
    out->job_id = id.job_id;
    out->listen_fd = -1;
    if (attributes->my_pe == 0 && is_listening_there(id.listen_fd, out->address)) {
        out->listen_fd = id.listen_fd;
        id.listen_fd = -1; /* the id gives its socket away: a second init binds the port anew */
        memcpy(uid->internal, &id, sizeof id);
    }
    return SHM_OK;
}

/* PE 0 draws the secret, and tells it over MPI. */
static enum shm_status meet_in_communicator(const aclshmemx_init_attr_t *attributes,
                                            struct aclshmem_rendezvous *out)
{
    out->kind = SHM_BOOTSTRAP_MPI;
    out->communicator = attributes->comm_args;
    out->job_id = 0;
    out->listen_fd = -1;
    return SHM_OK;
}

enum shm_status aclshmem_choose_rendezvous(aclshmemx_bootstrap_t flags,
                                           const aclshmemx_init_attr_t *attributes,
                                           struct aclshmem_rendezvous *out)
{
    out->kind = SHM_BOOTSTRAP_CONFIG_STORE;
    if ((flags & ACLSHMEMX_INIT_WITH_MPI) != 0)
        return meet_in_communicator(attributes, out);
    if ((flags & ACLSHMEMX_INIT_WITH_UNIQUEID) != 0)
        return meet_at_id(attributes, out);
    if ((flags & ACLSHMEMX_INIT_WITH_DEFAULT) == 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "bootstrap_flags = %u, expected an ACLSHMEMX_INIT_WITH_*", (unsigned)flags);
    if (has_address(attributes) && meet_at_address(attributes, out) == SHM_OK)
        return SHM_OK;
    if (attributes->comm_args != NULL)
        return meet_at_id(attributes, out);
    if (has_address(attributes))
        return meet_at_address(attributes, out);
    return shm_fail(SHM_INVALID_PARAM, "ip_port is empty and comm_args is NULL: no place to meet");
}
