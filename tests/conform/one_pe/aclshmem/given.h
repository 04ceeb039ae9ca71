/* SPDX-License-Identifier: BSD-3-Clause */
/** What the face functions of ACLSHMEM alone were given. */
#ifndef ONE_PE_ACLSHMEM_GIVEN_H
#define ONE_PE_ACLSHMEM_GIVEN_H

#include "team/team.h"

#include <aclshmem.h>

/** What the last face function was given; zero where it has no such argument. */
struct one_pe_aclshmem {
    aclshmem_team_t team;
    aclshmem_team_t other_team;
    int pe;
    struct shm_triplet triplet;
    const aclshmem_team_config_t *config;
    aclshmem_team_t *new_teams[2];
    void *result; /* where a test or a wait leaves its result */
    aclshmem_mem_type_t mem_type;
    void *stream;
    void *to; /* of a transfer in a stream; a signal's word */
    const void *from;
    size_t bytes;
    int32_t signal;
    int sig_op;
    struct shm_word_test test; /* of a wait in a stream */
};

extern struct one_pe_aclshmem one_pe_aclshmem;

#endif
