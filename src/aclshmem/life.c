/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/address.h"
#include "face.h"

#include <fcntl.h>
#include <string.h>

#define LEAST_PORT 1025
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
    if (attributes->instance_id != 0)
        return out_of_range("instance_id", (int64_t)attributes->instance_id,
                            "0: this build has one instance at a time");
    return check_options(&attributes->option_attr);
}

static bool has_address(const aclshmemx_init_attr_t *attributes)
{
    return memchr(attributes->ip_port, '\0', sizeof attributes->ip_port) != NULL &&
           attributes->ip_port[0] != '\0';
}

/* How the PEs find PE 0, as text; and the job's secret. */
struct rendezvous {
    char address[SHM_ADDRESS_TEXT_BYTES];
    uint64_t job_id;
    int listen_fd;
};

static enum shm_status meet_at_address(const aclshmemx_init_attr_t *attributes,
                                       struct rendezvous *out)
{
    struct shm_address_list list;
    enum shm_status status = shm_address_parse(attributes->ip_port, LEAST_PORT, &list);
    int fd = attributes->option_attr.sockFd;

    if (status != SHM_OK)
        return status;
    strcpy(out->address, attributes->ip_port);
    out->job_id = 0; /* the address alone tells the job: whoever may connect may join */
    out->listen_fd = -1;
    if (attributes->my_pe == 0 && fd > 0) {
        out->listen_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        if (out->listen_fd < 0)
            return shm_fail(SHM_INVALID_PARAM, "sockFd = %d is not an open socket", fd);
    }
    return SHM_OK;
}

/* The number in an id means something only in the process that made it. */
static bool is_listening_there(int fd, const char *address)
{
    struct shm_address bound;
    char text[SHM_ADDRESS_TEXT_BYTES];

    if (fd < 0 || shm_address_of_socket(fd, &bound) != SHM_OK)
        return false;
    shm_address_format(&bound, text);
    return strcmp(text, address) == 0;
}

static enum shm_status meet_at_id(const aclshmemx_init_attr_t *attributes, struct rendezvous *out)
{
    aclshmemx_uniqueid_t *uid = attributes->comm_args;
    struct shm_unique_id id;
    enum shm_status status;

    if (uid == NULL)
        return shm_fail(SHM_INVALID_PARAM, "comm_args = NULL, expected a unique id");
    if (uid->version != ACLSHMEM_UNIQUEID_VERSION)
        return shm_fail(SHM_INVALID_PARAM, "unique id of version %d, expected %d", uid->version,
                        ACLSHMEM_UNIQUEID_VERSION);
    memcpy(&id, uid->internal, sizeof id);
    status = shm_unique_id_address(&id, out->address, sizeof out->address);
    if (status != SHM_OK)
        return status;
    out->job_id = id.job_id;
    out->listen_fd = -1;
    if (attributes->my_pe == 0 && is_listening_there(id.listen_fd, out->address)) {
        out->listen_fd = id.listen_fd;
        id.listen_fd = -1; /* the id gives its socket away: a second init binds the port anew */
        memcpy(uid->internal, &id, sizeof id);
    }
    return SHM_OK;
}

static enum shm_status choose_rendezvous(aclshmemx_bootstrap_t flags,
                                         const aclshmemx_init_attr_t *attributes,
                                         struct rendezvous *out)
{
    if ((flags & ACLSHMEMX_INIT_WITH_MPI) != 0)
        return shm_fail(SHM_UNDER_API_UNLOAD, "this build has no bootstrap over MPI");
    if ((flags & ACLSHMEMX_INIT_WITH_UNIQUEID) != 0)
        return meet_at_id(attributes, out);
    if ((flags & ACLSHMEMX_INIT_WITH_DEFAULT) == 0)
        return shm_fail(SHM_INVALID_PARAM, "bootstrap_flags = %u, expected a ACLSHMEMX_INIT_WITH_*",
                        (unsigned)flags);
    if (has_address(attributes) && meet_at_address(attributes, out) == SHM_OK)
        return SHM_OK;
    if (attributes->comm_args != NULL)
        return meet_at_id(attributes, out);
    if (has_address(attributes))
        return meet_at_address(attributes, out);
    return shm_fail(SHM_INVALID_PARAM, "ip_port is empty and comm_args is NULL: no place to meet");
}

static enum shm_status join(aclshmemx_bootstrap_t flags, aclshmemx_init_attr_t *attributes)
{
    struct rendezvous rendezvous = {.listen_fd = -1};
    struct shm_start_request request;
    enum shm_status status;

    if (attributes == NULL)
        return shm_fail(SHM_INVALID_PARAM, "attributes = NULL");
    if (shm_current() != NULL)
        return shm_fail(SHM_INNER_ERROR, "instance %llu is initialised already",
                        (unsigned long long)attributes->instance_id);
    status = check_attributes(attributes);
    if (status == SHM_OK)
        status = choose_rendezvous(flags, attributes, &rendezvous);
    if (status != SHM_OK)
        return status;
    request = (struct shm_start_request){
        .my_pe = attributes->my_pe,
        .n_pes = attributes->n_pes,
        .kind = SHM_BOOTSTRAP_CONFIG_STORE,
        .address = rendezvous.address,
        .listen_fd = rendezvous.listen_fd,
        .job_id = rendezvous.job_id,
        .tls = aclshmem_tls_wishes(),
        .heap_bytes = attributes->local_mem_size,
        .init_timeout_s = attributes->option_attr.shm_init_timeout,
        .control_timeout_s = attributes->option_attr.control_operation_timeout,
        .has_threads = true,
        .is_launched = shm_is_launched(),
    };
    return shm_start(&request);
}

int face_init_attr(const char *call, aclshmemx_bootstrap_t flags, aclshmemx_init_attr_t *attributes)
{
    enum shm_status status;

    pthread_mutex_lock(&shm_process.lock);
    status = join(flags, attributes);
    pthread_mutex_unlock(&shm_process.lock);
    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
}

int face_get_uniqueid(const char *call, aclshmemx_uniqueid_t *uid)
{
    struct shm_unique_id id;
    enum shm_status status;

    if (uid == NULL)
        return aclshmem_refuse(call, shm_fail(SHM_INVALID_PARAM, "uid = NULL"));
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
        return aclshmem_refuse(call, shm_fail(SHM_INVALID_PARAM, "aclshmem_attr = NULL"));
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

int aclshmem_leave(const char *call)
{
    enum shm_status status = SHM_OK;

    pthread_mutex_lock(&shm_process.lock);
    if (shm_current() != NULL)
        status = shm_stop();
    pthread_mutex_unlock(&shm_process.lock);
    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
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
