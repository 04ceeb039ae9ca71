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

/** Reads it from the flags and attributes of an init; on success the socket is the caller's. */
SHM_MUST_CHECK enum shm_status aclshmem_choose_rendezvous(aclshmemx_bootstrap_t flags,
                                                          const aclshmemx_init_attr_t *attributes,
                                                          struct aclshmem_rendezvous *out);

#endif
