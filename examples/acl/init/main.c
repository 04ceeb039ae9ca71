/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three ways in which the PEs of ACLSHMEM find each other: at an address, by a unique id, or as
 * the processes of an MPI communicator. For the first two the program starts its PEs itself.
 *
 *   oshcc main.c communicator_none.c -o acl_init
 *   ./acl_init --mode default --pes 4 --address tcp://127.0.0.1:28760
 *   ./acl_init --mode uid --pes 4
 *
 * With MPI:
 *
 *   oshcc main.c communicator_mpi.c $(pkg-config --cflags --libs mpi-c) -o acl_init
 *   mpirun -n 4 ./acl_init --mode mpi
 *
 * With MPICH it is pkg-config mpich.
 */
#include "../../common/number.h"
#include "communicator.h"

#include <aclshmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAP_BYTES (1ul << 20)
#define PES_MAX 64

struct options {
    const char *mode;
    const char *address;
    long n_pes;
};

/* To each PE a pipe, through which PE 0 sends the unique id. */
static int pipes[PES_MAX][2];

/* Every PE tells its neighbour who it is. */
static int greet(const char *mode)
{
    int pe = aclshmem_my_pe(), n_pes = aclshmem_n_pes();
    int *heard = aclshmem_calloc(1, sizeof *heard);

    if (heard == NULL) {
        fprintf(stderr, "acl_init: PE %d has no symmetric memory\n", pe);
        aclshmem_global_exit(1);
    }
    aclshmem_putmem(heard, &pe, sizeof pe, (pe + 1) % n_pes);
    aclshmem_barrier_all();
    printf("acl_init: PE %d of %d, met by %s, heard from PE %d\n", pe, n_pes, mode, *heard);
    fflush(stdout);
    aclshmem_free(heard);
    return aclshmem_finalize() == 0 ? 0 : 1;
}

static int join(aclshmemx_bootstrap_t flag, aclshmemx_init_attr_t *attributes, const char *mode)
{
    int code = aclshmemx_init_attr(flag, attributes);

    if (code == 0)
        return greet(mode);
    fprintf(stderr, "acl_init: PE %d cannot join by %s: code %d\n", attributes->my_pe, mode, code);
    return 1;
}

static int join_at_address(int pe, const struct options *options)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    attributes.my_pe = pe;
    attributes.n_pes = (int)options->n_pes;
    attributes.local_mem_size = HEAP_BYTES;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", options->address);
    return join(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes, options->mode);
}

/* PE 0 makes the id; how the others get it is up to the program. */
static bool share_id(int pe, int n_pes, aclshmemx_uniqueid_t *id)
{
    if (pe != 0)
        return read(pipes[pe][0], id, sizeof *id) == sizeof *id;
    if (aclshmemx_get_uniqueid(id) != 0)
        return false;
    for (int other = 1; other < n_pes; other++) {
        if (write(pipes[other][1], id, sizeof *id) != sizeof *id)
            return false;
    }
    return true;
}

static int join_by_id(int pe, const struct options *options)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
    int n_pes = (int)options->n_pes;

    if (!share_id(pe, n_pes, &id) ||
        aclshmemx_set_attr_uniqueid_args(pe, n_pes, HEAP_BYTES, &id, &attributes) != 0) {
        fprintf(stderr, "acl_init: PE %d has no unique id\n", pe);
        return 1;
    }
    return join(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes, options->mode);
}

static int join_in_communicator(const struct options *options)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    int exit_status;

    if (!communicator_enter(&attributes.my_pe, &attributes.n_pes, &attributes.comm_args)) {
        fprintf(stderr, "acl_init: built without MPI, --mode mpi is not possible\n");
        return 2;
    }
    attributes.local_mem_size = HEAP_BYTES;
    exit_status = join(ACLSHMEMX_INIT_WITH_MPI, &attributes, options->mode);
    communicator_leave();
    return exit_status;
}

/* One process for each PE; the program ends when all have. */
static int start_pes(const struct options *options)
{
    bool by_id = strcmp(options->mode, "uid") == 0;
    int worst = 0;
    int status;

    for (int pe = 0; pe < options->n_pes; pe++) {
        if (pipe(pipes[pe]) != 0) {
            perror("acl_init: pipe");
            return 1;
        }
    }
    for (int pe = 0; pe < options->n_pes; pe++) {
        pid_t child = fork();

        if (child == 0)
            _exit(by_id ? join_by_id(pe, options) : join_at_address(pe, options));
        if (child < 0) {
            perror("acl_init: fork");
            worst = 1;
            break;
        }
    }
    while (wait(&status) > 0) {
        if (status != 0)
            worst = 1;
    }
    return worst;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            return false;
        if (strcmp(argv[i], "--mode") == 0)
            options->mode = argv[i + 1];
        else if (strcmp(argv[i], "--address") == 0)
            options->address = argv[i + 1];
        else if (strcmp(argv[i], "--pes") != 0 ||
                 !parse_long(argv[i + 1], 1, PES_MAX, &options->n_pes))
            return false;
    }
    return strcmp(options->mode, "default") == 0 || strcmp(options->mode, "uid") == 0 ||
           strcmp(options->mode, "mpi") == 0;
}

int main(int argc, char **argv)
{
    struct options options = {.mode = "default", .address = "tcp://127.0.0.1:28760", .n_pes = 2};

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf(
            "usage: acl_init [--mode default|uid|mpi] [--pes N] [--address tcp://HOST:PORT]\n"
            "Starts N PEs (1 to %d, default 2) that meet at the address or by a unique id; with\n"
            "--mode mpi the processes that MPI's launcher started meet.\n",
            PES_MAX);
        return 0;
    }
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "acl_init: cannot understand the arguments; --help shows the usage\n");
        return 2;
    }
    return strcmp(options.mode, "mpi") == 0 ? join_in_communicator(&options) : start_pes(&options);
}
