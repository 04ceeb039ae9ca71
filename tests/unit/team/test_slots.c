/* SPDX-License-Identifier: BSD-3-Clause */
/* Many teams, one after the other and at once. */
#include "team/team_internal.h"

#include "members.h"

#include <sched.h>
#include <unistd.h>

#define PES 5
#define OFFERED (SHM_SLOTS - SHM_SLOT_FIRST_FREE)

/* A triplet of a parent of `n` that depends on `number` alone. */
static struct shm_triplet any_triplet(unsigned number, int n)
{
    int start = (int)(number * 7 % (unsigned)n);
    int stride = number % 3 == 0 ? -1 : 1 + (int)(number % 2);
    int longest = stride < 0 ? start + 1 : (n - 1 - start) / stride + 1;

    return (struct shm_triplet){start, stride, 1 + (int)(number * 5 % (unsigned)longest)};
}

static struct shm_team *split_any(struct thread_job_pe *self, struct shm_team *parent,
                                  unsigned number)
{
    struct shm_triplet triplet = any_triplet(number, parent->group->size);

    return split_of(self, parent, triplet.start, triplet.stride, triplet.size);
}

/* ---- many at once ---- */

#define ALIVE 300

static void keep_alive(struct thread_job_pe *self)
{
    struct shm_team *teams[ALIVE];

    for (unsigned i = 0; i < ALIVE; i++) {
        teams[i] = split_any(self, world_of(self), i);
        if (teams[i] != NULL)
            check_barriers(self, teams[i]);
    }
    for (unsigned i = 0; i < ALIVE; i++) {
        for (unsigned j = 0; j < i && teams[i] != NULL; j++)
            EXPECT(self, teams[j] == NULL || teams[j]->group->slot != teams[i]->group->slot);
    }
    for (unsigned i = ALIVE; i-- > 0;) {
        if (teams[i] != NULL)
            check_barriers(self, teams[i]);
    }
    for (unsigned i = 0; i < ALIVE; i++) {
        struct shm_team *team = teams[i * 7 % ALIVE];

        if (team != NULL)
            destroy_team(self, team);
    }
}

static void test_many_alive(void **state)
{
    (void)state;
    run_teams(keep_alive, PES);
}

/* ---- one after the other ---- */

#define CYCLES 2000

static void come_and_go(struct thread_job_pe *self)
{
    for (unsigned i = 0; i < CYCLES; i++) {
        struct shm_team *team = split_any(self, world_of(self), i);

        if (team == NULL)
            continue;
        /* PEs that are late with leaving the last ones hold a slot for a while */
        EXPECT(self, team->group->slot < SHM_SLOT_FIRST_FREE + 2 * PES);
        check_barriers(self, team);
        destroy_team(self, team);
    }
}

static void test_cycles(void **state)
{
    (void)state;
    run_teams(come_and_go, PES);
}

static void come_and_go_in_grids(struct thread_job_pe *self)
{
    for (int i = 0; i < CYCLES / 4; i++) {
        struct shm_team_grid grid = {.team = {NULL, NULL}};

        EXPECT(self, shm_team_split_2d(world_of(self), "split", 1 + i % PES, &grid) == SHM_OK);
        if (grid.team[0] == NULL || grid.team[1] == NULL)
            return;
        EXPECT(self, grid.team[0]->group->slot != grid.team[1]->group->slot);
        check_barriers(self, grid.team[i & 1]);
        check_barriers(self, grid.team[~i & 1]);
        destroy_team(self, grid.team[0]);
        destroy_team(self, grid.team[1]);
    }
}

static void test_grid_cycles(void **state)
{
    (void)state;
    run_teams(come_and_go_in_grids, PES);
}

/* ---- no slot left ---- */

static void expect_no_room(struct thread_job_pe *self, enum shm_status status, const char *team)
{
    if (status != SHM_MALLOC_FAILED || strstr(shm_error_detail(), team) == NULL)
        thread_job_fail(self, "status %d, detail \"%s\", expected \"%s\"", status,
                        shm_error_detail(), team);
}

