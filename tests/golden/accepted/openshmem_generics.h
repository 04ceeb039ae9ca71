/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h>, not by programs. */
#ifndef SHMEM_OPENSHMEM_GENERICS_H
#define SHMEM_OPENSHMEM_GENERICS_H

/* The pointer that selects the function loses `volatile` in the call; that is sound because it
 * has been matched already. A pointer that is only read may be volatile too, and so is matched
 * against the first one here: compilers warn when the branches of ?: point to different types. */
#define SHMEM_GENERIC_CHECK(selector, other) ((void)sizeof(1 ? (selector) : (other)))

/* A form is chosen by the number of its arguments: on a context there is one more. */
#define SHMEM_SELECT_3(a1, a2, a3, name, ...) name
#define SHMEM_SELECT_4(a1, a2, a3, a4, name, ...) name
#define SHMEM_SELECT_5(a1, a2, a3, a4, a5, name, ...) name
#define SHMEM_SELECT_7(a1, a2, a3, a4, a5, a6, a7, name, ...) name
#define SHMEM_SELECT_8(a1, a2, a3, a4, a5, a6, a7, a8, name, ...) name

#define SHMEM_GENERIC_shmem_put_4(dest, source, nelems, pe) \
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
#define SHMEM_GENERIC_shmem_put_5(ctx, dest, source, nelems, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_ctx_float_put, \
        volatile float *: shmem_ctx_float_put, \
        long *: shmem_ctx_long_put, \
        volatile long *: shmem_ctx_long_put, \
        int64_t *: shmem_ctx_int64_put, \
        volatile int64_t *: shmem_ctx_int64_put, \
        uint16_t *: shmem_ctx_uint16_put, \
        volatile uint16_t *: shmem_ctx_uint16_put) \
     (ctx, (void *)(dest), (const void *)(source), nelems, pe))
#define shmem_put(...) SHMEM_SELECT_5(__VA_ARGS__, SHMEM_GENERIC_shmem_put_5, \
    SHMEM_GENERIC_shmem_put_4, 0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_p_3(dest, value, pe) \
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
#define SHMEM_GENERIC_shmem_p_4(ctx, dest, value, pe) \
    (_Generic((dest), \
        float *: shmem_ctx_float_p, \
        volatile float *: shmem_ctx_float_p, \
        long *: shmem_ctx_long_p, \
        volatile long *: shmem_ctx_long_p, \
        int64_t *: shmem_ctx_int64_p, \
        volatile int64_t *: shmem_ctx_int64_p, \
        uint16_t *: shmem_ctx_uint16_p, \
        volatile uint16_t *: shmem_ctx_uint16_p) \
     (ctx, (void *)(dest), value, pe))
#define shmem_p(...) SHMEM_SELECT_4(__VA_ARGS__, SHMEM_GENERIC_shmem_p_4, SHMEM_GENERIC_shmem_p_3, \
    0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_get_nbi_4(dest, source, nelems, pe) \
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
#define SHMEM_GENERIC_shmem_get_nbi_5(ctx, dest, source, nelems, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_ctx_float_get_nbi, \
        volatile float *: shmem_ctx_float_get_nbi, \
        long *: shmem_ctx_long_get_nbi, \
        volatile long *: shmem_ctx_long_get_nbi, \
        int64_t *: shmem_ctx_int64_get_nbi, \
        volatile int64_t *: shmem_ctx_int64_get_nbi, \
        uint16_t *: shmem_ctx_uint16_get_nbi, \
        volatile uint16_t *: shmem_ctx_uint16_get_nbi) \
     (ctx, (void *)(dest), (const void *)(source), nelems, pe))
