/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens at exit() and around fork(). */
#include "core_internal.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Says why the job was not left in order. */
static _Noreturn void fail_at_exit(enum shm_status outcome, int pe)
{
    shm_report_life(outcome, "finalize at exit", pe);
    shm_launcher_tell(SHM_LAUNCH_EXIT, EXIT_FAILURE); /* enough has been said */
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

/* A program that ends normally leaves its jobs as if it had called finalize; one that ends with an
 * error is a failed PE, and must not wait for the others. All processes end their instances in the
 * same order, so that none waits for another in a circle. */
static void at_exit(int status, void *unused)
{
    enum shm_status outcome;
    uint64_t id;
    int pe;

    (void)unused;
    atomic_store(&shm_process.is_exiting, true);
    if (status != 0 || atomic_load(&shm_process.is_over))
        return;
    while (shm_registry_find_lowest(&id, &pe)) {
        outcome = shm_stop(id);
        if (outcome != SHM_OK)
            fail_at_exit(outcome, pe);
    }
}

/* One fork at a time: each has a snapshot of the static data of its own. The table of instances and
 * the static data stay as they are meanwhile; an instance may be in the middle of init or finalize.
 */
static void before_fork(void)
{
    struct shm_instance *sharer;

    pthread_mutex_lock(&shm_process.fork_lock);
    shm_registry_lock();
    sharer = shm_registry_find_sharer_locked();
    if (sharer != NULL)
        shm_static_data_fork_prepare(&sharer->static_data);
    shm_log_before_fork(); /* last: the others may log */
}

static void after_fork_in_parent(void)
{
    struct shm_instance *sharer = shm_registry_find_sharer_locked();

    shm_log_after_fork_in_parent();
    if (sharer != NULL)
        shm_static_data_fork_parent(&sharer->static_data);
    shm_registry_unlock();
    pthread_mutex_unlock(&shm_process.fork_lock);
}

static void forget(struct shm_instance *instance)
{
    shm_static_data_fork_child(&instance->static_data);
    shm_bootstrap_forget(instance->bootstrap);
    instance->next_inherited = shm_process.inherited;
    shm_process.inherited = instance;
}

/* The child is no PE: it keeps a copy of the static data and forgets its parent's jobs. */
static void after_fork_in_child(void)
{
    shm_log_after_fork_in_child();
    shm_registry_forget_locked(forget);
    pthread_mutex_init(&shm_process.lock, NULL); /* its holder, if there was one, is not here */
    pthread_mutex_init(&shm_process.tell_lock, NULL);
    atomic_store(&shm_process.leaver, 0);
    /* between two jobs, too: the child may live longer than the PE */
    shm_cleanup_fd(&shm_process.lifeline_fd);
    shm_process.lifeline_fd = -1;
    if (shm_process.inherited != NULL) {
        shm_cleanup_fd(&shm_process.launcher_fd);
        shm_cleanup_fd(&shm_process.store_fd);
        shm_cleanup_fd(&shm_process.board_fd);
        shm_process.launcher_fd = shm_process.store_fd = shm_process.board_fd = -1;
    }
    shm_registry_unlock();
    pthread_mutex_unlock(&shm_process.fork_lock);
}

static enum shm_status register_locked(void)
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

enum shm_status shm_hooks_register(void)
{
    enum shm_status status;

    shm_registry_lock();
    status = register_locked();
    shm_registry_unlock();
    return status;
}
