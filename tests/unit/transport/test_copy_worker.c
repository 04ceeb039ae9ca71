/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/futex.h"
#include "transport/transport.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define TRANSFERS 3000
#define GIVERS 3
#define PATIENCE_NS 50000000u

/* What the worker was given; the lock holds it up. */
struct record {
    pthread_mutex_t gate;
    size_t count;
    const void *seen[TRANSFERS * GIVERS];
    bool has_signals_open; /* some signal reaches the worker */
};

static void note(void *argument, const struct shm_transfer *transfer)
{
    struct record *record = argument;
    sigset_t blocked;

    pthread_mutex_lock(&record->gate);
    pthread_mutex_unlock(&record->gate);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    record->has_signals_open |= sigismember(&blocked, SIGUSR1) == 0;
    shm_copy_strided(&transfer->copy);
    record->seen[record->count++] = transfer->copy.from;
}

static struct shm_copy_worker *start(struct record *record)
{
    struct shm_copy_worker *worker = NULL;

    memset(record, 0, sizeof *record);
    pthread_mutex_init(&record->gate, NULL);
    assert_int_equal(shm_copy_worker_create(note, record, &worker), SHM_OK);
    return worker;
}

static void wait_for(struct shm_copy_worker *worker, uint32_t ticket)
{
    const _Atomic uint32_t *word = shm_copy_worker_futex(worker);

    shm_copy_worker_expect(worker);
    while (!shm_copy_worker_is_done(worker, ticket)) {
        uint32_t seen = atomic_load(word);

        if (!shm_copy_worker_is_done(worker, ticket))
            shm_futex_wait(word, seen, PATIENCE_NS);
    }
    shm_copy_worker_forget(worker);
}

/* Gives a transfer, when there is room for it. */
static uint32_t give(struct shm_copy_worker *worker, long *to, const long *from)
{
    struct shm_transfer transfer = {.copy = {to, from, 1, 1, 1, 1, sizeof *to}};
    uint32_t ticket = 0;

    for (;;) {
        uint32_t oldest = shm_copy_worker_oldest(worker);
        enum shm_status status = shm_copy_worker_try_give(worker, &transfer, &ticket);

        if (status == SHM_OK)
            return ticket;
        assert_int_equal(status, SHM_AGAIN);
        wait_for(worker, oldest);
    }
}

static int count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    assert_non_null(tasks);
    for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static struct record record;
static long source[TRANSFERS], dest[TRANSFERS];

static void test_order(void **state)
{
    struct shm_copy_worker *worker = start(&record);

    (void)state;
    for (long i = 0; i < TRANSFERS; i++) {
        source[i] = i + 1;
        dest[i] = 0;
    }
    for (int i = 0; i < TRANSFERS; i++)
        give(worker, &dest[i], &source[i]);
    wait_for(worker, shm_copy_worker_last(worker));
    assert_int_equal(record.count, TRANSFERS);
    for (int i = 0; i < TRANSFERS; i++) {
        assert_ptr_equal(record.seen[i], &source[i]);
        assert_int_equal(dest[i], i + 1);
    }
    assert_false(record.has_signals_open);
    shm_copy_worker_destroy(worker);
}

/* The first transfer is held up: the queue takes so many and no more, and none is done. */
static void test_full_queue(void **state)
{
    struct shm_copy_worker *worker = start(&record);
    struct shm_transfer transfer = {.copy = {dest, source, 1, 1, 1, 1, sizeof *dest}};
    uint32_t first = 0;
    uint32_t ticket = 0;
    int given = 1;

    (void)state;
    pthread_mutex_lock(&record.gate);
    assert_int_equal(shm_copy_worker_try_give(worker, &transfer, &first), SHM_OK);
    while (given < TRANSFERS && shm_copy_worker_try_give(worker, &transfer, &ticket) == SHM_OK)
        given++;
    assert_in_range(given, 2, TRANSFERS - 1);
    assert_int_equal(shm_copy_worker_oldest(worker), first);
    assert_int_equal(shm_copy_worker_last(worker), ticket);
    assert_false(shm_copy_worker_is_done(worker, first));
    pthread_mutex_unlock(&record.gate);
    wait_for(worker, first);
    give(worker, dest, source);
    shm_copy_worker_destroy(worker); /* does what is left */
    assert_int_equal(record.count, given + 1);
}

static void test_lazy(void **state)
{
    int before = count_threads();
    struct shm_copy_worker *worker = start(&record);

    (void)state;
    assert_int_equal(count_threads(), before);
    assert_true(shm_copy_worker_is_done(worker, shm_copy_worker_last(worker)));
    shm_copy_worker_destroy(worker);
    worker = start(&record);
    wait_for(worker, give(worker, dest, source));
    assert_int_equal(count_threads(), before + 1);
    usleep(20000); /* by then it sleeps */
    wait_for(worker, give(worker, dest, source));
    shm_copy_worker_destroy(worker);
    assert_int_equal(record.count, 2);
    assert_int_equal(count_threads(), before);
    shm_copy_worker_destroy(NULL);
}

static long slots[GIVERS][TRANSFERS];

struct giver {
    struct shm_copy_worker *worker;
    long number;
};

/* Each waits for its own now and then, and then it is there. */
static void *give_many(void *argument)
{
    const struct giver *giver = argument;
    long *mine = slots[giver->number];

    for (long i = 0; i < TRANSFERS; i++) {
        uint32_t ticket = give(giver->worker, &mine[i], &source[i]);

        if (i % 16 != 0)
            continue;
        wait_for(giver->worker, ticket);
        if (mine[i] != source[i])
            return &record; /* anything but NULL */
    }
    wait_for(giver->worker, shm_copy_worker_last(giver->worker));
    return NULL;
}

static void test_givers(void **state)
{
    struct shm_copy_worker *worker = start(&record);
    struct giver givers[GIVERS];
    pthread_t threads[GIVERS];

    (void)state;
    for (long i = 0; i < TRANSFERS; i++)
        source[i] = i + 1;
    memset(slots, 0, sizeof slots);
    for (int i = 0; i < GIVERS; i++) {
        givers[i] = (struct giver){worker, i};
        assert_int_equal(pthread_create(&threads[i], NULL, give_many, &givers[i]), 0);
    }
    for (int i = 0; i < GIVERS; i++) {
        void *failure = NULL;

        pthread_join(threads[i], &failure);
        assert_null(failure);
    }
    for (int i = 0; i < GIVERS; i++)
        assert_memory_equal(slots[i], source, sizeof source);
    assert_int_equal(record.count, GIVERS * TRANSFERS);
    shm_copy_worker_destroy(worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_full_queue),
        cmocka_unit_test(test_lazy),
        cmocka_unit_test(test_givers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
