/* SPDX-License-Identifier: BSD-3-Clause */
/** Groups of PEs that act together: teams and active sets. */
#ifndef TYPED_GROUPS_H
#define TYPED_GROUPS_H

#include "check.h"

#include <stdbool.h>
#include <stddef.h>

enum { TYPED_GROUPS = 4 };

/** The PEs start, start + stride, ... of the job. */
struct typed_group {
    const char *name;
    int start;
    int stride;
    int size; /* 0 when a job of so few PEs has no such group */
    int rank; /* of this PE, -1 when it is no member */
    shmem_team_t team;
    int log_stride; /* of an active set */
};

enum typed_team { TYPED_WORLD, TYPED_REVERSED, TYPED_EVEN, TYPED_BUT_FIRST };

extern struct typed_group typed_teams[TYPED_GROUPS];
extern struct typed_group typed_sets[TYPED_GROUPS];

/** Work arrays of the active sets: of zeros, and of what is enough for any call here. */
extern long typed_sync[SHMEM_SYNC_SIZE];
extern void *const typed_work;

/** Fills both lists. Collective. */
void typed_make_groups(void);
void typed_destroy_groups(void);

static inline int typed_pe_of(const struct typed_group *group, int rank)
{
    return group->start + rank * group->stride;
}

#endif
