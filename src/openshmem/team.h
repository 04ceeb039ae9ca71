/* SPDX-License-Identifier: BSD-3-Clause */
/** Teams and contexts; part of face.h, which includes this. */
#ifndef SHM_OPENSHMEM_TEAM_H
#define SHM_OPENSHMEM_TEAM_H

#include "team/team.h"

/** The team of a handle; ends the job when there is none. */
struct shm_team *openshmem_team(const char *call, shmem_team_t team);

/** Ends the job when there is no place for a handle that the call gives. */
void openshmem_require_place(struct shm_instance *instance, const char *call, const char *argument,
                             const void *place);

/** Job number of a PE of a context's team; ends the job when there is none. */
int openshmem_context_pe(const char *call, shmem_ctx_t ctx, int pe);

SHM_ALWAYS_INLINE int face_context_pe(const char *call, shmem_ctx_t ctx, int pe)
{
    return ctx == SHMEM_CTX_DEFAULT ? pe : openshmem_context_pe(call, ctx, pe);
}

/* ---- teams ---- */

/** What a split is told about one new team, and where its handle goes. */
struct face_team_settings {
    const shmem_team_config_t *config;
    long mask;
    shmem_team_t *team;
};

int face_team_my_pe(const char *call, shmem_team_t team);
int face_team_n_pes(const char *call, shmem_team_t team);
int face_team_translate_pe(const char *call, shmem_team_t src_team, int src_pe,
                           shmem_team_t dest_team);
void *face_team_ptr(const char *call, shmem_team_t team, const void *dest, int pe);
int face_team_split_strided(const char *call, shmem_team_t parent_team,
                            const struct shm_triplet *triplet,
                            const struct face_team_settings *settings);
int face_team_split_2d(const char *call, shmem_team_t parent_team, int xrange,
                       const struct face_team_settings *xaxis,
                       const struct face_team_settings *yaxis);
int face_team_get_config(const char *call, shmem_team_t team, long mask,
                         shmem_team_config_t *config);
void face_team_destroy(const char *call, shmem_team_t team);

/* ---- contexts ---- */

int face_ctx_create(const char *call, long options, shmem_ctx_t *ctx);
int face_team_create_ctx(const char *call, shmem_team_t team, long options, shmem_ctx_t *ctx);
int face_ctx_get_team(const char *call, shmem_ctx_t ctx, shmem_team_t *team);
void face_ctx_destroy(const char *call, shmem_ctx_t ctx);
void face_ctx_session_start(const char *call, shmem_ctx_t ctx, long options,
                            const shmem_ctx_session_config_t *config, long mask);
void face_ctx_session_stop(const char *call, shmem_ctx_t ctx);
void face_ctx_fence(const char *call, shmem_ctx_t ctx);
void face_ctx_quiet(const char *call, shmem_ctx_t ctx);
void face_ctx_pe_quiet(const char *call, shmem_ctx_t ctx, const int *target_pes, size_t npes);

#endif
