/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams, contexts and collectives: nothing but a record of what they were given. */
#include "one_pe.h"
#include "openshmem/given.h"

#define GIVEN(...)                                                                                 \
    do {                                                                                           \
        one_pe_record(call, __func__);                                                             \
        one_pe_given = (struct one_pe_given){__VA_ARGS__};                                         \
    } while (0)

/* ---- teams ---- */

int face_team_my_pe(const char *call, shmem_team_t team)
{
    GIVEN(.team = team);
    return ONE_PE_RESULT;
}

int face_team_n_pes(const char *call, shmem_team_t team)
{
    GIVEN(.team = team);
    return ONE_PE_RESULT;
}

int face_team_translate_pe(const char *call, shmem_team_t src_team, int src_pe,
                           shmem_team_t dest_team)
{
    GIVEN(.team = src_team, .pe = src_pe, .other_team = dest_team);
    return ONE_PE_RESULT;
}

void *face_team_ptr(const char *call, shmem_team_t team, const void *dest, int pe)
{
    GIVEN(.team = team, .source = dest, .pe = pe);
    return &one_pe_given;
}

int face_team_split_strided(const char *call, shmem_team_t parent_team,
                            const struct shm_triplet *triplet,
                            const struct face_team_settings *settings)
{
    GIVEN(.team = parent_team, .triplet = *triplet, .settings = {*settings});
    return ONE_PE_RESULT;
}

int face_team_split_2d(const char *call, shmem_team_t parent_team, int xrange,
                       const struct face_team_settings *xaxis,
                       const struct face_team_settings *yaxis)
{
    GIVEN(.team = parent_team, .pe = xrange, .settings = {*xaxis, *yaxis});
    return ONE_PE_RESULT;
}

int face_team_get_config(const char *call, shmem_team_t team, long mask,
                         shmem_team_config_t *config)
{
    GIVEN(.team = team, .mask = mask, .dest = config);
    return ONE_PE_RESULT;
}

void face_team_destroy(const char *call, shmem_team_t team)
{
    GIVEN(.team = team);
}

/* ---- contexts ---- */

int openshmem_context_pe(const char *call, shmem_ctx_t ctx, int pe)
{
    one_pe_context = (struct one_pe_context){call, ctx, pe};
    return pe + 1000 * (int)(uintptr_t)ctx;
}

int face_ctx_create(const char *call, long options, shmem_ctx_t *ctx)
{
    GIVEN(.options = options, .dest = ctx);
    return ONE_PE_RESULT;
}

int face_team_create_ctx(const char *call, shmem_team_t team, long options, shmem_ctx_t *ctx)
{
    GIVEN(.team = team, .options = options, .dest = ctx);
    return ONE_PE_RESULT;
}

int face_ctx_get_team(const char *call, shmem_ctx_t ctx, shmem_team_t *team)
{
    GIVEN(.ctx = ctx, .dest = team);
    return ONE_PE_RESULT;
}

void face_ctx_destroy(const char *call, shmem_ctx_t ctx)
{
    GIVEN(.ctx = ctx);
}

void face_ctx_session_start(const char *call, shmem_ctx_t ctx, long options,
                            const shmem_ctx_session_config_t *config, long mask)
{
    GIVEN(.ctx = ctx, .options = options, .source = config, .mask = mask);
}

void face_ctx_session_stop(const char *call, shmem_ctx_t ctx)
{
    GIVEN(.ctx = ctx);
}

void face_ctx_fence(const char *call, shmem_ctx_t ctx)
{
    GIVEN(.ctx = ctx);
}

void face_ctx_quiet(const char *call, shmem_ctx_t ctx)
{
    GIVEN(.ctx = ctx);
}

void face_ctx_pe_quiet(const char *call, shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
    GIVEN(.ctx = ctx, .source = target_pes, .bytes = npes);
}

/* ---- collectives over a team ---- */

int face_team_sync(const char *call, shmem_team_t team)
{
    GIVEN(.team = team);
    return ONE_PE_RESULT;
}

int face_broadcast(const char *call, shmem_team_t team, void *dest, const void *source,
                   size_t bytes, int root)
{
    GIVEN(.team = team, .dest = dest, .source = source, .bytes = bytes, .pe = root);
    return ONE_PE_RESULT;
}

int face_collect(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes)
{
    GIVEN(.team = team, .dest = dest, .source = source, .bytes = bytes);
    return ONE_PE_RESULT;
}

int face_fcollect(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes)
{
    GIVEN(.team = team, .dest = dest, .source = source, .bytes = bytes);
    return ONE_PE_RESULT;
}

int face_alltoall(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes)
{
    GIVEN(.team = team, .dest = dest, .source = source, .bytes = bytes);
    return ONE_PE_RESULT;
}

int face_alltoalls(const char *call, shmem_team_t team, const struct shm_alltoalls *arrays)
{
    GIVEN(.team = team, .alltoalls = *arrays);
    return ONE_PE_RESULT;
}

int face_reduce(const char *call, shmem_team_t team, const struct shm_reduce *reduce)
{
    GIVEN(.team = team, .reduce = *reduce);
    return ONE_PE_RESULT;
}

int face_scan(const char *call, shmem_team_t team, const struct shm_reduce *reduce,
              bool is_inclusive)
{
    GIVEN(.team = team, .reduce = *reduce, .is_inclusive = is_inclusive);
    return ONE_PE_RESULT;
}

/* ---- collectives over an active set ---- */

void face_set_barrier(const char *call, const struct face_active_set *set)
{
    GIVEN(.set = *set);
}

void face_set_broadcast(const char *call, const struct face_active_set *set, void *dest,
                        const void *source, size_t bytes, int root)
{
    GIVEN(.set = *set, .dest = dest, .source = source, .bytes = bytes, .pe = root);
}

void face_set_collect(const char *call, const struct face_active_set *set, void *dest,
                      const void *source, size_t bytes)
{
    GIVEN(.set = *set, .dest = dest, .source = source, .bytes = bytes);
}

void face_set_fcollect(const char *call, const struct face_active_set *set, void *dest,
                       const void *source, size_t bytes)
{
    GIVEN(.set = *set, .dest = dest, .source = source, .bytes = bytes);
}

void face_set_alltoall(const char *call, const struct face_active_set *set, void *dest,
                       const void *source, size_t bytes)
{
    GIVEN(.set = *set, .dest = dest, .source = source, .bytes = bytes);
}

void face_set_alltoalls(const char *call, const struct face_active_set *set,
                        const struct shm_alltoalls *arrays)
{
    GIVEN(.set = *set, .alltoalls = *arrays);
}

void face_set_reduce(const char *call, const struct face_active_set *set,
                     const struct shm_reduce *reduce)
{
    GIVEN(.set = *set, .reduce = *reduce);
}
