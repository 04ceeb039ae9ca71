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
