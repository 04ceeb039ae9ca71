/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <pshmem.h>, not by programs. */
#ifndef SHMEM_PSHMEM_FUNCTIONS_H
#define SHMEM_PSHMEM_FUNCTIONS_H

void pshmem_init(void);
SHMEM_NORETURN void pshmem_global_exit(int status);
void *pshmem_malloc(size_t size);
void *pshmem_ptr(const void *dest, int pe);
void pshmem_float_put(float *dest, const float *source, size_t nelems, int pe);
void pshmem_long_put(long *dest, const long *source, size_t nelems, int pe);
void pshmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void pshmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void pshmem_put32(void *dest, const void *source, size_t nelems, int pe);
void pshmem_putmem(void *dest, const void *source, size_t nelems, int pe);
void pshmem_float_p(float *dest, float value, int pe);
void pshmem_long_p(long *dest, long value, int pe);
void pshmem_int64_p(int64_t *dest, int64_t value, int pe);
void pshmem_uint16_p(uint16_t *dest, uint16_t value, int pe);
void pshmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe);
void pshmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe);
void pshmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void pshmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
float pshmem_float_g(const float *source, int pe);
long pshmem_long_g(const long *source, int pe);
int64_t pshmem_int64_g(const int64_t *source, int pe);
uint16_t pshmem_uint16_g(const uint16_t *source, int pe);
void pshmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void pshmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void pshmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void pshmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void pshmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe);
void pshmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe);
void pshmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source, int pe);
float pshmem_float_atomic_swap(float *dest, float value, int pe);
long pshmem_long_atomic_swap(long *dest, long value, int pe);
int64_t pshmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe);
long pshmem_long_atomic_fetch_add(long *dest, long value, int pe);
int64_t pshmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe);
void pshmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe);
void pshmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
int64_t pshmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe);
void pshmem_long_inc(long *dest, int pe);
void pshmem_long_wait_until(long *ivar, int cmp, long cmp_value);
void pshmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value);
int pshmem_long_test(long *ivar, int cmp, long cmp_value);
int pshmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value);
void pshmem_wait_until(long *ivar, int cmp, long cmp_value);

#endif
