/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds bootstrap plug-ins and forwards to them. */
#include "bootstrap/bootstrap_internal.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "bootstrap/bootstrap.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shm_bootstrap {
    void *library; /* NULL when it is built in */
    const struct shm_bootstrap_ops *ops;
    void *state;
};

struct plugin {
    const char *name;
    const char *file;     /* NULL: built in, or there are several to choose from */
    const char *tls_file; /* of the same plug-in with TLS; NULL: the plug-in refuses it itself */
};

static const struct plugin plugins[SHM_BOOTSTRAP_KINDS] = {
    [SHM_BOOTSTRAP_ALONE] = {"alone", NULL, NULL},
    [SHM_BOOTSTRAP_CONFIG_STORE] = {"config_store", "aclshmem_bootstrap_config_store.so",
                                    "aclshmem_bootstrap_config_store_tls.so"},
    [SHM_BOOTSTRAP_MPI] = {"mpi", NULL, NULL},
    [SHM_BOOTSTRAP_BOARD] = {"board", NULL, NULL},
};

static bool is_kind(enum shm_bootstrap_kind kind)
{
    return (unsigned)kind < SHM_BOOTSTRAP_KINDS;
}

/* ---- what plug-ins may use ---- */

static enum shm_status host_fail(enum shm_status status, const char *text)
{
    return shm_fail(status, "%s", text);
}

static void host_log(int level, const char *module, const char *text)
{
    shm_log((enum shm_log_level)level, module, "%s", text);
}

static const struct shm_host host = {
    .abi = SHM_PLUGIN_ABI, .bytes = sizeof host, .fail = host_fail, .log = host_log};

/* ---- loading ---- */

/* The plug-in beside the object that this function is part of; "" when that is unknown. */
static void path_beside_us(const char *file, char path[PATH_MAX])
{
    Dl_info us;
    const char *slash = NULL;

    path[0] = '\0';
    if (dladdr((const void *)&plugins, &us) != 0 && us.dli_fname != NULL)
        slash = strrchr(us.dli_fname, '/');
    if (slash == NULL)
        return;
    if (snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - us.dli_fname), us.dli_fname, file) >=
        PATH_MAX)
        path[0] = '\0';
}

static enum shm_status load_library(const char *file, void **out_library)
{
    char path[PATH_MAX];
    const char *error;
    void *library;

    path_beside_us(file, path);
    if (path[0] == '\0' || access(path, F_OK) != 0)
        snprintf(path, sizeof path, "%s", file);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        error = dlerror();
        return shm_fail(SHM_UNDER_API_UNLOAD, "loading %s: %s", path,
                        error == NULL ? "unknown reason" : error);
    }
    *out_library = library;
    return SHM_OK;
}

static bool is_complete(const struct shm_bootstrap_ops *ops)
{
    return ops->name != NULL && ops->open != NULL && ops->barrier != NULL &&
           ops->allgather != NULL && ops->poll != NULL && ops->abort != NULL &&
           ops->finalize != NULL && ops->close != NULL && ops->forget != NULL;
}

static enum shm_status find_ops(const char *file, void *library,
                                const struct shm_bootstrap_ops **out_ops)
{
    shm_bootstrap_entry_function entry;
    const struct shm_bootstrap_ops *ops;

    *(void **)&entry = dlsym(library, SHM_BOOTSTRAP_ENTRY);
    if (entry == NULL)
        return shm_fail(SHM_DL_FUNC_FAILED, "%s has no function %s", file, SHM_BOOTSTRAP_ENTRY);
    ops = entry();
    if (ops == NULL || ops->abi != SHM_PLUGIN_ABI)
        return shm_fail(SHM_DL_FUNC_FAILED, "%s has plug-in contract %u, expected %u", file,
                        ops == NULL ? 0 : ops->abi, SHM_PLUGIN_ABI);
    if (ops->bytes < sizeof *ops || !is_complete(ops))
        return shm_fail(SHM_DL_FUNC_FAILED, "%s has an incomplete table of %u bytes, expected %zu",
                        file, ops->bytes, sizeof *ops);
    *out_ops = ops;
    return SHM_OK;
}

static enum shm_status load_file(const char *file, struct shm_bootstrap *bootstrap)
{
    enum shm_status status = load_library(file, &bootstrap->library);

    return status != SHM_OK ? status : find_ops(file, bootstrap->library, &bootstrap->ops);
}

/* The first that loads; when none does, the error is that of the last. */
static enum shm_status load_mpi(struct shm_bootstrap *bootstrap)
{
    enum shm_status status = SHM_UNDER_API_UNLOAD;
    const char *file;

