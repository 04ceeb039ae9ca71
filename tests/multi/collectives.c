/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives together: mixes without barriers in between, disjoint teams at once, active sets with
 * their pSync, static, heap and offset arrays, in place, nothing at all. */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 64, LARGE = 3000, ROUNDS = 40 };

static long sync_words[4][SHMEM_SYNC_SIZE];
static long work_words[LARGE / 2 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long static_source[LARGE];
static long static_dest[LARGE * 2];
static long collected[LARGE]; /* others write to it before its PE calls */

static long value(int pe, long round, long i)
{
    return pe * 1000003L + round * 101 + i * 7;
}

static void fill(long *array, long count, long round)
{
    for (long i = 0; i < count; i++)
        array[i] = value(shmem_my_pe(), round, i);
}

/* What a member of a strided set expects; set as (start, stride, size). */
struct set {
    int start, stride, size;
};

static long sum_of(const struct set *set, long round, long i)
{
    long sum = 0;

    for (int k = 0; k < set->size; k++)
        sum += value(set->start + k * set->stride, round, i);
    return sum;
}

static bool is_member(const struct set *set)
{
    int distance = shmem_my_pe() - set->start;

    return distance >= 0 && distance % set->stride == 0 && distance / set->stride < set->size;
}

static void check_sync_words(void)
{
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < SHMEM_SYNC_SIZE; k++)
            CHECK(sync_words[i][k] == SHMEM_SYNC_VALUE, "word %d of pSync %d is %ld", k, i,
                  sync_words[i][k]);
    }
}

static void check_sum(const struct set *set, const long *dest, long round, long count)
{
    for (long i = 0; i < count; i++)
        CHECK(dest[i] == sum_of(set, round, i), "round %ld: sum %ld is %ld", round, i, dest[i]);
}

static void check_broadcast(const struct set *set, int log_stride, long round, long count)
{
    int root = (int)(round % set->size);
    int root_pe = set->start + root * set->stride;

    for (long i = 0; i < count; i++)
        static_dest[i] = -1;
    shmem_broadcast64(static_dest, static_source, (size_t)count, root, set->start, log_stride,
                      set->size, sync_words[1]);
    for (long i = 0; i < count; i++)
        CHECK(static_dest[i] == (root_pe == shmem_my_pe() ? -1 : value(root_pe, round, i)),
              "round %ld: word %ld from root %d is %ld", round, i, root_pe, static_dest[i]);
}

static void check_fcollect(const struct set *set, int log_stride, long round)
{
    long count = LARGE / set->size / 2;

    shmem_fcollect64(collected, static_source, (size_t)count, set->start, log_stride, set->size,
                     sync_words[2]);
    for (int k = 0; k < set->size; k++) {
        for (long i = 0; i < count; i++)
            CHECK(collected[k * count + i] == value(set->start + k * set->stride, round, i),
                  "round %ld: word %ld of member %d", round, i, k);
    }
}

/* Members give 0, 1, 2, ... elements, by round in another order. */
static void check_collect(const struct set *set, int log_stride, long round)
{
    int rank = (shmem_my_pe() - set->start) / set->stride;
    long at = 0;

    shmem_collect64(static_dest, static_source, (size_t)((rank + round) % set->size), set->start,
                    log_stride, set->size, sync_words[3]);
    for (int k = 0; k < set->size; k++) {
        for (long i = 0; i < (k + round) % set->size; i++, at++)
            CHECK(static_dest[at] == value(set->start + k * set->stride, round, i),
                  "round %ld: word %ld, of member %d, is %ld", round, at, k, static_dest[at]);
    }
}

/* All the kinds, one after the other, with the same source: what one leaves, the next must not
 * meet. */
static void check_set(const struct set *set, int log_stride)
{
    if (!is_member(set))
        return;
    for (long round = 0; round < ROUNDS; round++) {
        long count = round % 5 == 0 ? LARGE : round % 7;

        fill(static_source, LARGE, round);
        shmem_long_sum_to_all(static_dest, static_source, (int)count, set->start, log_stride,
                              set->size, work_words, sync_words[0]);
        check_sum(set, static_dest, round, count);
        check_broadcast(set, log_stride, round, count);
        check_fcollect(set, log_stride, round);
        check_collect(set, log_stride, round);
        shmem_barrier(set->start, log_stride, set->size, sync_words[round % 4]);
        shmem_sync(set->start, log_stride, set->size, sync_words[0]);
    }
    check_sync_words();
}

static void check_sets(void)
{
    int n_pes = shmem_n_pes();

    for (int log_stride = 0; 1 << log_stride <= n_pes; log_stride++) {
        int stride = 1 << log_stride;

        /* all that there are of this stride work at once */
        for (int start = 0; start < stride && start < n_pes; start++)
            check_set(&(struct set){start, stride, (n_pes - start + stride - 1) / stride},
                      log_stride);
        shmem_barrier_all();
    }
    if (n_pes > 2)
        check_set(&(struct set){1, 1, n_pes - 2}, 0);
    shmem_barrier_all();
}

