/* SPDX-License-Identifier: BSD-3-Clause */
/* A crowded node whose PEs sleep but for a few lets those spin. */
#include "sync/patience_internal.h"

#include "../thread_job.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>
#include <unistd.h>

#define PES 4
#define PROCESSORS 2

static struct thread_job job;

static int start(void **state)
{
    struct thread_job_request request = {.n_pes = PES, .heap_bytes = 4096, .is_crowded = true};

    (void)state;
    thread_job_start(&job, &request);
    for (int pe = 0; pe < PES; pe++) {
        struct shm_instance *instance = job.pes[pe];

        instance->node_pes = calloc(PES, sizeof *instance->node_pes);
        for (int i = 0; i < PES; i++)
            instance->node_pes[i] = i;
        instance->node_count = PES;
        instance->processors = PROCESSORS;
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    thread_job_end(&job);
    return 0;
}

static int spins_of(int pe)
{
    struct shm_wait wait = {.call = "wait_until", .peer = -1};

    return shm_patience_for(job.pes[pe], &wait).spins;
}

/* Of a PE on a node that is not crowded. */
static int most_spins(void)
{
    int spins;

    job.pes[0]->reach.is_crowded = false;
    spins = spins_of(0);
    job.pes[0]->reach.is_crowded = true;
    return spins;
}

static void test_few_awake(void **state)
{
    struct shm_doze first, second;

    (void)state;
    assert_true(spins_of(0) < most_spins() / 4);
    first = shm_doze_begin(job.pes[1]);
    assert_true(spins_of(0) < most_spins() / 4);
    second = shm_doze_begin(job.pes[2]);
    assert_int_equal(spins_of(0), most_spins());
    assert_int_equal(spins_of(3), most_spins());
    shm_doze_end(job.pes[1], first);
    assert_true(spins_of(0) < most_spins() / 4);
    shm_doze_end(job.pes[2], second);
}

/* Who was woken with all others is not taken off the count once more. */
static void test_all_woken(void **state)
{
    struct shm_doze early[2] = {shm_doze_begin(job.pes[1]), shm_doze_begin(job.pes[2])};
    struct shm_doze late[2];

    (void)state;
    shm_doze_end_all(job.pes[3]);
    assert_true(spins_of(0) < most_spins() / 4);
    late[0] = shm_doze_begin(job.pes[2]);
    late[1] = shm_doze_begin(job.pes[3]);
    shm_doze_end(job.pes[1], early[0]);
    shm_doze_end(job.pes[2], early[1]);
    assert_int_equal(spins_of(0), most_spins());
    shm_doze_end(job.pes[2], late[0]);
    assert_true(spins_of(0) < most_spins() / 4);
    shm_doze_end(job.pes[3], late[1]);
}

static void test_not_counted(void **state)
{
    (void)state;
    job.pes[1]->has_threads = true;
    assert_false(shm_doze_begin(job.pes[1]).is_counted);
    job.pes[1]->processors = 0; /* in init */
    job.pes[1]->has_threads = false;
    assert_false(shm_doze_begin(job.pes[1]).is_counted);
    job.pes[1]->processors = PROCESSORS;
}

static void test_told_to_sleep(void **state)
{
    struct shm_doze dozes[3];

    (void)state;
    for (int pe = 0; pe < 3; pe++)
        dozes[pe] = shm_doze_begin(job.pes[pe]);
    job.pes[3]->options.waiting = SHM_WAITING_SLEEP;
    assert_true(spins_of(3) < most_spins() / 4);
    job.pes[3]->options.waiting = SHM_WAITING_AUTO;
    for (int pe = 0; pe < 3; pe++)
        shm_doze_end(job.pes[pe], dozes[pe]);
}

/* Waits for words that were soon over after a short sleep make the next one hope, once. */
static void test_hope(void **state)
{
    struct shm_wait wait = {.call = "wait_until", .peer = -1};
    struct shm_patience patience = shm_patience_for(job.pes[0], &wait);

    (void)state;
    for (int i = 0; i < 10 && !patience.is_hopeful; i++) {
        shm_patience_learn(job.pes[0], &patience, 1000);
        patience = shm_patience_for(job.pes[0], &wait);
    }
    assert_true(patience.is_hopeful);
    assert_true(patience.spins > most_spins() / 2);
    shm_patience_learn(job.pes[0], &patience, 1000);
    assert_false(shm_patience_for(job.pes[0], &wait).is_hopeful);
}

/* Counts turns until they begin anew; how many there were. */
static uint32_t turns_of(int pe, const struct shm_patience *patience)
{
    for (uint32_t turns = 0; turns < 1000; turns++) {
        shm_patience_count_turn(job.pes[pe], patience);
        if (atomic_load(&job.pes[pe]->turns) == 0)
            return turns + 1;
    }
    return 0;
}

/* PEs that share a processor leave it after different numbers of turns in a row, one at a time. */
static void test_turns(void **state)
{
    struct shm_patience roomy = {.is_roomy = true};
    struct shm_patience crowded = {.is_roomy = false};
    uint32_t first = turns_of(0, &roomy);
    uint64_t left_ns = atomic_load(&job.pes[0]->left_ns);

    (void)state;
    assert_in_range(first, 2, 100);
    assert_in_range(turns_of(1, &roomy), first + 2, 200);
    assert_int_not_equal(left_ns, 0);
    shm_patience_count_turn(job.pes[2], &roomy);
    shm_patience_end_turns(job.pes[2]);
    assert_int_equal(atomic_load(&job.pes[2]->turns), 0);
    shm_patience_count_turn(job.pes[2], &crowded);
    assert_int_equal(atomic_load(&job.pes[2]->turns), 0);
    job.pes[2]->processors = 1;
    shm_patience_count_turn(job.pes[2], &roomy);
    assert_int_equal(atomic_load(&job.pes[2]->turns), 0);
    job.pes[2]->processors = PROCESSORS;
    assert_int_equal(atomic_load(&job.pes[2]->left_ns), 0);
}

static void *wait_for_word(void *argument)
{
    struct shm_instance *instance = argument;
    struct shm_word_test test = {.word = (const void *)instance->reach.heap_begin,
                                 .value = 1,
                                 .kind = SHM_WORD_U64,
                                 .comparison = SHM_CMP_EQ};
    enum shm_status status = shm_wait_until(instance, &test, "wait_until");

    return (void *)(intptr_t)status;
}

static bool becomes(int spins)
{
    for (int i = 0; i < 10000 && spins_of(0) != spins; i++)
        usleep(1000);
    return spins_of(0) == spins;
}

/* Whoever waits for long dozes, and is awake again behind the wait. */
static void test_waits(void **state)
{
    pthread_t threads[2];
    int crowded_spins = spins_of(0);

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_word, job.pes[i + 1]), 0);
    assert_true(becomes(most_spins()));
    for (int i = 0; i < 2; i++) {
        void *status = NULL;

        atomic_store((_Atomic uint64_t *)job.pes[i + 1]->reach.heap_begin, 1);
        shm_wake(job.pes[0], i + 1);
        assert_int_equal(pthread_join(threads[i], &status), 0);
        assert_int_equal((intptr_t)status, SHM_OK);
    }
    assert_int_equal(spins_of(0), crowded_spins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_awake),   cmocka_unit_test(test_all_woken),
        cmocka_unit_test(test_not_counted), cmocka_unit_test(test_told_to_sleep),
        cmocka_unit_test(test_hope),        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_waits),
    };

    return cmocka_run_group_tests_name("patience", tests, start, end);
}