static void fail_for_all(struct thread_job_pe *self)
{
    struct shm_team_grid grid = {.team = {NULL, NULL}};
    struct shm_triplet triplet = {1, 1, 2};
    struct shm_team *team = NULL;
    enum shm_status status;

    status = shm_team_split_strided(world_of(self), "split", &triplet, NULL, &team);
    expect_no_room(self, status,
                   "no room for another team: none of 2047 places is free on all of its 2 PEs");
    status = shm_team_split_2d(world_of(self), "split", 2, &grid);
    expect_no_room(self, status, "no room for another team: none of 2047 places");
    EXPECT(self, team == NULL && grid.team[0] == NULL && grid.team[1] == NULL);
    /* there is no point in looking again when another PE has failed for good */
    grid.config[1].num_contexts = self->pe == self->job->n_pes - 1 ? -1 : 0;
    EXPECT(self, shm_team_split_2d(world_of(self), "split", 2, &grid) == SHM_INVALID_VALUE);
}

/* One slot is free again, perhaps not on all PEs at once: enough for a team, not for a grid. */
static void use_last(struct thread_job_pe *self, struct shm_team **teams)
{
    struct shm_team_grid grid = {.team = {NULL, NULL}};
    int n = self->job->n_pes;

    destroy_team(self, teams[1000]);
    expect_no_room(self, shm_team_split_2d(world_of(self), "split", n, &grid), "no room");
    EXPECT(self, grid.team[0] == NULL && grid.team[1] == NULL);
    teams[1000] = split_of(self, world_of(self), n - 1, -1, n);
    if (teams[1000] != NULL)
        check_barriers(self, teams[1000]);
}

/* Two are enough for a grid. */
static void use_last_two(struct thread_job_pe *self, struct shm_team **teams)
{
    struct shm_team_grid grid = {.team = {NULL, NULL}};

    destroy_team(self, teams[1000]);
    destroy_team(self, teams[1001]);
    if (shm_team_split_2d(world_of(self), "split", self->job->n_pes, &grid) != SHM_OK)
        thread_job_fail(self, "split: %s", shm_error_detail());
    teams[1000] = grid.team[0];
    teams[1001] = grid.team[1];
}

static void exhaust(struct thread_job_pe *self)
{
    static struct shm_team *all[PES][OFFERED];
    struct shm_team **teams = all[self->pe];

    for (int i = 0; i < OFFERED; i++)
        teams[i] = split_of(self, world_of(self), 0, 1, self->job->n_pes);
    fail_for_all(self);
    use_last(self, teams);
    fail_for_all(self);
    use_last_two(self, teams);
    fail_for_all(self);
    for (int i = 0; i < OFFERED; i++) {
        if (teams[i] != NULL)
            destroy_team(self, teams[i]);
    }
}

static void test_exhausted(void **state)
{
    (void)state;
    run_teams(exhaust, 3);
}

static void set_all_slots(struct shm_instance *instance, uint64_t bits)
{
    for (size_t i = 0; i < LENGTH(instance->control->taken_slots); i++)
        atomic_store(&instance->control->taken_slots[i], bits);
}

/* The leader finds no slot at first, because PE 2 is late with leaving its teams. */
static void be_late(struct thread_job_pe *self)
{
    const _Atomic uint64_t *arrived =
        &shm_instance_control(self->instance, 0)->groups[SHM_SLOT_WORLD].barrier.arrived;
    struct shm_team *team;

    if (self->pe == 2) {
        while (atomic_load(arrived) < self->instance->world.sequence + 1)
            sched_yield();
        set_all_slots(self->instance, 0);
    }
    team = split_of(self, world_of(self), 0, 1, PES);
    if (team == NULL)
        return;
    check_barriers(self, team);
    destroy_team(self, team);
}

static void set_late_slots(struct thread_job_pe *self)
{
    if (self->pe == 2)
        set_all_slots(self->instance, UINT64_MAX);
    barrier_of(self, world_of(self));
    be_late(self);
}

static void test_late_leaver(void **state)
{
    (void)state;
    run_teams(set_late_slots, PES);
}

/* Slots are free on other members, but not on all. */
static void overlap(struct thread_job_pe *self)
{
    struct shm_team *team;

    if (self->pe == 1 || self->pe == 3) /* halves of the slots, with one in common */
        set_all_slots(self->instance,
                      self->pe == 1 ? 0xaaaaaaaaaaaaaaaa & ~(1ull << 51) : 0x5555555555555555);
    barrier_of(self, world_of(self));
    team = split_of(self, world_of(self), PES - 1, -1, PES);
    if (team != NULL) {
        EXPECT(self, team->group->slot == 51);
        check_barriers(self, team);
        destroy_team(self, team);
    }
    if (self->pe == 1 || self->pe == 3)
        set_all_slots(self->instance, 0);
}

