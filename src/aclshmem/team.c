/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams. Their numbers are small, so a number is a place in the table of teams: the world team is
 * 0, and the first one of a split 1. A destroyed number finds nothing until another team takes the
 * place. As many teams of splits exist at most as numbers are left (SHM_SLOTS).
 */
#include "face.h"

/* Predefined teams behind the world team, which have no number here. */
#define UNNUMBERED (SHM_TEAM_NODE - SHM_TEAM_WORLD)

_Static_assert(SHM_SLOTS - SHM_SLOT_FIRST_FREE < ACLSHMEM_MAX_TEAMS, "every team has a number");

static aclshmem_team_t number_of(const struct shm_team *team)
{
    uint32_t index;

    if (team == NULL)
        return ACLSHMEM_TEAM_INVALID;
    index = shm_team_index(team);
    return index == SHM_TEAM_WORLD ? ACLSHMEM_TEAM_WORLD : (int)index - UNNUMBERED - SHM_TEAM_WORLD;
}

struct shm_team *aclshmem_team(const struct shm_instance *instance, aclshmem_team_t number)
{
    if (instance == NULL || number < 0 || number >= ACLSHMEM_MAX_TEAMS)
        return NULL;
    return shm_team_at(instance, (uint32_t)number + SHM_TEAM_WORLD +
                                     (number == ACLSHMEM_TEAM_WORLD ? 0 : UNNUMBERED));
}

/* ---- queries: -1 before init and for a team that does not exist, without a word ---- */

int aclshmem_rank_in(aclshmem_team_t number)
{
    const struct shm_team *team = aclshmem_team(shm_current(), number);

    return team != NULL ? team->group->rank : -1;
}

int aclshmem_size_of(aclshmem_team_t number)
{
    const struct shm_team *team = aclshmem_team(shm_current(), number);

    return team != NULL ? team->group->size : -1;
}

int aclshmem_translate(aclshmem_team_t from_number, int rank, aclshmem_team_t to_number)
{
    const struct shm_team *from = aclshmem_team(shm_current(), from_number);
    const struct shm_team *to = aclshmem_team(shm_current(), to_number);

    return from != NULL && to != NULL ? shm_team_translate(from, rank, to) : -1;
}

/* A team of this face has nothing that could be configured. */
int aclshmem_config_of(aclshmem_team_t number, aclshmem_team_config_t *config)
{
    if (config == NULL)
        return 1;
    if (aclshmem_team(shm_current(), number) == NULL)
        return ACLSHMEM_INVALID_PARAM;
    *config = (aclshmem_team_config_t){0};
    return ACLSHMEM_SUCCESS;
}

/* ---- making and destroying ---- */

static int answer(struct shm_instance *instance, const char *call, enum shm_status status)
{
    if (status == SHM_OK)
        return ACLSHMEM_SUCCESS;
    face_refuse(instance, call, status);
    return status == SHM_MALLOC_FAILED ? ACLSHMEM_INNER_ERROR : ACLSHMEM_INVALID_PARAM;
}

static enum shm_status no_parent(aclshmem_team_t parent)
{
    return shm_fail(SHM_INVALID_PARAM, "parent_team = %d, expected a team", parent);
}

static enum shm_status nowhere(const char *argument)
{
    return shm_fail(SHM_INVALID_PARAM, "%s = NULL, expected a variable", argument);
}

static enum shm_status check_split(const aclshmem_team_t *new_team,
                                   const struct shm_triplet *triplet)
{
    if (new_team == NULL)
        return nowhere("new_team");
    if (triplet->stride < 1)
        return shm_fail(SHM_INVALID_PARAM, "pe_stride = %d, expected 1 or more", triplet->stride);
    return SHM_OK;
}

int aclshmem_split(const char *call, aclshmem_team_t parent, const struct shm_triplet *triplet,
                   aclshmem_team_t *new_team)
{
    struct shm_instance *instance = face_instance(call);
    struct shm_team *parent_team = aclshmem_team(instance, parent);
    struct shm_team *team = NULL;
    enum shm_status status;

    if (new_team != NULL)
        *new_team = ACLSHMEM_TEAM_INVALID;
    if (instance == NULL)
        return ACLSHMEM_INVALID_PARAM;
    status = check_split(new_team, triplet);
    if (parent_team == NULL)
        status = no_parent(parent);
    else if (status != SHM_OK)
        status = shm_team_split_refuse(parent_team, call, false, triplet, status);
    else
        status = shm_team_split_strided(parent_team, call, triplet, NULL, &team);
    if (team != NULL)
        *new_team = number_of(team);
    return answer(instance, call, status);
}

int aclshmem_split_grid(const char *call, aclshmem_team_t parent, int x_range,
                        aclshmem_team_t *x_team, aclshmem_team_t *y_team)
{
    struct shm_instance *instance = face_instance(call);
    struct shm_team *parent_team = aclshmem_team(instance, parent);
    struct shm_team_grid grid = {.team = {NULL, NULL}};
    enum shm_status status;

    if (x_team != NULL)
        *x_team = ACLSHMEM_TEAM_INVALID;
    if (y_team != NULL)
        *y_team = ACLSHMEM_TEAM_INVALID;
    if (instance == NULL)
        return ACLSHMEM_INVALID_PARAM;
    if (parent_team == NULL)
        status = no_parent(parent);
    else if (x_team == NULL || y_team == NULL)
        status =
            shm_team_split_refuse(parent_team, call, true, &(struct shm_triplet){x_range, 0, 0},
                                  nowhere(x_team == NULL ? "x_team" : "y_team"));
    else
        status = shm_team_split_2d(parent_team, call, x_range, &grid);
    if (status == SHM_OK) {
        *x_team = number_of(grid.team[0]);
        *y_team = number_of(grid.team[1]);
    }
    return answer(instance, call, status);
}

void aclshmem_destroy_team(const char *call, aclshmem_team_t number)
{
    struct shm_instance *instance = shm_current();
    struct shm_team *team = aclshmem_team(instance, number);
    enum shm_status status;

    if (team == NULL)
        return;
    aclshmem_finish_turns(instance, team->group, call);
    status = shm_team_destroy(team, call);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}

/* ---- meeting ---- */

void aclshmem_meet(const char *call, aclshmem_team_t number)
{
    struct shm_instance *instance = shm_current();
    struct shm_team *team = aclshmem_team(instance, number);
    enum shm_status status;

    if (team == NULL)
        return;
    status = shm_collective_barrier(instance, team->group, SHM_COLL_BARRIER, call);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}
