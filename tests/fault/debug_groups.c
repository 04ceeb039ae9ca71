/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of collectives that SHMEM_DEBUG=1 finds to be wrong: the first argument names one. Three
 * PEs. Calls that differ are what PE 1 does otherwise than the others. */
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static long dest[64], source[64], work[64];
static long sync_words[SHMEM_SYNC_SIZE];
static const char *wanted;
static bool is_found;

static bool is(const char *name)
{
    bool is_wanted = strcmp(name, wanted) == 0;

    is_found |= is_wanted;
    return is_wanted;
}

/* ---- arguments ---- */

static void differ_in_team(shmem_team_t team, size_t odd)
{
    if (is("root"))
        shmem_long_broadcast(team, dest, source, 1, (int)odd);
    if (is("nelems"))
        shmem_long_fcollect(team, dest, source, 1 + odd);
    if (is("element"))
        odd ? shmem_int_alltoall(team, (int *)dest, (int *)source, 1)
            : shmem_long_alltoall(team, dest, source, 1);
    if (is("dest"))
        shmem_long_collect(team, dest + 2 * odd, source, odd);
    if (is("source"))
        shmem_long_alltoall(team, dest, source + odd, 1);
    if (is("strides"))
        shmem_long_alltoalls(team, dest, source, 1, 1 + (ptrdiff_t)odd, 1);
    if (is("alltoalls_nelems"))
        shmem_long_alltoalls(team, dest, source, 1, 1, odd);
    if (is("nreduce"))
        shmem_long_sum_reduce(team, dest, source, 3 + odd);
    if (is("operation"))
        odd ? shmem_long_min_reduce(team, dest, source, 1)
            : shmem_long_max_reduce(team, dest, source, 1);
    if (is("type"))
        odd ? shmem_double_sum_reduce(team, (double *)dest, (double *)source, 1)
            : shmem_long_sum_reduce(team, dest, source, 1);
    if (is("scan"))
        odd ? shmem_long_sum_exscan(team, dest, source, 1)
            : shmem_long_sum_inscan(team, dest, source, 1);
    if (is("scan_nelems"))
        shmem_long_sum_inscan(team, dest, source, 3 - odd);
}

static void differ_in_set(size_t odd, int size)
{
    if (is("root"))
        shmem_broadcast64(dest, source, 1, (int)odd, 0, 0, size, sync_words);
    if (is("nelems"))
        shmem_fcollect64(dest, source, 1 + odd, 0, 0, size, sync_words);
    if (is("nreduce"))
        shmem_long_sum_to_all(dest, source, 3 + (int)odd, 0, 0, size, work, sync_words);
}

static void differ_in_split(int odd)
{
    shmem_team_t team, other;

    if (is("triplet"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 3 - odd, NULL, 0, &team);
    if (is("xrange"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1 + odd, NULL, 0, &team, NULL, 0, &other);
}

/* ---- kinds of collectives ---- */

static void call(const char *kind, shmem_team_t team)
{
    shmem_team_t row, column;

    if (strcmp(kind, "broadcast") == 0)
        shmem_long_broadcast(team, dest, source, 1, 0);
    if (strcmp(kind, "fcollect") == 0)
        shmem_long_fcollect(team, dest, source, 1);
    if (strcmp(kind, "reduce") == 0)
        shmem_long_sum_reduce(team, dest, source, 1);
    if (strcmp(kind, "barrier_all") == 0)
        shmem_barrier_all();
    if (strcmp(kind, "team_sync") == 0)
        shmem_team_sync(team);
    if (strcmp(kind, "split") == 0)
        shmem_team_split_strided(team, 0, 1, 3, NULL, 0, &row);
    if (strcmp(kind, "split_2d") == 0)
        shmem_team_split_2d(team, 2, NULL, 0, &row, NULL, 0, &column);
    if (strcmp(kind, "destroy") == 0)
        shmem_team_destroy(team);
    if (shmem_my_pe() == 2)
        return; /* not in the set */
    if (strcmp(kind, "set_barrier") == 0)
        shmem_barrier(0, 0, 2, sync_words);
    if (strcmp(kind, "set_broadcast") == 0)
        shmem_broadcast64(dest, source, 1, 0, 0, 0, 2, sync_words);
}

/* ---- arrays that overlap ---- */

static void overlap(shmem_team_t team)
{
    if (is("broadcast"))
        shmem_long_broadcast(team, dest, dest + 1, 2, 0);
    if (is("collect"))
        shmem_long_collect(team, dest, dest + 1, 2);
    if (is("fcollect"))
        shmem_long_fcollect(team, dest, dest + 2, 1);
    if (is("fcollect_same"))
        shmem_long_fcollect(team, dest, dest, 1);
    if (is("alltoall"))
        shmem_long_alltoall(team, dest + 2, dest, 1);
    if (is("alltoalls"))
        shmem_long_alltoalls(team, dest, dest, 1, 1, 1);
    if (is("reduce"))
        shmem_long_sum_reduce(team, dest + 1, dest, 2);
    if (is("scan"))
        shmem_long_sum_exscan(team, dest, dest + 1, 2);
    if (is("to_all"))
        shmem_long_sum_to_all(dest, dest + 2, 3, 0, 0, 3, work, sync_words);
}

/* Next to each other, in each other's gaps, the same where it may be: nothing wrong. */
static void stay_apart(shmem_team_t team)
{
    shmem_long_broadcast(team, dest, dest, 2, 0);
    shmem_long_broadcast(team, dest, dest + 2, 2, 0);
    shmem_long_collect(team, dest, dest + 3, 1);
    shmem_long_fcollect(team, dest, dest + 3, 1);
    shmem_long_alltoall(team, dest + 3, dest, 1);
    shmem_long_alltoalls(team, dest, dest + 1, 2, 2, 1);
    shmem_long_sum_reduce(team, dest, dest, 2);
    shmem_long_sum_reduce(team, dest, dest + 2, 2);
    shmem_long_sum_inscan(team, dest, dest, 2);
    shmem_long_sum_reduce(team, dest, dest + 1, 0);
}

static bool takes(const char *prefix)
{
    size_t length = strlen(prefix);

    if (strncmp(wanted, prefix, length) != 0)
        return false;
    wanted += length;
    return true;
}

static void make_mistake(const char *second)
{
    int odd = shmem_my_pe() == 1;
    shmem_team_t team = SHMEM_TEAM_WORLD;

    if (second != NULL && strstr("destroy team_sync", second) != NULL)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 3, NULL, 0, &team);

    if (takes("team:"))
        differ_in_team(SHMEM_TEAM_WORLD, (size_t)odd);
    else if (takes("set:") && shmem_my_pe() < 2)
        differ_in_set((size_t)odd, 2);
    else if (takes("split:"))
        differ_in_split(odd);
    else if (takes("overlap:"))
        overlap(SHMEM_TEAM_WORLD);
    else if (takes("kinds:"))
        call(odd ? second : wanted, team);
    else if (is("apart"))
        stay_apart(SHMEM_TEAM_WORLD);
    if (!is_found && second == NULL && shmem_my_pe() < 2)
        shmem_global_exit(4);
}

int main(int argc, char **argv)
{
    shmem_init();
    wanted = argc > 1 ? argv[1] : "";
    make_mistake(argc > 2 ? argv[2] : NULL);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
