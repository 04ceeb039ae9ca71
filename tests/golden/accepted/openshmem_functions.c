/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Each shmem_ function is weak and has a strong pshmem_ alias. */
#define SHMEM_NO_GENERICS /* a generic has the name of a function: shmem_wait_until */
#include "openshmem/face.h"

#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>

_Static_assert(sizeof(float) == 4, "types.tsv: float");
_Static_assert(sizeof(long) == 8, "types.tsv: long");
_Static_assert(sizeof(int64_t) == 8, "types.tsv: int64");
_Static_assert(sizeof(uint16_t) == 2, "types.tsv: uint16");
_Static_assert(sizeof(float _Complex) == 8, "types.tsv: complexf");

__attribute__((weak)) void shmem_init(void)
{
    face_init(__func__);
}
extern __typeof__(shmem_init) pshmem_init
    __attribute__((alias("shmem_init")));

__attribute__((weak)) SHMEM_NORETURN void shmem_global_exit(int status)
{
    face_global_exit(__func__, status);
}
extern __typeof__(shmem_global_exit) pshmem_global_exit
    __attribute__((alias("shmem_global_exit")));

__attribute__((weak)) int _my_pe(void)
{
    return face_my_pe(__func__);
}

__attribute__((weak)) int shmemx_info_item(size_t index, shmemx_info_item_t *item)
{
    return face_info_item(__func__, index, item);
}

__attribute__((weak)) void *shmem_malloc(size_t size)
{
    return face_malloc(__func__, size);
}
extern __typeof__(shmem_malloc) pshmem_malloc
    __attribute__((alias("shmem_malloc")));

__attribute__((weak)) void *shmem_ptr(const void *dest, int pe)
{
    return face_ptr(__func__, dest, pe);
}
extern __typeof__(shmem_ptr) pshmem_ptr
    __attribute__((alias("shmem_ptr")));

__attribute__((weak)) int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride,
    int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)
{
    return face_team_split_strided(__func__, parent_team, &(struct shm_triplet){start, stride,
        size}, &(struct face_team_settings){config, config_mask, new_team});
}
extern __typeof__(shmem_team_split_strided) pshmem_team_split_strided
    __attribute__((alias("shmem_team_split_strided")));

__attribute__((weak)) void shmem_float_put(float *dest, const float *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(float), pe);
}
extern __typeof__(shmem_float_put) pshmem_float_put
    __attribute__((alias("shmem_float_put")));

__attribute__((weak)) void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(long), pe);
}
extern __typeof__(shmem_long_put) pshmem_long_put
    __attribute__((alias("shmem_long_put")));

__attribute__((weak)) void shmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems,
    int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(int64_t), pe);
}
extern __typeof__(shmem_int64_put) pshmem_int64_put
    __attribute__((alias("shmem_int64_put")));

__attribute__((weak)) void shmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems,
    int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(uint16_t), pe);
}
extern __typeof__(shmem_uint16_put) pshmem_uint16_put
    __attribute__((alias("shmem_uint16_put")));

__attribute__((weak)) void shmem_ctx_float_put(shmem_ctx_t ctx, float *dest, const float *source,
    size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put(__func__, dest, source, nelems, sizeof(float), pe);
}
extern __typeof__(shmem_ctx_float_put) pshmem_ctx_float_put
    __attribute__((alias("shmem_ctx_float_put")));

__attribute__((weak)) void shmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source,
    size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put(__func__, dest, source, nelems, sizeof(long), pe);
}
extern __typeof__(shmem_ctx_long_put) pshmem_ctx_long_put
    __attribute__((alias("shmem_ctx_long_put")));

__attribute__((weak)) void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t *dest,
    const int64_t *source, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put(__func__, dest, source, nelems, sizeof(int64_t), pe);
}
extern __typeof__(shmem_ctx_int64_put) pshmem_ctx_int64_put
    __attribute__((alias("shmem_ctx_int64_put")));

