/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h>, not by programs. */
#ifndef SHMEM_OPENSHMEM_GENERICS_H
#define SHMEM_OPENSHMEM_GENERICS_H

/* The pointer that selects the function loses `volatile` in the call; that is sound because it
 * has been matched already. A pointer that is only read may be volatile too, and so is matched
 * against the first one here: compilers warn when the branches of ?: point to different types. */
#define SHMEM_GENERIC_CHECK(selector, other) ((void)sizeof(1 ? (selector) : (other)))

#define shmem_put(dest, source, nelems, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_float_put, \
        volatile float *: shmem_float_put, \
        long *: shmem_long_put, \
        volatile long *: shmem_long_put, \
        int64_t *: shmem_int64_put, \
        volatile int64_t *: shmem_int64_put, \
        uint16_t *: shmem_uint16_put, \
        volatile uint16_t *: shmem_uint16_put) \
     ((void *)(dest), (const void *)(source), nelems, pe))

#define shmem_p(dest, value, pe) \
    (_Generic((dest), \
        float *: shmem_float_p, \
        volatile float *: shmem_float_p, \
        long *: shmem_long_p, \
        volatile long *: shmem_long_p, \
        int64_t *: shmem_int64_p, \
        volatile int64_t *: shmem_int64_p, \
        uint16_t *: shmem_uint16_p, \
        volatile uint16_t *: shmem_uint16_p) \
     ((void *)(dest), value, pe))

#define shmem_get_nbi(dest, source, nelems, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_float_get_nbi, \
        volatile float *: shmem_float_get_nbi, \
        long *: shmem_long_get_nbi, \
        volatile long *: shmem_long_get_nbi, \
        int64_t *: shmem_int64_get_nbi, \
        volatile int64_t *: shmem_int64_get_nbi, \
        uint16_t *: shmem_uint16_get_nbi, \
        volatile uint16_t *: shmem_uint16_get_nbi) \
     ((void *)(dest), (const void *)(source), nelems, pe))

#define shmem_g(source, pe) \
    (_Generic(*(source), \
        float: shmem_float_g, \
        long: shmem_long_g, \
        int64_t: shmem_int64_g, \
        uint16_t: shmem_uint16_g) \
     ((const void *)(source), pe))

#define shmem_iput(dest, source, dst, sst, nelems, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_float_iput, \
        volatile float *: shmem_float_iput, \
        long *: shmem_long_iput, \
        volatile long *: shmem_long_iput, \
        int64_t *: shmem_int64_iput, \
        volatile int64_t *: shmem_int64_iput, \
        uint16_t *: shmem_uint16_iput, \
        volatile uint16_t *: shmem_uint16_iput) \
     ((void *)(dest), (const void *)(source), dst, sst, nelems, pe))

#define shmem_atomic_fetch_nbi(fetch, source, pe) \
    (SHMEM_GENERIC_CHECK(fetch, source), _Generic((fetch), \
        float *: shmem_float_atomic_fetch_nbi, \
        volatile float *: shmem_float_atomic_fetch_nbi, \
        long *: shmem_long_atomic_fetch_nbi, \
        volatile long *: shmem_long_atomic_fetch_nbi, \
        int64_t *: shmem_int64_atomic_fetch_nbi, \
        volatile int64_t *: shmem_int64_atomic_fetch_nbi) \
     ((void *)(fetch), (const void *)(source), pe))

#define shmem_atomic_swap(dest, value, pe) \
    (_Generic((dest), \
        float *: shmem_float_atomic_swap, \
        volatile float *: shmem_float_atomic_swap, \
        long *: shmem_long_atomic_swap, \
        volatile long *: shmem_long_atomic_swap, \
        int64_t *: shmem_int64_atomic_swap, \
        volatile int64_t *: shmem_int64_atomic_swap) \
     ((void *)(dest), value, pe))

#define shmem_atomic_fetch_add(dest, value, pe) \
    (_Generic((dest), \
        long *: shmem_long_atomic_fetch_add, \
        volatile long *: shmem_long_atomic_fetch_add, \
        int64_t *: shmem_int64_atomic_fetch_add, \
        volatile int64_t *: shmem_int64_atomic_fetch_add) \
     ((void *)(dest), value, pe))

#define shmem_atomic_fetch_add_nbi(fetch, dest, value, pe) \
    (_Generic((dest), \
        long *: shmem_long_atomic_fetch_add_nbi, \
        volatile long *: shmem_long_atomic_fetch_add_nbi, \
        int64_t *: shmem_int64_atomic_fetch_add_nbi, \
        volatile int64_t *: shmem_int64_atomic_fetch_add_nbi) \
     (fetch, (void *)(dest), value, pe))

#define shmem_atomic_fetch_xor(dest, value, pe) \
    (_Generic((dest), \
        int64_t *: shmem_int64_atomic_fetch_xor, \
        volatile int64_t *: shmem_int64_atomic_fetch_xor) \
     ((void *)(dest), value, pe))

#define shmem_inc(dest, pe) \
    (_Generic((dest), \
        long *: shmem_long_inc, \
        volatile long *: shmem_long_inc) \
     ((void *)(dest), pe))

#define shmem_wait_until(ivar, cmp, cmp_value) \
    (_Generic((ivar), \
        long *: shmem_long_wait_until, \
        volatile long *: shmem_long_wait_until, \
        int64_t *: shmem_int64_wait_until, \
        volatile int64_t *: shmem_int64_wait_until) \
     ((void *)(ivar), cmp, cmp_value))

#define shmem_test(ivar, cmp, cmp_value) \
    (_Generic((ivar), \
        long *: shmem_long_test, \
        volatile long *: shmem_long_test, \
        int64_t *: shmem_int64_test, \
        volatile int64_t *: shmem_int64_test) \
     ((void *)(ivar), cmp, cmp_value))

#endif
