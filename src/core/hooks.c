/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens at exit() and around fork(). */
#include "core_internal.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A program that ends normally leaves the job as if it had called finalize; one that ends with an
 * error is a failed PE, and must not wait for the others. */
static void at_exit(int status, void *unused)
{
    struct shm_instance *instance = shm_current();
    enum shm_status outcome;
    int pe;

    (void)unused;
    atomic_store(&shm_process.is_exiting, true);
    if (instance == NULL || status != 0 || atomic_load(&instance->is_over))
        return;
    pe = instance->reach.my_pe;
    outcome = shm_stop();
    if (outcome == SHM_OK)
        return;
    shm_report_life(outcome, "finalize at exit", pe);
    shm_launcher_tell(SHM_LAUNCH_EXIT, EXIT_FAILURE); /* enough has been said */
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

/* One fork at a time: each has a snapshot of the static data of its own. */
static void before_fork(void)
{
    struct shm_instance *instance = shm_current();

    pthread_mutex_lock(&shm_process.fork_lock);
    if (instance != NULL)
        shm_static_data_fork_prepare(&instance->static_data);
    shm_log_before_fork(); /* last: the others may log */
}

static void after_fork_in_parent(void)
{
    struct shm_instance *instance = shm_current();

    shm_log_after_fork_in_parent();
    if (instance != NULL)
        shm_static_data_fork_parent(&instance->static_data);
    pthread_mutex_unlock(&shm_process.fork_lock);
}

/* The child is no PE: it keeps a copy of the static data and forgets the job. */
static void after_fork_in_child(void)
{
    struct shm_instance *instance = shm_current();

    shm_log_after_fork_in_child();
    pthread_mutex_unlock(&shm_process.fork_lock);
    if (instance == NULL)
        return;
    shm_static_data_fork_child(&instance->static_data);
    shm_bootstrap_forget(instance->bootstrap);
    shm_cleanup_fd(&shm_process.launcher_fd);
    shm_cleanup_fd(&shm_process.store_fd);
    shm_process.launcher_fd = shm_process.store_fd = -1;
    shm_process.inherited = instance;
    atomic_store(&shm_process.current, NULL);
    atomic_store(&shm_process.life, SHM_LIFE_NONE);
}

enum shm_status shm_hooks_register(void)
{
    if (shm_process.has_hooks)
        return SHM_OK;
    if (on_exit(at_exit, NULL) != 0)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to register an exit handler");
    if (pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to register fork handlers");
    shm_process.has_hooks = true;
    return SHM_OK;
}
