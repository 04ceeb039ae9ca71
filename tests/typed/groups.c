/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

struct typed_group typed_teams[TYPED_GROUPS];
struct typed_group typed_sets[TYPED_GROUPS];
long typed_sync[SHMEM_SYNC_SIZE];

/* max(nreduce / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE) elements */
static _Alignas(16) unsigned char work[2048];
void *const typed_work = work;

static struct typed_group group_of(const char *name, int start, int stride, int size)
{
    struct typed_group group = {
        .name = name, .start = start, .stride = stride, .size = size, .rank = -1};

    for (int rank = 0; rank < size; rank++)
        if (typed_pe_of(&group, rank) == shmem_my_pe())
            group.rank = rank;
    return group;
}

static void make_team(struct typed_group *group)
{
    int rank;

    if (group->size == 0)
        return;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, group->start, group->stride, group->size, NULL,
                                   0, &group->team) == 0,
          "no team of %s", group->name);
    rank = shmem_team_my_pe(group->team);
    CHECK(rank == group->rank, "rank %d in the team of %s, expected %d", rank, group->name,
          group->rank);
}

void typed_make_groups(void)
{
    int n_pes = shmem_n_pes();
    bool is_alone = n_pes == 1;

    typed_teams[TYPED_WORLD] = group_of("all PEs", 0, 1, n_pes);
    typed_teams[TYPED_REVERSED] = group_of("all PEs backwards", n_pes - 1, -1, n_pes);
    typed_teams[TYPED_EVEN] = group_of("even PEs", 0, 2, is_alone ? 0 : (n_pes + 1) / 2);
    typed_teams[TYPED_BUT_FIRST] = group_of("all PEs but the first", 1, 1, n_pes - 1);
    typed_teams[TYPED_WORLD].team = SHMEM_TEAM_WORLD;
    for (int i = TYPED_REVERSED; i < TYPED_GROUPS; i++)
        make_team(&typed_teams[i]);

    typed_sets[0] = group_of("all PEs", 0, 1, n_pes);
    typed_sets[1] = group_of("even PEs", 0, 2, is_alone ? 0 : (n_pes + 1) / 2);
    typed_sets[1].log_stride = 1;
    typed_sets[2] = group_of("odd PEs", 1, 2, n_pes / 2);
    typed_sets[2].log_stride = 1;
    typed_sets[3] = group_of("all PEs but the first", 1, 1, n_pes - 1);
}

void typed_destroy_groups(void)
{
    for (int i = TYPED_REVERSED; i < TYPED_GROUPS; i++)
        shmem_team_destroy(typed_teams[i].team); /* nothing happens where there is none */
}