#define shmem_get_nbi(...) SHMEM_SELECT_5(__VA_ARGS__, SHMEM_GENERIC_shmem_get_nbi_5, \
    SHMEM_GENERIC_shmem_get_nbi_4, 0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_g_2(source, pe) \
    (_Generic(*(source), \
        float: shmem_float_g, \
        long: shmem_long_g, \
        int64_t: shmem_int64_g, \
        uint16_t: shmem_uint16_g) \
     ((const void *)(source), pe))
#define SHMEM_GENERIC_shmem_g_3(ctx, source, pe) \
    (_Generic(*(source), \
        float: shmem_ctx_float_g, \
        long: shmem_ctx_long_g, \
        int64_t: shmem_ctx_int64_g, \
        uint16_t: shmem_ctx_uint16_g) \
     (ctx, (const void *)(source), pe))
#define shmem_g(...) SHMEM_SELECT_3(__VA_ARGS__, SHMEM_GENERIC_shmem_g_3, SHMEM_GENERIC_shmem_g_2, \
    0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_iput_6(dest, source, dst, sst, nelems, pe) \
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
#define SHMEM_GENERIC_shmem_iput_7(ctx, dest, source, dst, sst, nelems, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_ctx_float_iput, \
        volatile float *: shmem_ctx_float_iput, \
        long *: shmem_ctx_long_iput, \
        volatile long *: shmem_ctx_long_iput, \
        int64_t *: shmem_ctx_int64_iput, \
        volatile int64_t *: shmem_ctx_int64_iput, \
        uint16_t *: shmem_ctx_uint16_iput, \
        volatile uint16_t *: shmem_ctx_uint16_iput) \
     (ctx, (void *)(dest), (const void *)(source), dst, sst, nelems, pe))
#define shmem_iput(...) SHMEM_SELECT_7(__VA_ARGS__, SHMEM_GENERIC_shmem_iput_7, \
    SHMEM_GENERIC_shmem_iput_6, 0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_atomic_fetch_nbi_3(fetch, source, pe) \
    (SHMEM_GENERIC_CHECK(fetch, source), _Generic((fetch), \
        float *: shmem_float_atomic_fetch_nbi, \
        volatile float *: shmem_float_atomic_fetch_nbi, \
        long *: shmem_long_atomic_fetch_nbi, \
        volatile long *: shmem_long_atomic_fetch_nbi, \
        int64_t *: shmem_int64_atomic_fetch_nbi, \
        volatile int64_t *: shmem_int64_atomic_fetch_nbi) \
     ((void *)(fetch), (const void *)(source), pe))
#define SHMEM_GENERIC_shmem_atomic_fetch_nbi_4(ctx, fetch, source, pe) \
    (SHMEM_GENERIC_CHECK(fetch, source), _Generic((fetch), \
        float *: shmem_ctx_float_atomic_fetch_nbi, \
        volatile float *: shmem_ctx_float_atomic_fetch_nbi, \
        long *: shmem_ctx_long_atomic_fetch_nbi, \
        volatile long *: shmem_ctx_long_atomic_fetch_nbi, \
        int64_t *: shmem_ctx_int64_atomic_fetch_nbi, \
        volatile int64_t *: shmem_ctx_int64_atomic_fetch_nbi) \
     (ctx, (void *)(fetch), (const void *)(source), pe))
#define shmem_atomic_fetch_nbi(...) SHMEM_SELECT_4(__VA_ARGS__, \
    SHMEM_GENERIC_shmem_atomic_fetch_nbi_4, SHMEM_GENERIC_shmem_atomic_fetch_nbi_3, \
    0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_atomic_swap_3(dest, value, pe) \
    (_Generic((dest), \
        float *: shmem_float_atomic_swap, \
        volatile float *: shmem_float_atomic_swap, \
        long *: shmem_long_atomic_swap, \
        volatile long *: shmem_long_atomic_swap, \
        int64_t *: shmem_int64_atomic_swap, \
        volatile int64_t *: shmem_int64_atomic_swap) \
     ((void *)(dest), value, pe))
