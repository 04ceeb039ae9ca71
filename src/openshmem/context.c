/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "face.h"

/* The object of a handle other than the default and the invalid one. */
static struct shm_context *require(struct shm_instance *instance, const char *call,
                                   shmem_ctx_t handle)
{
    struct shm_context *context = shm_context_find(instance, (uint64_t)(uintptr_t)handle);

    if (__builtin_expect(context == NULL, 0)) {
        if (handle == SHMEM_CTX_INVALID)
            face_refuse(instance, call,
                        shm_fail(SHM_INVALID_VALUE, "ctx = SHMEM_CTX_INVALID, expected a context"));
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "ctx = %p is no context: it was destroyed, or never created",
                             (void *)handle));
    }
    if (instance->options.debug && (context->options & SHM_CONTEXT_PRIVATE) != 0 &&
        !pthread_equal(context->owner, pthread_self()))
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "ctx = %p has SHMEM_CTX_PRIVATE and belongs to another thread",
                             (void *)handle));
    return context;
}

static bool has_object(shmem_ctx_t handle)
{
    return handle != SHMEM_CTX_DEFAULT && handle != SHMEM_CTX_INVALID;
}

/* The instance, when the handle is a valid one, the default or the invalid one. */
static struct shm_instance *instance_with(const char *call, shmem_ctx_t handle)
{
    struct shm_instance *instance = face_instance(call);

    if (has_object(handle))
        require(instance, call, handle);
    return instance;
}

int openshmem_context_pe(const char *call, shmem_ctx_t ctx, int pe)
{
    struct shm_instance *instance = face_instance(call);
    const struct shm_context *context = require(instance, call, ctx);

    if (__builtin_expect((unsigned)pe >= (unsigned)context->size, 0))
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "pe = %d, expected 0 to %d, the PEs of the context's team", pe,
                             context->size - 1));
    return context->start + pe * context->stride;
}

int face_team_create_ctx(const char *call, shmem_team_t team, long options, shmem_ctx_t *ctx)
{
    struct shm_context *context = NULL;
    enum shm_status status;

    openshmem_require_place(face_instance(call), call, "ctx", ctx);
    *ctx = SHMEM_CTX_INVALID;
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    status = shm_context_create(openshmem_team(call, team), options, &context);
    if (status != SHM_OK) {
        shm_log(SHM_LOG_WARN, "context", "%s: %s", call, shm_error_detail());
        return -1;
    }
    *ctx = (shmem_ctx_t)(uintptr_t)context->handled.handle;
    return 0;
}

int face_ctx_create(const char *call, long options, shmem_ctx_t *ctx)
{
    return face_team_create_ctx(call, SHMEM_TEAM_WORLD, options, ctx);
}

int face_ctx_get_team(const char *call, shmem_ctx_t ctx, shmem_team_t *team)
{
    struct shm_instance *instance = face_instance(call);

    openshmem_require_place(instance, call, "team", team);
    *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : SHMEM_TEAM_INVALID;
    if (has_object(ctx))
        *team = (shmem_team_t)(uintptr_t)require(instance, call, ctx)->team;
    return ctx == SHMEM_CTX_INVALID ? -1 : 0;
}

void face_ctx_destroy(const char *call, shmem_ctx_t ctx)
{
    struct shm_instance *instance = face_instance(call);

    if (ctx == SHMEM_CTX_INVALID)
        return;
    if (ctx == SHMEM_CTX_DEFAULT)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "ctx = SHMEM_CTX_DEFAULT, expected a context that was created"));
    shm_context_destroy(require(instance, call, ctx));
}

/* ---- sessions: hints, which change nothing where memory is reached by load and store ---- */

void face_ctx_session_start(const char *call, shmem_ctx_t ctx, long options,
                            const shmem_ctx_session_config_t *config, long mask)
{
    struct shm_instance *instance = instance_with(call, ctx);

    (void)options;
    if (mask != 0 && config == NULL && ctx != SHMEM_CTX_INVALID)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "config = NULL with config_mask = 0x%lx, expected a configuration",
                             (unsigned long)mask));
}

void face_ctx_session_stop(const char *call, shmem_ctx_t ctx)
{
    instance_with(call, ctx);
}

/* ---- ordering: contexts share what orders and completes operations ---- */

void face_ctx_fence(const char *call, shmem_ctx_t ctx)
{
    shm_fence(instance_with(call, ctx));
}

void face_ctx_quiet(const char *call, shmem_ctx_t ctx)
{
    shm_quiet(instance_with(call, ctx));
}

static void quiet_some(struct shm_instance *instance, const char *call, int limit,
                       const int *target_pes, size_t npes)
{
    if (target_pes == NULL && npes != 0)
        face_refuse(
            instance, call,
            shm_fail(SHM_INVALID_VALUE, "target_pes = NULL with npes = %zu, expected PEs", npes));
    for (size_t i = 0; i < npes; i++) {
        if ((unsigned)target_pes[i] >= (unsigned)limit)
            face_refuse(instance, call,
                        shm_fail(SHM_INVALID_VALUE, "target_pes[%zu] = %d, expected 0 to %d", i,
                                 target_pes[i], limit - 1));
    }
    shm_quiet(instance); /* one fence completes the operations to all PEs */
}

void face_pe_quiet(const char *call, const int *target_pes, size_t npes)
{
    struct shm_instance *instance = face_instance(call);

    quiet_some(instance, call, instance->reach.n_pes, target_pes, npes);
}

void face_ctx_pe_quiet(const char *call, shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
    struct shm_instance *instance = face_instance(call);
    int limit = instance->reach.n_pes;

    if (ctx == SHMEM_CTX_INVALID)
        return;
    if (has_object(ctx))
        limit = require(instance, call, ctx)->size;
    quiet_some(instance, call, limit, target_pes, npes);
}
