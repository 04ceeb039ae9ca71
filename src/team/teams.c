/* SPDX-License-Identifier: BSD-3-Clause */
#include "team_internal.h"

#include "base/cleanup.h"

#include <stdlib.h>

void shm_handled_free(struct shm_handled *object)
{
    free(object); /* the first member of what was allocated */
}

static struct shm_team *allocate(struct shm_instance *instance, const struct shm_group *group,
                                 const struct shm_team_config *config)
{
    struct shm_team *team = malloc(sizeof *team);

    if (team == NULL)
        return NULL;
    *team = (struct shm_team){.instance = instance, .own_group = *group, .config = *config};
    team->group = &team->own_group;
    return team;
}

enum shm_status shm_team_create(struct shm_instance *instance, const struct shm_group *group,
                                const struct shm_team_config *config, struct shm_team **out_team)
{
    auto_free struct shm_team *team = allocate(instance, group, config);
    enum shm_status status;

    if (team == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a team (%zu bytes)", sizeof *team);
    status = shm_handle_table_add(&instance->teams->teams, &team->handled);
    if (status == SHM_OK)
        *out_team = take_pointer(&team);
    return status;
}

void shm_team_release(struct shm_team *team)
{
    shm_handle_table_remove(&team->instance->teams->teams, &team->handled);
    free(team);
}

/* ---- predefined ---- */

static enum shm_status add_predefined(struct shm_instance *instance, uint16_t handle,
                                      const struct shm_group *group)
{
    const struct shm_team_config defaults = {0};
    auto_free struct shm_team *team = allocate(instance, group, &defaults);
    enum shm_status status;

    if (team == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a predefined team (%zu bytes)",
                        sizeof *team);
    team->is_predefined = true;
    if (handle == SHM_TEAM_WORLD)
        team->group = &instance->world;
    status = shm_handle_table_add_as(&instance->teams->teams, &team->handled, handle);
    if (status == SHM_OK)
        take_pointer(&team);
    return status;
}

/* PEs reach each other's memory on one node only, where they have consecutive numbers: today a job
 * has one node. */
static struct shm_group node_group(const struct shm_instance *instance, enum shm_group_slot slot)
{
    struct shm_group group = {.start = instance->node_pes[0],
                              .stride = 1,
                              .size = instance->node_count,
                              .slot = (int)slot};

    group.rank = shm_group_rank(&group, instance->reach.my_pe);
    return group;
}

enum shm_status shm_teams_create(struct shm_instance *instance)
{
    struct shm_group shared = node_group(instance, SHM_SLOT_SHARED);
    struct shm_group node = node_group(instance, SHM_SLOT_NODE);
    enum shm_status status;

    instance->teams = malloc(sizeof *instance->teams);
    if (instance->teams == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the tables of teams (%zu bytes)",
                        sizeof *instance->teams);
    shm_handle_table_init(&instance->teams->teams, instance->handle_generation);
    shm_handle_table_init(&instance->teams->contexts, instance->handle_generation);
    status = add_predefined(instance, SHM_TEAM_WORLD, &instance->world);
    if (status == SHM_OK)
        status = add_predefined(instance, SHM_TEAM_SHARED, &shared);
    if (status == SHM_OK)
        status = add_predefined(instance, SHM_TEAM_NODE, &node);
    if (status != SHM_OK)
        shm_teams_destroy(instance);
    return status;
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

void shm_teams_destroy(struct shm_instance *instance)
{
    if (instance->teams == NULL)
        return;
    instance->handle_generation =
        later(instance->teams->teams.generation, instance->teams->contexts.generation);
    shm_handle_table_fini(&instance->teams->contexts, shm_handled_free);
    shm_handle_table_fini(&instance->teams->teams, shm_handled_free);
    free(instance->teams);
    instance->teams = NULL;
}

/* ---- of splits ---- */

/* Under SHMEM_DEBUG the members read each other's buffers behind the barrier, in areas that those
 * who have left may use for another team: nobody leaves before all have read. */
static enum shm_status meet_last(struct shm_team *team, const char *call)
{
    struct shm_instance *instance = team->instance;
    enum shm_status status = shm_collective_barrier(instance, team->group, SHM_COLL_DESTROY, call);

    if (status == SHM_OK && instance->reach.is_debugging)
        status = shm_barrier(instance, team->group, call);
    return status;
}

enum shm_status shm_team_destroy(struct shm_team *team, const char *call)
{
    const struct shm_instance *instance = team->instance;
    int slot = team->group->slot;
    enum shm_status status;

    if (team->is_predefined)
        return shm_fail(SHM_INVALID_PARAM, "team = a predefined one, expected one of a split");
    status = meet_last(team, call);
    if (status != SHM_OK)
        return status;
    shm_contexts_destroy_of(team);
    shm_team_release(team);
    shm_slot_leave(instance, slot);
    return SHM_OK;
}

int shm_team_translate(const struct shm_team *from, int rank, const struct shm_team *to)
{
    if (rank < 0 || rank >= from->group->size)
        return -1;
    return shm_group_rank(to->group, shm_group_pe(from->group, rank));
}
