/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of ACLSHMEM: splits, ranks, their codes for wrong arguments, barriers. */
#include "own_pes.h"

#define NEVER ((aclshmem_team_t)1234)

/* ---- splits ---- */

static void check_odd_team(int pe, int n_pes, const void *address)
{
    aclshmem_team_t odd = NEVER, even = NEVER;
    bool is_odd = pe % 2 == 1;

    join(pe, n_pes, address);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 1, 2, n_pes / 2, &odd) == 0);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 2, (n_pes + 1) / 2, &even) == 0);
    EXPECT((odd == ACLSHMEM_TEAM_INVALID) == !is_odd && (even == ACLSHMEM_TEAM_INVALID) == is_odd);
    EXPECT(aclshmem_team_n_pes(odd) == (is_odd ? n_pes / 2 : -1));
    EXPECT(aclshmem_team_my_pe(odd) == (is_odd ? pe / 2 : -1));
    EXPECT(aclshmem_team_n_pes(ACLSHMEM_TEAM_WORLD) == n_pes);
    EXPECT(aclshmem_team_my_pe(ACLSHMEM_TEAM_WORLD) == pe);
    if (is_odd) {
        EXPECT(aclshmem_team_translate_pe(odd, pe / 2, ACLSHMEM_TEAM_WORLD) == pe);
        EXPECT(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, pe, odd) == pe / 2);
        EXPECT(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, pe - 1, odd) == -1);
        EXPECT(aclshmem_team_translate_pe(odd, 0, ACLSHMEM_TEAM_INVALID) == -1);
        EXPECT(aclshmem_team_translate_pe(odd, n_pes / 2, ACLSHMEM_TEAM_WORLD) == -1);
        EXPECT(aclshmem_team_translate_pe(odd, -1, ACLSHMEM_TEAM_WORLD) == -1);
    }
    EXPECT(aclshmem_team_translate_pe(odd, 0, even) == -1);
    aclshmem_team_destroy(odd);
    aclshmem_team_destroy(even);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_odd_team(void **state)
{
    (void)state;
    run_job(2, check_odd_team);
    run_job(5, check_odd_team);
}

static void check_grid(int pe, int n_pes, const void *address)
{
    aclshmem_team_t x = NEVER, y = NEVER;

    join(pe, n_pes, address);
    EXPECT(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 2, &x, &y) == 0);
    EXPECT(x != y && x > 0 && y > 0 && x < ACLSHMEM_MAX_TEAMS && y < ACLSHMEM_MAX_TEAMS);
    EXPECT(aclshmem_team_n_pes(x) == 2 && aclshmem_team_n_pes(y) == n_pes / 2);
    EXPECT(aclshmem_team_my_pe(x) == pe % 2 && aclshmem_team_my_pe(y) == pe / 2);
    for (int rank = 0; rank < 2; rank++) {
        int other = aclshmem_team_translate_pe(x, rank, ACLSHMEM_TEAM_WORLD);

        EXPECT(other == pe - pe % 2 + rank);
        EXPECT(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, other, x) == rank);
    }
    EXPECT(aclshmem_team_translate_pe(x, pe % 2, y) == pe / 2);
    EXPECT(aclshmem_team_translate_pe(x, 1 - pe % 2, y) == -1);
    aclshmem_team_destroy(y);
    aclshmem_team_destroy(x);
    EXPECT(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, n_pes + 5, &x, &y) == 0);
    EXPECT(aclshmem_team_n_pes(x) == n_pes && aclshmem_team_n_pes(y) == 1);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_grid(void **state)
{
    (void)state;
    run_job(4, check_grid);
}

/* ---- numbers ---- */

