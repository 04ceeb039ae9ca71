/* SPDX-License-Identifier: BSD-3-Clause */
/* What the launcher left in the environment, and what is told to it. */
#include "core_internal.h"

#include "base/board.h"
#include "base/cleanup.h"
#include "base/option.h"
#include "base/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A later job of the same processes must not be taken for an earlier one. */
#define GENERATION_STEP 0x9e3779b97f4a7c15u

static enum shm_status read_number(const char *name, int64_t least, int64_t most, int *out_number)
{
    const char *text = getenv(name);
    int64_t number = 0;
    enum shm_status status;

    if (text == NULL)
        return shm_fail(SHM_BOOTSTRAP_ERROR,
                        "%s is not set although other variables of the launcher are: start the "
                        "program with shmemrun",
                        name);
    status = shm_parse_integer(text, least, most, &number);
    if (status != SHM_OK)
        return shm_fail(status, "%s=%s: expected a number from %lld to %lld", name, text,
                        (long long)least, (long long)most);
    *out_number = (int)number;
    return SHM_OK;
}

/* A descriptor that the launcher passed, -1 unless it is a socket of that type. */
static int inherited_socket(const char *name, int wanted_type)
{
    const char *text = getenv(name);
    int64_t number = -1;
    int type = 0;
    socklen_t bytes = sizeof type;

    if (text == NULL || shm_parse_integer(text, 0, INT_MAX, &number) != SHM_OK)
        return -1;
    if (getsockopt((int)number, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 || type != wanted_type)
        return -1;
    if (fcntl((int)number, F_SETFD, FD_CLOEXEC) != 0)
        return -1;
    return (int)number;
}

/* The launcher's board, -1 unless it is one for a job of that size, and this process may write to
 * it. */
static int inherited_board(int n_pes)
{
    const char *text = getenv(SHM_LAUNCH_BOARD_FD);
    struct stat status;
    int64_t number = -1;

    if (text == NULL || shm_parse_integer(text, 0, INT_MAX, &number) != SHM_OK || n_pes < 1)
        return -1;
    if (fcntl((int)number, F_GET_SEALS) < 0 || fstat((int)number, &status) != 0 ||
        (uint64_t)status.st_size != shm_board_bytes((uint32_t)n_pes))
        return -1;
    if (!shm_board_is_permitted((uint32_t)n_pes) || fcntl((int)number, F_SETFD, FD_CLOEXEC) != 0)
        return -1;
    return (int)number;
}

static bool is_pipe(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

static int launched_n_pes(void)
{
    const char *text = getenv(SHM_LAUNCH_N_PES);

    return text != NULL ? atoi(text) : 1;
}

static void attach_locked(void)
{
    if (shm_process.has_launcher_fds || !shm_is_launched())
        return;
    shm_process.has_launcher_fds = true;
    shm_process.launcher_fd = inherited_socket(SHM_LAUNCH_FD, SOCK_SEQPACKET);
    shm_process.store_fd = inherited_socket(SHM_LAUNCH_STORE_FD, SOCK_STREAM);
    if (shm_process.launcher_fd >= 0)
        shm_process.board_fd = inherited_board(launched_n_pes());
    /* lines reach the launcher as they are printed, not when a buffer is full or lost in a crash */
    if (shm_process.launcher_fd >= 0 && is_pipe(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

void shm_launcher_attach(void)
{
    shm_registry_lock();
    attach_locked();
    shm_registry_unlock();
}

static void send_to_launcher(const struct shm_launch_message *message, int descriptor)
{
    enum shm_status status;

    if (shm_process.launcher_fd < 0)
        return;
    status =
        shm_socket_send_descriptor(shm_process.launcher_fd, message, sizeof *message, descriptor);
    if (status != SHM_OK)
        shm_process.launcher_fd = -1; /* it is gone, and this process about to be ended */
}

void shm_launcher_tell(enum shm_launch_message_kind kind, int status)
{
    struct shm_launch_message message = {.kind = (uint32_t)kind, .status = status};

    send_to_launcher(&message, -1);
}

void shm_launcher_tell_init(void)
{
    struct shm_launch_message message = {.kind = SHM_LAUNCH_INITIALISING};
    int ends[2] = {-1, -1};

    if (shm_process.board_fd >= 0 && shm_process.lifeline_fd < 0 && pipe2(ends, O_CLOEXEC) == 0)
        shm_process.lifeline_fd = ends[1];
    send_to_launcher(&message, ends[0]);
    shm_cleanup_fd(&ends[0]);
}

void shm_launcher_show_records(const struct shm_instance *instance)
{
    const struct shm_instance *nobody = NULL;
    const struct shm_heap *heap = &instance->heap;
    struct shm_launch_message message = {
        .kind = SHM_LAUNCH_RECORDS,
        .record_offset = offsetof(struct shm_control, activity),
        .record_stride = heap->layout.stride,
        .record_count = (uint32_t)instance->node_count,
    };

    if (heap->my_pe != shm_launched_pe() || heap->n_pes != launched_n_pes() ||
        !atomic_compare_exchange_strong(&shm_process.shown, &nobody, instance))
        return;
    if (instance->node_pes[0] == heap->my_pe)
        send_to_launcher(&message, heap->memory_fd);
}

void shm_launcher_forget_records(const struct shm_instance *instance)
{
    if (atomic_load(&shm_process.shown) == instance)
        atomic_store(&shm_process.shown, NULL);
}

static enum shm_status read_job_id(uint64_t *out_job_id)
{
    const char *text = getenv(SHM_LAUNCH_JOB_ID);
    char *end = NULL;

    errno = 0;
    if (text != NULL && strlen(text) == 16)
        *out_job_id = strtoull(text, &end, 16);
    if (end == NULL || *end != '\0' || errno != 0)
        return shm_fail(SHM_BOOTSTRAP_ERROR,
                        "%s is not set to 16 hexadecimal digits: start the program with shmemrun",
                        SHM_LAUNCH_JOB_ID);
    *out_job_id += shm_process.generation * GENERATION_STEP;
    return SHM_OK;
}

/* A PE's children inherit its variables, but not its place in the job. */
static enum shm_status check_parentage(void)
{
    const char *owner = getenv(SHM_LAUNCH_OWNER);
    char mine[24];

    snprintf(mine, sizeof mine, "%ld", (long)getpid());
    if (owner != NULL && strcmp(owner, mine) != 0)
        return shm_fail(SHM_BOOTSTRAP_ERROR,
                        "this program was started by PE %d, whose place it cannot take: start it "
                        "with shmemrun, or unset %s and %s to run it as a job of one PE",
                        shm_launched_pe(), SHM_LAUNCH_PE, SHM_LAUNCH_N_PES);
    if (owner == NULL && setenv(SHM_LAUNCH_OWNER, mine, 1) != 0)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the variable %s", SHM_LAUNCH_OWNER);
    return SHM_OK;
}

static enum shm_status read_launch(struct shm_start_request *request)
{
    enum shm_status status = read_number(SHM_LAUNCH_N_PES, 1, 16384, &request->n_pes);

    if (status == SHM_OK)
        status = check_parentage();
    if (status == SHM_OK)
        status = read_number(SHM_LAUNCH_PE, 0, request->n_pes - 1, &request->my_pe);
    if (status == SHM_OK)
        status = read_job_id(&request->job_id);
    if (status != SHM_OK)
        return status;
    request->address = getenv(SHM_LAUNCH_STORE);
    if (request->address == NULL)
        return shm_fail(SHM_BOOTSTRAP_ERROR, "%s is not set: start the program with shmemrun",
                        SHM_LAUNCH_STORE);
    /* the launcher's socket stays open for a later init: PEs that are early queue up at it */
    if (request->my_pe == 0 && shm_process.store_fd >= 0)
        request->listen_fd = fcntl(shm_process.store_fd, F_DUPFD_CLOEXEC, 0);
    request->kind = SHM_BOOTSTRAP_CONFIG_STORE;
    request->is_launched = true;
    request->is_launchers_job = true;
    return SHM_OK;
}

/* Variables by which other launchers tell a process that it is one of several. */
struct foreign_launcher {
    const char *name;
    const char *count_variable;
    const char *rank_variable;
};

static const struct foreign_launcher foreign_launchers[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"an MPICH-style mpiexec", "PMI_SIZE", "PMI_RANK"},
    {"Slurm's srun", "SLURM_NTASKS", "SLURM_PROCID"},
    {"torchrun", "WORLD_SIZE", "RANK"},
};

static enum shm_status refuse_foreign_launcher(void)
{
    size_t count = sizeof foreign_launchers / sizeof *foreign_launchers;

    for (size_t i = 0; i < count; i++) {
        const struct foreign_launcher *launcher = &foreign_launchers[i];
        const char *pes = getenv(launcher->count_variable);
        const char *rank = getenv(launcher->rank_variable);

        if (pes != NULL && rank != NULL && atoi(pes) > 1)
            return shm_fail(SHM_BOOTSTRAP_ERROR,
                            "%s started %s processes (%s is set), but there is no bootstrap for "
                            "it here: start the program with shmemrun -n %s, or unset %s to run "
                            "it as a job of one PE",
                            launcher->name, pes, launcher->count_variable, pes,
                            launcher->count_variable);
    }
    return SHM_OK;
}

bool shm_is_launched(void)
{
    return getenv(SHM_LAUNCH_PE) != NULL || getenv(SHM_LAUNCH_N_PES) != NULL;
}

int shm_launched_pe(void)
{
    const char *text = getenv(SHM_LAUNCH_PE);

    return text != NULL ? atoi(text) : 0; /* for messages: a bad number is refused elsewhere */
}

enum shm_status shm_launch_request(struct shm_start_request *out_request)
{
    struct shm_start_request request = {.n_pes = 1, .kind = SHM_BOOTSTRAP_ALONE, .listen_fd = -1};
    enum shm_status status;

    shm_launcher_attach();
    status = shm_is_launched() ? read_launch(&request) : refuse_foreign_launcher();
    if (status == SHM_OK)
        *out_request = request;
    return status;
}
