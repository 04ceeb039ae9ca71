/* SPDX-License-Identifier: BSD-3-Clause */
#include "rendezvous_internal.h"

#include "face.h"

#include <string.h>
#include <unistd.h>

#define KNOWN_ENGINES 15

/* The codes that the interface knows; what only the library has a name for is an inner error. */
static int code_of(enum shm_status status)
{
    if (status == SHM_UNDER_API_UNLOAD) /* no such plug-in: the flags ask for what is not there */
        return ACLSHMEM_INVALID_VALUE;
    if (status <= SHM_AGAIN || status == SHM_SMEM_ERROR || status == SHM_DL_FUNC_FAILED)
        return ACLSHMEM_INNER_ERROR;
    return (int)status;
}

int aclshmem_refuse(const char *call, enum shm_status status)
{
    shm_log(SHM_LOG_ERROR, "aclshmem", "%s: %s", call, shm_error_detail());
    return code_of(status);
}

static enum shm_status out_of_range(const char *field, int64_t value, const char *expected)
{
    return shm_fail(SHM_INVALID_VALUE, "%s = %lld, expected %s", field, (long long)value, expected);
}

static enum shm_status check_options(const aclshmem_init_optional_attr_t *options)
{
    int engines = (int)options->data_op_engine_type;

    if (options->shm_init_timeout == 0)
        return out_of_range("shm_init_timeout", 0, "at least 1 second");
    if (options->control_operation_timeout == 0)
        return out_of_range("control_operation_timeout", 0, "at least 1 second");
    if (engines <= 0 || (engines & ~KNOWN_ENGINES) != 0)
        return out_of_range("data_op_engine_type", engines, "a mask of 1 to 15");
    return SHM_OK;
}

/* In the order in which programs may rely on the codes. */
static enum shm_status check_attributes(const aclshmemx_init_attr_t *attributes)
{
    if (attributes->my_pe < 0)
        return out_of_range("my_pe", attributes->my_pe, "0 to n_pes - 1");
    if (attributes->n_pes <= 0 || attributes->n_pes > ACLSHMEM_MAX_PES)
        return out_of_range("n_pes", attributes->n_pes, "1 to 16384");
    if (attributes->my_pe >= attributes->n_pes)
        return shm_fail(SHM_INVALID_PARAM, "my_pe = %d, expected 0 to n_pes - 1 = %d",
                        attributes->my_pe, attributes->n_pes - 1);
    if (attributes->local_mem_size == 0 || attributes->local_mem_size > ACLSHMEM_MAX_LOCAL_SIZE)
        return out_of_range("local_mem_size", (int64_t)attributes->local_mem_size,
                            "1 to 42949672960 bytes");
    return check_options(&attributes->option_attr);
}

static enum shm_status start(const aclshmemx_init_attr_t *attributes,
                             const struct aclshmem_rendezvous *rendezvous,
                             const struct shm_bootstrap_tls *tls)
{
    struct shm_start_request request = {
        .instance_id = attributes->instance_id,
        .my_pe = attributes->my_pe,
        .n_pes = attributes->n_pes,
        .kind = rendezvous->kind,
        .communicator = rendezvous->communicator,
        .address = rendezvous->address,
        .listen_fd = rendezvous->listen_fd,
        .job_id = rendezvous->job_id,
        .tls = tls,
        .heap_bytes = attributes->local_mem_size,
        .engines = shm_engines_of_data_operations(attributes->option_attr.data_op_engine_type),
        .init_timeout_s = attributes->option_attr.shm_init_timeout,
        .control_timeout_s = attributes->option_attr.control_operation_timeout,
        .has_threads = true,
        .is_launched = shm_is_launched(),
        .wants_host_heap = true,
    };

    return shm_start(&request);
}

/* Other threads may change what they wish for the next init. */
static enum shm_status start_with_tls(const aclshmemx_init_attr_t *attributes,
                                      const struct aclshmem_rendezvous *rendezvous)
{
    struct shm_bootstrap_tls tls = {0};
    bool is_wished = false;
    enum shm_status status = aclshmem_tls_copy(&tls, &is_wished);

    if (status == SHM_OK)
        status = start(attributes, rendezvous, is_wished ? &tls : NULL);
    else if (rendezvous->listen_fd >= 0)
        close(rendezvous->listen_fd);
    aclshmem_tls_forget(&tls);
    return status;
}

/* In the order in which programs may rely on the codes. */
static enum shm_status join(aclshmemx_bootstrap_t flags, const aclshmemx_init_attr_t *attributes)
{
    struct aclshmem_rendezvous rendezvous = {.listen_fd = -1};
    aclshmemx_init_attr_t placed;
    enum shm_status status;

    if (attributes == NULL)
        return shm_fail(SHM_INVALID_PARAM, "attributes = NULL, expected attributes");
    status = aclshmem_place_instance(flags, attributes, &placed);
    if (status == SHM_OK)
        status = shm_check_startable(placed.instance_id);
    if (status == SHM_OK)
        status = check_attributes(&placed);
    if (status == SHM_OK)
        status = aclshmem_choose_rendezvous(flags, &placed, &rendezvous);
    return status == SHM_OK ? start_with_tls(&placed, &rendezvous) : status;
}

int face_init_attr(const char *call, aclshmemx_bootstrap_t flags, aclshmemx_init_attr_t *attributes)
{
    enum shm_status status = join(flags, attributes);

    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
}

int face_get_uniqueid(const char *call, aclshmemx_uniqueid_t *uid)
{
    struct shm_unique_id id;
    enum shm_status status;

    if (uid == NULL)
        return aclshmem_refuse(call,
                               shm_fail(SHM_INVALID_PARAM, "uid = NULL, expected a variable"));
    status = shm_unique_id_create(&id);
    if (status != SHM_OK)
        return aclshmem_refuse(call, status);
    *uid = (aclshmemx_uniqueid_t){.version = ACLSHMEM_UNIQUEID_VERSION};
    memcpy(uid->internal, &id, sizeof id);
    return ACLSHMEM_SUCCESS;
}

int face_set_attr_uniqueid_args(const char *call, int my_pe, int n_pes, int64_t local_mem_size,
                                aclshmemx_uniqueid_t *uid, aclshmemx_init_attr_t *attributes)
{
    if (attributes == NULL)
        return aclshmem_refuse(
            call, shm_fail(SHM_INVALID_PARAM, "aclshmem_attr = NULL, expected attributes"));
    if (local_mem_size > (int64_t)ACLSHMEM_MAX_LOCAL_SIZE)
        return aclshmem_refuse(
            call, out_of_range("local_mem_size", local_mem_size, "at most 42949672960 bytes"));
    if (n_pes > ACLSHMEM_MAX_PES)
        return aclshmem_refuse(call, out_of_range("n_pes", n_pes, "at most 16384"));
    if (my_pe >= ACLSHMEM_MAX_PES)
        return aclshmem_refuse(call, out_of_range("my_pe", my_pe, "at most 16383"));
    attributes->my_pe = my_pe;
    attributes->n_pes = n_pes;
    attributes->local_mem_size = (uint64_t)local_mem_size;
    attributes->ip_port[0] = '\0';
    attributes->comm_args = uid;
    if (uid != NULL) {
        uid->my_pe = my_pe;
        uid->n_pes = n_pes;
    }
    return ACLSHMEM_SUCCESS;
}

void aclshmem_exit_all(const char *call, int status)
{
    struct shm_instance *instance = shm_current();

    if (instance == NULL) {
        shm_log(SHM_LOG_WARN, "aclshmem", "%s: there is no job to exit from", call);
        return;
    }
    shm_global_exit(instance, status);
}
