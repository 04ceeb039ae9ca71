/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI program whose processes become PEs. The first argument says how. */
#include "member.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

struct test {
    const char *name;
    void (*function)(int rank, int size, int argument);
};

/* ---- communicators ---- */

static void world(int rank, int size, int argument)
{
    MPI_Comm everybody = MPI_COMM_WORLD;
    int sum = 0;

    (void)argument;
    join_and_use(rank, size, NULL);
    join_and_use(rank, size, &everybody);
    /* the program's communicator is as it was */
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == size * (size - 1) / 2);
}

static void self(int rank, int size, int argument)
{
    MPI_Comm alone = MPI_COMM_SELF;

    (void)rank;
    (void)size;
    (void)argument;
    join_and_use(0, 1, &alone);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Even and odd ranks, in the reverse order of ranks. */
static void split(int rank, int size, int argument)
{
    MPI_Comm half;
    int half_rank;
    int half_size;

    (void)argument;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, size - rank, &half);
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm_size(half, &half_size);
    join_and_use(half_rank, half_size, &half);
    MPI_Comm_free(&half);
}

/* Again and again; with one process more often than MPICH has communicators to give (2048). */
static void often(int rank, int size, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        EXPECT(join_as(rank, size, NULL) == 0);
        EXPECT(aclshmem_finalize() == 0);
        EXPECT(size == 1 || join_as(0, size, NULL) == ACLSHMEM_INVALID_PARAM);
    }
}

/* ---- what is refused ---- */

static void wrong_rank(int rank, int size, int argument)
{
    (void)argument;
    EXPECT(join_as(rank == 1 ? 0 : rank, size, NULL) == ACLSHMEM_INVALID_PARAM);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    join_and_use(rank, size, NULL);
}

static void wrong_size(int rank, int size, int argument)
{
    (void)argument;
    EXPECT(join_as(rank, rank == 0 ? size + 1 : size, NULL) == ACLSHMEM_INVALID_PARAM);
    join_and_use(rank, size, NULL);
}

static void wrong_communicator(int rank, int size, int argument)
{
    MPI_Comm half;
    MPI_Comm both;
    MPI_Comm none = MPI_COMM_NULL;

    (void)argument;
    EXPECT(join_as(rank, size, &none) == ACLSHMEM_INVALID_PARAM);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    EXPECT(join_as(rank, size, &both) == ACLSHMEM_INVALID_PARAM);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    join_and_use(rank, size, NULL);
}

static void with_tls(int rank, int size, int argument)
{
    (void)argument;
    EXPECT(aclshmemx_set_conf_store_tls(true, "tlsCert: x;", 11) == 0);
    EXPECT(join_as(rank, size, NULL) == ACLSHMEM_NOT_SUPPORTED);
    EXPECT(aclshmemx_set_conf_store_tls(false, NULL, 0) == 0);
    join_and_use(rank, size, NULL);
}

/* The last process comes when the others have given up; nothing of what it says reaches them. */
static void late(int rank, int size, int argument)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    (void)argument;
    attributes.my_pe = rank;
    attributes.n_pes = size;
    attributes.local_mem_size = HEAP;
    attributes.option_attr.shm_init_timeout = 1;
    if (rank < size - 1)
        EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attributes) == ACLSHMEM_TIMEOUT_ERROR);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("gave up %d\n", rank);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(9);
}

/* ---- life of MPI ---- */

static void finalized_before(int rank, int size, int argument)
{
    (void)argument;
    MPI_Finalize();
    EXPECT(join_as(rank, size, NULL) == ACLSHMEM_INNER_ERROR);
}

static void finalized_between(int rank, int size, int argument)
{
    (void)argument;
    EXPECT(join_as(rank, size, NULL) == 0);
    MPI_Finalize();
    use(rank, size); /* memory is shared, with or without MPI */
    EXPECT(aclshmem_finalize() == ACLSHMEM_INNER_ERROR);
}

static void *join_in_thread(void *argument)
{
    const int *numbers = argument;

    EXPECT(join_as(numbers[0], numbers[1], NULL) == numbers[2]);
    if (numbers[2] == 0)
        use(numbers[0], numbers[1]);
    return NULL;
}

/* What MPI allows to a second thread. */
static void thread(int rank, int size, int level)
{
    bool is_allowed = level >= MPI_THREAD_SERIALIZED;
    int numbers[3] = {rank, size, is_allowed ? 0 : ACLSHMEM_INNER_ERROR};
    pthread_t other;

    EXPECT(pthread_create(&other, NULL, join_in_thread, numbers) == 0);
    EXPECT(pthread_join(other, NULL) == 0);
    if (is_allowed)
        EXPECT(aclshmem_finalize() == 0);
    join_and_use(rank, size, NULL);
}

/* ---- sudden ends: the others wait, for ever if need be ---- */

static void die(int rank, int size, int signal_number)
{
    EXPECT(join_as(rank, size, NULL) == 0);
    use(rank, size);
    if (rank == size - 1)
        raise(signal_number);
    aclshmem_barrier_all();
}

static void leave_with(int rank, int size, int status)
{
    EXPECT(join_as(rank, size, NULL) == 0);
    if (rank == size - 1)
        exit(status);
    aclshmem_barrier_all();
}

static void global_exit(int rank, int size, int status)
{
    EXPECT(join_as(rank, size, NULL) == 0);
    if (rank == size - 1)
        aclshmem_global_exit(status);
    aclshmem_barrier_all();
}

static const struct test tests[] = {
    {"world", world},
    {"self", self},
    {"split", split},
    {"often", often},
    {"wrong_rank", wrong_rank},
    {"wrong_size", wrong_size},
    {"wrong_communicator", wrong_communicator},
    {"with_tls", with_tls},
    {"late", late},
    {"finalized_before", finalized_before},
    {"finalized_between", finalized_between},
    {"thread", thread},
    {"die", die},
    {"leave_with", leave_with},
    {"global_exit", global_exit},
};

static const struct test *find_test(const char *name)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, name) == 0)
            return &tests[i];
    }
    fprintf(stderr, "no test %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    const struct test *test = find_test(argc > 1 ? argv[1] : "");
    const char *text = argc > 2 ? argv[2] : "0";
    int argument = atoi(text);
    int level = MPI_THREAD_MULTIPLE;
    int is_finalized = 0;
    int rank;
    int size;

    if (strcmp(text, "funneled") == 0)
        level = argument = MPI_THREAD_FUNNELED;
    if (strcmp(text, "serialized") == 0)
        level = argument = MPI_THREAD_SERIALIZED;
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    test->function(rank, size, argument);
    MPI_Finalized(&is_finalized);
    if (!is_finalized)
        MPI_Finalize();
    printf("done %d of %d\n", rank, size);
    return 0;
}
