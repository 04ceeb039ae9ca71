/* SPDX-License-Identifier: BSD-3-Clause */
#include "members.h"

#include <limits.h>
#include <stdio.h>

#define PES 7

/* What a team must look like to this PE: the PEs of its ranks. */
static void check_team(struct thread_job_pe *self, struct shm_team *team, const int *pes, int size)
{
    int rank = -1;

    for (int i = 0; i < size; i++)
        rank = pes[i] == self->pe ? i : rank;
    if (rank < 0) {
        EXPECT(self, team == NULL);
        return;
    }
    if (team == NULL) {
        thread_job_fail(self, "no team");
        return;
    }
    EXPECT(self, team->group->size == size);
    EXPECT(self, team->group->rank == rank);
    EXPECT(self, team->group->slot >= SHM_SLOT_FIRST_FREE && team->group->slot < SHM_SLOTS);
    EXPECT(self, !team->is_predefined);
    EXPECT(self, shm_team_find(self->instance, team->handled.handle) == team);
    for (int i = 0; i < size; i++)
        EXPECT(self, shm_group_pe(team->group, i) == pes[i]);
    check_barriers(self, team);
}

/* ---- strided ---- */

static void split_strided(struct thread_job_pe *self)
{
    static const struct {
        struct shm_triplet triplet;
        int pes[PES];
    } cases[] = {
        {{0, 1, 7}, {0, 1, 2, 3, 4, 5, 6}},
        {{0, 2, 4}, {0, 2, 4, 6}},
        {{1, 3, 2}, {1, 4}},
        {{6, -1, 7}, {6, 5, 4, 3, 2, 1, 0}},
        {{5, -2, 3}, {5, 3, 1}},
        {{0, 6, 2}, {0, 6}},
        {{3, 0, 1}, {3}},
        {{2, INT_MAX, 1}, {2}},
        {{2, INT_MIN, 1}, {2}},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        const struct shm_triplet *triplet = &cases[i].triplet;
        struct shm_team_config config = {.num_contexts = (int)i};
        struct shm_team *team = NULL;

        EXPECT(self,
               shm_team_split_strided(world_of(self), "split", triplet, &config, &team) == SHM_OK);
        check_team(self, team, cases[i].pes, triplet->size);
        if (team == NULL)
            continue;
        EXPECT(self, team->config.num_contexts == (int)i);
        destroy_team(self, team);
    }
}

static void test_strided(void **state)
{
    (void)state;
    run_teams(split_strided, PES);
}

static void split_without_config(struct thread_job_pe *self)
{
    struct shm_team *team = split_of(self, world_of(self), 0, 1, PES);

    EXPECT(self, team->config.num_contexts == 0);
    destroy_team(self, team);
}

static void test_no_config(void **state)
{
    (void)state;
    run_teams_as(split_without_config, PES, true);
}

/* ---- grids ---- */

static int rows_of(int x_range, int n)
{
    return (n + x_range - 1) / x_range;
}

static void check_grid(struct thread_job_pe *self, struct shm_team *parent, int x_range)
{
    struct shm_team_grid grid = {.config = {{self->pe}, {10 + self->pe}}};
    int n = parent->group->size;
    int width = x_range < n ? x_range : n;
    int x = parent->group->rank % width, y = parent->group->rank / width;
    int row[PES], column[PES], in_row = 0, in_column = 0;

    for (int i = y * width; i < n && i < (y + 1) * width; i++)
        row[in_row++] = shm_group_pe(parent->group, i);
    for (int i = x; i < n; i += width)
        column[in_column++] = shm_group_pe(parent->group, i);
    EXPECT(self, shm_team_split_2d(parent, "split", x_range, &grid) == SHM_OK);
    check_team(self, grid.team[0], row, in_row);
    check_team(self, grid.team[1], column, in_column);
    EXPECT(self, grid.team[0]->group->rank == x);
    EXPECT(self, grid.team[1]->group->rank == y);
    EXPECT(self, grid.team[0]->config.num_contexts == self->pe);
    EXPECT(self, grid.team[1]->config.num_contexts == 10 + self->pe);
    EXPECT(self, in_column == rows_of(width, n) || x >= n % width);
    /* the axes may go in any order */
    destroy_team(self, grid.team[x_range & 1]);
    destroy_team(self, grid.team[~x_range & 1]);
}

