/* SPDX-License-Identifier: BSD-3-Clause */
#include "members.h"

static struct shm_context *create(struct shm_team *team, long options)
{
    struct shm_context *context = NULL;

    assert_int_equal(shm_context_create(team, options, &context), SHM_OK);
    return context;
}

static struct thread_job job;

static int begin(void **state)
{
    (void)state;
    start_teams(&job, 1, false);
    return 0;
}

static int end(void **state)
{
    (void)state;
    end_teams(&job);
    return 0;
}

static struct shm_team *world(void)
{
    return shm_team_find(job.pes[0], SHM_TEAM_WORLD);
}

static void test_create(void **state)
{
    long options = SHM_CONTEXT_PRIVATE | SHM_CONTEXT_SERIALIZED | SHM_CONTEXT_NOSTORE;
    struct shm_context *plain = create(world(), 0);
    struct shm_context *all = create(world(), options);

    (void)state;
    assert_int_equal(plain->options, 0);
    assert_int_equal(all->options, options);
    assert_true(pthread_equal(all->owner, pthread_self()));
    assert_int_equal(all->team, SHM_TEAM_WORLD);
    assert_ptr_equal(shm_context_find(job.pes[0], plain->handled.handle), plain);
    assert_ptr_equal(shm_context_find(job.pes[0], all->handled.handle), all);
    /* the default context has no object, and no other takes its handle */
    assert_null(shm_context_find(job.pes[0], SHM_CONTEXT_DEFAULT));
    assert_null(shm_context_find(job.pes[0], SHM_HANDLE_INVALID));
}

static void test_destroy(void **state)
{
    struct shm_context *context = create(world(), 0);
    uint64_t handle = context->handled.handle;

    (void)state;
    shm_context_destroy(context);
    assert_null(shm_context_find(job.pes[0], handle));
    assert_int_not_equal(create(world(), 0)->handled.handle, handle);
    assert_null(shm_context_find(job.pes[0], handle));
}

static void test_unknown_options(void **state)
{
    struct shm_context *context = NULL;

    (void)state;
    assert_int_equal(shm_context_create(world(), 8 | SHM_CONTEXT_NOSTORE, &context),
                     SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(),
                        "options = 0xc, expected private (1), serialized (2), nostore (4) or a "
                        "combination of them");
    assert_int_equal(shm_context_create(world(), -1, &context), SHM_INVALID_VALUE);
    assert_null(context);
}

/* On any PE at any time; they know the numbers of their team. */
static void create_in_teams(struct thread_job_pe *self)
{
    struct shm_team *team = split_of(self, world_of(self), 4, -2, 2);
    struct shm_context *context = NULL;

    if (team == NULL)
        return;
    if (self->pe == 4)
        EXPECT(self, shm_context_create(team, 0, &context) == SHM_OK);
    if (context != NULL) {
        EXPECT(self, context->start == 4);
        EXPECT(self, context->stride == -2);
        EXPECT(self, context->size == 2);
        EXPECT(self, context->team == team->handled.handle);
        EXPECT(self, context->instance == self->instance);
    }
    destroy_team(self, team);
}

static void test_teams(void **state)
{
    (void)state;
    run_teams(create_in_teams, 5);
}

/* With a team its contexts go, and no others. */
static void destroy_with_team(struct thread_job_pe *self)
{
    struct shm_team *team = split_of(self, world_of(self), 0, 1, 3);
    struct shm_team *other = split_of(self, world_of(self), 0, 1, 3);
    uint64_t handles[300], kept[3];
    struct shm_context *context;

    for (size_t i = 0; i < LENGTH(handles); i++) {
        EXPECT(self, shm_context_create(team, 0, &context) == SHM_OK);
        handles[i] = context->handled.handle;
        if (i % 100 != 50)
            continue;
        EXPECT(self, shm_context_create(i == 50 ? world_of(self) : other, 0, &context) == SHM_OK);
        kept[i / 100] = context->handled.handle;
    }
    destroy_team(self, team);
    for (size_t i = 0; i < LENGTH(handles); i++)
        EXPECT(self, shm_context_find(self->instance, handles[i]) == NULL);
    for (size_t i = 0; i < LENGTH(kept); i++)
        EXPECT(self, shm_context_find(self->instance, kept[i]) != NULL);
    destroy_team(self, other);
    EXPECT(self, shm_context_find(self->instance, kept[0]) != NULL);
    EXPECT(self, shm_context_find(self->instance, kept[1]) == NULL);
}

static void test_end_of_team(void **state)
{
    (void)state;
    run_teams(destroy_with_team, 3);
}

/* What a program leaves behind goes with the instance: leak checkers see the rest. */
static void leave_behind(struct thread_job_pe *self)
{
    struct shm_team *team = split_of(self, world_of(self), 0, 1, 2);
    struct shm_context *context;

    EXPECT(self, shm_context_create(team, 0, &context) == SHM_OK);
    shm_teams_destroy(self->instance);
    EXPECT(self, self->instance->teams == NULL);
    shm_teams_destroy(self->instance);
}

static void test_left_behind(void **state)
{
    (void)state;
    start_teams(&job, 2, true);
    thread_job_run(&job, leave_behind, NULL);
    end_teams(&job);
    assert_string_equal(job.failure, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_create, begin, end),
        cmocka_unit_test_setup_teardown(test_destroy, begin, end),
        cmocka_unit_test_setup_teardown(test_unknown_options, begin, end),
        cmocka_unit_test(test_teams),
        cmocka_unit_test(test_end_of_team),
        cmocka_unit_test(test_left_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