static void check_numbers(int pe, int n_pes, const void *address)
{
    aclshmem_team_config_t config = {1, 1, 1, {1}};
    aclshmem_team_t all = NEVER, single = NEVER;

    join(pe, n_pes, address);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, n_pes, &all) == 0);
    EXPECT(all >= 0 && all < ACLSHMEM_MAX_TEAMS && all != ACLSHMEM_TEAM_WORLD);
    EXPECT(aclshmem_team_get_config(all, &config) == 0);
    EXPECT(config.num_contexts == 0 && config.uniqueid == 0 && config.padding[0] == 0);
    EXPECT(aclshmem_team_get_config(ACLSHMEM_TEAM_WORLD, &config) == 0);
    EXPECT(aclshmem_team_get_config(all, NULL) == 1);
    EXPECT(aclshmem_team_get_config(ACLSHMEM_TEAM_INVALID, NULL) == 1);
    EXPECT(aclshmem_team_get_config(ACLSHMEM_TEAM_INVALID, &config) == -1);
    /* a team of a team; who is no member has no number */
    EXPECT(aclshmem_team_split_strided(all, n_pes - 1, 1, 1, &single) == 0);
    EXPECT((single == ACLSHMEM_TEAM_INVALID) == (pe != n_pes - 1));
    aclshmem_team_destroy(single);
    aclshmem_team_destroy(all);
    /* a number that was destroyed, never was, or belongs to no team of this interface */
    EXPECT(aclshmem_team_my_pe(all) == -1 && aclshmem_team_n_pes(all) == -1);
    EXPECT(aclshmem_team_get_config(all, &config) == -1);
    EXPECT(aclshmem_team_translate_pe(all, 0, ACLSHMEM_TEAM_WORLD) == -1);
    for (aclshmem_team_t team = -2; team < ACLSHMEM_MAX_TEAMS + 4; team++) {
        EXPECT((aclshmem_team_my_pe(team) == -1) == (team != ACLSHMEM_TEAM_WORLD));
        if (team != ACLSHMEM_TEAM_WORLD)
            aclshmem_team_destroy(team);
    }
    EXPECT(aclshmem_team_my_pe(INT32_MAX) == -1 && aclshmem_team_my_pe(INT32_MIN) == -1);
    aclshmem_team_destroy(ACLSHMEM_TEAM_WORLD);
    EXPECT(aclshmem_team_n_pes(ACLSHMEM_TEAM_WORLD) == n_pes);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, n_pes, &single) == 0);
    EXPECT(single == all);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_numbers(void **state)
{
    (void)state;
    run_job(1, check_numbers);
    run_job(3, check_numbers);
}

static void fill_the_table(int pe, int n_pes, const void *address)
{
    static bool is_taken[ACLSHMEM_MAX_TEAMS];
    aclshmem_team_t team = NEVER, other = NEVER, another = NEVER;

    join(pe, n_pes, address);
    for (int i = 1; i < ACLSHMEM_MAX_TEAMS; i++) {
        EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, n_pes, &team) == 0);
        EXPECT(team > 0 && team < ACLSHMEM_MAX_TEAMS && !is_taken[team]);
        is_taken[team] = true;
    }
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, n_pes, &other) ==
           ACLSHMEM_INNER_ERROR);
    EXPECT(other == ACLSHMEM_TEAM_INVALID);
    aclshmem_team_destroy(team);
    other = NEVER;
    EXPECT(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 1, &other, &another) ==
           ACLSHMEM_INNER_ERROR);
    EXPECT(other == ACLSHMEM_TEAM_INVALID && another == ACLSHMEM_TEAM_INVALID);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, n_pes, &other) == 0);
    EXPECT(other == team);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_full_table(void **state)
{
    (void)state;
    run_job(2, fill_the_table);
}

/* ---- wrong arguments: all PEs give them ---- */

static void split_wrongly(void)
{
    aclshmem_team_t x = NEVER, y = NEVER;

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        x = y = NEVER;                                                                             \
        EXPECT((call) == -1);                                                                      \
        EXPECT(x == ACLSHMEM_TEAM_INVALID || x == NEVER);                                          \
        EXPECT(y == ACLSHMEM_TEAM_INVALID || y == NEVER);                                          \
    } while (0)
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1, NULL));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_INVALID, 0, 1, 1, &x));
    EXPECT(x == ACLSHMEM_TEAM_INVALID);
    REFUSED(aclshmem_team_split_strided(7, 0, 1, 1, &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, -1, 1, &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 0, 1, &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, -1, 1, 1, &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 0, &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1000, &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 16383, 2, 2, &x));
    EXPECT(x == ACLSHMEM_TEAM_INVALID);
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 1, &x, NULL));
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 1, NULL, &y));
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 0, &x, &y));
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, -4, &x, &y));
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_INVALID, 1, &x, &y));
    EXPECT(x == ACLSHMEM_TEAM_INVALID && y == ACLSHMEM_TEAM_INVALID);
}

