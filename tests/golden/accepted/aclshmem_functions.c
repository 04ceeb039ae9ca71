/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. The ACLSHMEM functions. */
#include "aclshmem/face.h"

#include <aclshmem.h>

_Static_assert(sizeof(float) == 4, "types.tsv: float");
_Static_assert(sizeof(int64_t) == 8, "types.tsv: int64");
_Static_assert(sizeof(uint16_t) == 2, "types.tsv: uint16");

void aclshmem_global_exit(int status)
{
    face_global_exit(__func__, status);
}

void *aclshmem_malloc(size_t size)
{
    return face_malloc(__func__, size);
}

void *aclshmem_ptr(void *dest, int pe)
{
    return face_ptr(__func__, dest, pe);
}

void aclshmem_float_put(float *dest, float *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(float), pe);
}

void aclshmem_int64_put(int64_t *dest, int64_t *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(int64_t), pe);
}

void aclshmem_uint16_put(uint16_t *dest, uint16_t *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, sizeof(uint16_t), pe);
}

void aclshmem_put32(void *dest, void *source, uint32_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, 4, pe);
}

void aclshmem_putmem(void *dest, void *source, size_t nelems, int pe)
{
    face_put(__func__, dest, source, nelems, 1, pe);
}

void aclshmem_float_p(float *dest, float value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}

void aclshmem_int64_p(int64_t *dest, int64_t value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}

void aclshmem_uint16_p(uint16_t *dest, uint16_t value, int pe)
{
    face_p(__func__, dest, &value, sizeof(value), pe);
}

void aclshmem_float_get_nbi(float *dest, float *source, size_t nelems, int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(float), pe);
}

void aclshmem_int64_get_nbi(int64_t *dest, int64_t *source, size_t nelems, int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(int64_t), pe);
}

void aclshmem_uint16_get_nbi(uint16_t *dest, uint16_t *source, size_t nelems, int pe)
{
    face_get_nbi(__func__, dest, source, nelems, sizeof(uint16_t), pe);
}

float aclshmem_float_g(float *source, int pe)
{
    float value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}

int64_t aclshmem_int64_g(int64_t *source, int pe)
{
    int64_t value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}

uint16_t aclshmem_uint16_g(uint16_t *source, int pe)
{
    uint16_t value;
    face_g(__func__, &value, source, sizeof(value), pe);
    return value;
}

void aclshmem_float_iput(float *dest, float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
    int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(float), pe);
}

void aclshmem_int64_iput(int64_t *dest, int64_t *source, ptrdiff_t dst, ptrdiff_t sst,
    size_t nelems, int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(int64_t), pe);
}

void aclshmem_uint16_iput(uint16_t *dest, uint16_t *source, ptrdiff_t dst, ptrdiff_t sst,
    size_t nelems, int pe)
{
    face_iput(__func__, dest, source, dst, sst, nelems, sizeof(uint16_t), pe);
}

void aclshmem_float_wait_until(float *ivar, int cmp, float cmp_value)
{
    face_wait_word(__func__, "ivar", &(struct shm_word_test){ivar, shm_bits_of_f32(cmp_value),
        SHM_WORD_F32, (enum shm_comparison)cmp});
}

void aclshmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value)
{
    face_wait_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)(cmp_value),
        SHM_WORD_I64, (enum shm_comparison)cmp});
}

void aclshmem_uint16_wait_until(uint16_t *ivar, int cmp, uint16_t cmp_value)
{
    face_wait_word(__func__, "ivar", &(struct shm_word_test){ivar, (uint64_t)(cmp_value),
        SHM_WORD_U16, (enum shm_comparison)cmp});
}