    for (size_t i = 0; (file = shm_bootstrap_mpi_file(i)) != NULL; i++) {
        status = load_file(file, bootstrap);
        if (status != SHM_UNDER_API_UNLOAD)
            break;
    }
    return status;
}

/* Fills library and ops. */
static enum shm_status load(enum shm_bootstrap_kind kind, bool has_tls,
                            struct shm_bootstrap *bootstrap)
{
    if (!is_kind(kind))
        return shm_fail(SHM_INVALID_VALUE, "bootstrap kind %d, expected 0..%d", (int)kind,
                        SHM_BOOTSTRAP_KINDS - 1);
    if (kind == SHM_BOOTSTRAP_MPI)
        return load_mpi(bootstrap);
    if (has_tls && plugins[kind].tls_file != NULL)
        return load_file(plugins[kind].tls_file, bootstrap);
    if (kind == SHM_BOOTSTRAP_CONFIG_STORE)
        return load_file(plugins[kind].file, bootstrap);
    bootstrap->ops =
        kind == SHM_BOOTSTRAP_BOARD ? shm_bootstrap_board_entry() : shm_bootstrap_alone_entry();
    return SHM_OK;
}

static void unload(struct shm_bootstrap *bootstrap)
{
    if (bootstrap->library != NULL)
        dlclose(bootstrap->library);
    free(bootstrap);
}

static enum shm_status create(enum shm_bootstrap_kind kind, bool has_tls,
                              struct shm_bootstrap **out_bootstrap)
{
    struct shm_bootstrap *bootstrap = calloc(1, sizeof *bootstrap);
    enum shm_status status;

    if (bootstrap == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the bootstrap");
    status = load(kind, has_tls, bootstrap);
    if (status != SHM_OK) {
        unload(bootstrap);
        return status;
    }
    *out_bootstrap = bootstrap;
    return SHM_OK;
}

enum shm_status shm_bootstrap_open(enum shm_bootstrap_kind kind,
                                   const struct shm_bootstrap_request *request,
                                   struct shm_bootstrap **out_bootstrap)
{
    struct shm_bootstrap *bootstrap = NULL;
    enum shm_status status = create(kind, request->tls != NULL, &bootstrap);

    if (status != SHM_OK) {
        if (request->listen_fd >= 0)
            close(request->listen_fd);
        return status;
    }
    status = bootstrap->ops->open(&host, request, &bootstrap->state);
    if (status != SHM_OK) {
        unload(bootstrap);
        return status;
    }
    *out_bootstrap = bootstrap;
    return SHM_OK;
}

const char *shm_bootstrap_name(enum shm_bootstrap_kind kind)
{
    return is_kind(kind) ? plugins[kind].name : "unknown";
}

bool shm_bootstrap_is_available(enum shm_bootstrap_kind kind)
{
    struct shm_bootstrap *bootstrap = NULL;

    if (create(kind, false, &bootstrap) != SHM_OK)
        return false;
    unload(bootstrap);
    return true;
}

/* ---- verbs ---- */

enum shm_status shm_bootstrap_barrier(struct shm_bootstrap *bootstrap, uint64_t deadline_ns)
{
    return bootstrap->ops->barrier(bootstrap->state, deadline_ns);
}

enum shm_status shm_bootstrap_allgather(struct shm_bootstrap *bootstrap, const void *mine,
                                        size_t bytes, void *all, uint64_t deadline_ns)
{
    return bootstrap->ops->allgather(bootstrap->state, mine, bytes, all, deadline_ns);
}

enum shm_status shm_bootstrap_poll(struct shm_bootstrap *bootstrap,
                                   struct shm_bootstrap_event *out_event)
{
    return bootstrap->ops->poll(bootstrap->state, out_event);
}

enum shm_status shm_bootstrap_abort(struct shm_bootstrap *bootstrap, int status)
{
    return bootstrap->ops->abort(bootstrap->state, status);
}

enum shm_status shm_bootstrap_finalize(struct shm_bootstrap *bootstrap, uint64_t deadline_ns)
{
    return bootstrap->ops->finalize(bootstrap->state, deadline_ns);
}

void shm_bootstrap_forget(struct shm_bootstrap *bootstrap)
{
    if (bootstrap != NULL)
        bootstrap->ops->forget(bootstrap->state);
}

void shm_bootstrap_close(struct shm_bootstrap *bootstrap)
{
    if (bootstrap == NULL)
        return;
    bootstrap->ops->close(bootstrap->state);
    unload(bootstrap);
}
