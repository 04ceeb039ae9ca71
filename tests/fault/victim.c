/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job whose PEs sit where the first argument says when PE number argv[2] ends as argv[3] says: a
 * signal number, "exit" (status 0 at once, without handlers), "global:STATUS" (shmem_global_exit),
 * or "never" (somebody else kills). With "inside:" before that it sits there itself, and the last
 * PE does not come. "absent": it runs its own code. "again": all stay in a barrier of a second job,
 * and the victim has a child of the time between.
 */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long never, lock;
static long settled; /* on the victim: PEs about to stay where they stay */
static long dest[64], source[64], work[64];
static long sync_words[SHMEM_SYNC_SIZE];
static uint64_t no_signal;
static shmem_team_t team; /* all PEs */
static bool is_ready;

static void end(const char *how)
{
    while (is_ready && __atomic_load_n(&settled, __ATOMIC_ACQUIRE) < shmem_n_pes() - 1)
        usleep(1000);
    usleep(150000); /* by then they wait, and can be seen to */
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

static void *end_soon(void *how)
{
    end(how);
    return NULL;
}

static _Noreturn void stay_away(void)
{
    for (;;)
        pause();
}

/* One call of a collective, over the team or over all PEs but the first. */
static void call_collective(const char *where)
{
    shmem_team_t row, column;
    int rest = shmem_n_pes() - 1;

    if (strcmp(where, "team_sync") == 0)
        shmem_team_sync(team);
    if (strcmp(where, "broadcast") == 0)
        shmem_long_broadcast(team, dest, source, 1, shmem_n_pes() - 1);
    if (strcmp(where, "collect") == 0)
        shmem_long_collect(team, dest, source, 1);
    if (strcmp(where, "fcollect") == 0)
        shmem_long_fcollect(team, dest, source, 1);
    if (strcmp(where, "alltoall") == 0)
        shmem_long_alltoall(team, dest, source, 1);
    if (strcmp(where, "alltoalls") == 0)
        shmem_long_alltoalls(team, dest, source, 2, 2, 1);
    if (strcmp(where, "reduce") == 0)
        shmem_long_sum_reduce(team, dest, source, 1);
    if (strcmp(where, "scan") == 0)
        shmem_long_sum_inscan(team, dest, source, 1);
    if (strcmp(where, "split") == 0)
        shmem_team_split_strided(team, 0, 1, 2, NULL, 0, &row);
    if (strcmp(where, "split_2d") == 0)
        shmem_team_split_2d(team, 2, NULL, 0, &row, NULL, 0, &column);
    if (strcmp(where, "destroy") == 0)
        shmem_team_destroy(team);
    if (strcmp(where, "set_barrier") == 0)
        shmem_barrier(1, 0, rest, sync_words);
    if (strcmp(where, "set_collect") == 0)
        shmem_collect64(dest, source, 1, 1, 0, rest, sync_words);
    if (strcmp(where, "set_reduce") == 0)
        shmem_long_sum_to_all(dest, source, 1, 1, 0, rest, work, sync_words);
}

static void wait_for_others(const char *where)
{
    if (strcmp(where, "lock") == 0)
        shmem_set_lock(&lock);
    if (strcmp(where, "any") == 0)
        shmem_long_wait_until_any(source, 64, NULL, SHMEM_CMP_NE, 0);
    if (strcmp(where, "signal") == 0)
        shmem_signal_wait_until(&no_signal, SHMEM_CMP_NE, 0);
}

static _Noreturn void stay(const char *where)
{
    bool is_set = strncmp(where, "set_", 4) == 0;

    wait_for_others(where);
    if (shmem_my_pe() != 0 || !is_set)
        call_collective(where);
    if (strcmp(where, "barrier") == 0 || strcmp(where, "again") == 0)
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
    stay_away();
}

/* What becomes of this PE instead of staying, or while it stays. */
static void meet_end(int victim, char *how)
{
    bool is_inside = strncmp(how, "inside:", 7) == 0;
    bool is_victim = shmem_my_pe() == victim;
    pthread_t thread;

    if ((is_victim && strcmp(how, "absent") == 0) ||
        (is_inside && shmem_my_pe() == shmem_n_pes() - 1))
        stay_away();
    if (is_victim && is_inside)
        pthread_create(&thread, NULL, end_soon, how + 7);
    else if (is_victim)
        end(how);
}

static void begin_again(bool is_victim)
{
    shmem_init();
    shmem_finalize();
    if (is_victim && fork() == 0) {
        sleep(20);
        _exit(0);
    }
}

int main(int argc, char **argv)
{
    const char *where = argc > 1 ? argv[1] : "barrier";
    int victim = argc > 2 ? atoi(argv[2]) : -1;
    char never_text[] = "never";
    char *how = argc > 3 ? argv[3] : never_text;
    const char *pe = getenv("SHMEM_PE");

    if (strcmp(where, "init") == 0 && pe != NULL && atoi(pe) == victim)
        end(how);
    if (strcmp(where, "again") == 0)
        begin_again(pe != NULL && atoi(pe) == victim);
    shmem_init();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
    if (shmem_my_pe() == victim)
        shmem_set_lock(&lock);
    for (int i = 0; i < 100; i++)
        shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        printf("ready\n");
        fflush(stdout);
    }
    is_ready = true;
    meet_end(victim, how);
    if (victim >= 0)
        shmem_long_atomic_inc(&settled, victim);
    stay(where);
}