__attribute__((weak)) void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t *dest,
    const uint16_t *source, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put(__func__, dest, source, nelems, sizeof(uint16_t), pe);
}
extern __typeof__(shmem_ctx_uint16_put) pshmem_ctx_uint16_put
    __attribute__((alias("shmem_ctx_uint16_put")));

__attribute__((weak)) void shmem_put32(void *dest, const void *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, 4, pe);
}
extern __typeof__(shmem_put32) pshmem_put32
    __attribute__((alias("shmem_put32")));

__attribute__((weak)) void shmem_ctx_put32(shmem_ctx_t ctx, void *dest, const void *source,
    size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put(__func__, dest, source, nelems, 4, pe);
}
extern __typeof__(shmem_ctx_put32) pshmem_ctx_put32
    __attribute__((alias("shmem_ctx_put32")));

__attribute__((weak)) void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, 1, pe);
}
extern __typeof__(shmem_putmem) pshmem_putmem
    __attribute__((alias("shmem_putmem")));

__attribute__((weak)) void shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source,
    size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put(__func__, dest, source, nelems, 1, pe);
}
extern __typeof__(shmem_ctx_putmem) pshmem_ctx_putmem
    __attribute__((alias("shmem_ctx_putmem")));

__attribute__((weak)) void shmem_float_p(float *dest, float value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_float_p) pshmem_float_p
    __attribute__((alias("shmem_float_p")));

__attribute__((weak)) void shmem_long_p(long *dest, long value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_long_p) pshmem_long_p
    __attribute__((alias("shmem_long_p")));

__attribute__((weak)) void shmem_int64_p(int64_t *dest, int64_t value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_int64_p) pshmem_int64_p
    __attribute__((alias("shmem_int64_p")));

__attribute__((weak)) void shmem_uint16_p(uint16_t *dest, uint16_t value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_uint16_p) pshmem_uint16_p
    __attribute__((alias("shmem_uint16_p")));

__attribute__((weak)) void shmem_ctx_float_p(shmem_ctx_t ctx, float *dest, float value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_ctx_float_p) pshmem_ctx_float_p
    __attribute__((alias("shmem_ctx_float_p")));

__attribute__((weak)) void shmem_ctx_long_p(shmem_ctx_t ctx, long *dest, long value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_ctx_long_p) pshmem_ctx_long_p
    __attribute__((alias("shmem_ctx_long_p")));

__attribute__((weak)) void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_ctx_int64_p) pshmem_ctx_int64_p
    __attribute__((alias("shmem_ctx_int64_p")));

__attribute__((weak)) void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t *dest, uint16_t value,
    int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_p(__func__, dest, &value, sizeof(value), pe);
}
extern __typeof__(shmem_ctx_uint16_p) pshmem_ctx_uint16_p
    __attribute__((alias("shmem_ctx_uint16_p")));

__attribute__((weak)) void shmem_float_get_nbi(float *dest, const float *source, size_t nelems,
    int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(float), pe);
}
extern __typeof__(shmem_float_get_nbi) pshmem_float_get_nbi
    __attribute__((alias("shmem_float_get_nbi")));

__attribute__((weak)) void shmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(long), pe);
}
extern __typeof__(shmem_long_get_nbi) pshmem_long_get_nbi
    __attribute__((alias("shmem_long_get_nbi")));

__attribute__((weak)) void shmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems,
    int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(int64_t), pe);
}
extern __typeof__(shmem_int64_get_nbi) pshmem_int64_get_nbi
    __attribute__((alias("shmem_int64_get_nbi")));

__attribute__((weak)) void shmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source,
    size_t nelems, int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(uint16_t), pe);
}
extern __typeof__(shmem_uint16_get_nbi) pshmem_uint16_get_nbi
    __attribute__((alias("shmem_uint16_get_nbi")));

