/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"
#include "processes.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* A pipe of ours must not become somebody's standard output. */
static bool fill_standard_descriptors(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR); /* NOLINT(android-cloexec-open): stays below 3 */
    while (fd >= 0 && fd <= 2);
    if (fd > 2)
        close(fd);
    return fd >= 0;
}

static int exit_status_for(enum shm_status status)
{
    switch (status) {
    case SHM_INVALID_PARAM:
        return 2;
    case SHM_REFUSED:
        return 126;
    case SHM_NOT_FOUND:
        return 127;
    default:
        return 1;
    }
}

static int complain(enum shm_status status)
{
    fprintf(stderr, "shmemrun: %s\n", shm_error_detail());
    return exit_status_for(status);
}

static int run(const struct arguments *arguments)
{
    struct program program;
    int exit_status = 1;
    enum shm_status status = program_init(&program, arguments);

    if (status != SHM_OK)
        return complain(status);
    status = job_run(arguments, &program, &exit_status);
    program_fini(&program);
    return status == SHM_OK ? exit_status : complain(SHM_INNER_ERROR);
}

static int print_and_exit(const struct arguments *arguments)
{
    if (arguments->help)
        arguments_print_help();
    else
        printf("shmemrun %s\n", SHMEMRUN_VERSION);
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct arguments arguments;
    enum shm_status status;
    int exit_status;

    if (!fill_standard_descriptors())
        return 1;
    processes_keep_descriptors_private();
    status = arguments_read(argc, argv, &arguments);
    if (status != SHM_OK)
        return complain(status);
    if (arguments.help || arguments.version)
        exit_status = print_and_exit(&arguments);
    else
        exit_status = run(&arguments);
    arguments_fini(&arguments);
    return exit_status;
}
