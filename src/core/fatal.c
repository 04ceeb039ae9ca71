/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How long a PE waits for the launcher to end it before it speaks up itself. */
#define LAUNCHER_PATIENCE_MS 3000
#define TURN_MS 200 /* until the next PE may think that the ones before it have nothing to say */

/* exit() must not be entered twice: not by a destructor that comes too late, which ends the process
 * itself, and not by a second thread, which waits until the first one has ended the process.
 * Relaxed: nothing else depends on who is the first. */
static _Noreturn void leave(int status)
{
    int me = (int)syscall(SYS_gettid);
    int first = 0;

    if (!atomic_compare_exchange_strong_explicit(&shm_process.leaver, &first, me,
                                                 memory_order_relaxed, memory_order_relaxed) &&
        first != me)
        for (;;)
            pause();
    if (atomic_load(&shm_process.is_exiting)) {
        fflush(stdout);
        _exit(status);
    }
    exit(status);
}

static void print_line(int pe, const char *call, const char *detail)
{
    char line[SHM_DETAIL_BYTES + 100];
    int bytes = snprintf(line, sizeof line, "PE %d: %s: %s\n", pe, call, detail);

    if (bytes >= (int)sizeof line)
        bytes = (int)sizeof line - 1;
    if (write(STDERR_FILENO, line, (size_t)bytes) < 0)
        return; /* nowhere left to say so */
}

static void wait_for_the_end(uint64_t patience_ms)
{
    uint64_t deadline_ns = shm_deadline_after_ms(patience_ms);

    while (!shm_deadline_passed(deadline_ns))
        usleep(10000);
}

_Noreturn void shm_global_exit(struct shm_instance *instance, int status)
{
    atomic_store(&shm_process.is_over, true);
    fflush(stdout);
    shm_launcher_tell(SHM_LAUNCH_EXIT, status);
    if (shm_bootstrap_abort(instance->bootstrap, status) != SHM_OK)
        leave(status); /* the others see this connection break */
    leave(status);
}

/* Some PE asked the job to exit: do so, with its status. */
static _Noreturn void follow_exit(struct shm_instance *instance)
{
    struct shm_bootstrap_event event = {.status = EXIT_FAILURE};

    atomic_store(&shm_process.is_over, true);
    if (shm_bootstrap_poll(instance->bootstrap, &event) != SHM_OK ||
        event.kind != SHM_BOOTSTRAP_ABORT)
        leave(EXIT_FAILURE);
    leave(event.status);
}

/* One line per node: the first PE to come says it. */
static bool may_speak(const struct shm_instance *instance)
{
    struct shm_control *first = shm_instance_control(instance, instance->node_pes[0]);

    return atomic_exchange(&first->is_fatal_told, 1) == 0;
}

_Noreturn void shm_fatal(struct shm_instance *instance, enum shm_status status, const char *call)
{
    char detail[SHM_DETAIL_BYTES];

    snprintf(detail, sizeof detail, "%s", shm_error_detail());
    if (status == SHM_ABORTED)
        follow_exit(instance);
    if (status == SHM_PEER_LOST && shm_process.launcher_fd >= 0)
        wait_for_the_end(LAUNCHER_PATIENCE_MS);
    if (may_speak(instance))
        print_line(instance->reach.my_pe, call, detail);
    else if (shm_process.launcher_fd >= 0)
        wait_for_the_end(LAUNCHER_PATIENCE_MS);
    shm_global_exit(instance, EXIT_FAILURE);
}

/* Under our launcher the first PE to speak ends the job. Where all have the same to say, it should
 * be PE 0, or else the lowest that is alive. */
static void let_others_speak(int pe)
{
    uint64_t patience_ms = (uint64_t)pe * TURN_MS;

    if (shm_process.launcher_fd >= 0)
        wait_for_the_end(patience_ms < LAUNCHER_PATIENCE_MS ? patience_ms : LAUNCHER_PATIENCE_MS);
}

void shm_report_life(enum shm_status status, const char *call, int pe)
{
    char detail[SHM_DETAIL_BYTES];

    snprintf(detail, sizeof detail, "%s", shm_error_detail());
    fflush(stdout);
    if (shm_process.launcher_fd >= 0 && status == SHM_PEER_LOST)
        wait_for_the_end(LAUNCHER_PATIENCE_MS);
    else
        let_others_speak(pe);
    print_line(pe, call, detail);
}

_Noreturn void shm_fatal_life(enum shm_status status, const char *call, int pe)
{
    shm_report_life(status, call, pe);
    shm_launcher_tell(SHM_LAUNCH_EXIT, EXIT_FAILURE);
    leave(EXIT_FAILURE);
}

_Noreturn void shm_fatal_not_initialised(const char *call)
{
    const char *detail = "called before shmem_init";
    int pe = shm_launched_pe();

    if (shm_process.inherited != NULL)
        detail = "called in a forked child, which is no PE of the job";
    else if (shm_process.was_ready)
        detail = "called after shmem_finalize";
    if (shm_process.inherited == NULL && shm_is_launched()) {
        shm_launcher_attach();
        let_others_speak(pe);
    }
    print_line(pe, call, detail);
    shm_launcher_tell(SHM_LAUNCH_EXIT, EXIT_FAILURE);
    leave(EXIT_FAILURE);
}
