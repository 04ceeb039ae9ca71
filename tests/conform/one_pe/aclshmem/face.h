/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_PE_ACLSHMEM_FACE_H
#define ONE_PE_ACLSHMEM_FACE_H

#include "aclshmem/given.h"
#include "one_pe.h"
#include "waits.h"

#include <aclshmem.h>

static inline int face_init_attr(const char *call, aclshmemx_bootstrap_t bootstrap_flags,
                                 aclshmemx_init_attr_t *attributes)
{
    one_pe_record(call, __func__);
    one_pe_number = (long)bootstrap_flags;
    return attributes == NULL ? ACLSHMEM_INVALID_PARAM : 0;
}

static inline int face_get_uniqueid(const char *call, aclshmemx_uniqueid_t *uid)
{
    one_pe_record(call, __func__);
    uid->version = ACLSHMEM_UNIQUEID_VERSION;
    return 0;
}

static inline int face_set_attr_uniqueid_args(const char *call, int my_pe, int n_pes,
                                              int64_t local_mem_size, aclshmemx_uniqueid_t *uid,
                                              aclshmemx_init_attr_t *aclshmem_attr)
{
    one_pe_record(call, __func__);
    aclshmem_attr->my_pe = my_pe;
    aclshmem_attr->n_pes = n_pes;
    aclshmem_attr->local_mem_size = (uint64_t)local_mem_size;
    aclshmem_attr->comm_args = uid;
    return 0;
}

static inline int face_set_conf_store_tls(const char *call, bool enable, const char *tls_info,
                                          uint32_t tls_info_len)
{
    one_pe_record(call, __func__);
    one_pe_number = (long)tls_info_len + (tls_info == NULL ? 0 : tls_info[0]);
    return enable ? ACLSHMEM_SUCCESS : ACLSHMEM_INVALID_PARAM;
}

static inline int face_set_config_store_tls_key(const char *call, const char *tls_pk,
                                                uint32_t tls_pk_len, const char *tls_pk_pw,
                                                uint32_t tls_pk_pw_len,
                                                aclshmem_decrypt_handler decrypt_handler)
{
    size_t plain_bytes = tls_pk_pw_len;

    one_pe_record(call, __func__);
    one_pe_number = tls_pk[tls_pk_len - 1];
    return decrypt_handler(tls_pk_pw, tls_pk_pw_len, NULL, &plain_bytes);
}

static inline int face_set_log_level(const char *call, int level)
{
    one_pe_record(call, __func__);
    one_pe_number = level;
    return ACLSHMEM_INVALID_VALUE;
}

static inline int face_set_extern_logger(const char *call, aclshmemx_log_handler func)
{
    one_pe_record(call, __func__);
    func(7, call);
    return ACLSHMEM_INNER_ERROR;
}

static inline int face_init_status(const char *call)
{
    one_pe_record(call, __func__);
    return ACLSHMEM_STATUS_IS_INITIALIZED;
}

static inline int face_finalize(const char *call)
{
    one_pe_record(call, __func__);
    return ACLSHMEM_NOT_INITED;
}

static inline void face_global_exit(const char *call, int status)
{
    one_pe_record(call, __func__);
    one_pe_number = status;
}

/* ---- teams ---- */

static inline int face_team_my_pe(const char *call, aclshmem_team_t team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = team;
    return ONE_PE_RESULT;
}

static inline int face_team_n_pes(const char *call, aclshmem_team_t team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = team;
    return ONE_PE_RESULT;
}

static inline int face_team_translate_pe(const char *call, aclshmem_team_t src_team, int src_pe,
                                         aclshmem_team_t dest_team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = src_team;
    one_pe_aclshmem.pe = src_pe;
    one_pe_aclshmem.other_team = dest_team;
    return ONE_PE_RESULT;
}

static inline int face_team_get_config(const char *call, aclshmem_team_t team,
                                       aclshmem_team_config_t *config)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = team;
    one_pe_aclshmem.config = config;
    return ONE_PE_RESULT;
}

static inline int face_team_split_strided(const char *call, aclshmem_team_t parent_team,
                                          const struct shm_triplet *triplet,
                                          aclshmem_team_t *new_team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = parent_team;
    one_pe_aclshmem.triplet = *triplet;
    one_pe_aclshmem.new_teams[0] = new_team;
    return ONE_PE_RESULT;
}

static inline int face_team_split_2d(const char *call, aclshmem_team_t parent_team, int x_range,
                                     aclshmem_team_t *x_team, aclshmem_team_t *y_team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = parent_team;
    one_pe_aclshmem.pe = x_range;
    one_pe_aclshmem.new_teams[0] = x_team;
    one_pe_aclshmem.new_teams[1] = y_team;
    return ONE_PE_RESULT;
}

static inline void face_team_destroy(const char *call, aclshmem_team_t team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = team;
}

static inline void face_team_barrier(const char *call, aclshmem_team_t team)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = team;
}

static inline void face_sync_all(const char *call)
{
    one_pe_record(call, __func__);
}

/* ---- in streams ---- */

static inline void face_put_on_stream(const char *call, void *dest, const void *source,
                                      size_t bytes, int pe, void *stream)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem = (struct one_pe_aclshmem){
        .to = dest, .from = source, .bytes = bytes, .pe = pe, .stream = stream};
}

static inline void face_get_on_stream(const char *call, void *dest, const void *source,
                                      size_t bytes, int pe, void *stream)
{
    face_put_on_stream(call, dest, source, bytes, pe, stream);
    one_pe_face = __func__;
}

static inline void face_quiet_on_stream(const char *call, void *stream)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.stream = stream;
}

static inline void face_signal_on_stream(const char *call, int32_t *sig_addr, int32_t signal,
                                         int sig_op, int pe, void *stream)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem = (struct one_pe_aclshmem){
        .to = sig_addr, .signal = signal, .sig_op = sig_op, .pe = pe, .stream = stream};
}

static inline void face_signal_wait_on_stream(const char *call, const struct shm_word_test *test,
                                              void *stream)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.test = *test;
    one_pe_aclshmem.stream = stream;
}

static inline void face_handle_wait(const char *call, aclshmem_handle_t handle, void *stream)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = handle.team_id;
    one_pe_aclshmem.stream = stream;
}

static inline void face_barrier_on_stream(const char *call, aclshmem_team_t team, void *stream)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.team = team;
    one_pe_aclshmem.stream = stream;
}

/* ---- results: behind the function that found them, whose record stays ---- */

static inline void face_tell_truth(const char *call, int *res_out, int result)
{
    one_pe_aclshmem.result = strcmp(call, one_pe_call) == 0 ? res_out : NULL;
    *res_out = result;
}

static inline void face_tell_number(const char *call, size_t *res_out, size_t result)
{
    one_pe_aclshmem.result = strcmp(call, one_pe_call) == 0 ? res_out : NULL;
    *res_out = result;
}

static inline void *face_heap_base(const char *call, aclshmem_mem_type_t mem_type)
{
    one_pe_record(call, __func__);
    one_pe_aclshmem.mem_type = mem_type;
    return &one_pe_aclshmem;
}

#endif
