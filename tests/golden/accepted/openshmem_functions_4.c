/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Each shmem_ function is weak and has a strong pshmem_ alias. */
#define SHMEM_NO_GENERICS /* a generic has the name of a function: shmem_wait_until */
#include "openshmem/face.h"

#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>

_Static_assert(sizeof(uint16_t) == 2, "types.tsv: uint16");
_Static_assert(sizeof(long) == 8, "types.tsv: long");
_Static_assert(sizeof(int64_t) == 8, "types.tsv: int64");
_Static_assert(sizeof(float) == 4, "types.tsv: float");
_Static_assert(sizeof(float _Complex) == 8, "types.tsv: complexf");

__attribute__((weak)) void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest,
    const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(uint16_t),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_uint16_put_signal) pshmem_ctx_uint16_put_signal
    __attribute__((alias("shmem_ctx_uint16_put_signal")));

__attribute__((weak)) void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
{
    face_signal_set(__func__, sig_addr, signal, pe);
}
extern __typeof__(shmem_signal_set) pshmem_signal_set
    __attribute__((alias("shmem_signal_set")));

__attribute__((weak)) void shmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr,
    uint64_t signal, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_signal_set(__func__, sig_addr, signal, pe);
}
extern __typeof__(shmem_ctx_signal_set) pshmem_ctx_signal_set
    __attribute__((alias("shmem_ctx_signal_set")));

__attribute__((weak)) void shmem_long_inc(long *dest, int pe)
{
    face_atomic_add_u64(__func__, dest, 1, pe);
}
extern __typeof__(shmem_long_inc) pshmem_long_inc
    __attribute__((alias("shmem_long_inc")));

__attribute__((weak)) void shmem_long_wait_until(long *ivar, int cmp, long cmp_value)
{
    face_wait_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)(cmp_value),
        SHM_WORD_I64, (enum shm_comparison)cmp});
}
extern __typeof__(shmem_long_wait_until) pshmem_long_wait_until
    __attribute__((alias("shmem_long_wait_until")));

__attribute__((weak)) void shmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value)
{
    face_wait_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)(cmp_value),
        SHM_WORD_I64, (enum shm_comparison)cmp});
}
extern __typeof__(shmem_int64_wait_until) pshmem_int64_wait_until
    __attribute__((alias("shmem_int64_wait_until")));

__attribute__((weak)) int shmem_long_test(long *ivar, int cmp, long cmp_value)
{
    return face_test_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)(cmp_value),
        SHM_WORD_I64, (enum shm_comparison)cmp});
}
extern __typeof__(shmem_long_test) pshmem_long_test
    __attribute__((alias("shmem_long_test")));

__attribute__((weak)) int shmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value)
{
    return face_test_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)(cmp_value),
        SHM_WORD_I64, (enum shm_comparison)cmp});
}
extern __typeof__(shmem_int64_test) pshmem_int64_test
    __attribute__((alias("shmem_int64_test")));

__attribute__((weak)) size_t shmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices,
    const int *status, int cmp, long cmp_value)
{
    return face_wait_until_some(__func__, &(struct shm_words_test){ivars, nelems, status, NULL,
        (uint64_t)(cmp_value), SHM_WORD_I64, (enum shm_comparison)cmp, false}, indices);
}
extern __typeof__(shmem_long_wait_until_some) pshmem_long_wait_until_some
    __attribute__((alias("shmem_long_wait_until_some")));

__attribute__((weak)) size_t shmem_int64_wait_until_some(int64_t *ivars, size_t nelems,
    size_t *indices, const int *status, int cmp, int64_t cmp_value)
{
    return face_wait_until_some(__func__, &(struct shm_words_test){ivars, nelems, status, NULL,
        (uint64_t)(cmp_value), SHM_WORD_I64, (enum shm_comparison)cmp, false}, indices);
}
extern __typeof__(shmem_int64_wait_until_some) pshmem_int64_wait_until_some
    __attribute__((alias("shmem_int64_wait_until_some")));

__attribute__((weak)) void shmem_wait_until(long *ivar, int cmp, long cmp_value)
{
    face_wait_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)cmp_value,
        SHM_WORD_I64, (enum shm_comparison)cmp});
}
extern __typeof__(shmem_wait_until) pshmem_wait_until
    __attribute__((alias("shmem_wait_until")));

__attribute__((weak)) int shmem_team_sync(shmem_team_t team)
{
    return face_team_sync(__func__, team);
}
extern __typeof__(shmem_team_sync) pshmem_team_sync
    __attribute__((alias("shmem_team_sync")));

__attribute__((weak)) void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    face_set_barrier(__func__, &(struct face_active_set){PE_start, logPE_stride, PE_size, pSync});
}
extern __typeof__(shmem_sync) pshmem_sync
    __attribute__((alias("shmem_sync")));

__attribute__((weak)) int shmem_float_broadcast(shmem_team_t team, float *dest, const float *source,
    size_t nelems, int PE_root)
{
    return face_broadcast(__func__, team, dest, source, face_bytes(nelems, sizeof(float)), PE_root);
}
extern __typeof__(shmem_float_broadcast) pshmem_float_broadcast
    __attribute__((alias("shmem_float_broadcast")));

__attribute__((weak)) int shmem_long_broadcast(shmem_team_t team, long *dest, const long *source,
    size_t nelems, int PE_root)
{
    return face_broadcast(__func__, team, dest, source, face_bytes(nelems, sizeof(long)), PE_root);
}
extern __typeof__(shmem_long_broadcast) pshmem_long_broadcast
    __attribute__((alias("shmem_long_broadcast")));

