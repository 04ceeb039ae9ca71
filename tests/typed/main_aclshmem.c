/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs generated calls of ACLSHMEM functions, on as many PEs as the argument says, which meet by
 * the unique id of PE 0. */
#include "typed.h"

#include <aclshmem.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PES 16
#define HEAP (1024 * 1024)
#define SECONDS 50

/* Outside of a job CHECK has nobody to tell. */
static void expect(bool condition, const char *what)
{
    if (!condition) {
        perror(what);
        _exit(1);
    }
}

static void share_id(int pe, int n_pes, int pipes[][2], aclshmemx_uniqueid_t *id)
{
    if (pe != 0) {
        expect(read(pipes[pe][0], id, sizeof *id) == sizeof *id, "read");
        return;
    }
    expect(aclshmemx_get_uniqueid(id) == 0, "aclshmemx_get_uniqueid");
    for (int other = 1; other < n_pes; other++)
        expect(write(pipes[other][1], id, sizeof *id) == sizeof *id, "write");
}

static void run_pe(int pe, int n_pes, int pipes[][2])
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
    void *block;

    alarm(SECONDS);
    share_id(pe, n_pes, pipes, &id);
    expect(aclshmemx_set_attr_uniqueid_args(pe, n_pes, HEAP, &id, &attributes) == 0, "attributes");
    expect(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) == 0, "init");
    block = aclshmem_malloc(TYPED_AREA_BYTES);
    CHECK(block != NULL, "no memory");
    typed_run(block, &(struct typed_context){NULL, SHMEM_CTX_DEFAULT, false});
    aclshmem_free(block);
    expect(aclshmem_finalize() == 0, "aclshmem_finalize");
}

int main(int count, char **arguments)
{
    int n_pes = count == 2 ? atoi(arguments[1]) : 0;
    int pipes[MOST_PES][2];
    int failed = 0;

    if (n_pes < 1 || n_pes > MOST_PES) {
        fprintf(stderr, "usage: %s NUMBER, 1 to %d\n", arguments[0], MOST_PES);
        return 2;
    }
    for (int pe = 0; pe < n_pes; pe++)
        expect(pipe(pipes[pe]) == 0, "pipe");
    for (int pe = 0; pe < n_pes; pe++) {
        pid_t child = fork();

        expect(child >= 0, "fork");
        if (child == 0) {
            run_pe(pe, n_pes, pipes);
            return 0;
        }
    }
    for (int pe = 0; pe < n_pes; pe++) {
        int status = 0;

        expect(wait(&status) > 0, "wait");
        failed += status != 0;
    }
    if (failed > 0)
        fprintf(stderr, "%d of %d PEs failed\n", failed, n_pes);
    return failed > 0;
}
