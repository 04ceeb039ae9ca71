/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs are threads here, which meet at a board as the launcher makes it. */
#include "base/board.h"
#include "base/clock.h"
#include "base/status.h"
#include "bootstrap/bootstrap.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define N_PES 5
#define LIMIT_MS 30000
#define LONG_BYTES (2 * SHM_BOARD_PIECE_BYTES + 100)

static struct shm_board *board;
static int board_fd;

static int make_board(void **state)
{
    (void)state;
    board_fd = memfd_create("board", MFD_CLOEXEC);
    if (board_fd < 0 || ftruncate(board_fd, (off_t)shm_board_bytes(N_PES)) != 0)
        return -1;
    board =
        mmap(NULL, shm_board_mapped_bytes(N_PES), PROT_READ | PROT_WRITE, MAP_SHARED, board_fd, 0);
    if (board == MAP_FAILED)
        return -1;
    board->magic = SHM_BOARD_MAGIC;
    board->n_pes = N_PES;
    return 0;
}

static int drop_board(void **state)
{
    (void)state;
    munmap(board, shm_board_mapped_bytes(N_PES));
    return close(board_fd);
}

static enum shm_status come(int pe, uint64_t limit_ms, struct shm_bootstrap **out)
{
    struct shm_bootstrap_request request = {.bytes = sizeof request,
                                            .my_pe = pe,
                                            .n_pes = N_PES,
                                            .listen_fd = -1,
                                            .board_fd = board_fd,
                                            .deadline_ns = shm_deadline_after_ms(limit_ms)};

    return shm_bootstrap_open(SHM_BOOTSTRAP_BOARD, &request, out);
}

/* What a PE does, and what came of it. */
struct actor {
    pthread_t thread;
    int pe;
    void (*act)(struct actor *actor);
    enum shm_status status;
    char detail[SHM_DETAIL_BYTES];
};

static void *run_actor(void *argument)
{
    struct actor *actor = argument;

    actor->act(actor);
    snprintf(actor->detail, sizeof actor->detail, "%s", shm_error_detail());
    return NULL;
}

static void run_pes(int first, void (*act)(struct actor *actor), struct actor actors[N_PES])
{
    for (int pe = first; pe < N_PES; pe++) {
        actors[pe] = (struct actor){.pe = pe, .act = act};
        assert_int_equal(pthread_create(&actors[pe].thread, NULL, run_actor, &actors[pe]), 0);
    }
    for (int pe = first; pe < N_PES; pe++)
        assert_int_equal(pthread_join(actors[pe].thread, NULL), 0);
}

static void expect_all(int first, const struct actor actors[N_PES], enum shm_status status)
{
    for (int pe = first; pe < N_PES; pe++) {
        if (actors[pe].status != status)
            fail_msg("PE %d: %d %s", pe, (int)actors[pe].status, actors[pe].detail);
    }
}

static uint64_t soon(void)
{
    return shm_deadline_after_ms(LIMIT_MS);
}

/* ---- what works ---- */

static enum shm_status exchange(struct shm_bootstrap *bootstrap, int pe, size_t bytes)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    char mine[LONG_BYTES];
    char all[N_PES * LONG_BYTES];
    enum shm_status status;

    for (size_t i = 0; i < bytes; i++)
        mine[i] = letters[((size_t)pe * 7 + i) % 26];
    status = shm_bootstrap_allgather(bootstrap, mine, bytes, all, soon());
    for (size_t i = 0; i < N_PES * bytes && status == SHM_OK; i++) {
        if (all[i] != letters[(i / bytes * 7 + i % bytes) % 26])
            return SHM_MISMATCH;
    }
    return status;
}

static void act_through_sessions(struct actor *actor)
{
    for (int session = 0; session < 20 && actor->status == SHM_OK; session++) {
        struct shm_bootstrap *bootstrap = NULL;

        actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
        for (int i = 0; i < 5 && actor->status == SHM_OK; i++) {
            actor->status = exchange(bootstrap, actor->pe, 1 + 3 * (size_t)i);
            if (actor->status == SHM_OK)
                actor->status = shm_bootstrap_barrier(bootstrap, soon());
        }
        if (actor->status == SHM_OK)
            actor->status = exchange(bootstrap, actor->pe, LONG_BYTES);
        if (actor->status == SHM_OK)
            actor->status = shm_bootstrap_finalize(bootstrap, soon());
        shm_bootstrap_close(bootstrap);
    }
}

