/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixture.h"

#define MOST_RANKS 64

/* Byte i of what a rank contributes in a round. */
static char pattern(uint32_t rank, size_t round, size_t i)
{
    return (char)(rank * 31 + round * 7 + i * 3 + (i >> 8));
}

static bool is_gathered(const char *all, uint32_t n_ranks, size_t round, size_t bytes)
{
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        for (size_t i = 0; i < bytes; i++)
            if (all[rank * bytes + i] != pattern(rank, round, i))
                return false;
    return true;
}

static enum shm_status gather(struct worker *worker, size_t round, size_t bytes)
{
    uint32_t n_ranks = worker->fixture->n_ranks;
    char *mine = malloc(bytes);
    char *all = malloc(bytes * n_ranks);
    enum shm_status status;

    for (size_t i = 0; i < bytes; i++)
        mine[i] = pattern(worker->rank, round, i);
    status = shm_store_allgather(worker->client, mine, bytes, all, soon());
    if (status == SHM_OK && !is_gathered(all, n_ranks, round, bytes))
        status = shm_fail(SHM_MISMATCH, "wrong bytes in round %zu of %zu bytes", round, bytes);
    free(mine);
    free(all);
    return status;
}

static enum shm_status small_rounds(struct worker *worker)
{
    static const size_t sizes[] = {1, 8, 4096, 1, 100, 16384};
    enum shm_status status = SHM_OK;

    for (size_t i = 0; status == SHM_OK && i < 6; i++) {
        status = gather(worker, i, sizes[i]);
        if (status == SHM_OK)
            status = shm_store_barrier(worker->client, soon());
    }
    return status;
}

/* Takes several rounds of the store when there are many ranks. */
static enum shm_status large_round(struct worker *worker)
{
    return gather(worker, 0, 1u << 20);
}

static void run_all(uint32_t n_ranks, enum shm_status (*run)(struct worker *worker))
{
    struct worker workers[MOST_RANKS];
    struct shm_store_client *clients[MOST_RANKS];
    struct fixture fixture;

    start_server(&fixture, n_ranks);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        clients[rank] = join(&fixture, rank);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        start_worker(&workers[rank], &fixture, clients[rank], rank, run);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        pthread_join(workers[rank].thread, NULL);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        if (workers[rank].status != SHM_OK)
            fprintf(stderr, "rank %u: %s\n", rank, workers[rank].detail);
        assert_int_equal(workers[rank].status, SHM_OK);
    }
    /* the keys of the last round, and those of the others are gone */
    assert_in_range(shm_store_server_key_count(fixture.server), 1, 2);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        leave(clients[rank]);
    assert_int_equal(shm_store_server_stop(fixture.server, soon()), SHM_OK);
    shm_store_server_destroy(fixture.server);
}

static void test_rounds_of_all_sizes(void **state)
{
    (void)state;
    run_all(1, small_rounds);
    run_all(2, small_rounds);
    run_all(3, small_rounds);
    run_all(8, small_rounds);
}

static void test_rounds_of_many_ranks(void **state)
{
    (void)state;
    run_all(MOST_RANKS, small_rounds);
}

static void test_large_contributions(void **state)
{
    (void)state;
    run_all(1, large_round);
    run_all(24, large_round);
}

/* Nobody leaves a barrier before the last one came. */
static _Atomic uint32_t arrived;

static enum shm_status count_through_barriers(struct worker *worker)
{
    for (uint32_t round = 1; round <= 50; round++) {
        enum shm_status status;

        atomic_fetch_add(&arrived, 1);
        status = shm_store_barrier(worker->client, soon());
        if (status != SHM_OK)
            return status;
        if (atomic_load(&arrived) < round * worker->fixture->n_ranks)
            return shm_fail(SHM_MISMATCH, "left barrier %u early", round);
    }
    return SHM_OK;
}

static void test_a_barrier_holds(void **state)
{
    (void)state;
    atomic_store(&arrived, 0);
    run_all(5, count_through_barriers);
    assert_int_equal(arrived, 250);
}

static enum shm_status gather_own_size(struct worker *worker)
{
    char mine[16] = {0};
    char all[3 * 16];

    return shm_store_allgather(worker->client, mine, worker->rank == 1 ? 16 : 8, all, soon());
}

static void test_different_sizes_are_reported_to_all(void **state)
{
    (void)state;
    struct worker workers[3];
    struct fixture fixture;

    start_server(&fixture, 3);
    for (uint32_t rank = 0; rank < 3; rank++)
        start_worker(&workers[rank], &fixture, join(&fixture, rank), rank, gather_own_size);
    for (uint32_t rank = 0; rank < 3; rank++) {
        pthread_join(workers[rank].thread, NULL);
        assert_int_equal(workers[rank].status, SHM_MISMATCH);
        assert_non_null(strstr(workers[rank].detail, "bytes to allgather, others do not"));
        leave(workers[rank].client);
    }
    shm_store_server_destroy(fixture.server);
}

/* A member that lies about its rank in its contribution. */
static void test_each_rank_must_be_there_once(void **state)
{
    (void)state;
    static const char entry[] = {0, 0, 0, 0, 1, 0, 0, 0, 'x'};
    struct fixture fixture;
    struct shm_store_client *client;
    struct shm_store_client *liar;
    uint64_t bytes;
    char all[2];

    start_server(&fixture, 2);
    client = join(&fixture, 0);
    liar = join(&fixture, 1);
    assert_int_equal(shm_store_append(liar, "group/0/data",
                                      (struct shm_store_slice){entry, sizeof entry}, soon(),
                                      &bytes),
                     SHM_OK);
    assert_int_equal(shm_store_allgather(client, "y", 1, all, soon()), SHM_MISMATCH);
    assert_string_equal(shm_error_detail(), "allgather brought the data of PE 0 twice");
    leave(client);
    leave(liar);
    shm_store_server_destroy(fixture.server);
}

static void test_nothing_to_gather_is_an_error(void **state)
{
    (void)state;
    struct fixture fixture;
    struct shm_store_client *client;
    char all[1];

    start_server(&fixture, 1);
    client = join(&fixture, 0);
    assert_int_equal(shm_store_allgather(client, "", 0, all, soon()), SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "allgather of 0 bytes, expected at least 1");
    leave(client);
    shm_store_server_destroy(fixture.server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_of_all_sizes),
        cmocka_unit_test(test_rounds_of_many_ranks),
        cmocka_unit_test(test_large_contributions),
        cmocka_unit_test(test_a_barrier_holds),
        cmocka_unit_test(test_different_sizes_are_reported_to_all),
        cmocka_unit_test(test_each_rank_must_be_there_once),
        cmocka_unit_test(test_nothing_to_gather_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