__attribute__((weak)) void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float *dest,
    const float *source, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_get_nbi(__func__, dest, source, nelems, sizeof(float), pe);
}
extern __typeof__(shmem_ctx_float_get_nbi) pshmem_ctx_float_get_nbi
    __attribute__((alias("shmem_ctx_float_get_nbi")));

__attribute__((weak)) void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long *dest, const long *source,
    size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_get_nbi(__func__, dest, source, nelems, sizeof(long), pe);
}
extern __typeof__(shmem_ctx_long_get_nbi) pshmem_ctx_long_get_nbi
    __attribute__((alias("shmem_ctx_long_get_nbi")));

__attribute__((weak)) void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t *dest,
    const int64_t *source, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_get_nbi(__func__, dest, source, nelems, sizeof(int64_t), pe);
}
extern __typeof__(shmem_ctx_int64_get_nbi) pshmem_ctx_int64_get_nbi
    __attribute__((alias("shmem_ctx_int64_get_nbi")));

__attribute__((weak)) void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t *dest,
    const uint16_t *source, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_get_nbi(__func__, dest, source, nelems, sizeof(uint16_t), pe);
}
extern __typeof__(shmem_ctx_uint16_get_nbi) pshmem_ctx_uint16_get_nbi
    __attribute__((alias("shmem_ctx_uint16_get_nbi")));

__attribute__((weak)) float shmem_float_g(const float *source, int pe)
{
    float value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_float_g) pshmem_float_g
    __attribute__((alias("shmem_float_g")));

__attribute__((weak)) long shmem_long_g(const long *source, int pe)
{
    long value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_long_g) pshmem_long_g
    __attribute__((alias("shmem_long_g")));

__attribute__((weak)) int64_t shmem_int64_g(const int64_t *source, int pe)
{
    int64_t value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_int64_g) pshmem_int64_g
    __attribute__((alias("shmem_int64_g")));

__attribute__((weak)) uint16_t shmem_uint16_g(const uint16_t *source, int pe)
{
    uint16_t value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_uint16_g) pshmem_uint16_g
    __attribute__((alias("shmem_uint16_g")));

__attribute__((weak)) float shmem_ctx_float_g(shmem_ctx_t ctx, const float *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    float value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_ctx_float_g) pshmem_ctx_float_g
    __attribute__((alias("shmem_ctx_float_g")));

__attribute__((weak)) long shmem_ctx_long_g(shmem_ctx_t ctx, const long *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    long value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_ctx_long_g) pshmem_ctx_long_g
    __attribute__((alias("shmem_ctx_long_g")));

__attribute__((weak)) int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    int64_t value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_ctx_int64_g) pshmem_ctx_int64_g
    __attribute__((alias("shmem_ctx_int64_g")));

__attribute__((weak)) uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    uint16_t value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}
extern __typeof__(shmem_ctx_uint16_g) pshmem_ctx_uint16_g
    __attribute__((alias("shmem_ctx_uint16_g")));

__attribute__((weak)) void shmem_float_iput(float *dest, const float *source, ptrdiff_t dst,
    ptrdiff_t sst, size_t nelems, int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(float), pe);
}
extern __typeof__(shmem_float_iput) pshmem_float_iput
    __attribute__((alias("shmem_float_iput")));

__attribute__((weak)) void shmem_long_iput(long *dest, const long *source, ptrdiff_t dst,
    ptrdiff_t sst, size_t nelems, int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(long), pe);
}
extern __typeof__(shmem_long_iput) pshmem_long_iput
    __attribute__((alias("shmem_long_iput")));

__attribute__((weak)) void shmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst,
    ptrdiff_t sst, size_t nelems, int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(int64_t), pe);
}
extern __typeof__(shmem_int64_iput) pshmem_int64_iput
    __attribute__((alias("shmem_int64_iput")));

__attribute__((weak)) void shmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst,
    ptrdiff_t sst, size_t nelems, int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(uint16_t), pe);
}
extern __typeof__(shmem_uint16_iput) pshmem_uint16_iput
    __attribute__((alias("shmem_uint16_iput")));