static void split_grids(struct thread_job_pe *self)
{
    for (int x_range = 1; x_range <= PES + 1; x_range++)
        check_grid(self, world_of(self), x_range);
    check_grid(self, world_of(self), INT_MAX);
}

static void test_grids(void **state)
{
    (void)state;
    run_teams(split_grids, PES);
    run_teams(split_grids, 6);
    run_teams(split_grids, 1);
}

/* ---- teams of teams ---- */

static void split_teams(struct thread_job_pe *self)
{
    struct shm_team *evens = split_of(self, world_of(self), 6, -2, 4);
    struct shm_team *inner, *pair, *one;

    if (evens == NULL)
        return;
    check_grid(self, evens, 3); /* 6 4 2 / 0 */
    inner = split_of(self, evens, 3, -1, 3);
    check_team(self, inner, (int[]){0, 2, 4}, 3);
    if (inner != NULL) {
        pair = split_of(self, inner, 2, -2, 2);
        check_team(self, pair, (int[]){4, 0}, 2);
        if (pair != NULL) {
            one = split_of(self, pair, 1, 1, 1);
            check_team(self, one, (int[]){0}, 1);
            if (one != NULL) {
                struct shm_team *again = split_of(self, one, 0, 7, 1);

                check_team(self, again, (int[]){0}, 1);
                check_grid(self, one, 1);
                destroy_team(self, again);
                destroy_team(self, one);
            }
            destroy_team(self, pair);
        }
        destroy_team(self, inner);
    }
    destroy_team(self, evens);
}

/* A team does not need its parent any more. */
static void outlive_parent(struct thread_job_pe *self)
{
    struct shm_team *parent = split_of(self, world_of(self), 1, 1, PES - 1);
    struct shm_team *child;

    if (parent == NULL)
        return;
    child = split_of(self, parent, 5, -1, 4);
    destroy_team(self, parent);
    check_team(self, child, (int[]){6, 5, 4, 3}, 4);
    if (child != NULL)
        destroy_team(self, child);
}

static void test_teams_of_teams(void **state)
{
    (void)state;
    run_teams(split_teams, PES);
    run_teams(outlive_parent, PES);
}

/* ---- what is refused ---- */

static void refuse_triplet(struct thread_job_pe *self, struct shm_triplet triplet,
                           const char *detail)
{
    struct shm_team *untouched = world_of(self), *team = untouched;
    enum shm_status status = shm_team_split_strided(world_of(self), "split", &triplet, NULL, &team);

    if (status != SHM_INVALID_VALUE || strcmp(shm_error_detail(), detail) != 0)
        thread_job_fail(self, "status %d, detail \"%s\"", status, shm_error_detail());
    EXPECT(self, team == untouched);
}

static void refuse_triplets(struct thread_job_pe *self)
{
    static const struct {
        struct shm_triplet triplet;
        const char *detail;
    } cases[] = {
        {{-1, 1, 2}, "start = -1, expected 0 to 6"},
        {{7, -1, 2}, "start = 7, expected 0 to 6"},
        {{0, 1, 0}, "size = 0, expected 1 to 7"},
        {{0, 1, -1}, "size = -1, expected 1 to 7"},
        {{0, -1, INT_MIN}, "size = -2147483648, expected 1 to 7"},
        {{0, 1, 8}, "size = 8, expected 1 to 7"},
        {{2, 0, 2}, "stride = 0, expected another for size = 2"},
        {{3, 3, 3},
         "start = 3, stride = 3, size = 3: rank 9 is not in the parent, expected 0 to 6"},
        {{1, -1, 3},
         "start = 1, stride = -1, size = 3: rank -1 is not in the parent, expected 0 to 6"},
        {{0, INT_MAX, 7},
         "start = 0, stride = 2147483647, size = 7: rank 12884901882 is not in the parent, "
         "expected 0 to 6"},
    };

    for (size_t i = 0; i < LENGTH(cases); i++)
        refuse_triplet(self, cases[i].triplet, cases[i].detail);
}

