/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who may call MPI, and when it begins and ends. MPI can be initialised once in the life of a
 * process, so it stays up after the last job, for the next one, and is finalized at exit(): after
 * the last job has been left, which may itself happen at exit().
 */
#include "bootstrap/mpi/mpi_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct mpi_process {
    pthread_mutex_t lock; /* held around calls of MPI; recursive, as MPI may call exit() */
    bool is_inside;       /* a call of MPI is under way, by the holder of the lock */
    int users;
    pid_t owner; /* process in which the plug-in initialised MPI; 0: it did not */
    bool is_exiting;
    struct shm_mpi_job *stuck;
};

static struct mpi_process process = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

enum shm_status shm_mpi_fail(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int bytes = 0;

    if (MPI_Error_string(code, text, &bytes) != MPI_SUCCESS)
        snprintf(text, sizeof text, "error %d", code);
    return shm_fail(SHM_INNER_ERROR, "%s: %s", call, text);
}

/* While something is stuck, MPI_Finalize would wait for it. */
static void finalize_at_exit_locked(void)
{
    int is_finalized = 0;

    if (!process.is_exiting || process.users > 0 || process.stuck != NULL)
        return;
    MPI_Finalized(&is_finalized);
    if (!is_finalized)
        MPI_Finalize();
}

static void at_exit(void)
{
    if (process.owner != getpid())
        return; /* a forked child inherits the handler, but not MPI */
    pthread_mutex_lock(&process.lock);
    process.is_exiting = true;
    finalize_at_exit_locked();
    pthread_mutex_unlock(&process.lock);
}

static enum shm_status initialise_locked(void)
{
    int level = MPI_THREAD_SINGLE;
    int code;

    if (atexit(at_exit) != 0)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to register an exit handler");
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    if (code != MPI_SUCCESS)
        return shm_mpi_fail("MPI_Init_thread", code);
    process.owner = getpid();
    return SHM_OK;
}

/* Which threads may call is checked by each call. */
static enum shm_status begin_locked(void)
{
    int is_initialized = 0;
    int is_finalized = 0;

    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if (is_finalized)
        return shm_fail(SHM_INNER_ERROR, "MPI was finalized already, expected it to be in use, or "
                                         "not initialised yet");
    return is_initialized ? SHM_OK : initialise_locked();
}

enum shm_status shm_mpi_begin(void)
{
    enum shm_status status;

    pthread_mutex_lock(&process.lock);
    status = begin_locked();
    process.users += status == SHM_OK;
    pthread_mutex_unlock(&process.lock);
    return status;
}

void shm_mpi_end(void)
{
    pthread_mutex_lock(&process.lock);
    process.users--;
    finalize_at_exit_locked();
    pthread_mutex_unlock(&process.lock);
}

static enum shm_status check_caller_locked(void)
{
    int is_finalized = 0;
    int is_main = 0;
    int level = MPI_THREAD_SINGLE;

    if (process.is_inside)
        return shm_fail(SHM_ABORTED, "MPI called exit(): a process of its job aborted it");
    MPI_Finalized(&is_finalized);
    if (is_finalized)
        return shm_fail(SHM_INNER_ERROR,
                        "MPI was finalized while PEs that met over it were still in their job");
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    if (level < MPI_THREAD_SERIALIZED && !is_main)
        return shm_fail(SHM_INNER_ERROR,
                        "MPI was initialised for calls by its main thread only, expected "
                        "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, or a call by that thread");
    return SHM_OK;
}

enum shm_status shm_mpi_enter(void)
{
    enum shm_status status;

    pthread_mutex_lock(&process.lock);
    status = check_caller_locked();
    if (status == SHM_OK)
        process.is_inside = true;
    else
        pthread_mutex_unlock(&process.lock);
    return status;
}

void shm_mpi_leave(void)
{
    process.is_inside = false;
    pthread_mutex_unlock(&process.lock);
}

void shm_mpi_keep(struct shm_mpi_job *job)
{
    pthread_mutex_lock(&process.lock);
    job->next_stuck = process.stuck;
    process.stuck = job;
    pthread_mutex_unlock(&process.lock);
}
