/* SPDX-License-Identifier: BSD-3-Clause */
/** What the face functions of ACLSHMEM teams were given. */
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
};

extern struct one_pe_aclshmem one_pe_aclshmem;

/** What the face functions return that have nothing else to return. */
enum { ONE_PE_ACLSHMEM_RESULT = 9 };

#endif
