/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two instances in one process, each used by a thread of its own: all PEs work on numbers in
 * instance 1, and the same PEs, counted the other way round, pass a token in instance 2.
 *
 *   oshcc main.c -o multi_instance -pthread && shmemrun -n 4 ./multi_instance
 */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS 1
#define TOKEN 2
#define HEAP_BYTES (1 << 20)

static aclshmemx_uniqueid_t ids[3]; /* static: instance 0 carries them from PE to PE */

/* Ends the program when a call of ACLSHMEM fails; the library has said why. */
static void require(int code, const char *what)
{
    if (code == ACLSHMEM_SUCCESS)
        return;
    fprintf(stderr, "multi_instance: %s failed with code %d\n", what, code);
    shmem_global_exit(1);
}

/* PE 0 of the instance makes the id at which all of them meet. */
static void start(uint64_t instance_id, int rank, int n_pes)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t *id = &ids[instance_id];

    if (rank == 0) {
        require(aclshmemx_get_uniqueid(id), "aclshmemx_get_uniqueid");
        for (int pe = 0; pe < n_pes; pe++)
            shmem_putmem(id, id, sizeof *id, pe);
    }
    shmem_barrier_all();
    require(aclshmemx_set_attr_uniqueid_args(rank, n_pes, HEAP_BYTES, id, &attributes),
            "aclshmemx_set_attr_uniqueid_args");
    attributes.instance_id = instance_id;
    require(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes), "aclshmemx_init_attr");
}

/* Each PE tells every other one its square. */
static void *add_numbers(void *result)
{
    int64_t *squares;
    long sum = 0;
    int me;
    int n_pes;

    require(aclshmemx_instance_ctx_set(NUMBERS), "aclshmemx_instance_ctx_set");
    me = aclshmem_my_pe();
    n_pes = aclshmem_n_pes();
    squares = aclshmem_malloc((size_t)n_pes * sizeof *squares);
    if (squares == NULL)
        shmem_global_exit(1);
    for (int pe = 0; pe < n_pes; pe++)
        aclshmem_int64_p(squares + me, (int64_t)me * me, pe);
    aclshmem_barrier_all();
    for (int pe = 0; pe < n_pes; pe++)
        sum += squares[pe];
    aclshmem_free(squares);
    *(long *)result = sum;
    return NULL;
}

/* The token goes round once, and each PE adds 1. */
static void *pass_token(void *result)
{
    int32_t *token;
    int me;
    int n_pes;

    require(aclshmemx_instance_ctx_set(TOKEN), "aclshmemx_instance_ctx_set");
    me = aclshmem_my_pe();
    n_pes = aclshmem_n_pes();
    token = aclshmem_calloc(1, sizeof *token);
    if (token == NULL)
        shmem_global_exit(1);
    if (me != 0)
        aclshmem_int32_wait_until(token, ACLSHMEM_CMP_EQ, me);
    aclshmem_int32_p(token, me + 1, (me + 1) % n_pes);
    if (me == 0)
        aclshmem_int32_wait_until(token, ACLSHMEM_CMP_EQ, n_pes);
    *(int *)result = *token;
    aclshmem_barrier_all();
    aclshmem_free(token);
    return NULL;
}

static void print_help(void)
{
    if (shmem_my_pe() == 0)
        puts("usage: multi_instance\n"
             "adds squares in one instance and passes a token in another, by a thread each");
}

/* Two threads, an instance for each; tells what they found. */
static void run(void)
{
    pthread_t numbers, tokens;
    long sum = 0;
    int token = 0;
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    start(NUMBERS, me, n_pes);
    start(TOKEN, n_pes - 1 - me, n_pes);
    if (pthread_create(&numbers, NULL, add_numbers, &sum) != 0 ||
        pthread_create(&tokens, NULL, pass_token, &token) != 0) {
        fprintf(stderr, "multi_instance: no thread can be started\n");
        shmem_global_exit(1);
    }
    pthread_join(numbers, NULL);
    pthread_join(tokens, NULL);
    if (me == n_pes - 1) /* PE 0 of the second instance: the token came back to it */
        printf("%d PEs, sum of squares %ld, token %d\n", n_pes, sum, token);
    require(aclshmemx_finalize(TOKEN), "aclshmemx_finalize");
    require(aclshmemx_finalize(NUMBERS), "aclshmemx_finalize");
}

int main(int argc, char **argv)
{
    int provided;
    int status = 0;

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    if (argc == 1) {
        run();
    } else if (strcmp(argv[1], "--help") == 0) {
        print_help();
    } else {
        status = 2;
        if (shmem_my_pe() == 0)
            fprintf(stderr, "multi_instance: expected no arguments, found '%s'\n", argv[1]);
    }
    shmem_finalize();
    return status;
}