static void refuse_ranges(struct thread_job_pe *self)
{
    struct shm_team_grid grid = {.team = {NULL, NULL}};

    EXPECT(self, shm_team_split_2d(world_of(self), "split", 0, &grid) == SHM_INVALID_VALUE);
    EXPECT(self, strcmp(shm_error_detail(), "xrange = 0, expected 1 or more") == 0);
    EXPECT(self, shm_team_split_2d(world_of(self), "split", INT_MIN, &grid) == SHM_INVALID_VALUE);
    EXPECT(self, grid.team[0] == NULL && grid.team[1] == NULL);
}

static void test_refused(void **state)
{
    (void)state;
    run_teams_as(refuse_triplets, PES, true);
    run_teams_as(refuse_ranges, PES, true);
}

static void expect_failure(struct thread_job_pe *self, enum shm_status status,
                           enum shm_status expected, const char *detail)
{
    if (status != expected || strcmp(shm_error_detail(), detail) != 0)
        thread_job_fail(self, "status %d, detail \"%s\", expected \"%s\"", status,
                        shm_error_detail(), detail);
}

/* What one PE does wrong, all hear. */
static void refuse_config(struct thread_job_pe *self)
{
    static const struct shm_triplet triplet = {1, 2, 3};
    struct shm_team_config config = {.num_contexts = self->pe == 3 || self->pe == 4 ? -2 : 1};
    struct shm_team_grid grid = {.config = {{0}, {self->pe == 5 ? -3 : 0}}};
    struct shm_team *team = NULL;
    enum shm_status status;

    status = shm_team_split_strided(world_of(self), "split", &triplet, &config, &team);
    expect_failure(self, status, SHM_INVALID_VALUE,
                   self->pe == 3 ? "num_contexts = -2, expected 0 or more"
                                 : "PE 3: num_contexts = -2, expected 0 or more");
    EXPECT(self, team == NULL);
    status = shm_team_split_2d(world_of(self), "split", 3, &grid);
    expect_failure(self, status, SHM_INVALID_VALUE,
                   self->pe == 5 ? "num_contexts = -3, expected 0 or more"
                                 : "PE 5: num_contexts = -3, expected 0 or more");
    EXPECT(self, grid.team[0] == NULL && grid.team[1] == NULL);
    /* nothing remains of it */
    team = split_of(self, world_of(self), 0, 1, PES);
    check_team(self, team, (int[]){0, 1, 2, 3, 4, 5, 6}, PES);
    EXPECT(self, (team->handled.handle & 0xffff) == SHM_TEAM_NODE + 1);
    destroy_team(self, team);
}

static void refuse_differing(struct thread_job_pe *self)
{
    struct shm_triplet triplet = {self->pe == 2 ? 1 : 0, 2, 3};
    struct shm_team_grid grid = {.team = {NULL, NULL}};
    struct shm_team *team = NULL;
    enum shm_status status;

    status = shm_team_split_strided(world_of(self), "split", &triplet, NULL, &team);
    expect_failure(self, status, SHM_MISMATCH,
                   "start, stride, size = 1, 2, 3 on PE 2, expected 0, 2, 3 as on PE 0");
    EXPECT(self, team == NULL);
    status = shm_team_split_2d(world_of(self), "split", self->pe < 4 ? 3 : 2, &grid);
    expect_failure(self, status, SHM_MISMATCH, "xrange = 2 on PE 4, expected 3 as on PE 0");
    EXPECT(self, grid.team[0] == NULL && grid.team[1] == NULL);
}

/* Nobody is left waiting for a PE whose arguments alone are out of range. */
static void refuse_differing_range(struct thread_job_pe *self)
{
    struct shm_triplet triplet = {0, 1, self->pe == 5 ? 0 : 2};
    struct shm_team_grid grid = {.team = {NULL, NULL}};
    struct shm_team *team = NULL;
    enum shm_status status;

    status = shm_team_split_strided(world_of(self), "split", &triplet, NULL, &team);
    expect_failure(self, status, SHM_MISMATCH,
                   "start, stride, size = 0, 1, 0 on PE 5, expected 0, 1, 2 as on PE 0");
    EXPECT(self, team == NULL);
    status = shm_team_split_2d(world_of(self), "split", self->pe == 1 ? -4 : 2, &grid);
    expect_failure(self, status, SHM_MISMATCH, "xrange = -4 on PE 1, expected 2 as on PE 0");
    EXPECT(self, grid.team[0] == NULL && grid.team[1] == NULL);
}

