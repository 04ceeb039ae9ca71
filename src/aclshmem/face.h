/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The ACLSHMEM face: the vocabulary that the generated functions call, with this face's policy:
 * an error is logged and returned where the function returns one.
 */
#ifndef SHM_ACLSHMEM_FACE_H
#define SHM_ACLSHMEM_FACE_H

#include "base/log.h"
#include "core/core.h"
#include "team/team.h"

#include <aclshmem.h>

/** Logs why a call failed; gives the code that it returns. */
int aclshmem_refuse(const char *call, enum shm_status status);

/** What the program asked for about TLS; NULL when it did not. Call with shm_process.lock held. */
const struct shm_bootstrap_tls *aclshmem_tls_wishes(void);

static inline struct shm_instance *face_instance(const char *call)
{
    struct shm_instance *instance = shm_current();

    if (__builtin_expect(instance == NULL, 0))
        shm_log(SHM_LOG_ERROR, "aclshmem", "%s: called before init or after finalize", call);
    return instance;
}

/* A failed or ended job is not this call's error to return: there is no way on. */
static inline void face_refuse(struct shm_instance *instance, const char *call,
                               enum shm_status status)
{
    if (status == SHM_PEER_LOST || status == SHM_ABORTED || status == SHM_TIMEOUT_ERROR)
        shm_fatal(instance, status, call);
    shm_log(SHM_LOG_ERROR, "aclshmem", "%s: %s", call, shm_error_detail());
}

/* Programs count on the lowest index. */
static inline size_t face_first_word(struct shm_instance *instance, size_t count)
{
    (void)instance;
    (void)count;
    return 0;
}

#include "vocabulary/vocabulary.h"

/* ---- setup ---- */
int face_init_attr(const char *call, aclshmemx_bootstrap_t flags,
                   aclshmemx_init_attr_t *attributes);
int face_get_uniqueid(const char *call, aclshmemx_uniqueid_t *uid);
int face_set_attr_uniqueid_args(const char *call, int my_pe, int n_pes, int64_t local_mem_size,
                                aclshmemx_uniqueid_t *uid, aclshmemx_init_attr_t *attributes);
int face_set_conf_store_tls(const char *call, bool enable, const char *tls_info,
                            uint32_t tls_info_len);
int face_set_config_store_tls_key(const char *call, const char *tls_pk, uint32_t tls_pk_len,
                                  const char *tls_pk_pw, uint32_t tls_pk_pw_len,
                                  aclshmem_decrypt_handler decrypt_handler);
int face_set_log_level(const char *call, int level);
int face_set_extern_logger(const char *call, aclshmemx_log_handler func);
int aclshmem_leave(const char *call);
void aclshmem_exit_all(const char *call, int status);

static inline int face_finalize(const char *call)
{
    return aclshmem_leave(call);
}

static inline void face_global_exit(const char *call, int status)
{
    aclshmem_exit_all(call, status);
}

static inline int face_init_status(const char *call)
{
    (void)call;
    return atomic_load(&shm_process.life);
}

/* ---- query: -1 and NULL before init, without a word ---- */

static inline int face_my_pe(const char *call)
{
    const struct shm_instance *instance = shm_current();

    (void)call;
    return instance != NULL ? instance->reach.my_pe : -1;
}

static inline int face_n_pes(const char *call)
{
    const struct shm_instance *instance = shm_current();

    (void)call;
    return instance != NULL ? instance->reach.n_pes : -1;
}

static inline void *face_ptr(const char *call, const void *dest, int pe)
{
    const struct shm_instance *instance = face_instance(call);

    return instance != NULL ? shm_pointer(instance, dest, pe) : NULL;
}

static inline void face_info_get_version(const char *call, int *major, int *minor)
{
    (void)call;
    if (major == NULL || minor == NULL)
        return;
    *major = ACLSHMEM_MAJOR_VERSION;
    *minor = ACLSHMEM_MINOR_VERSION;
}

static inline void face_info_get_name(const char *call, char *name)
{
    static const char text[] = "ACLSHMEM v1.1.1";

    (void)call;
    if (name != NULL)
        memcpy(name, text, sizeof text);
}

/* ---- memory ---- */
void *aclshmem_take(const char *call, size_t bytes, size_t alignment);
void *aclshmem_take_zeroed(const char *call, size_t count, size_t bytes);
void aclshmem_give(const char *call, void *block);

static inline void *face_malloc(const char *call, size_t size)
{
    return aclshmem_take(call, size, 0);
}

static inline void *face_calloc(const char *call, size_t count, size_t size)
{
    return aclshmem_take_zeroed(call, count, size);
}