static void test_overlap(void **state)
{
    (void)state;
    run_teams(overlap, PES);
}

/* ---- what older groups leave in a slot ---- */

/* Members of a new team have met so often in its slot, in older teams, that 32 bits are not enough,
 * and its first has not. */
static uint64_t arrived_in(int slot, int pe)
{
    static const uint64_t arrived[PES] = {5, 0xfffffffe, 0x1fffffff0, 0, 0x80000000};

    return arrived[(slot + pe) % PES];
}

static void meet_after(struct thread_job_pe *self, struct shm_team *team)
{
    uint64_t highest = 0;

    for (int rank = 0; rank < team->group->size; rank++) {
        uint64_t arrived = arrived_in(team->group->slot, shm_group_pe(team->group, rank));

        highest = arrived > highest ? arrived : highest;
    }
    EXPECT(self, team->group->sequence == highest);
    check_barriers(self, team);
}

static void meet_often(struct thread_job_pe *self)
{
    static const struct shm_triplet triplets[] = {{0, 1, 5},  {4, -1, 5}, {1, 1, 4}, {1, 2, 2},
                                                  {3, -1, 4}, {2, 1, 3},  {3, 1, 2}, {0, 4, 2}};
    struct shm_team *teams[LENGTH(triplets)];

    for (int slot = SHM_SLOT_FIRST_FREE; slot < SHM_SLOT_FIRST_FREE + (int)LENGTH(teams); slot++)
        atomic_store(&self->instance->control->groups[slot].barrier.arrived,
                     arrived_in(slot, self->pe));
    barrier_of(self, world_of(self));
    for (size_t i = 0; i < LENGTH(teams); i++) {
        teams[i] =
            split_of(self, world_of(self), triplets[i].start, triplets[i].stride, triplets[i].size);
        if (teams[i] != NULL)
            meet_after(self, teams[i]);
    }
    for (size_t i = 0; i < LENGTH(teams); i++) {
        if (teams[i] != NULL)
            destroy_team(self, teams[i]);
    }
}

static void test_sequences(void **state)
{
    (void)state;
    run_teams(meet_often, PES);
}

/* ---- at the same time ---- */

#define ROW 3

/* Rows of a grid go on by themselves, at a pace of their own. */
static void go_apart(struct thread_job_pe *self)
{
    struct shm_team_grid grid = {.team = {NULL, NULL}};
    struct shm_team *row;

    EXPECT(self, shm_team_split_2d(world_of(self), "split", ROW, &grid) == SHM_OK);
    row = grid.team[0];
    if (row == NULL)
        return;
    for (int i = 0; i < 100 * (1 + self->pe / ROW); i++) {
        struct shm_team *team = split_any(self, row, (unsigned)(i + self->pe / ROW));

        if (team == NULL)
            continue;
        check_barriers(self, team);
        destroy_team(self, team);
    }
    check_barriers(self, grid.team[1]);
    destroy_team(self, grid.team[1]);
    check_barriers(self, row);
    destroy_team(self, row);
}

static void test_disjoint(void **state)
{
    (void)state;
    run_teams(go_apart, 2 * ROW + 2);
}

struct second_thread {
    struct thread_job_pe *self;
    struct shm_team *parent;
    unsigned first;
};

static void *split_in_thread(void *argument)
{
    const struct second_thread *thread = argument;

    for (unsigned i = 0; i < 200; i++) {
        struct shm_team *team = split_any(thread->self, thread->parent, thread->first + i);

        if (team == NULL)
            continue;
        check_barriers(thread->self, team);
        destroy_team(thread->self, team);
    }
    return NULL;
}

/* Two threads of each PE split parents with the same members. */
static void split_in_threads(struct thread_job_pe *self)
{
    struct shm_team *down = split_of(self, world_of(self), 3, -1, 4);
    struct second_thread first = {self, world_of(self), 0};
    struct second_thread second = {self, down, 11};
    pthread_t thread;

    if (down != NULL)
        EXPECT(self, pthread_create(&thread, NULL, split_in_thread, &second) == 0);
    split_in_thread(&first);
    if (down == NULL)
        return;
    pthread_join(thread, NULL);
    destroy_team(self, down);
}

