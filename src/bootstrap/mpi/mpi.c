/* SPDX-License-Identifier: BSD-3-Clause */
/* Bootstrap over the communicator of an MPI program. Built once for each MPI that is at hand, as
 * their binary interfaces differ. Deaths are for MPI's launcher to notice: it ends the others. */
#include "bootstrap/mpi/mpi_internal.h"

#include <shmem/plugin.h>
#include <stdlib.h>
#include <unistd.h>

/* The number that a PE was given by the program, which must be its rank. */
struct claim {
    int32_t my_pe;
    int32_t n_pes;
};

static void mpi_close(void *state)
{
    struct shm_mpi_job *job = state;

    if (job == NULL)
        return;
    if (job->is_stuck)
        shm_mpi_keep(job);
    shm_mpi_end();
    if (!job->is_stuck)
        free(job);
}

/* ---- joining ---- */

static enum shm_status check_request(const struct shm_host *host,
                                     const struct shm_bootstrap_request *request)
{
    if (host->abi != SHM_PLUGIN_ABI || request->bytes < sizeof *request)
        return shm_fail(SHM_DL_FUNC_FAILED, "the MPI plug-in has contract %u, the library %u",
                        SHM_PLUGIN_ABI, host->abi);
    if (request->tls != NULL)
        return shm_fail(SHM_NOT_SUPPORTED, "TLS is asked for, which PEs that meet over MPI do not "
                                           "have: switch it off, or meet at an address");
    return SHM_OK;
}

static enum shm_status check_communicator(MPI_Comm comm)
{
    enum shm_status status = shm_mpi_enter();
    int is_inter = 0;

    if (status != SHM_OK)
        return status;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_test_inter(comm, &is_inter);
    shm_mpi_leave();
    if (comm == MPI_COMM_NULL)
        return shm_fail(SHM_INVALID_PARAM, "comm_args points to MPI_COMM_NULL");
    if (is_inter)
        return shm_fail(SHM_INVALID_PARAM,
                        "comm_args points to an inter-communicator, expected one group");
    return SHM_OK;
}

static enum shm_status check_claims(const struct claim *claims, int size)
{
    for (int rank = 0; rank < size; rank++) {
        if (claims[rank].my_pe != rank || claims[rank].n_pes != size)
            return shm_fail(SHM_INVALID_PARAM,
                            "rank %d of the communicator of %d processes has my_pe = %d and "
                            "n_pes = %d, expected my_pe = %d and n_pes = %d",
                            rank, size, claims[rank].my_pe, claims[rank].n_pes, rank, size);
    }
    return SHM_OK;
}

/* Giving a communicator back is an act of all its members. */
static enum shm_status give_back(struct shm_mpi_job *job)
{
    enum shm_status status = shm_mpi_enter();
    int code;

    if (status != SHM_OK)
        return status;
    code = MPI_Comm_free(&job->comm);
    shm_mpi_leave();
    return code == MPI_SUCCESS ? SHM_OK : shm_mpi_fail("MPI_Comm_free", code);
}

/* All look at the claims of all, so that all refuse what is wrong with one. */
static enum shm_status compare_numbers(struct shm_mpi_job *job,
                                       const struct shm_bootstrap_request *request)
{
    struct claim mine = {.my_pe = request->my_pe, .n_pes = request->n_pes};
    struct claim *claims = calloc((size_t)job->n_pes, sizeof *claims);
    enum shm_status status;

    if (claims == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a table of %d PEs", job->n_pes);
    status = shm_mpi_allgather(job, &mine, sizeof mine, claims, request->deadline_ns);
    if (status == SHM_OK) {
        status = check_claims(claims, job->n_pes);
        if (status != SHM_OK && give_back(job) != SHM_OK)
            status = SHM_INNER_ERROR;
    }
    free(claims);
    return status;
}

static enum shm_status join(struct shm_mpi_job *job, const struct shm_bootstrap_request *request)
{
    MPI_Comm comm =
        request->communicator == NULL ? MPI_COMM_WORLD : *(const MPI_Comm *)request->communicator;
    enum shm_status status = check_communicator(comm);

    if (status == SHM_OK)
        status = shm_mpi_duplicate(job, comm, request->deadline_ns);
    return status == SHM_OK ? compare_numbers(job, request) : status;
}

static enum shm_status mpi_open(const struct shm_host *host,
                                const struct shm_bootstrap_request *request, void **out_state)
{
    struct shm_mpi_job *job;
    enum shm_status status = check_request(host, request);

    if (request->listen_fd >= 0)
        close(request->listen_fd); /* nobody will come */
    if (status == SHM_OK)
        status = shm_mpi_begin();
    if (status != SHM_OK)
        return status;
    job = calloc(1, sizeof *job);
    if (job == NULL) {
        shm_mpi_end();
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the bootstrap");
    }
    job->comm = MPI_COMM_NULL;
    status = join(job, request);
    if (status != SHM_OK) {
        mpi_close(job);
        return status;
    }
    *out_state = job;
    return SHM_OK;
}

/* ---- verbs ---- */

static enum shm_status mpi_barrier(void *state, uint64_t deadline_ns)
{
    return shm_mpi_barrier(state, deadline_ns);
}

static enum shm_status mpi_allgather(void *state, const void *mine, size_t bytes, void *all,
                                     uint64_t deadline_ns)
{
    return shm_mpi_allgather(state, mine, bytes, all, deadline_ns);
}

/* Some MPIs move messages that they hold back only while they are called. */
static enum shm_status mpi_poll(void *state, struct shm_bootstrap_event *out_event)
{
    struct shm_mpi_job *job = state;
    enum shm_status status = shm_mpi_enter();
    int is_there;

    *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_NOTHING};
    if (status == SHM_ABORTED) /* with a status other than 0 nobody would ask */
        *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_ABORT, .pe = -1};
    if (status != SHM_OK)
        return SHM_OK; /* this thread may not, or MPI is gone: no messages of ours are under way */
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, job->comm, &is_there, MPI_STATUS_IGNORE);
    shm_mpi_leave();
    return SHM_OK;
}

static enum shm_status mpi_abort(void *state, int exit_status)
{
    struct shm_mpi_job *job = state;
    enum shm_status status = shm_mpi_enter();
    int code;

    if (status != SHM_OK)
        return status;
    code = MPI_Abort(job->comm, exit_status); /* most do not return */
    shm_mpi_leave();
    return code == MPI_SUCCESS ? SHM_OK : shm_mpi_fail("MPI_Abort", code);
}

static enum shm_status mpi_finalize(void *state, uint64_t deadline_ns)
{
    enum shm_status status = shm_mpi_barrier(state, deadline_ns);

    return status == SHM_OK ? give_back(state) : status;
}

static void mpi_forget(void *state)
{
    (void)state; /* MPI's descriptors are close-on-exec or its own affair */
}

static const struct shm_bootstrap_ops ops = {
    .abi = SHM_PLUGIN_ABI,
    .bytes = sizeof ops,
    .name = "mpi",
    .open = mpi_open,
    .barrier = mpi_barrier,
    .allgather = mpi_allgather,
    .poll = mpi_poll,
    .abort = mpi_abort,
    .finalize = mpi_finalize,
    .close = mpi_close,
    .forget = mpi_forget,
};

const struct shm_bootstrap_ops *aclshmem_bootstrap_entry(void);

const struct shm_bootstrap_ops *aclshmem_bootstrap_entry(void)
{
    return &ops;
}
