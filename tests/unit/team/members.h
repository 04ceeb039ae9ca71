/* SPDX-License-Identifier: BSD-3-Clause */
/** What the tests of teams share: jobs of threads that have teams, and checks of a team. */
#ifndef TESTS_UNIT_TEAM_MEMBERS_H
#define TESTS_UNIT_TEAM_MEMBERS_H

#include "../thread_job.h"
#include "team/team.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#define EXPECT(self, condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            thread_job_fail(self, "%s:%d: %s", __FILE__, __LINE__, #condition);                    \
    } while (0)

static inline void start_teams(struct thread_job *job, int n_pes, bool is_crowded)
{
    struct thread_job_request request = {
        .n_pes = n_pes, .heap_bytes = 1 << 20, .is_crowded = is_crowded};

    thread_job_start(job, &request);
    for (int pe = 0; pe < n_pes; pe++) {
        struct shm_instance *instance = job->pes[pe];

        instance->options.wait_timeout_s = 60; /* PEs that disagree do not wait for ever */
        instance->node_count = n_pes;
        instance->node_pes = calloc((size_t)n_pes, sizeof *instance->node_pes);
        for (int i = 0; i < n_pes; i++)
            instance->node_pes[i] = i;
        thread_job_require(shm_teams_create(instance));
    }
}

static inline void end_teams(struct thread_job *job)
{
    for (int pe = 0; pe < job->n_pes; pe++)
        shm_teams_destroy(job->pes[pe]);
    thread_job_end(job);
}

/* Runs the function on PEs that have a processor each, or that share few; all teams that it made
 * must be gone. */
static inline void run_teams_as(void (*function)(struct thread_job_pe *self), int n_pes,
                                bool is_crowded)
{
    static struct thread_job job;
    uint64_t taken = 0;

    start_teams(&job, n_pes, is_crowded);
    thread_job_run(&job, function, NULL);
    for (int pe = 0; pe < n_pes; pe++) {
        struct shm_control *control = job.pes[pe]->control;

        for (size_t i = 0; i < LENGTH(control->taken_slots); i++)
            taken |= atomic_load(&control->taken_slots[i]);
    }
    end_teams(&job);
    assert_string_equal(job.failure, "");
    assert_int_equal(taken, 0);
}

static inline void run_teams(void (*function)(struct thread_job_pe *self), int n_pes)
{
    run_teams_as(function, n_pes, false);
    run_teams_as(function, n_pes, true);
}

static inline struct shm_team *world_of(const struct thread_job_pe *self)
{
    return shm_team_find(self->instance, SHM_TEAM_WORLD);
}

/* NULL where this PE is no member, and after a failure, which is noted. */
static inline struct shm_team *split_of(struct thread_job_pe *self, struct shm_team *parent,
                                        int start, int stride, int size)
{
    struct shm_triplet triplet = {start, stride, size};
    struct shm_team *team = NULL;

    if (shm_team_split_strided(parent, "split", &triplet, NULL, &team) != SHM_OK)
        thread_job_fail(self, "split %d, %d, %d: %s", start, stride, size, shm_error_detail());
    return team;
}

static inline void destroy_team(struct thread_job_pe *self, struct shm_team *team)
{
    uint64_t handle = team->handled.handle;

    if (shm_team_destroy(team, "destroy") != SHM_OK)
        thread_job_fail(self, "destroy: %s", shm_error_detail());
    EXPECT(self, shm_team_find(self->instance, handle) == NULL);
}

static inline void barrier_of(struct thread_job_pe *self, struct shm_team *team)
{
    if (shm_barrier(self->instance, team->group, "barrier") != SHM_OK)
        thread_job_fail(self, "barrier of %d: %s", team->group->size, shm_error_detail());
}

/* Shows that the team's barriers hold its members back: they count at a word of their first. Each
 * slot has a word of its own. */
static inline void check_barriers(struct thread_job_pe *self, struct shm_team *team)
{
    const struct shm_group *group = team->group;
    long *word = (long *)self->instance->reach.heap_begin + group->slot;

    word = shm_reach_remote(&self->instance->reach, word, sizeof *word, group->start);
    if (group->rank == 0)
        __atomic_store_n(word, 0, __ATOMIC_RELAXED);
    barrier_of(self, team);
    for (long round = 1; round <= 2; round++) {
        long count;

        __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
        barrier_of(self, team);
        count = __atomic_load_n(word, __ATOMIC_RELAXED);
        if (count < round * group->size || count >= (round + 1) * group->size)
            thread_job_fail(self, "%ld have come to barrier %ld of %d", count, round, group->size);
    }
    barrier_of(self, team);
}

#endif