static void test_threads(void **state)
{
    (void)state;
    run_teams(split_in_threads, 4);
}

/* ---- leaders that want the same slots ---- */

#define TAKES 20000

/* Each PE leads a group that has members in common with that of the next. A slot that two of them
 * have at once shows in the owners of a common member. */
static void contend(struct thread_job_pe *self)
{
    struct shm_group group = {.start = self->pe, .stride = 1, .size = self->pe == 0 ? 3 : 2};
    _Atomic int *owners = (_Atomic int *)self->instance->reach.heap_begin;

    barrier_of(self, world_of(self));
    if (self->pe == 3) /* leads no group */
        return;
    for (int i = 0; i < TAKES; i++) {
        int slot = shm_slot_take(self->instance, &group, i & 1);

        if (slot == SHM_SLOT_NONE) {
            thread_job_fail(self, "no slot");
            continue;
        }
        for (int rank = 0; rank < group.size; rank++) {
            _Atomic int *owner = shm_reach_remote(&self->instance->reach, &owners[slot],
                                                  sizeof *owner, shm_group_pe(&group, rank));

            EXPECT(self, atomic_exchange_explicit(owner, 1 + self->pe, memory_order_relaxed) == 0);
        }
        for (int rank = 0; rank < group.size; rank++) {
            _Atomic int *owner = shm_reach_remote(&self->instance->reach, &owners[slot],
                                                  sizeof *owner, shm_group_pe(&group, rank));

            EXPECT(self, atomic_exchange_explicit(owner, 0, memory_order_relaxed) == 1 + self->pe);
        }
        shm_slot_give_back(self->instance, &group, slot);
    }
}

static void test_contention(void **state)
{
    (void)state;
    run_teams_as(contend, 4, true);
}

/* A member's slot is taken between looking and taking: as if by the group itself, in which a PE
 * stands twice. What was taken before is given back. */
static void lose_race(struct thread_job_pe *self)
{
    struct shm_group group = {.start = 1, .stride = 0, .size = 2};

    if (self->pe != 0)
        return;
    EXPECT(self, shm_slot_take(self->instance, &group, 0) == SHM_SLOT_NONE);
    group.size = 1;
    EXPECT(self, shm_slot_take(self->instance, &group, 0) == SHM_SLOT_FIRST_FREE);
    EXPECT(self, shm_slot_take(self->instance, &group, 1) == SHM_SLOT_FIRST_FREE + 2);
    shm_slot_give_back(self->instance, &group, SHM_SLOT_FIRST_FREE);
    shm_slot_give_back(self->instance, &group, SHM_SLOT_FIRST_FREE + 2);
}

static void test_lost_race(void **state)
{
    (void)state;
    run_teams_as(lose_race, 2, true);
}

/* Under SHMEM_DEBUG members look at each other's buffers when they have met for the last time. PE 1
 * takes its time for that, and PE 0 leaves the team not before. */
static void look_late(struct thread_job_pe *self)
{
    const uint64_t kind = SHM_COLL_DESTROY;
    struct shm_control *first = shm_instance_control(self->instance, 0);
    struct shm_team *team;

    self->instance->options.debug = self->instance->reach.is_debugging = true;
    team = split_of(self, world_of(self), 0, 1, 2);
    if (self->pe == 0) {
        destroy_team(self, team);
        return;
    }
    memcpy(shm_exchange_buffer(self->instance, team->group), &kind, sizeof kind);
    barrier_of(self, team);
    for (int i = 0; i < 50; i++) {
        usleep(1000);
        EXPECT(self, (atomic_load(&first->taken_slots[0]) >> team->group->slot & 1) == 1);
    }
    barrier_of(self, team);
    shm_slot_leave(self->instance, team->group->slot);
    shm_team_release(team);
}

static void test_late_look(void **state)
{
    (void)state;
    run_teams(look_late, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_alive),  cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_grid_cycles), cmocka_unit_test(test_exhausted),
        cmocka_unit_test(test_late_leaver), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_sequences),   cmocka_unit_test(test_disjoint),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_contention),
        cmocka_unit_test(test_lost_race),   cmocka_unit_test(test_late_look),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