static void test_same_error_on_all(void **state)
{
    (void)state;
    run_teams(refuse_config, PES);
    run_teams(refuse_differing, PES);
    run_teams(refuse_differing_range, PES);
}

/* ---- predefined teams ---- */

static void check_predefined(struct thread_job_pe *self)
{
    for (uint64_t handle = SHM_TEAM_WORLD; handle <= SHM_TEAM_NODE; handle++) {
        struct shm_team *team = shm_team_find(self->instance, handle);
        struct shm_team *half;

        if (team == NULL) {
            thread_job_fail(self, "no team %d", (int)handle);
            return;
        }
        EXPECT(self, team->handled.handle == handle);
        EXPECT(self, team->group->size == PES);
        EXPECT(self, team->group->rank == self->pe);
        EXPECT(self, shm_group_pe(team->group, 2) == 2);
        EXPECT(self, team->is_predefined);
        EXPECT(self, team->config.num_contexts == 0);
        check_barriers(self, team);
        half = split_of(self, team, 0, 2, 4);
        check_team(self, half, (int[]){0, 2, 4, 6}, 4);
        if (half != NULL)
            destroy_team(self, half);
        EXPECT(self, shm_team_destroy(team, "destroy") == SHM_INVALID_PARAM);
        EXPECT(self,
               strcmp(shm_error_detail(), "team = a predefined one, expected one of a split") == 0);
        EXPECT(self, shm_team_find(self->instance, handle) == team);
    }
    EXPECT(self, world_of(self)->group == &self->instance->world);
    EXPECT(self, shm_team_find(self->instance, SHM_HANDLE_INVALID) == NULL);
    EXPECT(self, shm_team_find(self->instance, SHM_TEAM_NODE + 1) == NULL);
}

static void test_predefined(void **state)
{
    (void)state;
    run_teams(check_predefined, PES);
}

/* ---- translation ---- */

static void translate(struct thread_job_pe *self)
{
    struct shm_team *world = world_of(self);
    struct shm_team *node = shm_team_find(self->instance, SHM_TEAM_NODE);
    struct shm_team *down = split_of(self, world, 6, -1, 7);
    struct shm_team *odd = split_of(self, world, 1, 2, 3); /* 1 3 5 */
    struct shm_team *single = split_of(self, world, 3, 1, 1);

    EXPECT(self, shm_team_translate(world, 4, node) == 4);
    EXPECT(self, shm_team_translate(world, 4, down) == 2);
    EXPECT(self, shm_team_translate(down, 0, world) == 6);
    EXPECT(self, shm_team_translate(down, 7, world) == -1);
    EXPECT(self, shm_team_translate(down, -1, world) == -1);
    EXPECT(self, shm_team_translate(world, INT_MAX, down) == -1);
    if (odd != NULL) {
        static const int ranks[PES] = {-1, 0, -1, 1, -1, 2, -1};

        for (int pe = 0; pe < PES; pe++) {
            EXPECT(self, shm_team_translate(world, pe, odd) == ranks[pe]);
            EXPECT(self, shm_team_translate(down, PES - 1 - pe, odd) == ranks[pe]);
        }
        EXPECT(self, shm_team_translate(odd, 2, down) == 1);
        EXPECT(self, shm_team_translate(odd, 3, down) == -1);
        EXPECT(self, shm_team_translate(odd, 1, odd) == 1);
    }
    if (single != NULL) {
        EXPECT(self, shm_team_translate(single, 0, world) == 3);
        EXPECT(self, shm_team_translate(world, 3, single) == 0);
        EXPECT(self, shm_team_translate(world, 4, single) == -1);
        EXPECT(self, shm_team_translate(odd, 1, single) == 0);
        destroy_team(self, single);
    }
    if (odd != NULL)
        destroy_team(self, odd);
    destroy_team(self, down);
}

static void test_translate(void **state)
{
    (void)state;
    run_teams_as(translate, PES, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strided),    cmocka_unit_test(test_no_config),
        cmocka_unit_test(test_grids),      cmocka_unit_test(test_teams_of_teams),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_same_error_on_all),
        cmocka_unit_test(test_predefined), cmocka_unit_test(test_translate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
