/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/aclshmem: how the PEs of an instance find each other. */
#ifndef SHM_ACLSHMEM_RENDEZVOUS_INTERNAL_H
#define SHM_ACLSHMEM_RENDEZVOUS_INTERNAL_H

#include "base/address.h"
#include "face.h"

/* How the PEs find PE 0, as text; and the job's secret. */
struct aclshmem_rendezvous {
    enum shm_bootstrap_kind kind;
    const void *communicator; /* MPI: address of an MPI_Comm, or NULL */
    char address[SHM_ADDRESS_TEXT_BYTES];
    uint64_t job_id;
    int listen_fd;
};

/** Copies the attributes of an init; where an instance other than 0 meets at an address, with the
 *  port that SHMEM_INSTANCE_PORT_RANGE gives it in the place of port 0. SHM_INVALID_VALUE when
 * there is no such port. */
SHM_MUST_CHECK enum shm_status aclshmem_place_instance(aclshmemx_bootstrap_t flags,
                                                       const aclshmemx_init_attr_t *attributes,
                                                       aclshmemx_init_attr_t *out);

/** Reads it from the flags and attributes of an init; on success the socket is the caller's. */
SHM_MUST_CHECK enum shm_status aclshmem_choose_rendezvous(aclshmemx_bootstrap_t flags,
                                                          const aclshmemx_init_attr_t *attributes,
                                                          struct aclshmem_rendezvous *out);

#endif
