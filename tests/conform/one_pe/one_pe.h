/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The vocabulary of the faces for a job of one PE without a library: enough to see that each
 * generated function forwards what it should. Memory of the PE is ordinary memory.
 */
#ifndef ONE_PE_H
#define ONE_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** Name of the public function that was called last, and the face function that it called. */
extern const char *one_pe_call;
extern const char *one_pe_face;
/** Number that the last face function was given where it does nothing else with it. */
extern long one_pe_number;

/** What the face functions return that have nothing else to return. */
enum { ONE_PE_RESULT = 7 };

/** Sets the two names, and forgets what the face function before was given. */
void one_pe_record(const char *call, const char *face);

/** True when the public function of that name has called a face function at any time. */
bool one_pe_has_called(const char *name);

static inline void face_put(const char *call, void *dest, const void *source, size_t nelems,
                            size_t element_bytes, int pe)
{
    one_pe_record(call, __func__);
    one_pe_number = pe;
    memcpy(dest, source, nelems * element_bytes);
}

static inline void face_get(const char *call, void *dest, const void *source, size_t nelems,
                            size_t element_bytes, int pe)
{
    face_put(call, dest, source, nelems, element_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_put_nbi(const char *call, void *dest, const void *source, size_t nelems,
                                size_t element_bytes, int pe)
{
    face_put(call, dest, source, nelems, element_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_get_nbi(const char *call, void *dest, const void *source, size_t nelems,
                                size_t element_bytes, int pe)
{
    face_put(call, dest, source, nelems, element_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_ibput(const char *call, void *dest, const void *source, ptrdiff_t dst,
                              ptrdiff_t sst, size_t bsize, size_t nblocks, size_t element_bytes,
                              int pe)
{
    for (size_t i = 0; i < nblocks; i++) {
        face_put(call, (char *)dest + i * (size_t)dst * element_bytes,
                 (const char *)source + i * (size_t)sst * element_bytes, bsize, element_bytes, pe);
    }
    one_pe_face = __func__;
}

static inline void face_ibget(const char *call, void *dest, const void *source, ptrdiff_t dst,
                              ptrdiff_t sst, size_t bsize, size_t nblocks, size_t element_bytes,
                              int pe)
{
    face_ibput(call, dest, source, dst, sst, bsize, nblocks, element_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_iput(const char *call, void *dest, const void *source, ptrdiff_t dst,
                             ptrdiff_t sst, size_t nelems, size_t element_bytes, int pe)
{
    face_ibput(call, dest, source, dst, sst, 1, nelems, element_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_iget(const char *call, void *dest, const void *source, ptrdiff_t dst,
                             ptrdiff_t sst, size_t nelems, size_t element_bytes, int pe)
{
    face_ibput(call, dest, source, dst, sst, 1, nelems, element_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_p(const char *call, void *dest, const void *value, size_t value_bytes,
                          int pe)
{
    face_put(call, dest, value, 1, value_bytes, pe);
    one_pe_face = __func__;
}

static inline void face_g(const char *call, void *out_value, const void *source, size_t value_bytes,
                          int pe)
{
    face_put(call, out_value, source, 1, value_bytes, pe);
    one_pe_face = __func__;
}

static inline int face_my_pe(const char *call)
{
    one_pe_record(call, __func__);
    return 0;
}

static inline int face_n_pes(const char *call)
{
    one_pe_record(call, __func__);
    return 1;
}

static inline void face_info_get_version(const char *call, int *major, int *minor)
{
    one_pe_record(call, __func__);
    *major = 3;
    *minor = 4;
}

static inline void face_info_get_name(const char *call, char *name)
{
    one_pe_record(call, __func__);
    name[0] = '\0';
}

static inline void *face_malloc(const char *call, size_t size)
{
    one_pe_record(call, __func__);
    return malloc(size);
}

static inline void *face_calloc(const char *call, size_t count, size_t size)
{
    one_pe_record(call, __func__);
    return calloc(count, size);
}

static inline void *face_align(const char *call, size_t alignment, size_t size)
{
    one_pe_record(call, __func__);
    one_pe_number = (long)size;
    return aligned_alloc(alignment, size);
}

static inline void face_free(const char *call, void *ptr)
{
    one_pe_record(call, __func__);
    free(ptr);
}

static inline void *face_ptr(const char *call, const void *dest, int pe)
{
    one_pe_record(call, __func__);
    return pe == 0 ? (void *)(uintptr_t)dest : NULL;
}

static inline void face_barrier_all(const char *call)
{
    one_pe_record(call, __func__);
}

#endif
