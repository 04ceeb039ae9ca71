/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Each shmem_ function is weak and has a strong pshmem_ alias. */
#define SHMEM_NO_GENERICS /* a generic has the name of a function: shmem_wait_until */
#include "openshmem/face.h"

#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>

_Static_assert(sizeof(int64_t) == 8, "types.tsv: int64");
_Static_assert(sizeof(float) == 4, "types.tsv: float");
_Static_assert(sizeof(long) == 8, "types.tsv: long");
_Static_assert(sizeof(uint16_t) == 2, "types.tsv: uint16");

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
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_float_put_signal) pshmem_float_put_signal
    __attribute__((alias("shmem_float_put_signal")));

__attribute__((weak)) void shmem_long_put_signal(long *dest, const long *source, size_t nelems,
    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(long),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_long_put_signal) pshmem_long_put_signal
    __attribute__((alias("shmem_long_put_signal")));

__attribute__((weak)) void shmem_int64_put_signal(int64_t *dest, const int64_t *source,
    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(int64_t),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_int64_put_signal) pshmem_int64_put_signal
    __attribute__((alias("shmem_int64_put_signal")));

__attribute__((weak)) void shmem_uint16_put_signal(uint16_t *dest, const uint16_t *source,
    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(uint16_t),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_uint16_put_signal) pshmem_uint16_put_signal
    __attribute__((alias("shmem_uint16_put_signal")));

__attribute__((weak)) void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest,
    const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(float),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_float_put_signal) pshmem_ctx_float_put_signal
    __attribute__((alias("shmem_ctx_float_put_signal")));

__attribute__((weak)) void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest,
    const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(long),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_long_put_signal) pshmem_ctx_long_put_signal
    __attribute__((alias("shmem_ctx_long_put_signal")));

__attribute__((weak)) void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest,
    const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    pe = face_context_pe(__func__, ctx, pe);
    face_put_signal(__func__, &(struct face_signal_put){dest, source, nelems, sizeof(int64_t),
        sig_addr, sizeof(*sig_addr), signal, sig_op}, pe);
}
extern __typeof__(shmem_ctx_int64_put_signal) pshmem_ctx_int64_put_signal
    __attribute__((alias("shmem_ctx_int64_put_signal")));
