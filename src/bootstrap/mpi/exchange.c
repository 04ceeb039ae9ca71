/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges among all members of a communicator. MPI has no deadlines, so each is started without
 * blocking and looked at until it is complete. */
#include "bootstrap/mpi/mpi_internal.h"

#include "base/clock.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_PAUSE_NS 10000
#define MOST_PAUSE_NS 1000000 /* an exchange needs several looks to make its way */

static enum shm_status check_ready(const struct shm_mpi_job *job)
{
    if (job->is_stuck)
        return shm_fail(SHM_INNER_ERROR, "an earlier exchange over MPI failed");
    return SHM_OK;
}

static enum shm_status look(struct shm_mpi_job *job, int *out_is_done)
{
    enum shm_status status = shm_mpi_enter();
    int code;

    if (status != SHM_OK)
        return status;
    code = MPI_Test(&job->request, out_is_done, MPI_STATUS_IGNORE);
    shm_mpi_leave();
    return code == MPI_SUCCESS ? SHM_OK : shm_mpi_fail("MPI_Test", code);
}

/* The job is stuck when this fails. */
static enum shm_status complete(struct shm_mpi_job *job, uint64_t deadline_ns)
{
    struct timespec pause = {.tv_nsec = LEAST_PAUSE_NS};
    int is_done = 0;
    enum shm_status status = look(job, &is_done);

    while (status == SHM_OK && !is_done) {
        if (shm_deadline_passed(deadline_ns)) {
            status = shm_fail(SHM_TIMEOUT_ERROR,
                              "the time limit passed before all PEs of the communicator came; MPI "
                              "does not tell which are missing");
            break;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < MOST_PAUSE_NS)
            pause.tv_nsec *= 2;
        status = look(job, &is_done);
    }
    job->is_stuck = status != SHM_OK;
    return status;
}

enum shm_status shm_mpi_duplicate(struct shm_mpi_job *job, MPI_Comm comm, uint64_t deadline_ns)
{
    enum shm_status status = shm_mpi_enter();
    int code;

    if (status != SHM_OK)
        return status;
    code = MPI_Comm_idup(comm, &job->comm, &job->request);
    shm_mpi_leave();
    if (code != MPI_SUCCESS)
        return shm_mpi_fail("MPI_Comm_idup", code);
    status = complete(job, deadline_ns);
    if (status == SHM_OK)
        status = shm_mpi_enter();
    if (status != SHM_OK)
        return status;
    MPI_Comm_set_errhandler(job->comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(job->comm, &job->n_pes);
    shm_mpi_leave();
    return SHM_OK;
}

enum shm_status shm_mpi_barrier(struct shm_mpi_job *job, uint64_t deadline_ns)
{
    enum shm_status status = check_ready(job);
    int code;

    if (status == SHM_OK)
        status = shm_mpi_enter();
    if (status != SHM_OK)
        return status;
    code = MPI_Ibarrier(job->comm, &job->request);
    shm_mpi_leave();
    return code == MPI_SUCCESS ? complete(job, deadline_ns) : shm_mpi_fail("MPI_Ibarrier", code);
}

static enum shm_status gather(struct shm_mpi_job *job, int bytes, uint64_t deadline_ns)
{
    enum shm_status status = shm_mpi_enter();
    int code;

    if (status != SHM_OK)
        return status;
    code = MPI_Iallgather(job->mine, bytes, MPI_BYTE, job->all, bytes, MPI_BYTE, job->comm,
                          &job->request);
    shm_mpi_leave();
    return code == MPI_SUCCESS ? complete(job, deadline_ns) : shm_mpi_fail("MPI_Iallgather", code);
}

static void free_buffers(struct shm_mpi_job *job)
{
    free(job->mine);
    free(job->all);
    job->mine = job->all = NULL;
}

enum shm_status shm_mpi_allgather(struct shm_mpi_job *job, const void *mine, size_t bytes,
                                  void *all, uint64_t deadline_ns)
{
    enum shm_status status = check_ready(job);

    if (status != SHM_OK)
        return status;
    if (bytes < 1 || bytes > INT_MAX)
        return shm_fail(SHM_INVALID_VALUE, "allgather of %zu bytes, expected 1..%d", bytes,
                        INT_MAX);
    job->mine = malloc(bytes);
    job->all = calloc((size_t)job->n_pes, bytes);
    if (job->mine == NULL || job->all == NULL) {
        free_buffers(job);
        return shm_fail(SHM_MALLOC_FAILED, "no memory to gather %zu bytes of each of %d PEs", bytes,
                        job->n_pes);
    }
    memcpy(job->mine, mine, bytes);
    status = gather(job, (int)bytes, deadline_ns);
    if (status == SHM_OK)
        memcpy(all, job->all, (size_t)job->n_pes * bytes);
    if (!job->is_stuck)
        free_buffers(job);
    return status;
}
