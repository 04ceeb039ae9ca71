/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of collectives, active sets, teams and contexts that are wrong; the first argument names
 * one. PE 1 makes it while the others wait in a barrier, or all do when there is a second argument.
 * Two PEs. A call that returns and should not have ends the job with status 3. */
#include <pthread.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long dest[64], source[64], work[64];
static long sync_words[SHMEM_SYNC_SIZE + 1];
static const char *wanted;
static bool is_found;

static bool is(const char *name)
{
    bool is_wanted = strcmp(name, wanted) == 0;

    is_found |= is_wanted;
    return is_wanted;
}

/* The last long of the heap; what is behind it cannot be reached. */
static long *heap_end(void)
{
    char *last = shmem_malloc(8192);
    int me = shmem_my_pe();

    while (shmem_addr_accessible(last + 4096, me))
        last += 4096;
    while (shmem_addr_accessible(last + sizeof(long), me))
        last += sizeof(long);
    return (long *)(void *)last;
}

/* ---- collectives ---- */

static void wrong_arrays(long *end)
{
    const size_t huge = SIZE_MAX / 4;
    shmem_team_t world = SHMEM_TEAM_WORLD;
    long local[64] = {0};

    if (is("broadcast_dest"))
        shmem_long_broadcast(world, local, source, 1, 0);
    if (is("broadcast_source"))
        shmem_long_broadcast(world, dest, local, 1, 1);
    if (is("broadcast_null"))
        shmem_broadcastmem(world, NULL, source, 1, 0);
    if (is("broadcast_huge"))
        shmem_long_broadcast(world, dest, source, huge, 0);
    if (is("collect_dest"))
        shmem_long_collect(world, local, source, 1);
    if (is("collect_source"))
        shmem_long_collect(world, dest, local, 1);
    if (is("collect_end"))
        shmem_long_collect(world, end, source, 1);
    if (is("collect_huge"))
        shmem_long_collect(world, dest, source, huge);
    if (is("fcollect_dest"))
        shmem_long_fcollect(world, local, source, 1);
    if (is("fcollect_end"))
        shmem_long_fcollect(world, end, source, 1);
    if (is("fcollect_huge"))
        shmem_long_fcollect(world, dest, source, huge);
    if (is("alltoall_source"))
        shmem_long_alltoall(world, dest, local, 1);
    if (is("alltoall_end"))
        shmem_long_alltoall(world, end, source, 1);
    if (is("alltoall_huge"))
        shmem_alltoallmem(world, dest, source, SIZE_MAX);
    if (is("alltoalls_end"))
        shmem_long_alltoalls(world, dest, end - 4, 1, 5, 1);
    if (is("alltoalls_huge"))
        shmem_long_alltoalls(world, dest, source, (ptrdiff_t)huge, 1, 2);
    if (is("reduce_dest"))
        shmem_long_sum_reduce(world, local, source, 1);
    if (is("reduce_source"))
        shmem_double_max_reduce(world, (double *)dest, (double *)local, 1);
    if (is("reduce_huge"))
        shmem_long_sum_reduce(world, dest, source, huge);
    if (is("scan_end"))
        shmem_long_sum_inscan(world, dest, end, 2);
    if (is("scan_dest"))
        shmem_long_sum_exscan(world, local, source, 1);
}

static void wrong_numbers(void)
{
    if (is("root"))
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, shmem_n_pes());
    if (is("negative_root"))
        shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, 0, -1);
    if (is("dst"))
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 0, 1, 1);
    if (is("sst"))
        shmem_alltoallsmem(SHMEM_TEAM_WORLD, dest, source, 1, -2, 0);
}

static void use_no_team(shmem_team_t team)
{
    if (is("broadcast"))
        shmem_int_broadcast(team, (int *)dest, (int *)source, 1, 0);
    if (is("collect"))
        shmem_long_collect(team, dest, source, 1);
    if (is("fcollect"))
        shmem_fcollectmem(team, dest, source, 1);
    if (is("alltoall"))
        shmem_long_alltoall(team, dest, source, 1);
    if (is("alltoalls"))
        shmem_long_alltoalls(team, dest, source, 1, 1, 1);
    if (is("reduce"))
        shmem_long_sum_reduce(team, dest, source, 1);
    if (is("scan"))
        shmem_long_sum_exscan(team, dest, source, 1);
    if (is("team_sync"))
        shmem_team_sync(team);
}

/* ---- active sets ---- */

