/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The OpenSHMEM face: the vocabulary that the generated functions call, with this face's policy:
 * an error ends the job with one line.
 */
#ifndef SHM_OPENSHMEM_FACE_H
#define SHM_OPENSHMEM_FACE_H

#include "core/core.h"

#include <shmem.h>
#include <shmemx.h>

static inline struct shm_instance *face_instance(const char *call)
{
    struct shm_instance *instance = shm_default();

    if (__builtin_expect(instance == NULL, 0))
        shm_fatal_not_initialised(call);
    return instance;
}

static inline _Noreturn void face_refuse(struct shm_instance *instance, const char *call,
                                         enum shm_status status)
{
    shm_fatal(instance, status, call);
}

/* Each word has its turn. */
static inline size_t face_first_word(struct shm_instance *instance, size_t count)
{
    return shm_words_turn(instance, count);
}

#include "vocabulary/vocabulary.h"

/* ---- setup ---- */
void openshmem_init(const char *call);
void openshmem_start_pes(const char *call);
int openshmem_init_thread(const char *call, int requested, int *provided);
void openshmem_finalize(const char *call);

static inline void face_init(const char *call)
{
    openshmem_init(call);
}

static inline int face_init_thread(const char *call, int requested, int *provided)
{
    return openshmem_init_thread(call, requested, provided);
}

static inline void face_start_pes(const char *call, int npes)
{
    (void)npes; /* the launcher decides, as the specification says */
    openshmem_start_pes(call);
}

static inline void face_finalize(const char *call)
{
    openshmem_finalize(call);
}

static inline _Noreturn void face_global_exit(const char *call, int status)
{
    shm_global_exit(face_instance(call), status);
}

/* ---- query ---- */

static inline int face_my_pe(const char *call)
{
    return face_instance(call)->reach.my_pe;
}

static inline int face_n_pes(const char *call)
{
    return face_instance(call)->reach.n_pes;
}

static inline int face_pe_accessible(const char *call, int pe)
{
    return shm_instance_has_pe(face_instance(call), pe);
}

static inline int face_addr_accessible(const char *call, const void *address, int pe)
{
    return shm_pointer(face_instance(call), address, pe) != NULL;
}

static inline void *face_ptr(const char *call, const void *dest, int pe)
{
    return shm_pointer(face_instance(call), dest, pe);
}

/* At any time, also before init. */
void face_query_initialized(const char *call, int *initialized);
void face_query_thread(const char *call, int *provided);

static inline void face_info_get_version(const char *call, int *major, int *minor)
{
    (void)call;
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

static inline void face_info_get_name(const char *call, char *name)
{
    (void)call;
    memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
}

int face_info_item(const char *call, size_t index, shmemx_info_item_t *item);

/* ---- memory ---- */
void *openshmem_take(const char *call, size_t bytes, size_t alignment);
void *openshmem_take_zeroed(const char *call, size_t count, size_t bytes);
void *openshmem_resize(const char *call, void *block, size_t bytes);
void openshmem_give(const char *call, void *block);

static inline void *face_malloc(const char *call, size_t size)
{
    return openshmem_take(call, size, 0);
}

static inline void *face_malloc_with_hints(const char *call, size_t size, long hints)
{
    (void)hints; /* memory reached by load and store is as good for atomics and signals as any */
    return openshmem_take(call, size, 0);
}

static inline void *face_align(const char *call, size_t alignment, size_t size)
{
    return openshmem_take(call, size, alignment);
}

static inline void *face_calloc(const char *call, size_t count, size_t size)
{
    return openshmem_take_zeroed(call, count, size);
}

static inline void *face_realloc(const char *call, void *block, size_t size)
{
    return openshmem_resize(call, block, size);
}

static inline void face_free(const char *call, void *block)
{
    openshmem_give(call, block);
}

/* ---- ordering ---- */

void face_pe_quiet(const char *call, const int *target_pes, size_t npes);

static inline void face_sync_all(const char *call)
{
    face_barrier_all(call);
}

/* Memory is coherent: the old cache calls have nothing to do. */
static inline void face_cache(const char *call)
{
    face_instance(call);
}

/* Levels mean something to tools only, which replace the function. */
static inline void face_pcontrol(const char *call, int level)
{
    (void)level;
    face_instance(call);
}

#include "openshmem/lock_inline.h"

#include "openshmem/collective.h"
#include "openshmem/team.h"

#endif