/* What one PE gives wrongly fails on all, and nobody waits for it. */
static void split_wrongly_alone(int pe, int n_pes)
{
    bool is_wrong = pe == n_pes - 1;
    aclshmem_team_t x = NEVER, y = NEVER;

    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1, is_wrong ? NULL : &x));
    REFUSED(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, is_wrong ? -1 : 1, 1, &x));
    EXPECT(x == ACLSHMEM_TEAM_INVALID);
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 1, &x, is_wrong ? NULL : &y));
    REFUSED(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 99, is_wrong ? NULL : &x, &y));
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, n_pes, &x) == 0);
    EXPECT(aclshmem_team_n_pes(x) == n_pes);
    aclshmem_team_destroy(x);
}

static void use_wrongly(int pe, int n_pes, const void *address)
{
    aclshmem_team_config_t config;
    aclshmem_team_t team = NEVER;

    split_wrongly();
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1, &team) == -1);
    EXPECT(team == ACLSHMEM_TEAM_INVALID);
    EXPECT(aclshmem_team_my_pe(ACLSHMEM_TEAM_WORLD) == -1);
    EXPECT(aclshmem_team_n_pes(ACLSHMEM_TEAM_WORLD) == -1);
    EXPECT(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, 0, ACLSHMEM_TEAM_WORLD) == -1);
    EXPECT(aclshmem_team_get_config(ACLSHMEM_TEAM_WORLD, NULL) == 1);
    EXPECT(aclshmem_team_get_config(ACLSHMEM_TEAM_WORLD, &config) == -1);
    aclshmem_team_destroy(ACLSHMEM_TEAM_WORLD);
    aclshmem_barrier(ACLSHMEM_TEAM_WORLD);
    aclshmem_sync_all();
    join(pe, n_pes, address);
    split_wrongly();
    split_wrongly_alone(pe, n_pes);
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(aclshmem_team_n_pes(ACLSHMEM_TEAM_WORLD) == -1);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    run_job(2, use_wrongly);
}

/* ---- meeting ---- */

/* Each member adds one to the counter of the next, between two barriers. */
static void count_rounds(aclshmem_team_t team, int32_t *counter, void (*meet)(aclshmem_team_t))
{
    int rank = aclshmem_team_my_pe(team);
    int next = aclshmem_team_translate_pe(team, (rank + 1) % aclshmem_team_n_pes(team),
                                          ACLSHMEM_TEAM_WORLD);

    *counter = 0;
    for (int32_t round = 1; round <= 3; round++) {
        meet(team);
        aclshmem_int32_p(counter, aclshmem_int32_g(counter, next) + 1, next);
        meet(team);
        EXPECT(*counter == round);
    }
    meet(team);
}

static void meet_in_world(aclshmem_team_t team)
{
    (void)team;
    aclshmem_sync_all();
}

static void count_on_teams(int pe, int n_pes, const void *address)
{
    aclshmem_team_t odd = NEVER;
    int32_t *counter;

    join(pe, n_pes, address);
    counter = aclshmem_malloc(sizeof *counter);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 1, 2, n_pes / 2, &odd) == 0);
    count_rounds(ACLSHMEM_TEAM_WORLD, counter, aclshmem_barrier);
    count_rounds(ACLSHMEM_TEAM_WORLD, counter, meet_in_world);
    count_rounds(ACLSHMEM_TEAM_WORLD, counter, aclshmem_sync);
    if (pe % 2 == 1) {
        count_rounds(odd, counter, aclshmem_barrier);
        count_rounds(odd, counter, aclshmem_sync);
    } else { /* no members: nobody comes, and the calls return */
        aclshmem_barrier(odd);
        aclshmem_sync(odd);
        aclshmem_barrier(7);
    }
    aclshmem_team_destroy(odd);
    aclshmem_barrier_all();
    EXPECT(aclshmem_finalize() == 0);
}

static void test_meeting(void **state)
{
    (void)state;
    run_job(2, count_on_teams);
    run_job(5, count_on_teams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_team),   cmocka_unit_test(test_grid),
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_full_table), cmocka_unit_test(test_meeting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
