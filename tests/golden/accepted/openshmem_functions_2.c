/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Each shmem_ function is weak and has a strong pshmem_ alias. */
#define SHMEM_NO_GENERICS /* a generic has the name of a function: shmem_wait_until */
#include "openshmem/face.h"

#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>

_Static_assert(sizeof(uint16_t) == 2, "types.tsv: uint16");
_Static_assert(sizeof(float) == 4, "types.tsv: float");
_Static_assert(sizeof(long) == 8, "types.tsv: long");
_Static_assert(sizeof(int64_t) == 8, "types.tsv: int64");

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
