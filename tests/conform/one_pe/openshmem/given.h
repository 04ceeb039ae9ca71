/* SPDX-License-Identifier: BSD-3-Clause */
/** What the face functions of teams, contexts, collectives and several words were given. */
#ifndef ONE_PE_OPENSHMEM_GIVEN_H
#define ONE_PE_OPENSHMEM_GIVEN_H

#include <shmem.h>
#include <shmemx.h>

/* the structs that the generated functions fill are those of the library */
#include "coll/coll.h"
#include "openshmem/collective.h"
#include "openshmem/team.h"
#include "waits.h"

/** What the last face function was given; zero where it has no such argument. */
struct one_pe_given {
    shmem_team_t team;
    shmem_team_t other_team;
    shmem_ctx_t ctx;
    void *dest;
    const void *source;
    size_t bytes;
    int pe;
    long options;
    long mask;
    struct shm_triplet triplet;
    struct face_team_settings settings[2];
    struct face_active_set set;
    struct shm_alltoalls alltoalls;
    struct shm_reduce reduce;
    bool is_inclusive;
};

extern struct one_pe_given one_pe_given;

/** How the last PE number was translated, if it was: PE p of context c is p + 1000 * c. */
struct one_pe_context {
    const char *call;
    shmem_ctx_t ctx;
    int pe;
};

extern struct one_pe_context one_pe_context;

#endif