#define SHMEM_GENERIC_shmem_atomic_swap_4(ctx, dest, value, pe) \
    (_Generic((dest), \
        float *: shmem_ctx_float_atomic_swap, \
        volatile float *: shmem_ctx_float_atomic_swap, \
        long *: shmem_ctx_long_atomic_swap, \
        volatile long *: shmem_ctx_long_atomic_swap, \
        int64_t *: shmem_ctx_int64_atomic_swap, \
        volatile int64_t *: shmem_ctx_int64_atomic_swap) \
     (ctx, (void *)(dest), value, pe))
#define shmem_atomic_swap(...) SHMEM_SELECT_4(__VA_ARGS__, SHMEM_GENERIC_shmem_atomic_swap_4, \
    SHMEM_GENERIC_shmem_atomic_swap_3, 0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_atomic_fetch_add_3(dest, value, pe) \
    (_Generic((dest), \
        long *: shmem_long_atomic_fetch_add, \
        volatile long *: shmem_long_atomic_fetch_add, \
        int64_t *: shmem_int64_atomic_fetch_add, \
        volatile int64_t *: shmem_int64_atomic_fetch_add) \
     ((void *)(dest), value, pe))
#define SHMEM_GENERIC_shmem_atomic_fetch_add_4(ctx, dest, value, pe) \
    (_Generic((dest), \
        long *: shmem_ctx_long_atomic_fetch_add, \
        volatile long *: shmem_ctx_long_atomic_fetch_add, \
        int64_t *: shmem_ctx_int64_atomic_fetch_add, \
        volatile int64_t *: shmem_ctx_int64_atomic_fetch_add) \
     (ctx, (void *)(dest), value, pe))
#define shmem_atomic_fetch_add(...) SHMEM_SELECT_4(__VA_ARGS__, \
    SHMEM_GENERIC_shmem_atomic_fetch_add_4, SHMEM_GENERIC_shmem_atomic_fetch_add_3, \
    0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_atomic_fetch_add_nbi_4(fetch, dest, value, pe) \
    (_Generic((dest), \
        long *: shmem_long_atomic_fetch_add_nbi, \
        volatile long *: shmem_long_atomic_fetch_add_nbi, \
        int64_t *: shmem_int64_atomic_fetch_add_nbi, \
        volatile int64_t *: shmem_int64_atomic_fetch_add_nbi) \
     (fetch, (void *)(dest), value, pe))
#define SHMEM_GENERIC_shmem_atomic_fetch_add_nbi_5(ctx, fetch, dest, value, pe) \
    (_Generic((dest), \
        long *: shmem_ctx_long_atomic_fetch_add_nbi, \
        volatile long *: shmem_ctx_long_atomic_fetch_add_nbi, \
        int64_t *: shmem_ctx_int64_atomic_fetch_add_nbi, \
        volatile int64_t *: shmem_ctx_int64_atomic_fetch_add_nbi) \
     (ctx, fetch, (void *)(dest), value, pe))
#define shmem_atomic_fetch_add_nbi(...) SHMEM_SELECT_5(__VA_ARGS__, \
    SHMEM_GENERIC_shmem_atomic_fetch_add_nbi_5, SHMEM_GENERIC_shmem_atomic_fetch_add_nbi_4, \
    0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_atomic_fetch_xor_3(dest, value, pe) \
    (_Generic((dest), \
        int64_t *: shmem_int64_atomic_fetch_xor, \
        volatile int64_t *: shmem_int64_atomic_fetch_xor) \
     ((void *)(dest), value, pe))
#define SHMEM_GENERIC_shmem_atomic_fetch_xor_4(ctx, dest, value, pe) \
    (_Generic((dest), \
        int64_t *: shmem_ctx_int64_atomic_fetch_xor, \
        volatile int64_t *: shmem_ctx_int64_atomic_fetch_xor) \
     (ctx, (void *)(dest), value, pe))