__attribute__((weak)) void shmem_ctx_float_iput(shmem_ctx_t ctx, float *dest, const float *source,
    ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(float), pe);
}
extern __typeof__(shmem_ctx_float_iput) pshmem_ctx_float_iput
    __attribute__((alias("shmem_ctx_float_iput")));

__attribute__((weak)) void shmem_ctx_long_iput(shmem_ctx_t ctx, long *dest, const long *source,
    ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(long), pe);
}
extern __typeof__(shmem_ctx_long_iput) pshmem_ctx_long_iput
    __attribute__((alias("shmem_ctx_long_iput")));

__attribute__((weak)) void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t *dest,
    const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(int64_t), pe);
}
extern __typeof__(shmem_ctx_int64_iput) pshmem_ctx_int64_iput
    __attribute__((alias("shmem_ctx_int64_iput")));

__attribute__((weak)) void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t *dest,
    const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(uint16_t), pe);
}
extern __typeof__(shmem_ctx_uint16_iput) pshmem_ctx_uint16_iput
    __attribute__((alias("shmem_ctx_uint16_iput")));

__attribute__((weak)) void shmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe)
{
    *fetch = (float)face_atomic_fetch_f32(__func__, source, pe);
}
extern __typeof__(shmem_float_atomic_fetch_nbi) pshmem_float_atomic_fetch_nbi
    __attribute__((alias("shmem_float_atomic_fetch_nbi")));

__attribute__((weak)) void shmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe)
{
    *fetch = (long)face_atomic_fetch_u64(__func__, source, pe);
}
extern __typeof__(shmem_long_atomic_fetch_nbi) pshmem_long_atomic_fetch_nbi
    __attribute__((alias("shmem_long_atomic_fetch_nbi")));

__attribute__((weak)) void shmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source,
    int pe)
{
    *fetch = (int64_t)face_atomic_fetch_u64(__func__, source, pe);
}
extern __typeof__(shmem_int64_atomic_fetch_nbi) pshmem_int64_atomic_fetch_nbi
    __attribute__((alias("shmem_int64_atomic_fetch_nbi")));

__attribute__((weak)) void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch,
    const float *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    *fetch = (float)face_atomic_fetch_f32(__func__, source, pe);
}
extern __typeof__(shmem_ctx_float_atomic_fetch_nbi) pshmem_ctx_float_atomic_fetch_nbi
    __attribute__((alias("shmem_ctx_float_atomic_fetch_nbi")));

__attribute__((weak)) void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch,
    const long *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    *fetch = (long)face_atomic_fetch_u64(__func__, source, pe);
}
extern __typeof__(shmem_ctx_long_atomic_fetch_nbi) pshmem_ctx_long_atomic_fetch_nbi
    __attribute__((alias("shmem_ctx_long_atomic_fetch_nbi")));

__attribute__((weak)) void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t *fetch,
    const int64_t *source, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    *fetch = (int64_t)face_atomic_fetch_u64(__func__, source, pe);
}
extern __typeof__(shmem_ctx_int64_atomic_fetch_nbi) pshmem_ctx_int64_atomic_fetch_nbi
    __attribute__((alias("shmem_ctx_int64_atomic_fetch_nbi")));

__attribute__((weak)) float shmem_float_atomic_swap(float *dest, float value, int pe)
{
    return (float)face_atomic_swap_f32(__func__, dest, (float)value, pe);
}
extern __typeof__(shmem_float_atomic_swap) pshmem_float_atomic_swap
    __attribute__((alias("shmem_float_atomic_swap")));

__attribute__((weak)) long shmem_long_atomic_swap(long *dest, long value, int pe)
{
    return (long)face_atomic_swap_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_long_atomic_swap) pshmem_long_atomic_swap
    __attribute__((alias("shmem_long_atomic_swap")));

