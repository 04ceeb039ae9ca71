/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours that wait for each other's flags of 32 bits: a wave through a grid of columns, and
 * the transposition of a matrix, with flags and as a collective. */
#include "check.h"

#include <string.h>

/* ---- a wave: each point depends on the ones before, above, and before and above ---- */

#define ROWS 60
#define COLUMNS 7 /* of each PE */
#define WAVES 10

static double points[ROWS][COLUMNS + 1]; /* column 0 holds the last one of the PE before */
static double inbox[ROWS];
static int is_full[ROWS];  /* 1: the inbox holds a value for this PE */
static int is_taken[ROWS]; /* 1: the PE behind has room for a value */
static double corner;
static int corner_ready;

static void start_wave(void)
{
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column <= COLUMNS; column++)
            points[row][column] = shmem_my_pe() * COLUMNS + column + row;
        is_full[row] = 0;
        is_taken[row] = 1;
    }
    corner_ready = 0;
    shmem_barrier_all();
}

/* The flag goes back to 0 here before the PE in front may set it again. */
static void take_from_before(int row)
{
    shmem_int_wait_until(&is_full[row], SHMEM_CMP_EQ, 1);
    points[row][0] = inbox[row];
    is_full[row] = 0;
    shmem_fence();
    shmem_int_p(&is_taken[row], 1, shmem_my_pe() - 1);
}

static void give_to_next(int row)
{
    int next = shmem_my_pe() + 1;

    shmem_int_wait_until(&is_taken[row], SHMEM_CMP_NE, 0);
    is_taken[row] = 0;
    shmem_double_p(&inbox[row], points[row][COLUMNS], next);
    shmem_fence();
    shmem_int_p(&is_full[row], 1, next);
}

static void compute_row(int row)
{
    for (int column = 1; column <= COLUMNS && row > 0; column++)
        points[row][column] =
            points[row - 1][column] + points[row][column - 1] - points[row - 1][column - 1];
}

/* Each wave begins with what the one before left in the far corner. */
static void run_wave(int wave)
{
    int me = shmem_my_pe();
    int last = shmem_n_pes() - 1;

    if (me == 0 && wave > 0) {
        shmem_int_wait_until(&corner_ready, SHMEM_CMP_EQ, wave);
        points[0][0] = -corner;
    }
    for (int row = 0; row < ROWS; row++) {
        if (me > 0 && row > 0)
            take_from_before(row);
        compute_row(row);
        if (me < last && row > 0)
            give_to_next(row);
    }
    if (me == last) {
        shmem_double_p(&corner, points[ROWS - 1][COLUMNS], 0);
        shmem_fence();
        shmem_int_p(&corner_ready, wave + 1, 0);
    }
}

/* By the rule above a corner of -x makes the far corner greater by x each time. */
static void check_wave(void)
{
    double first = shmem_n_pes() * COLUMNS + ROWS - 1;

    start_wave();
    for (int wave = 0; wave < WAVES; wave++)
        run_wave(wave);
    shmem_barrier_all();
    if (shmem_my_pe() == shmem_n_pes() - 1)
        CHECK(points[ROWS - 1][COLUMNS] == first * WAVES, "the corner is %g, expected %g",
              points[ROWS - 1][COLUMNS], first * WAVES);
    shmem_barrier_all();
}

/* ---- transposition: block q of PE p becomes block p of PE q ---- */

#define BLOCK 24
#define BLOCK_BYTES (sizeof(double) * BLOCK * BLOCK)
#define TRANSPOSITIONS 6

struct block {
    double at[BLOCK][BLOCK];
};

static int arrived[64];
static int emptied[64];

static double element(int row, int column, int round)
{
    return row * 1e6 + column + round * 0.5;
}

static void fill(struct block *mine, int round)
{
    int me = shmem_my_pe();

    for (int pe = 0; pe < shmem_n_pes(); pe++)
        for (int i = 0; i < BLOCK; i++)
            for (int j = 0; j < BLOCK; j++)
                mine[pe].at[i][j] = element(pe * BLOCK + i, me * BLOCK + j, round);
}

static void check_block(const struct block *block, int pe, int round)
{
    int me = shmem_my_pe();

    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < BLOCK; j++)
            CHECK(block->at[i][j] == element(me * BLOCK + i, pe * BLOCK + j, round),
                  "round %d: element %d, %d from PE %d is %.1f", round, i, j, pe, block->at[i][j]);
}

/* Everybody sends to the PE before it first, then to the one before that. */
static void exchange_with_flags(const struct block *mine, struct block *theirs, int round)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    for (int step = 1; step <= n_pes; step++) {
        int to = (me + n_pes - step) % n_pes;
        int from = (me + step) % n_pes;

        shmem_int_wait_until(&emptied[to], SHMEM_CMP_GE, round);
        shmem_putmem(&theirs[me], &mine[to], BLOCK_BYTES, to);
        shmem_fence();
        shmem_int_p(&arrived[me], round + 1, to);
        shmem_int_wait_until(&arrived[from], SHMEM_CMP_GE, round + 1);
        check_block(&theirs[from], from, round);
        shmem_int_p(&emptied[me], round + 1, from);
    }
}

static void check_transposition(void)
{
    size_t bytes = (size_t)shmem_n_pes() * BLOCK_BYTES;
    struct block *mine = shmem_malloc(bytes);
    struct block *theirs = shmem_malloc(bytes);

    CHECK(mine != NULL && theirs != NULL, "no memory");
    for (int round = 0; round < TRANSPOSITIONS; round++) {
        fill(mine, round);
        exchange_with_flags(mine, theirs, round);
    }
    shmem_barrier_all();
    memset(theirs, 0, bytes);
    shmem_barrier_all();
    CHECK(shmem_double_alltoall(SHMEM_TEAM_WORLD, (double *)theirs, (const double *)mine,
                                (size_t)BLOCK * BLOCK) == 0,
          "the exchange");
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        check_block(&theirs[pe], pe, TRANSPOSITIONS - 1);
    shmem_free(theirs);
    shmem_free(mine);
}

int main(void)
{
    shmem_init();
    CHECK(shmem_n_pes() <= 64, "this test is for at most 64 PEs");
    check_wave();
    check_transposition();
    shmem_finalize();
    return 0;
}