#define shmem_atomic_fetch_xor(...) SHMEM_SELECT_4(__VA_ARGS__, \
    SHMEM_GENERIC_shmem_atomic_fetch_xor_4, SHMEM_GENERIC_shmem_atomic_fetch_xor_3, \
    0)(__VA_ARGS__)

#define SHMEM_GENERIC_shmem_put_signal_7(dest, source, nelems, sig_addr, signal, sig_op, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_float_put_signal, \
        volatile float *: shmem_float_put_signal, \
        long *: shmem_long_put_signal, \
        volatile long *: shmem_long_put_signal, \
        int64_t *: shmem_int64_put_signal, \
        volatile int64_t *: shmem_int64_put_signal, \
        uint16_t *: shmem_uint16_put_signal, \
        volatile uint16_t *: shmem_uint16_put_signal) \
     ((void *)(dest), (const void *)(source), nelems, sig_addr, signal, sig_op, pe))
#define SHMEM_GENERIC_shmem_put_signal_8(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_ctx_float_put_signal, \
        volatile float *: shmem_ctx_float_put_signal, \
        long *: shmem_ctx_long_put_signal, \
        volatile long *: shmem_ctx_long_put_signal, \
        int64_t *: shmem_ctx_int64_put_signal, \
        volatile int64_t *: shmem_ctx_int64_put_signal, \
        uint16_t *: shmem_ctx_uint16_put_signal, \
        volatile uint16_t *: shmem_ctx_uint16_put_signal) \
     (ctx, (void *)(dest), (const void *)(source), nelems, sig_addr, signal, sig_op, pe))
#define shmem_put_signal(...) SHMEM_SELECT_8(__VA_ARGS__, SHMEM_GENERIC_shmem_put_signal_8, \
    SHMEM_GENERIC_shmem_put_signal_7, 0)(__VA_ARGS__)

#define shmem_signal_set(...) SHMEM_SELECT_4(__VA_ARGS__, shmem_ctx_signal_set, shmem_signal_set, \
    0)(__VA_ARGS__)

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

#define shmem_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value) \
    (_Generic((ivars), \
        long *: shmem_long_wait_until_some, \
        volatile long *: shmem_long_wait_until_some, \
        int64_t *: shmem_int64_wait_until_some, \
        volatile int64_t *: shmem_int64_wait_until_some) \
     ((void *)(ivars), nelems, indices, status, cmp, cmp_value))

#define shmem_sync(...) SHMEM_SELECT_4(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, \
    shmem_team_sync, 0)(__VA_ARGS__)

#define shmem_broadcast(team, dest, source, nelems, PE_root) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_float_broadcast, \
        volatile float *: shmem_float_broadcast, \
        long *: shmem_long_broadcast, \
        volatile long *: shmem_long_broadcast, \
        int64_t *: shmem_int64_broadcast, \
        volatile int64_t *: shmem_int64_broadcast, \
        uint16_t *: shmem_uint16_broadcast, \
        volatile uint16_t *: shmem_uint16_broadcast) \
     (team, (void *)(dest), (const void *)(source), nelems, PE_root))

#define shmem_sum_reduce(team, dest, source, nreduce) \
    (SHMEM_GENERIC_CHECK(dest, source), _Generic((dest), \
        float *: shmem_float_sum_reduce, \
        volatile float *: shmem_float_sum_reduce, \
        long *: shmem_long_sum_reduce, \
        volatile long *: shmem_long_sum_reduce, \
        int64_t *: shmem_int64_sum_reduce, \
        volatile int64_t *: shmem_int64_sum_reduce, \
        uint16_t *: shmem_uint16_sum_reduce, \
        volatile uint16_t *: shmem_uint16_sum_reduce, \
        float _Complex *: shmem_complexf_sum_reduce, \
        volatile float _Complex *: shmem_complexf_sum_reduce) \
     (team, (void *)(dest), (const void *)(source), nreduce))

#endif