static void test_sessions_follow_each_other(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_through_sessions, actors);
    expect_all(0, actors, SHM_OK);
}

/* ---- what does not ---- */

static void act_differently(struct actor *actor)
{
    struct shm_bootstrap *bootstrap = NULL;

    actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
    if (actor->status == SHM_OK)
        actor->status = exchange(bootstrap, actor->pe, actor->pe == 2 ? 8 : 9);
    shm_bootstrap_close(bootstrap);
}

static void test_sizes_must_agree(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_differently, actors);
    for (int pe = 0; pe < N_PES; pe++)
        assert_true(actors[pe].status == SHM_MISMATCH || actors[pe].status == SHM_PEER_LOST);
    assert_int_equal(actors[2].status == SHM_MISMATCH || actors[1].status == SHM_MISMATCH, true);
}

static void act_briefly(struct actor *actor)
{
    struct shm_bootstrap *bootstrap = NULL;

    actor->status = come(actor->pe, 100, &bootstrap);
    shm_bootstrap_close(bootstrap);
}

/* It may be at the store. */
static void test_pe_0_is_missing(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(1, act_briefly, actors);
    expect_all(1, actors, SHM_NOT_SUPPORTED);
}

/* Who gave up may come again with the others, who take no part in what it gave up. */
static void test_another_is_missing(void **state)
{
    (void)state;
    struct actor actors[N_PES];
    struct shm_bootstrap *bootstrap = NULL;

    assert_int_equal(come(0, 50, &bootstrap), SHM_TIMEOUT_ERROR);
    assert_non_null(strstr(shm_error_detail(), "PEs 1 2 3 4 are missing"));
    run_pes(1, act_briefly, actors);
    expect_all(1, actors, SHM_NOT_SUPPORTED);
    run_pes(0, act_through_sessions, actors);
    expect_all(0, actors, SHM_OK);
}

static void act_at_shut_gate(struct actor *actor)
{
    struct shm_bootstrap *bootstrap = NULL;

    if (actor->pe == 3) { /* it has no board, which the launcher finds out at some time */
        usleep(50000);
        atomic_fetch_or(&board->gate, SHM_BOARD_SHUT);
        shm_board_ring(board);
    }
    actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
}

static void test_all_turn_back_at_a_shut_gate(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_at_shut_gate, actors);
    expect_all(0, actors, SHM_NOT_SUPPORTED);
}

/* Shut after all have come, the gate keeps nobody from going on, but all from coming again. */
static void act_before_gate_shuts(struct actor *actor)
{
    struct shm_bootstrap *bootstrap = NULL;

    actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
    atomic_fetch_or(&board->gate, SHM_BOARD_SHUT);
    if (actor->status == SHM_OK)
        actor->status = exchange(bootstrap, actor->pe, 5);
    if (actor->status == SHM_OK)
        actor->status = shm_bootstrap_finalize(bootstrap, soon());
    shm_bootstrap_close(bootstrap);
    if (actor->status == SHM_OK)
        actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
}

static void test_gate_shuts_late(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_before_gate_shuts, actors);
    expect_all(0, actors, SHM_NOT_SUPPORTED);
}

static void act_until_event(struct actor *actor)
{
    struct shm_bootstrap *bootstrap = NULL;
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};

    actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
    if (actor->status != SHM_OK)
        return;
    if (actor->pe == 4)
        actor->status = shm_bootstrap_abort(bootstrap, 7);
    else
        actor->status = shm_bootstrap_barrier(bootstrap, soon());
    assert_int_equal(shm_bootstrap_poll(bootstrap, &event), SHM_OK);
    assert_int_equal(event.kind, SHM_BOOTSTRAP_ABORT);
    assert_int_equal(event.pe, 4);
    assert_int_equal(event.status, 7);
    shm_bootstrap_close(bootstrap);
}

