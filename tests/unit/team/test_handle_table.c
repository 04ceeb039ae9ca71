/* SPDX-License-Identifier: BSD-3-Clause */
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

static struct shm_handle_table table;
static struct shm_handled objects[SHM_HANDLE_LAST + 1];
static int destroyed;

static void count_destroyed(struct shm_handled *object)
{
    assert_non_null(object);
    destroyed++;
}

static int begin(void **state)
{
    (void)state;
    shm_handle_table_init(&table, 1);
    memset(objects, 0, sizeof objects);
    destroyed = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    shm_handle_table_fini(&table, count_destroyed);
    return 0;
}

static uint64_t add(struct shm_handled *object)
{
    assert_int_equal(shm_handle_table_add(&table, object), SHM_OK);
    return object->handle;
}

static unsigned index_of(uint64_t handle)
{
    return (unsigned)handle & 0xffff;
}

static void test_add_and_find(void **state)
{
    uint64_t first = add(&objects[0]);
    uint64_t second = add(&objects[1]);

    (void)state;
    assert_int_equal(index_of(first), 1);
    assert_int_equal(index_of(second), 2);
    assert_ptr_equal(shm_handle_table_find(&table, first), &objects[0]);
    assert_ptr_equal(shm_handle_table_find(&table, second), &objects[1]);
}

static void test_nothing_there(void **state)
{
    uint64_t handle = add(&objects[0]);

    (void)state;
    assert_null(shm_handle_table_find(&table, SHM_HANDLE_INVALID));
    assert_null(shm_handle_table_find(&table, handle + 1));     /* index never used */
    assert_null(shm_handle_table_find(&table, handle + 256));   /* in a chunk that is not there */
    assert_null(shm_handle_table_find(&table, handle - 65536)); /* another generation */
    assert_null(shm_handle_table_find(&table, handle + 65536));
    assert_null(shm_handle_table_find(&table, UINT64_MAX));
    assert_null(shm_handle_table_find(&table, 65536)); /* index 0 */
}

static void test_stale_handle(void **state)
{
    uint64_t old = add(&objects[0]);
    uint64_t new;

    (void)state;
    shm_handle_table_remove(&table, &objects[0]);
    assert_null(shm_handle_table_find(&table, old));
    new = add(&objects[1]);
    assert_int_equal(index_of(new), index_of(old));
    assert_int_not_equal(new, old);
    assert_null(shm_handle_table_find(&table, old));
    assert_ptr_equal(shm_handle_table_find(&table, new), &objects[1]);
}

/* The lowest free index is taken, wherever it is. */
static void test_lowest_index(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++)
        add(&objects[i]);
    shm_handle_table_remove(&table, &objects[500]);
    shm_handle_table_remove(&table, &objects[7]);
    shm_handle_table_remove(&table, &objects[300]);
    assert_int_equal(index_of(add(&objects[700])), 8);
    assert_int_equal(index_of(add(&objects[701])), 301);
    assert_int_equal(index_of(add(&objects[702])), 501);
    assert_int_equal(index_of(add(&objects[703])), 601);
}

static void test_predefined(void **state)
{
    (void)state;
    assert_int_equal(shm_handle_table_add_as(&table, &objects[0], SHM_TEAM_WORLD), SHM_OK);
    assert_int_equal(shm_handle_table_add_as(&table, &objects[1], SHM_TEAM_NODE), SHM_OK);
    assert_int_equal(objects[1].handle, SHM_TEAM_NODE);
    assert_ptr_equal(shm_handle_table_find(&table, SHM_TEAM_WORLD), &objects[0]);
    assert_ptr_equal(shm_handle_table_find(&table, SHM_TEAM_NODE), &objects[1]);
    assert_int_equal(shm_handle_table_add_as(&table, &objects[2], SHM_TEAM_NODE),
                     SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "handle 3, expected one that is free");
    assert_int_equal(shm_handle_table_add_as(&table, &objects[2], SHM_HANDLE_INVALID),
                     SHM_INVALID_VALUE);
    /* others go where there is room, and are never taken for a predefined one */
    assert_int_equal(index_of(add(&objects[3])), 2);
    assert_int_equal(index_of(add(&objects[4])), 4);
    assert_null(shm_handle_table_find(&table, 2));
    assert_null(shm_handle_table_find(&table, 4));
}

