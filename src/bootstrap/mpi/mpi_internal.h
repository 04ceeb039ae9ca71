/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of the MPI plug-in: the process's use of MPI, and one job over it. */
#ifndef SHM_BOOTSTRAP_MPI_INTERNAL_H
#define SHM_BOOTSTRAP_MPI_INTERNAL_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A job: a duplicate of the program's communicator, so that messages do not mix. */
struct shm_mpi_job {
    MPI_Comm comm;       /* MPI_COMM_NULL: none yet, or given back */
    int n_pes;           /* its size */
    MPI_Request request; /* of the exchange that is under way */
    void *mine;          /* what it sends and where it receives: MPI may use both until it is */
    void *all;           /* complete, and an exchange among all cannot be called off */
    bool is_stuck;       /* an exchange was given up */
    struct shm_mpi_job *next_stuck;
};

/* ---- the process (library.c) ---- */

/** Begins to use MPI: initialises it unless somebody did. SHM_INNER_ERROR when it was finalized. */
SHM_MUST_CHECK enum shm_status shm_mpi_begin(void);

/** Ends a use that shm_mpi_begin() began. At exit() the last one finalizes MPI, if it was the
 *  plug-in that initialised it. */
void shm_mpi_end(void);

/** Before calls of MPI: keeps other threads of the library out until shm_mpi_leave().
 *  SHM_INNER_ERROR when MPI was finalized or does not allow calls by this thread; SHM_ABORTED when
 *  this is such a call, in which MPI ends the process. */
SHM_MUST_CHECK enum shm_status shm_mpi_enter(void);
void shm_mpi_leave(void);

/** SHM_INNER_ERROR with the text of MPI's error `code`. */
SHM_MUST_CHECK enum shm_status shm_mpi_fail(const char *call, int code);

/** Keeps what MPI still uses until the process ends; MPI cannot be finalized any more. */
void shm_mpi_keep(struct shm_mpi_job *job);

/* ---- exchanges among all members, with a deadline (exchange.c) ---- */

/** Makes job->comm, a duplicate of `comm` whose errors are returned. */
SHM_MUST_CHECK enum shm_status shm_mpi_duplicate(struct shm_mpi_job *job, MPI_Comm comm,
                                                 uint64_t deadline_ns);

SHM_MUST_CHECK enum shm_status shm_mpi_barrier(struct shm_mpi_job *job, uint64_t deadline_ns);

SHM_MUST_CHECK enum shm_status shm_mpi_allgather(struct shm_mpi_job *job, const void *mine,
                                                 size_t bytes, void *all, uint64_t deadline_ns);

#endif