static void test_abort_ends_waits(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_until_event, actors);
    for (int pe = 0; pe < 4; pe++)
        assert_int_equal(actors[pe].status, SHM_ABORTED);
    assert_int_equal(actors[4].status, SHM_OK);
}

static void act_until_death(struct actor *actor)
{
    struct shm_bootstrap *bootstrap = NULL;
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};

    actor->status = come(actor->pe, LIMIT_MS, &bootstrap);
    if (actor->pe == 1) /* the launcher says that it died */
        shm_board_announce(board, shm_board_event(SHM_BOOTSTRAP_PE_FAILED, 1, 0));
    else
        actor->status = shm_bootstrap_barrier(bootstrap, soon());
    assert_int_equal(shm_bootstrap_poll(bootstrap, &event), SHM_OK);
    assert_int_equal(event.kind, SHM_BOOTSTRAP_PE_FAILED);
    assert_int_equal(event.pe, 1);
    shm_bootstrap_close(bootstrap);
}

static void test_death_ends_waits(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_until_death, actors);
    actors[1].status = SHM_PEER_LOST;
    expect_all(0, actors, SHM_PEER_LOST);
}

static struct shm_bootstrap *held[N_PES];

static void act_and_stay(struct actor *actor)
{
    actor->status = come(actor->pe, LIMIT_MS, &held[actor->pe]);
}

static int lost_pe_seen_by(int pe)
{
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};

    assert_int_equal(shm_bootstrap_poll(held[pe], &event), SHM_OK);
    return event.kind == SHM_BOOTSTRAP_PE_FAILED ? event.pe : -1;
}

/* The others give up because of it, which makes none of them the cause. */
static void test_first_failure_is_named(void **state)
{
    (void)state;
    struct actor actors[N_PES];

    run_pes(0, act_and_stay, actors);
    expect_all(0, actors, SHM_OK);
    assert_int_equal(lost_pe_seen_by(0), -1);
    shm_bootstrap_close(held[3]);
    shm_bootstrap_close(held[1]);
    shm_bootstrap_close(held[4]);
    assert_int_equal(lost_pe_seen_by(0), 3);
    assert_int_equal(lost_pe_seen_by(2), 3);
    shm_bootstrap_close(held[0]);
    shm_bootstrap_close(held[2]);
}

/* PE 4 is slow to notice that the others began anew. */
static void test_late_failure_hides_no_newer_one(void **state)
{
    (void)state;
    struct actor actors[N_PES];
    struct shm_bootstrap *bootstrap = NULL;
    uint64_t newer;

    run_pes(0, act_and_stay, actors);
    expect_all(0, actors, SHM_OK);
    for (int pe = 0; pe < 4; pe++)
        shm_bootstrap_close(held[pe]);
    assert_int_equal(come(0, 50, &bootstrap), SHM_TIMEOUT_ERROR);
    newer = atomic_load(&board->broken);
    shm_bootstrap_close(held[4]);
    assert_int_equal(atomic_load(&board->broken), newer);
}

static void test_foreign_memory(void **state)
{
    (void)state;
    struct shm_bootstrap *bootstrap = NULL;

    board->n_pes = N_PES + 1;
    assert_int_equal(come(0, LIMIT_MS, &bootstrap), SHM_MISMATCH);
    board->n_pes = N_PES;
    board->magic++;
    assert_int_equal(come(0, LIMIT_MS, &bootstrap), SHM_MISMATCH);
}

#define BOARD_TEST(function) cmocka_unit_test_setup_teardown(function, make_board, drop_board)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOARD_TEST(test_sessions_follow_each_other),
        BOARD_TEST(test_sizes_must_agree),
        BOARD_TEST(test_pe_0_is_missing),
        BOARD_TEST(test_another_is_missing),
        BOARD_TEST(test_all_turn_back_at_a_shut_gate),
        BOARD_TEST(test_gate_shuts_late),
        BOARD_TEST(test_abort_ends_waits),
        BOARD_TEST(test_death_ends_waits),
        BOARD_TEST(test_first_failure_is_named),
        BOARD_TEST(test_late_failure_hides_no_newer_one),
        BOARD_TEST(test_foreign_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