__attribute__((weak)) int64_t shmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe)
{
    return (int64_t)face_atomic_swap_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_int64_atomic_swap) pshmem_int64_atomic_swap
    __attribute__((alias("shmem_int64_atomic_swap")));

__attribute__((weak)) float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float *dest, float value,
    int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    return (float)face_atomic_swap_f32(__func__, dest, (float)value, pe);
}
extern __typeof__(shmem_ctx_float_atomic_swap) pshmem_ctx_float_atomic_swap
    __attribute__((alias("shmem_ctx_float_atomic_swap")));

__attribute__((weak)) long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *dest, long value,
    int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    return (long)face_atomic_swap_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_long_atomic_swap) pshmem_ctx_long_atomic_swap
    __attribute__((alias("shmem_ctx_long_atomic_swap")));

__attribute__((weak)) int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t *dest,
    int64_t value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    return (int64_t)face_atomic_swap_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_int64_atomic_swap) pshmem_ctx_int64_atomic_swap
    __attribute__((alias("shmem_ctx_int64_atomic_swap")));

__attribute__((weak)) long shmem_long_atomic_fetch_add(long *dest, long value, int pe)
{
    return (long)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_long_atomic_fetch_add) pshmem_long_atomic_fetch_add
    __attribute__((alias("shmem_long_atomic_fetch_add")));

__attribute__((weak)) int64_t shmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe)
{
    return (int64_t)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_int64_atomic_fetch_add) pshmem_int64_atomic_fetch_add
    __attribute__((alias("shmem_int64_atomic_fetch_add")));

__attribute__((weak)) long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value,
    int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    return (long)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_long_atomic_fetch_add) pshmem_ctx_long_atomic_fetch_add
    __attribute__((alias("shmem_ctx_long_atomic_fetch_add")));

__attribute__((weak)) int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t *dest,
    int64_t value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    return (int64_t)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_int64_atomic_fetch_add) pshmem_ctx_int64_atomic_fetch_add
    __attribute__((alias("shmem_ctx_int64_atomic_fetch_add")));

__attribute__((weak)) void shmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value,
    int pe)
{
    *fetch = (long)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_long_atomic_fetch_add_nbi) pshmem_long_atomic_fetch_add_nbi
    __attribute__((alias("shmem_long_atomic_fetch_add_nbi")));

__attribute__((weak)) void shmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest,
    int64_t value, int pe)
{
    *fetch = (int64_t)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_int64_atomic_fetch_add_nbi) pshmem_int64_atomic_fetch_add_nbi
    __attribute__((alias("shmem_int64_atomic_fetch_add_nbi")));

__attribute__((weak)) void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch,
    long *dest, long value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    *fetch = (long)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_long_atomic_fetch_add_nbi) pshmem_ctx_long_atomic_fetch_add_nbi
    __attribute__((alias("shmem_ctx_long_atomic_fetch_add_nbi")));

__attribute__((weak)) void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t *fetch,
    int64_t *dest, int64_t value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    *fetch = (int64_t)face_atomic_fetch_add_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_int64_atomic_fetch_add_nbi) pshmem_ctx_int64_atomic_fetch_add_nbi
    __attribute__((alias("shmem_ctx_int64_atomic_fetch_add_nbi")));

__attribute__((weak)) int64_t shmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe)
{
    return (int64_t)face_atomic_fetch_xor_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_int64_atomic_fetch_xor) pshmem_int64_atomic_fetch_xor
    __attribute__((alias("shmem_int64_atomic_fetch_xor")));

__attribute__((weak)) int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest,
    int64_t value, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    return (int64_t)face_atomic_fetch_xor_u64(__func__, dest, (uint64_t)value, pe);
}
extern __typeof__(shmem_ctx_int64_atomic_fetch_xor) pshmem_ctx_int64_atomic_fetch_xor
    __attribute__((alias("shmem_ctx_int64_atomic_fetch_xor")));