static void test_full(void **state)
{
    uint64_t last;

    (void)state;
    for (int i = 0; i < SHM_HANDLE_LAST; i++)
        add(&objects[i]);
    for (int i = 0; i < SHM_HANDLE_LAST; i++)
        assert_ptr_equal(shm_handle_table_find(&table, objects[i].handle), &objects[i]);
    last = objects[SHM_HANDLE_LAST - 1].handle;
    assert_int_equal(index_of(last), SHM_HANDLE_LAST);
    assert_int_equal(shm_handle_table_add(&table, &objects[SHM_HANDLE_LAST]), SHM_MALLOC_FAILED);
    assert_string_equal(shm_error_detail(), "all 65535 handles are in use");
    assert_int_equal(objects[SHM_HANDLE_LAST].handle, 0);
    shm_handle_table_remove(&table, &objects[40000]);
    assert_int_equal(index_of(add(&objects[SHM_HANDLE_LAST])), 40001);
    assert_int_equal(shm_handle_table_add(&table, &objects[40000]), SHM_MALLOC_FAILED);
    assert_ptr_equal(shm_handle_table_find(&table, last), &objects[SHM_HANDLE_LAST - 1]);
}

/* What is left is handed over, and nothing else. */
static void test_fini(void **state)
{
    struct shm_handle_table other;

    (void)state;
    shm_handle_table_init(&other, 1);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(shm_handle_table_add(&other, &objects[i]), SHM_OK);
    for (int i = 0; i < 1000; i += 2)
        shm_handle_table_remove(&other, &objects[i]);
    shm_handle_table_fini(&other, count_destroyed);
    assert_int_equal(destroyed, 500);
}

/* ---- threads ---- */

#define THREADS 4
#define PER_THREAD 150
#define ROUNDS 60
#define STALE 50

struct worker {
    struct shm_handled *mine;  /* PER_THREAD objects */
    const uint64_t *permanent; /* handles of objects[0 .. STALE - 1] */
    const uint64_t *stale;     /* of objects that are gone, whose indices are used again */
    const char *failure;
};

/* Adds and removes its own objects in changing numbers; those of others come and go meanwhile. */
static void *add_and_remove(void *argument)
{
    struct worker *worker = argument;

    for (int round = 0; round < ROUNDS; round++) {
        int count = PER_THREAD - round;

        for (int i = 0; i < count; i++) {
            if (shm_handle_table_add(&table, &worker->mine[i]) != SHM_OK)
                worker->failure = "no room";
        }
        for (int i = 0; i < count; i++) {
            if (shm_handle_table_find(&table, worker->mine[i].handle) != &worker->mine[i])
                worker->failure = "an own object was not found";
        }
        for (int i = 0; i < STALE; i++) {
            if (shm_handle_table_find(&table, worker->permanent[i]) != &objects[i])
                worker->failure = "a permanent object was not found";
            if (shm_handle_table_find(&table, worker->stale[i]) != NULL)
                worker->failure = "a stale handle found something";
        }
        for (int i = 0; i < count; i++)
            shm_handle_table_remove(&table, &worker->mine[i]);
    }
    return NULL;
}

static void test_threads(void **state)
{
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    uint64_t permanent[STALE], stale[STALE];

    (void)state;
    for (int i = 0; i < 2 * STALE; i++)
        *(i < STALE ? &permanent[i] : &stale[i - STALE]) = add(&objects[i]);
    for (int i = STALE; i < 2 * STALE; i++)
        shm_handle_table_remove(&table, &objects[i]);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){&objects[2 * STALE + i * PER_THREAD], permanent, stale, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, add_and_remove, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_null(workers[i].failure);
    /* nothing was lost: the lowest free index is where it was */
    assert_int_equal(index_of(add(&objects[0])), STALE + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_add_and_find, begin, end),
        cmocka_unit_test_setup_teardown(test_nothing_there, begin, end),
        cmocka_unit_test_setup_teardown(test_stale_handle, begin, end),
        cmocka_unit_test_setup_teardown(test_lowest_index, begin, end),
        cmocka_unit_test_setup_teardown(test_predefined, begin, end),
        cmocka_unit_test_setup_teardown(test_full, begin, end),
        cmocka_unit_test_setup_teardown(test_fini, begin, end),
        cmocka_unit_test_setup_teardown(test_threads, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