static inline void *face_align(const char *call, size_t alignment, size_t size)
{
    if (alignment == 0) /* no power of two here, where it means "any" in the core */
        return NULL;
    return aclshmem_take(call, size, alignment);
}

static inline void face_free(const char *call, void *block)
{
    aclshmem_give(call, block);
}

static inline void *face_heap_base(const char *call, aclshmem_mem_type_t mem_type)
{
    const struct shm_instance *instance = face_instance(call);

    if (instance == NULL)
        return NULL;
    if (mem_type == DEVICE_SIDE)
        return (void *)instance->reach.heap_begin;
    shm_log(SHM_LOG_ERROR, "aclshmem", "%s: mem_type = %d, expected DEVICE_SIDE (%d)", call,
            (int)mem_type, (int)DEVICE_SIDE);
    return NULL;
}

/* ---- where a test or a wait for several words leaves its result ---- */

static inline void face_tell_truth(const char *call, int *res_out, int result)
{
    if (res_out != NULL)
        *res_out = result;
    else
        shm_log(SHM_LOG_ERROR, "aclshmem", "%s: res_out = NULL, expected a variable", call);
}

static inline void face_tell_number(const char *call, size_t *res_out, size_t result)
{
    if (res_out != NULL)
        *res_out = result;
    else
        shm_log(SHM_LOG_ERROR, "aclshmem", "%s: res_out = NULL, expected a variable", call);
}

/* ---- teams ---- */
int aclshmem_rank_in(aclshmem_team_t team);
int aclshmem_size_of(aclshmem_team_t team);
int aclshmem_translate(aclshmem_team_t from, int rank, aclshmem_team_t to);
int aclshmem_config_of(aclshmem_team_t team, aclshmem_team_config_t *config);
int aclshmem_split(const char *call, aclshmem_team_t parent, const struct shm_triplet *triplet,
                   aclshmem_team_t *new_team);
int aclshmem_split_grid(const char *call, aclshmem_team_t parent, int x_range,
                        aclshmem_team_t *x_team, aclshmem_team_t *y_team);
void aclshmem_destroy_team(const char *call, aclshmem_team_t team);
struct shm_team *aclshmem_team(const struct shm_instance *instance, aclshmem_team_t number);
void aclshmem_meet(const char *call, aclshmem_team_t team);

static inline int face_team_my_pe(const char *call, aclshmem_team_t team)
{
    (void)call;
    return aclshmem_rank_in(team);
}

static inline int face_team_n_pes(const char *call, aclshmem_team_t team)
{
    (void)call;
    return aclshmem_size_of(team);
}

static inline int face_team_translate_pe(const char *call, aclshmem_team_t src_team, int src_pe,
                                         aclshmem_team_t dest_team)
{
    (void)call;
    return aclshmem_translate(src_team, src_pe, dest_team);
}

static inline int face_team_get_config(const char *call, aclshmem_team_t team,
                                       aclshmem_team_config_t *config)
{
    (void)call;
    return aclshmem_config_of(team, config);
}

static inline int face_team_split_strided(const char *call, aclshmem_team_t parent_team,
                                          const struct shm_triplet *triplet,
                                          aclshmem_team_t *new_team)
{
    return aclshmem_split(call, parent_team, triplet, new_team);
}

static inline int face_team_split_2d(const char *call, aclshmem_team_t parent_team, int x_range,
                                     aclshmem_team_t *x_team, aclshmem_team_t *y_team)
{
    return aclshmem_split_grid(call, parent_team, x_range, x_team, y_team);
}

static inline void face_team_destroy(const char *call, aclshmem_team_t team)
{
    aclshmem_destroy_team(call, team);
}

/* ---- in streams ---- */
void face_put_on_stream(const char *call, void *dest, const void *source, size_t bytes, int pe,
                        void *stream);
void face_get_on_stream(const char *call, void *dest, const void *source, size_t bytes, int pe,
                        void *stream);
void face_quiet_on_stream(const char *call, void *stream);
void face_signal_on_stream(const char *call, int32_t *sig_addr, int32_t signal, int sig_op, int pe,
                           void *stream);
void face_signal_wait_on_stream(const char *call, const struct shm_word_test *test, void *stream);
void face_handle_wait(const char *call, aclshmem_handle_t handle, void *stream);
void face_barrier_on_stream(const char *call, aclshmem_team_t team, void *stream);

/** Returns when streams have done the barriers of the team that they have. */
void aclshmem_finish_turns(struct shm_instance *instance, struct shm_group *group,
                           const char *call);

/* A barrier completes what was stored before it; a sync is one. */
static inline void face_team_barrier(const char *call, aclshmem_team_t team)
{
    aclshmem_meet(call, team);
}

static inline void face_sync_all(const char *call)
{
    face_barrier_all(call);
}

#endif
