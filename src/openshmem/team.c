/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "face.h"

static uint64_t number_of(shmem_team_t team)
{
    return (uint64_t)(uintptr_t)team;
}

static shmem_team_t handle_of(const struct shm_team *team)
{
    return team == NULL ? SHMEM_TEAM_INVALID : (shmem_team_t)(uintptr_t)team->handled.handle;
}

static struct shm_team *require(struct shm_instance *instance, const char *call,
                                const char *argument, shmem_team_t handle)
{
    struct shm_team *team = shm_team_find(instance, number_of(handle));

    if (__builtin_expect(team != NULL, 1))
        return team;
    if (handle == SHMEM_TEAM_INVALID)
        face_refuse(
            instance, call,
            shm_fail(SHM_INVALID_VALUE, "%s = SHMEM_TEAM_INVALID, expected a team", argument));
    face_refuse(instance, call,
                shm_fail(SHM_INVALID_VALUE,
                         "%s = %p is no team: it was destroyed, or never made by a split", argument,
                         (void *)handle));
}

struct shm_team *openshmem_team(const char *call, shmem_team_t team)
{
    return require(face_instance(call), call, "team", team);
}

void openshmem_require_place(struct shm_instance *instance, const char *call, const char *argument,
                             const void *place)
{
    if (place == NULL)
        face_refuse(
            instance, call,
            shm_fail(SHM_INVALID_VALUE, "%s = NULL, expected a place for the handle", argument));
}

int face_team_my_pe(const char *call, shmem_team_t team)
{
    if (team == SHMEM_TEAM_INVALID) {
        face_instance(call);
        return -1;
    }
    return openshmem_team(call, team)->group->rank;
}

int face_team_n_pes(const char *call, shmem_team_t team)
{
    if (team == SHMEM_TEAM_INVALID) {
        face_instance(call);
        return -1;
    }
    return openshmem_team(call, team)->group->size;
}

int face_team_translate_pe(const char *call, shmem_team_t src_team, int src_pe,
                           shmem_team_t dest_team)
{
    struct shm_instance *instance = face_instance(call);

    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID)
        return -1;
    return shm_team_translate(require(instance, call, "src_team", src_team), src_pe,
                              require(instance, call, "dest_team", dest_team));
}

void *face_team_ptr(const char *call, shmem_team_t handle, const void *dest, int pe)
{
    struct shm_instance *instance = face_instance(call);
    const struct shm_team *team;

    if (handle == SHMEM_TEAM_INVALID)
        return NULL;
    team = require(instance, call, "team", handle);
    if (pe < 0 || pe >= team->group->size)
        return NULL;
    return shm_pointer(instance, dest, shm_group_pe(team->group, pe));
}

/* ---- configuration ---- */

/* `axis` is what the names of the arguments begin with. */
static void check_mask(struct shm_instance *instance, const char *call, const char *axis, long mask,
                       const void *config)
{
    const char *mask_name = axis[0] == '\0' ? "config_mask" : "mask";

    if ((mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "%s%s = 0x%lx, expected 0 or SHMEM_TEAM_NUM_CONTEXTS (0x%lx)", axis,
                             mask_name, (unsigned long)mask,
                             (unsigned long)SHMEM_TEAM_NUM_CONTEXTS));
    if (mask != 0 && config == NULL)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "%sconfig = NULL with %s%s = 0x%lx, expected a configuration", axis,
                             axis, mask_name, (unsigned long)mask));
}

static struct shm_team_config config_of(struct shm_instance *instance, const char *call,
                                        const char *axis, const struct face_team_settings *settings)
{
    struct shm_team_config config = {0};

    check_mask(instance, call, axis, settings->mask, settings->config);
    if ((settings->mask & SHMEM_TEAM_NUM_CONTEXTS) != 0)
        config.num_contexts = settings->config->num_contexts;
    return config;
}

int face_team_get_config(const char *call, shmem_team_t handle, long mask,
                         shmem_team_config_t *config)
{
    struct shm_instance *instance = face_instance(call);
    const struct shm_team *team;

    if (handle == SHMEM_TEAM_INVALID)
        return -1;
    team = require(instance, call, "team", handle);
    check_mask(instance, call, "", mask, config);
    if ((mask & SHMEM_TEAM_NUM_CONTEXTS) != 0)
        config->num_contexts = team->config.num_contexts;
    return 0;
}

/* ---- making and destroying ---- */

/* A team that cannot be made is an answer, the same on all PEs of the parent; the rest is not. */
static int answer(struct shm_instance *instance, const char *call, enum shm_status status)
{
    if (status == SHM_OK)
        return 0;
    if (status != SHM_INVALID_VALUE && status != SHM_MALLOC_FAILED)
        face_refuse(instance, call, status);
    shm_log(SHM_LOG_WARN, "team", "%s: %s", call, shm_error_detail());
    return -1;
}

int face_team_split_strided(const char *call, shmem_team_t parent_team,
                            const struct shm_triplet *triplet,
                            const struct face_team_settings *settings)
{
    struct shm_instance *instance = face_instance(call);
    struct shm_team_config config = config_of(instance, call, "", settings);
    struct shm_team *team = NULL;
    int result;

    openshmem_require_place(instance, call, "new_team", settings->team);
    *settings->team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID)
        return -1;
    result = answer(instance, call,
                    shm_team_split_strided(require(instance, call, "parent_team", parent_team),
                                           call, triplet, &config, &team));
    *settings->team = handle_of(team);
    return result;
}

int face_team_split_2d(const char *call, shmem_team_t parent_team, int xrange,
                       const struct face_team_settings *xaxis,
                       const struct face_team_settings *yaxis)
{
    struct shm_instance *instance = face_instance(call);
    struct shm_team_grid grid = {.config = {config_of(instance, call, "xaxis_", xaxis),
                                            config_of(instance, call, "yaxis_", yaxis)}};
    int result;

    openshmem_require_place(instance, call, "xaxis_team", xaxis->team);
    openshmem_require_place(instance, call, "yaxis_team", yaxis->team);
    *xaxis->team = *yaxis->team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID)
        return -1;
    result = answer(instance, call,
                    shm_team_split_2d(require(instance, call, "parent_team", parent_team), call,
                                      xrange, &grid));
    *xaxis->team = handle_of(grid.team[0]);
    *yaxis->team = handle_of(grid.team[1]);
    return result;
}

static const char *predefined_name(shmem_team_t team)
{
    if (team == SHMEM_TEAM_WORLD)
        return "SHMEM_TEAM_WORLD";
    return team == SHMEM_TEAM_SHARED ? "SHMEM_TEAM_SHARED" : "SHMEMX_TEAM_NODE";
}

void face_team_destroy(const char *call, shmem_team_t team)
{
    struct shm_instance *instance = face_instance(call);
    struct shm_team *found;
    enum shm_status status;

    if (team == SHMEM_TEAM_INVALID)
        return;
    found = require(instance, call, "team", team);
    if (found->is_predefined)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE, "team = %s, expected a team made by a split",
                             predefined_name(team)));
    status = shm_team_destroy(found, call);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}
