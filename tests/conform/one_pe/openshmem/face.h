/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_PE_OPENSHMEM_FACE_H
#define ONE_PE_OPENSHMEM_FACE_H

#include "one_pe.h"
#include "openshmem/given.h"

/* Here it does not matter which size is too much. */
static inline size_t face_bytes(size_t nelems, size_t element_bytes)
{
    return nelems * element_bytes;
}

static inline void face_init(const char *call)
{
    one_pe_record(call, __func__);
}

static inline int face_init_thread(const char *call, int requested, int *provided)
{
    one_pe_record(call, __func__);
    *provided = requested;
    return 7;
}

static inline void face_query_thread(const char *call, int *provided)
{
    one_pe_record(call, __func__);
    *provided = 2;
}

static inline void face_query_initialized(const char *call, int *initialized)
{
    one_pe_record(call, __func__);
    *initialized = 1;
}

static inline void face_start_pes(const char *call, int npes)
{
    one_pe_record(call, __func__);
    one_pe_number = npes;
}

static inline void face_finalize(const char *call)
{
    one_pe_record(call, __func__);
}

_Noreturn static inline void face_global_exit(const char *call, int status)
{
    one_pe_record(call, __func__);
    exit(status);
}

static inline int face_info_item(const char *call, size_t index, shmemx_info_item_t *item)
{
    one_pe_record(call, __func__);
    item->category = "version";
    return index == 0;
}

static inline int face_pe_accessible(const char *call, int pe)
{
    one_pe_record(call, __func__);
    return pe == 0;
}

static inline int face_addr_accessible(const char *call, const void *addr, int pe)
{
    one_pe_record(call, __func__);
    return addr != NULL && pe == 0;
}

static inline void *face_realloc(const char *call, void *ptr, size_t size)
{
    one_pe_record(call, __func__);
    return realloc(ptr, size);
}

static inline void *face_malloc_with_hints(const char *call, size_t size, long hints)
{
    one_pe_record(call, __func__);
    one_pe_number = hints;
    return malloc(size);
}

static inline void face_fence(const char *call)
{
    one_pe_record(call, __func__);
}

static inline void face_quiet(const char *call)
{
    one_pe_record(call, __func__);
}

static inline void face_pe_quiet(const char *call, const int *target_pes, size_t npes)
{
    one_pe_record(call, __func__);
    one_pe_number = npes == 0 ? -1 : target_pes[npes - 1];
}

static inline void face_sync_all(const char *call)
{
    one_pe_record(call, __func__);
}

/* One PE needs no atomic instructions: plain loads and stores have the same meaning. */
#define ONE_PE_UPDATE(op, suffix, type, expression)                                                \
    static inline type face_atomic_fetch_##op##_##suffix(const char *call, void *dest, type value, \
                                                         int pe)                                   \
    {                                                                                              \
        type old;                                                                                  \
        face_get(call, &old, dest, 1, sizeof(old), pe);                                            \
        value = (type)(expression);                                                                \
        memcpy(dest, &value, sizeof(value));                                                       \
        one_pe_face = __func__;                                                                    \
        return old;                                                                                \
    }                                                                                              \
    static inline void face_atomic_##op##_##suffix(const char *call, void *dest, type value,       \
                                                   int pe)                                         \
    {                                                                                              \
        (void)face_atomic_fetch_##op##_##suffix(call, dest, value, pe);                            \
        one_pe_face = __func__;                                                                    \
    }

#define ONE_PE_EXTENDED(suffix, type)                                                              \
    static inline type face_atomic_fetch_##suffix(const char *call, const void *source, int pe)    \
    {                                                                                              \
        type old;                                                                                  \
        face_get(call, &old, source, 1, sizeof(old), pe);                                          \
        one_pe_face = __func__;                                                                    \
        return old;                                                                                \
    }                                                                                              \
    static inline type face_atomic_swap_##suffix(const char *call, void *dest, type value, int pe) \
    {                                                                                              \
        type old = face_atomic_fetch_##suffix(call, dest, pe);                                     \
        memcpy(dest, &value, sizeof(value));                                                       \
        one_pe_face = __func__;                                                                    \
        return old;                                                                                \
    }                                                                                              \
    static inline void face_atomic_set_##suffix(const char *call, void *dest, type value, int pe)  \
    {                                                                                              \
        (void)face_atomic_swap_##suffix(call, dest, value, pe);                                    \
        one_pe_face = __func__;                                                                    \
    }

#define ONE_PE_STANDARD(suffix, type)                                                              \
    static inline type face_atomic_compare_swap_##suffix(const char *call, void *dest, type cond,  \
                                                         type value, int pe)                       \
    {                                                                                              \
        type old = face_atomic_fetch_##suffix(call, dest, pe);                                     \
        if (old == cond)                                                                           \
            memcpy(dest, &value, sizeof(value));                                                   \
        one_pe_face = __func__;                                                                    \
        return old;                                                                                \
    }                                                                                              \
    ONE_PE_UPDATE(add, suffix, type, old + value)                                                  \
    ONE_PE_UPDATE(and, suffix, type, old &value)                                                   \
    ONE_PE_UPDATE(or, suffix, type, old | value)                                                   \
    ONE_PE_UPDATE(xor, suffix, type, old ^ value)

ONE_PE_EXTENDED(u32, uint32_t)
ONE_PE_EXTENDED(u64, uint64_t)
ONE_PE_EXTENDED(f32, float)
ONE_PE_EXTENDED(f64, double)
ONE_PE_STANDARD(u32, uint32_t)
ONE_PE_STANDARD(u64, uint64_t)

/* ---- signals ---- */

static inline void face_signal_set(const char *call, uint64_t *sig_addr, uint64_t signal, int pe)
{
    one_pe_record(call, __func__);
    one_pe_number = pe;
    *sig_addr = signal;
}

static inline void face_signal_add(const char *call, uint64_t *sig_addr, uint64_t signal, int pe)
{
    one_pe_record(call, __func__);
    one_pe_number = pe;
    *sig_addr += signal;
}

static inline uint64_t face_signal_fetch(const char *call, const uint64_t *sig_addr)
{
    one_pe_record(call, __func__);
    return *sig_addr;
}

static inline uint64_t face_signal_wait_until(const char *call, uint64_t *sig_addr, int cmp,
                                              uint64_t cmp_value)
{
    one_pe_record(call, __func__);
    one_pe_waits.word =
        (struct shm_word_test){sig_addr, cmp_value, SHM_WORD_U64, (enum shm_comparison)cmp};
    return *sig_addr;
}

/* ---- locks and the rest ---- */

static inline void face_set_lock(const char *call, long *lock)
{
    one_pe_record(call, __func__);
    one_pe_given.dest = lock;
}

static inline void face_clear_lock(const char *call, long *lock)
{
    one_pe_record(call, __func__);
    one_pe_given.dest = lock;
}

static inline int face_test_lock(const char *call, long *lock)
{
    one_pe_record(call, __func__);
    one_pe_given.dest = lock;
    return ONE_PE_RESULT;
}

static inline void face_pcontrol(const char *call, int level)
{
    one_pe_record(call, __func__);
    one_pe_number = level;
}

static inline void face_cache(const char *call)
{
    one_pe_record(call, __func__);
}

#endif