__attribute__((weak)) void shmem_float_put_signal(float *dest, const float *source, size_t nelems,
    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(float),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_float_put_signal) pshmem_float_put_signal
    __attribute__((alias("shmem_float_put_signal")));

__attribute__((weak)) void shmem_long_put_signal(long *dest, const long *source, size_t nelems,
    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(long),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_long_put_signal) pshmem_long_put_signal
    __attribute__((alias("shmem_long_put_signal")));

__attribute__((weak)) void shmem_int64_put_signal(int64_t *dest, const int64_t *source,
    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(int64_t),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_int64_put_signal) pshmem_int64_put_signal
    __attribute__((alias("shmem_int64_put_signal")));

__attribute__((weak)) void shmem_uint16_put_signal(uint16_t *dest, const uint16_t *source,
    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(uint16_t),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_uint16_put_signal) pshmem_uint16_put_signal
    __attribute__((alias("shmem_uint16_put_signal")));

__attribute__((weak)) void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest,
    const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(float),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_float_put_signal) pshmem_ctx_float_put_signal
    __attribute__((alias("shmem_ctx_float_put_signal")));

__attribute__((weak)) void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest,
    const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(long),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_long_put_signal) pshmem_ctx_long_put_signal
    __attribute__((alias("shmem_ctx_long_put_signal")));

__attribute__((weak)) void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest,
    const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(int64_t),
        sig_addr, signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_int64_put_signal) pshmem_ctx_int64_put_signal
    __attribute__((alias("shmem_ctx_int64_put_signal")));

__attribute__((weak)) void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest,
    const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(uint16_t),
        sig_addr, signal, sig_op}, pe);
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
    face_wait_until_i64(__func__, ivar, cmp, cmp_value);
}
extern __typeof__(shmem_long_wait_until) pshmem_long_wait_until
    __attribute__((alias("shmem_long_wait_until")));

__attribute__((weak)) void shmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value)
{
    face_wait_until_i64(__func__, ivar, cmp, cmp_value);
}
extern __typeof__(shmem_int64_wait_until) pshmem_int64_wait_until
    __attribute__((alias("shmem_int64_wait_until")));

__attribute__((weak)) int shmem_long_test(long *ivar, int cmp, long cmp_value)
{
    return face_test_i64(__func__, ivar, cmp, cmp_value);
}
extern __typeof__(shmem_long_test) pshmem_long_test
    __attribute__((alias("shmem_long_test")));

__attribute__((weak)) int shmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value)
{
    return face_test_i64(__func__, ivar, cmp, cmp_value);
}
extern __typeof__(shmem_int64_test) pshmem_int64_test
    __attribute__((alias("shmem_int64_test")));

__attribute__((weak)) size_t shmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices,
    const int *status, int cmp, long cmp_value)
{
    return face_wait_until_some(__func__, &(struct shm_words_test){ivars, nelems, status, NULL,
        (uint64_t)cmp_value, SHM_WORD_I64, (enum shm_comparison)cmp}, indices);
}
extern __typeof__(shmem_long_wait_until_some) pshmem_long_wait_until_some
    __attribute__((alias("shmem_long_wait_until_some")));

__attribute__((weak)) size_t shmem_int64_wait_until_some(int64_t *ivars, size_t nelems,
    size_t *indices, const int *status, int cmp, int64_t cmp_value)
{
    return face_wait_until_some(__func__, &(struct shm_words_test){ivars, nelems, status, NULL,
        (uint64_t)cmp_value, SHM_WORD_I64, (enum shm_comparison)cmp}, indices);
}
extern __typeof__(shmem_int64_wait_until_some) pshmem_int64_wait_until_some
    __attribute__((alias("shmem_int64_wait_until_some")));

__attribute__((weak)) void shmem_wait_until(long *ivar, int cmp, long cmp_value)
{
    face_wait_until_i64(__func__, ivar, cmp, cmp_value);
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