__attribute__((weak)) int shmem_int64_broadcast(shmem_team_t team, int64_t *dest,
    const int64_t *source, size_t nelems, int PE_root)
{
    return face_broadcast(__func__, team, dest, source, face_bytes(nelems, sizeof(int64_t)),
        PE_root);
}
extern __typeof__(shmem_int64_broadcast) pshmem_int64_broadcast
    __attribute__((alias("shmem_int64_broadcast")));

__attribute__((weak)) int shmem_uint16_broadcast(shmem_team_t team, uint16_t *dest,
    const uint16_t *source, size_t nelems, int PE_root)
{
    return face_broadcast(__func__, team, dest, source, face_bytes(nelems, sizeof(uint16_t)),
        PE_root);
}
extern __typeof__(shmem_uint16_broadcast) pshmem_uint16_broadcast
    __attribute__((alias("shmem_uint16_broadcast")));

__attribute__((weak)) void shmem_broadcast32(void *dest, const void *source, size_t nelems,
    int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    face_set_broadcast(__func__, &(struct face_active_set){PE_start, logPE_stride, PE_size, pSync},
        dest, source, face_bytes(nelems, 4), PE_root);
}
extern __typeof__(shmem_broadcast32) pshmem_broadcast32
    __attribute__((alias("shmem_broadcast32")));

__attribute__((weak)) int shmem_float_sum_reduce(shmem_team_t team, float *dest,
    const float *source, size_t nreduce)
{
    return face_reduce(__func__, team, &(struct shm_reduce){dest, source, nreduce, SHM_REDUCE_SUM,
        SHM_ELEMENT_F32});
}
extern __typeof__(shmem_float_sum_reduce) pshmem_float_sum_reduce
    __attribute__((alias("shmem_float_sum_reduce")));

__attribute__((weak)) int shmem_long_sum_reduce(shmem_team_t team, long *dest, const long *source,
    size_t nreduce)
{
    return face_reduce(__func__, team, &(struct shm_reduce){dest, source, nreduce, SHM_REDUCE_SUM,
        SHM_ELEMENT_I64});
}
extern __typeof__(shmem_long_sum_reduce) pshmem_long_sum_reduce
    __attribute__((alias("shmem_long_sum_reduce")));

__attribute__((weak)) int shmem_int64_sum_reduce(shmem_team_t team, int64_t *dest,
    const int64_t *source, size_t nreduce)
{
    return face_reduce(__func__, team, &(struct shm_reduce){dest, source, nreduce, SHM_REDUCE_SUM,
        SHM_ELEMENT_I64});
}
extern __typeof__(shmem_int64_sum_reduce) pshmem_int64_sum_reduce
    __attribute__((alias("shmem_int64_sum_reduce")));

__attribute__((weak)) int shmem_uint16_sum_reduce(shmem_team_t team, uint16_t *dest,
    const uint16_t *source, size_t nreduce)
{
    return face_reduce(__func__, team, &(struct shm_reduce){dest, source, nreduce, SHM_REDUCE_SUM,
        SHM_ELEMENT_U16});
}
extern __typeof__(shmem_uint16_sum_reduce) pshmem_uint16_sum_reduce
    __attribute__((alias("shmem_uint16_sum_reduce")));

__attribute__((weak)) int shmem_complexf_sum_reduce(shmem_team_t team, float _Complex *dest,
    const float _Complex *source, size_t nreduce)
{
    return face_reduce(__func__, team, &(struct shm_reduce){dest, source, nreduce, SHM_REDUCE_SUM,
        SHM_ELEMENT_C32});
}
extern __typeof__(shmem_complexf_sum_reduce) pshmem_complexf_sum_reduce
    __attribute__((alias("shmem_complexf_sum_reduce")));

__attribute__((weak)) void shmem_float_sum_to_all(float *dest, const float *source, int nreduce,
    int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync)
{
    (void)pWrk;
    face_set_reduce(__func__, &(struct face_active_set){PE_start, logPE_stride, PE_size, pSync},
        &(struct shm_reduce){dest, source, face_elements(nreduce), SHM_REDUCE_SUM,
        SHM_ELEMENT_F32});
}
extern __typeof__(shmem_float_sum_to_all) pshmem_float_sum_to_all
    __attribute__((alias("shmem_float_sum_to_all")));

__attribute__((weak)) void shmem_long_sum_to_all(long *dest, const long *source, int nreduce,
    int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{
    (void)pWrk;
    face_set_reduce(__func__, &(struct face_active_set){PE_start, logPE_stride, PE_size, pSync},
        &(struct shm_reduce){dest, source, face_elements(nreduce), SHM_REDUCE_SUM,
        SHM_ELEMENT_I64});
}
extern __typeof__(shmem_long_sum_to_all) pshmem_long_sum_to_all
    __attribute__((alias("shmem_long_sum_to_all")));

__attribute__((weak)) void shmem_complexf_sum_to_all(float _Complex *dest,
    const float _Complex *source, int nreduce, int PE_start, int logPE_stride, int PE_size,
    float _Complex *pWrk, long *pSync)
{
    (void)pWrk;
    face_set_reduce(__func__, &(struct face_active_set){PE_start, logPE_stride, PE_size, pSync},
        &(struct shm_reduce){dest, source, face_elements(nreduce), SHM_REDUCE_SUM,
        SHM_ELEMENT_C32});
}
extern __typeof__(shmem_complexf_sum_to_all) pshmem_complexf_sum_to_all
    __attribute__((alias("shmem_complexf_sum_to_all")));

__attribute__((weak)) void shmem_pcontrol(int level, ...)
{
    face_pcontrol(__func__, level);
}
extern __typeof__(shmem_pcontrol) pshmem_pcontrol
    __attribute__((alias("shmem_pcontrol")));