static void wrong_sets(void)
{
    int n_pes = shmem_n_pes();
    int me = shmem_my_pe();
    long local[SHMEM_SYNC_SIZE] = {0};
    long *odd = (long *)(void *)((char *)sync_words + 4);

    if (is("set_start"))
        shmem_barrier(n_pes, 0, 1, sync_words);
    if (is("set_negative"))
        shmem_sync(-1, 0, 1, sync_words);
    if (is("set_stride"))
        shmem_broadcast32(dest, source, 1, 0, 0, -1, 2, sync_words);
    if (is("set_large_stride"))
        shmem_broadcast64(dest, source, 1, 0, 0, 31, 1, sync_words);
    if (is("set_size"))
        shmem_collect64(dest, source, 1, 0, 0, 0, sync_words);
    if (is("set_large_size"))
        shmem_fcollect64(dest, source, 1, 0, 0, n_pes + 1, sync_words);
    if (is("set_past_end"))
        shmem_alltoall64(dest, source, 1, 0, 1, 2, sync_words);
    if (is("set_not_member"))
        shmem_alltoalls64(dest, source, 1, 1, 1, me == 0, 0, 1, sync_words);
    if (is("sync_local"))
        shmem_long_sum_to_all(dest, source, 1, me, 0, 1, work, local);
    if (is("sync_null"))
        shmem_barrier(me, 0, 1, NULL);
    if (is("sync_misaligned"))
        shmem_long_sum_to_all(dest, source, 1, me, 0, 1, work, odd);
    if (is("nreduce"))
        shmem_long_sum_to_all(dest, source, -1, me, 0, 1, work, sync_words);
    if (is("nreduce_world"))
        shmem_int_and_to_all((int *)dest, (int *)source, -7, 0, 0, n_pes, (int *)work, sync_words);
    if (is("set_dest"))
        shmem_long_max_to_all(local, source, 1, me, 0, 1, work, sync_words);
    if (is("set_root"))
        shmem_broadcast64(dest, source, 1, 1, me, 0, 1, sync_words);
}

/* ---- teams ---- */

static void wrong_teams(shmem_team_t gone)
{
    const long unknown = 1L << 5;
    shmem_team_config_t config = {0};
    shmem_team_t team, other;

    if (is("destroy_world"))
        shmem_team_destroy(SHMEM_TEAM_WORLD);
    if (is("destroy_shared"))
        shmem_team_destroy(SHMEM_TEAM_SHARED);
    if (is("destroy_twice"))
        shmem_team_destroy(gone);
    if (is("my_pe"))
        shmem_team_my_pe(gone);
    if (is("translate"))
        shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, gone);
    if (is("team_ptr"))
        shmem_team_ptr(gone, dest, 0);
    if (is("split"))
        shmem_team_split_strided(gone, 0, 1, 1, NULL, 0, &team);
    if (is("split_2d"))
        shmem_team_split_2d(gone, 1, NULL, 0, &team, NULL, 0, &other);
    if (is("split_mask"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, &config, unknown, &team);
    if (is("split_config"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team);
    if (is("split_x_mask"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, &config, -1, &team, NULL, 0, &other);
    if (is("split_y_config"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &team, NULL, SHMEM_TEAM_NUM_CONTEXTS,
                            &other);
    if (is("get_config"))
        shmem_team_get_config(gone, 0, NULL);
    if (is("get_config_mask"))
        shmem_team_get_config(SHMEM_TEAM_WORLD, unknown, &config);
    if (is("get_config_null"))
        shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, NULL);
}

/* No place for a handle that the call gives. */
static void no_places(void)
{
    shmem_team_t team;

    if (is("split_null"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, NULL);
    if (is("split_x_null"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, NULL, NULL, 0, &team);
    if (is("split_y_null"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &team, NULL, 0, NULL);
    if (is("ctx_null"))
        shmem_ctx_create(0, NULL);
    if (is("ctx_of_team_null"))
        shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, NULL);
    if (is("ctx_get_team_null"))
        shmem_ctx_get_team(SHMEM_CTX_DEFAULT, NULL);
}

/* The old handle, while a new team has its place in the tables. */
static shmem_team_t destroyed_team(void)
{
    shmem_team_t team, next;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
    shmem_team_destroy(team);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &next);
    return team;
}

/* Not wrong enough to end the job: a number says it, on all PEs, and nothing is written. */
static int answers(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_team_t other = SHMEM_TEAM_WORLD;

    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 99, NULL, 0, &team) == 0 ||
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &other) == 0 ||
        shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) == 0)
        return 4;
    return team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID ? 0 : 5;
}

/* ---- contexts ---- */

static void use_no_context(shmem_ctx_t ctx)
{
    uint64_t fetched;
    shmem_team_t team;
    const int pe = 0;

    if (is("ctx_put"))
        shmem_ctx_long_put(ctx, dest, source, 1, 0);
    if (is("ctx_g"))
        dest[0] = shmem_ctx_long_g(ctx, source, 0);
    if (is("ctx_iget"))
        shmem_ctx_long_iget(ctx, dest, source, 1, 1, 1, 0);
    if (is("ctx_atomic"))
        shmem_ctx_long_atomic_inc(ctx, dest, 0);
    if (is("ctx_fetch_nbi"))
        shmem_ctx_uint64_atomic_fetch_nbi(ctx, &fetched, (uint64_t *)source, 0);
    if (is("ctx_signal"))
        shmem_ctx_long_put_signal(ctx, dest, source, 1, (uint64_t *)work, 1, SHMEM_SIGNAL_SET, 0);
    if (is("ctx_fence"))
        shmem_ctx_fence(ctx);
    if (is("ctx_quiet"))
        shmem_ctx_quiet(ctx);
    if (is("ctx_pe_quiet"))
        shmem_ctx_pe_quiet(ctx, &pe, 1);
    if (is("ctx_get_team"))
        shmem_ctx_get_team(ctx, &team);
    if (is("ctx_session_start"))
        shmem_ctx_session_start(ctx, 0, NULL, 0);
    if (is("ctx_session_stop"))
        shmem_ctx_session_stop(ctx);
    if (is("ctx_destroy"))
        shmem_ctx_destroy(ctx);
}

