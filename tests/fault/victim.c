/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job whose PEs sit where the first argument says when PE number argv[2] ends as argv[3] says: a
 * signal number, "exit" (status 0 at once, without handlers), "global:STATUS" (shmem_global_exit),
 * or "never" (somebody else kills).
 */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long never;

static void end(const char *how)
{
    usleep(200000); /* by then the others wait, and can be seen to */
    if (strcmp(how, "exit") == 0)
        _exit(0);
    if (strcmp(how, "orphan") == 0) {
        if (fork() == 0) {
            sleep(5);
            _exit(0);
        }
        raise(SIGKILL);
    }
    if (strncmp(how, "global:", 7) == 0)
        shmem_global_exit(atoi(how + 7));
    if (strcmp(how, "never") != 0)
        raise(atoi(how));
}

static _Noreturn void stay(const char *where)
{
    if (strcmp(where, "barrier") == 0)
        for (;;)
            shmem_barrier_all();
    if (strcmp(where, "malloc") == 0)
        for (;;)
            shmem_free(shmem_malloc(64));
    if (strcmp(where, "wait") == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    if (strcmp(where, "put") == 0)
        for (;;)
            shmem_long_p(&never + 0, 0, shmem_n_pes() - 1);
    if (strcmp(where, "finalize") == 0)
        shmem_finalize();
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    const char *where = argc > 1 ? argv[1] : "barrier";
    int victim = argc > 2 ? atoi(argv[2]) : -1;
    const char *how = argc > 3 ? argv[3] : "never";
    const char *pe = getenv("SHMEM_PE");

    if (strcmp(where, "init") == 0 && pe != NULL && atoi(pe) == victim)
        end(how);
    shmem_init();
    for (int i = 0; i < 100; i++)
        shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        printf("ready\n");
        fflush(stdout);
    }
    if (shmem_my_pe() == victim)
        end(how);
    stay(where);
}
