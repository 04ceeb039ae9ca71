/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams: splits of all shapes, teams of teams, many at once, and what INVALID handles give. */
#include "check.h"

#include <shmemx.h>
#include <stdbool.h>
#include <string.h>

enum { MANY = 300, CYCLES = 200 };

static long sum_source;
static long sum_dest;

/* Members of a team meet in it and nobody else does: the sum of their numbers tells. */
static void check_members(shmem_team_t team, const int *pes, int count)
{
    int rank = shmem_team_my_pe(team);
    long expected = 0;

    CHECK(shmem_team_n_pes(team) == count, "%d members, expected %d", shmem_team_n_pes(team),
          count);
    CHECK(rank >= 0 && rank < count && pes[rank] == shmem_my_pe(), "rank %d", rank);
    for (int i = 0; i < count; i++) {
        int world = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);

        CHECK(world == pes[i], "rank %d is PE %d, expected %d", i, world, pes[i]);
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pes[i], team) == i, "PE %d", pes[i]);
        expected += 1L << pes[i];
    }
    sum_source = 1L << shmem_my_pe();
    CHECK(shmem_long_sum_reduce(team, &sum_dest, &sum_source, 1) == 0, "sum");
    CHECK(sum_dest == expected, "sum 0x%lx, expected 0x%lx", sum_dest, expected);
    CHECK(shmem_team_sync(team) == 0, "sync");
}

/* Splits the world and checks the result on members and others. */
static void check_strided(int start, int stride, int size)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    int pes[64];
    bool is_member = false;

    for (int i = 0; i < size; i++) {
        pes[i] = start + i * stride;
        is_member |= pes[i] == shmem_my_pe();
    }
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team) == 0,
          "split %d, %d, %d", start, stride, size);
    if (!is_member) {
        CHECK(team == SHMEM_TEAM_INVALID, "PE is no member of %d, %d, %d", start, stride, size);
        return;
    }
    CHECK(team != SHMEM_TEAM_INVALID, "PE is a member of %d, %d, %d", start, stride, size);
    check_members(team, pes, size);
    shmem_team_destroy(team);
}

static void check_all_strided(void)
{
    int n_pes = shmem_n_pes();

    for (int start = 0; start < n_pes; start++) {
        check_strided(start, 0, 1);
        for (int stride = -3; stride <= 3; stride++) {
            int size = 1;

            while (stride != 0 && start + size * stride >= 0 && start + size * stride < n_pes)
                size++;
            check_strided(start, stride, size);
            if (size > 2)
                check_strided(start, stride, size - 1);
        }
    }
}

static void check_refused(int start, int stride, int size)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;

    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team) != 0,
          "split %d, %d, %d must fail", start, stride, size);
    CHECK(team == SHMEM_TEAM_INVALID, "no team after a split that failed");
}

static void check_invalid_splits(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_team_t other = SHMEM_TEAM_WORLD;
    int n_pes = shmem_n_pes();

    check_refused(-1, 1, 1);
    check_refused(n_pes, 1, 1);
    check_refused(0, 1, n_pes + 1);
    check_refused(0, -1, 2);
    check_refused(n_pes - 1, 1, 2);
    check_refused(0, 1, 0);
    check_refused(0, 1, -2);
    check_refused(0, 0, 2);
    check_refused(0, 2147483647, 3);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0, "no parent");
    CHECK(team == SHMEM_TEAM_INVALID, "no team");
    team = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &team, NULL, 0, &other) != 0,
          "no parent");
    CHECK(team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID, "no teams");
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &other) != 0, "x 0");
    CHECK(team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID, "no teams");
}

static void check_2d(int x_range)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int row = x_range < n_pes ? x_range : n_pes;
    shmem_team_t x_team, y_team;
    int x_pes[64], y_pes[64];
    int x_count = 0, y_count = 0;

    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, x_range, NULL, 0, &x_team, NULL, 0, &y_team) == 0,
          "2d split with rows of %d", x_range);
    for (int pe = 0; pe < n_pes; pe++) {
        if (pe / row == me / row)
            x_pes[x_count++] = pe;
        if (pe % row == me % row)
            y_pes[y_count++] = pe;
    }
    check_members(x_team, x_pes, x_count);
    check_members(y_team, y_pes, y_count);
    shmem_team_destroy(x_team);
    shmem_team_destroy(y_team);
}