static shmem_ctx_t destroyed_context(void)
{
    shmem_ctx_t ctx, next;

    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    shmem_ctx_create(0, &next);
    return ctx;
}

static void *use_of_other_thread(void *argument)
{
    shmem_ctx_long_p(*(shmem_ctx_t *)argument, dest, 1, 0);
    return NULL;
}

static void use_in_thread(shmem_ctx_t ctx)
{
    pthread_t thread;

    pthread_create(&thread, NULL, use_of_other_thread, &ctx);
    pthread_join(thread, NULL);
}

/* `alone` is a team of one PE. */
static void wrong_contexts(shmem_team_t alone, shmem_team_t gone)
{
    const int pes[] = {0, 1, 2};
    shmem_ctx_t ctx, private;

    shmem_team_create_ctx(alone, 0, &ctx);
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &private);
    if (is("ctx_pe"))
        shmem_ctx_long_p(ctx, dest, 1, 1);
    if (is("ctx_negative_pe"))
        shmem_ctx_long_atomic_fetch(ctx, source, -1);
    if (is("ctx_default_pe"))
        shmem_ctx_long_p(SHMEM_CTX_DEFAULT, dest, 1, 2);
    if (is("ctx_stack"))
        shmem_ctx_long_p(ctx, (long *)(uintptr_t)pes, 1, 0);
    if (is("ctx_quiet_pes"))
        shmem_ctx_pe_quiet(ctx, pes, 3);
    if (is("ctx_quiet_default"))
        shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, pes, 3);
    if (is("quiet_pes"))
        shmem_pe_quiet(pes, 3);
    if (is("quiet_null"))
        shmem_pe_quiet(NULL, 2);
    if (is("ctx_destroy_default"))
        shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
    if (is("ctx_of_team"))
        shmem_team_create_ctx(gone, 0, &ctx);
    if (is("ctx_session_config"))
        shmem_ctx_session_start(ctx, 0, NULL, SHMEM_CTX_SESSION_TOTAL_OPS);
    if (is("ctx_private"))
        use_in_thread(private);
}

/* A context goes with its team. */
static shmem_ctx_t orphaned_context(void)
{
    shmem_team_t team;
    shmem_ctx_t ctx;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_team_destroy(team);
    return ctx;
}

/* ---- which one ---- */

struct objects {
    long *end;
    shmem_team_t gone, alone; /* of PE 1 alone */
    shmem_ctx_t gone_ctx, orphan;
};

/* The same on all PEs. */
static struct objects prepare(void)
{
    struct objects objects = {.end = heap_end(),
                              .gone = destroyed_team(),
                              .gone_ctx = destroyed_context(),
                              .orphan = orphaned_context()};

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 1, NULL, 0, &objects.alone);
    return objects;
}

/* True when the name is "prefix:name"; then that is the name. */
static bool takes(const char *prefix)
{
    size_t length = strlen(prefix);

    if (strncmp(wanted, prefix, length) != 0 || wanted[length] != ':')
        return false;
    wanted += length + 1;
    return true;
}

static void use_nothing(shmem_team_t team, shmem_ctx_t ctx)
{
    use_no_team(team);
    use_no_context(ctx);
}

static void do_wrong(const struct objects *objects)
{
    const uintptr_t garbage = 0x7ffe12345678;

    if (takes("invalid"))
        use_nothing(SHMEM_TEAM_INVALID, SHMEM_CTX_INVALID);
    else if (takes("gone"))
        use_nothing(objects->gone, objects->gone_ctx);
    else if (takes("garbage"))
        use_nothing((shmem_team_t)garbage, (shmem_ctx_t)garbage);
    else if (takes("orphan"))
        use_no_context(objects->orphan);
    wrong_arrays(objects->end);
    wrong_numbers();
    wrong_sets();
    wrong_teams(objects->gone);
    no_places();
    wrong_contexts(objects->alone, objects->gone);
    shmem_global_exit(is_found ? 3 : 4);
}

int main(int argc, char **argv)
{
    struct objects objects;

    shmem_init();
    objects = prepare();
    wanted = argc > 1 ? argv[1] : "";
    if (strcmp(wanted, "answers") == 0)
        return answers();
    shmem_barrier_all();
    if (shmem_my_pe() == 1 || argc > 2)
        do_wrong(&objects);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