/* Rows and columns of a grid compute at once, each at its own pace. */
static void check_grid(void)
{
    static long row_sum, column_sum, mine;
    int n_pes = shmem_n_pes();
    int me = shmem_my_pe();
    int width = n_pes > 3 ? n_pes / 2 : n_pes;
    shmem_team_t row, column;
    long expected_row = 0, expected_column = 0;

    shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &row, NULL, 0, &column);
    for (int pe = 0; pe < n_pes; pe++) {
        expected_row += pe / width == me / width ? pe + 1 : 0;
        expected_column += pe % width == me % width ? pe + 1 : 0;
    }
    for (int round = 0; round < 500; round++) {
        mine = me + 1;
        shmem_long_sum_reduce(row, &row_sum, &mine, 1);
        CHECK(row_sum == expected_row, "round %d: row sum %ld", round, row_sum);
        if (me / width % 2 == 0)
            shmem_team_sync(row); /* the rows do not do the same */
        shmem_long_sum_reduce(column, &column_sum, &mine, 1);
        CHECK(column_sum == expected_column, "round %d: column sum %ld", round, column_sum);
        shmem_team_sync(column);
    }
    shmem_team_destroy(column);
    shmem_team_destroy(row);
    shmem_barrier_all();
}

/* In place, on arrays that begin and end anywhere. */
static void check_in_place(void)
{
    int n_pes = shmem_n_pes();
    struct set all = {0, 1, n_pes};
    long *heap = shmem_malloc((LARGE + 8) * sizeof *heap);

    for (long round = 0; round < 8; round++) {
        long count = round % 2 == 0 ? LARGE - round : 5 + round;
        long *array = heap + round;

        fill(array, count, round);
        array[count] = -5;
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, array, array, (size_t)count);
        check_sum(&all, array, round, count);
        fill(array, count, round + 50);
        shmem_barrier_all();
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, array, array, (size_t)count);
        check_sum(&(struct set){0, 1, shmem_my_pe() + 1}, array, round + 50, count);
        fill(array, count, round + 70);
        shmem_barrier_all();
        shmem_long_sum_exscan(SHMEM_TEAM_WORLD, array, array, (size_t)count);
        check_sum(&(struct set){0, 1, shmem_my_pe()}, array, round + 70, count);
        CHECK(array[count] == -5, "the word behind the array is %ld", array[count]);
        shmem_barrier_all();
        shmem_long_broadcast(SHMEM_TEAM_WORLD, array, array, (size_t)count, n_pes - 1);
        check_sum(&(struct set){0, 1, n_pes - 1}, array, round + 70, count);
        shmem_barrier_all();
    }
    shmem_free(heap);
}

static long *in_turn; /* of a row of broadcasts: what each brings, and what was there before */

/* Members do not wait for each other: the next root may be far ahead of who takes last. */
static void broadcast_in_turn(shmem_team_t team, uint32_t *chance, long round)
{
    int root, root_pe;
    long count;

    *chance = *chance * 1664525u + 1013904223u;
    root = (int)((*chance >> 16) % (unsigned)shmem_team_n_pes(team));
    root_pe = shmem_team_translate_pe(team, root, SHMEM_TEAM_WORLD);
    count = 1 + (long)(*chance >> 8) % (*chance % 8 == 0 ? LARGE : MOST);
    if (shmem_my_pe() == root_pe)
        fill(in_turn, count, round);
    shmem_long_broadcast(team, in_turn, in_turn, (size_t)count, root);
    for (long i = 0; i < count; i++)
        CHECK(in_turn[i] == value(root_pe, round, i), "round %ld: word %ld from PE %d is %ld",
              round, i, root_pe, in_turn[i]);
}

/* Teams come and go, and those that come meet where others met. */
static void check_rows_of_broadcasts(void)
{
    uint32_t chance = 12345;
    int n_pes = shmem_n_pes();

    in_turn = shmem_malloc(LARGE * sizeof *in_turn);
    for (long round = 0; round < 4 * ROUNDS; round++) {
        shmem_team_t team;
        int start = (int)(round % 3) % n_pes;

        shmem_team_split_strided(SHMEM_TEAM_WORLD, start, 1, n_pes - start, NULL, 0, &team);
        for (long i = 0; team != SHMEM_TEAM_INVALID && i < 5 + round % 15; i++)
            broadcast_in_turn(team, &chance, round * 100 + i);
        if (team != SHMEM_TEAM_INVALID)
            shmem_team_destroy(team);
        chance = (uint32_t)round; /* PEs that were no members did not draw */
        broadcast_in_turn(SHMEM_TEAM_WORLD, &chance, round);
    }
    shmem_free(in_turn);
}

static void check_nothing(void)
{
    static long turn;
    int me = shmem_my_pe();

    CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0, "reduce");
    CHECK(shmem_long_sum_exscan(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0, "scan");
    CHECK(shmem_long_broadcast(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0) == 0, "broadcast");
    CHECK(shmem_long_collect(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0, "collect");
    CHECK(shmem_long_fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0, "fcollect");
    CHECK(shmem_long_alltoall(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0, "alltoall");
    CHECK(shmem_long_alltoalls(SHMEM_TEAM_WORLD, NULL, NULL, 1, 1, 0) == 0, "alltoalls");
    shmem_barrier_all();
    /* collectives of nothing still meet: nobody passes before the last has come */
    if (me == shmem_n_pes() - 1) {
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_p(&turn, 1, pe);
        shmem_quiet();
    }
    shmem_long_fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0);
    CHECK(turn == 1, "a collective of nothing did not wait");
}

int main(void)
{
    shmem_init();
    CHECK(shmem_n_pes() <= MOST, "this test is for at most %d PEs", MOST);
    check_sets();
    check_grid();
    check_in_place();
    check_rows_of_broadcasts();
    check_nothing();
    shmem_finalize();
    return 0;
}