/* A team of every second member of the reversed world, and one of its reversed. */
static void check_nested(void)
{
    int n_pes = shmem_n_pes();
    int half = (n_pes + 1) / 2;
    shmem_team_t reversed, second, back;
    int pes[64];

    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n_pes - 1, -1, n_pes, NULL, 0, &reversed) == 0,
          "reversed");
    CHECK(shmem_team_split_strided(reversed, 0, 2, half, NULL, 0, &second) == 0, "every second");
    if (second != SHMEM_TEAM_INVALID) {
        for (int i = 0; i < half; i++)
            pes[i] = n_pes - 1 - 2 * i;
        check_members(second, pes, half);
        CHECK(shmem_team_translate_pe(second, half - 1, reversed) == 2 * (half - 1), "to parent");
        CHECK(n_pes == 1 || shmem_team_translate_pe(reversed, 1, second) == -1, "no member");
        CHECK(shmem_team_split_strided(second, half - 1, -1, half, NULL, 0, &back) == 0, "back");
        for (int i = 0; i < half; i++)
            pes[i] = n_pes - 1 - 2 * (half - 1 - i);
        check_members(back, pes, half);
        shmem_team_destroy(back);
        shmem_team_destroy(second);
    }
    shmem_team_destroy(reversed);
}

static void check_many(void)
{
    static shmem_team_t teams[MANY];
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    for (int i = 0; i < MANY; i++) {
        int start = i % n_pes;

        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, 1, n_pes - start, NULL, 0,
                                       &teams[i]) == 0,
              "team %d", i);
        CHECK((teams[i] != SHMEM_TEAM_INVALID) == (me >= start), "team %d", i);
    }
    for (int i = 0; i < MANY; i++) {
        sum_source = i;
        if (teams[i] == SHMEM_TEAM_INVALID)
            continue;
        shmem_long_sum_reduce(teams[i], &sum_dest, &sum_source, 1);
        CHECK(sum_dest == (long)i * (n_pes - i % n_pes), "team %d: sum %ld", i, sum_dest);
        if (i % 3 == 0)
            shmem_team_destroy(teams[i]);
    }
    for (int i = 0; i < MANY; i++) {
        if (i % 3 != 0)
            shmem_team_destroy(teams[i]); /* nothing to do for INVALID */
    }
    for (int i = 0; i < CYCLES; i++)
        check_strided(i % n_pes, 1, n_pes - i % n_pes);
}

static void check_config(void)
{
    shmem_team_config_t config = {.num_contexts = 7};
    shmem_team_t team;

    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), &config,
                                   SHMEM_TEAM_NUM_CONTEXTS, &team) == 0,
          "split with a configuration");
    config.num_contexts = 0;
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0, "get_config");
    CHECK(config.num_contexts == 7, "num_contexts = %d", config.num_contexts);
    CHECK(shmem_team_get_config(team, 0, NULL) == 0, "nothing asked for");
    shmem_team_destroy(team);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), &config, 0, &team) == 0,
          "a configuration that is masked out");
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 &&
              config.num_contexts == 0,
          "num_contexts = %d by default", config.num_contexts);
    shmem_team_destroy(team);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0,
          "configuration of no team");
}

static void check_invalid_handles(void)
{
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1, "my_pe");
    CHECK(shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1, "n_pes");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1, "translate");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID) == -1, "translate");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, -1, SHMEM_TEAM_WORLD) == -1, "PE -1");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, shmem_n_pes(), SHMEM_TEAM_WORLD) == -1, "PE n");
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, &sum_source, 0) == NULL, "ptr");
    shmem_team_destroy(SHMEM_TEAM_INVALID);
}

static void check_predefined(void)
{
    const shmem_team_t teams[] = {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEMX_TEAM_NODE};
    int pes[64];

    for (int i = 0; i < shmem_n_pes(); i++)
        pes[i] = i;
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++)
        check_members(teams[i], pes, shmem_n_pes()); /* one node here */
}

static void check_pointers(void)
{
    static long cell;
    int n_pes = shmem_n_pes();
    shmem_team_t reversed;
    long *peer;

    cell = 100 + shmem_my_pe();
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n_pes - 1, -1, n_pes, NULL, 0, &reversed) == 0,
          "reversed");
    shmem_barrier_all();
    peer = shmem_team_ptr(reversed, &cell, 0);
    CHECK(peer != NULL && *peer == 100 + n_pes - 1, "rank 0 of the reversed team");
    CHECK(shmem_team_ptr(reversed, &cell, n_pes) == NULL, "no such rank");
    CHECK(shmem_team_ptr(reversed, &peer, 0) == NULL, "not symmetric");
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, &cell, 0) == shmem_ptr(&cell, 0), "world");
    shmem_team_destroy(reversed);
}

int main(void)
{
    shmem_init();
    CHECK(shmem_n_pes() <= 62, "this test is for at most 62 PEs");
    check_predefined();
    check_all_strided();
    check_invalid_splits();
    for (int x_range = 1; x_range <= shmem_n_pes() + 1; x_range++)
        check_2d(x_range);
    check_nested();
    check_many();
    check_config();
    check_invalid_handles();
    check_pointers();
    shmem_finalize();
    return 0;
}
