/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: their teams number the PEs; options, sessions, order, and what INVALID gives. */
#include "check.h"

enum { LIVE = 40, ROUNDS = 200 };

static long cells[64];
static long flag;
static uint64_t signal_word;

/* Writes to the rank after the own one in the context's team, by every kind of operation. */
static void check_numbers(shmem_ctx_t ctx, shmem_team_t team)
{
    int rank = shmem_team_my_pe(team);
    int size = shmem_team_n_pes(team);
    int next = (rank + 1) % size;
    int before = shmem_team_translate_pe(team, (rank + size - 1) % size, SHMEM_TEAM_WORLD);
    long mine = 1000 + shmem_my_pe();
    long found = 0;

    cells[0] = cells[1] = cells[2] = 0;
    signal_word = 0;
    shmem_team_sync(team);
    shmem_ctx_long_put(ctx, &cells[0], &mine, 1, next);
    shmem_ctx_long_p(ctx, &cells[1], mine, next);
    shmem_ctx_long_atomic_add(ctx, &cells[2], mine, next);
    shmem_ctx_signal_add(ctx, &signal_word, (uint64_t)mine, next);
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);
    CHECK(cells[0] == 1000 + before, "put: %ld from PE %d", cells[0], before);
    CHECK(cells[1] == 1000 + before, "p: %ld from PE %d", cells[1], before);
    CHECK(cells[2] == 1000 + before, "add: %ld from PE %d", cells[2], before);
    CHECK(signal_word == (uint64_t)(1000 + before), "signal from PE %d", before);
    shmem_ctx_long_get(ctx, &found, &cells[0], 1, next);
    CHECK(found == mine, "get: %ld", found);
    CHECK(shmem_ctx_long_g(ctx, &cells[1], next) == mine, "g");
    CHECK(shmem_ctx_long_atomic_fetch(ctx, &cells[2], next) == mine, "fetch");
    shmem_team_sync(team);
}

static void check_team_of(shmem_ctx_t ctx, shmem_team_t team)
{
    shmem_team_t found = SHMEM_TEAM_INVALID;

    CHECK(shmem_ctx_get_team(ctx, &found) == 0 && found == team, "team of a context");
}

static void check_options(void)
{
    for (long options = 0; options < 8; options++) {
        shmem_ctx_t ctx = SHMEM_CTX_INVALID;

        CHECK(shmem_ctx_create(options, &ctx) == 0 && ctx != SHMEM_CTX_INVALID, "options %ld",
              options);
        CHECK(ctx != SHMEM_CTX_DEFAULT, "a context of its own");
        check_team_of(ctx, SHMEM_TEAM_WORLD);
        check_numbers(ctx, SHMEM_TEAM_WORLD);
        shmem_ctx_destroy(ctx);
    }
}

static void check_unknown_options(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

    CHECK(shmem_ctx_create(1L << 20, &ctx) != 0, "unknown option");
    CHECK(ctx == SHMEM_CTX_INVALID, "no context");
}

static void check_teams(void)
{
    int n_pes = shmem_n_pes();
    shmem_team_t reversed, even;
    shmem_ctx_t ctx;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, n_pes - 1, -1, n_pes, NULL, 0, &reversed);
    CHECK(shmem_team_create_ctx(reversed, 0, &ctx) == 0, "context of a team");
    check_team_of(ctx, reversed);
    check_numbers(ctx, reversed);
    shmem_ctx_destroy(ctx);
    CHECK(shmem_team_create_ctx(reversed, SHMEM_CTX_SERIALIZED, &ctx) == 0, "left to the destroy");
    shmem_team_destroy(reversed);

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n_pes + 1) / 2, NULL, 0, &even);
    if (even != SHMEM_TEAM_INVALID) {
        CHECK(shmem_team_create_ctx(even, 0, &ctx) == 0, "context of the even PEs");
        check_numbers(ctx, even);
        shmem_ctx_destroy(ctx);
        shmem_team_destroy(even);
    } else {
        CHECK(shmem_team_create_ctx(even, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID,
              "no context of no team");
    }
    shmem_barrier_all();
}

/* Each context in turn carries a block and its flag. */
static void check_order(void)
{
    shmem_ctx_t contexts[LIVE];
    int me = shmem_my_pe();
    int last = shmem_n_pes() - 1;

    flag = 0;
    for (int i = 0; i < LIVE; i++)
        CHECK(shmem_ctx_create(0, &contexts[i]) == 0, "context %d", i);
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS && last > 0; round++) {
        shmem_ctx_t ctx = contexts[round % LIVE];
        long block[32];

        if (me == 0) {
            for (int i = 0; i < 32; i++)
                block[i] = round * 100 + i;
            shmem_ctx_long_put_nbi(ctx, cells, block, 32, last);
            shmem_ctx_fence(ctx);
            shmem_ctx_long_p(ctx, &flag, round, last);
            shmem_ctx_quiet(ctx);
            shmem_ctx_pe_quiet(ctx, &last, 1);
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
        } else if (me == last) {
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
            for (int i = 0; i < 32; i++)
                CHECK(cells[i] == round * 100 + i, "round %ld: word %d is %ld", round, i, cells[i]);
            shmem_ctx_long_p(ctx, &flag, round, 0);
        }
    }
    for (int i = 0; i < LIVE; i++)
        shmem_ctx_destroy(contexts[i]);
    shmem_barrier_all();
}

static void check_sessions(void)
{
    shmem_ctx_session_config_t config = {.total_ops = 64};
    shmem_ctx_t ctx;

    CHECK(shmem_ctx_create(0, &ctx) == 0, "context");
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_start(ctx, 0, NULL, 0);
    check_numbers(ctx, SHMEM_TEAM_WORLD);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    check_numbers(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(ctx);
}

static void check_invalid(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    int pe = 0;

    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID,
          "team of no context");
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID,
          "context of no team");
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, &pe, 1);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    check_team_of(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD);
}

/* Handles of contexts are not used again at once. */
static void check_reuse(void)
{
    shmem_ctx_t first, second;

    shmem_ctx_create(0, &first);
    shmem_ctx_destroy(first);
    shmem_ctx_create(0, &second);
    CHECK(first != second, "the handle of a destroyed context means another one");
    shmem_ctx_destroy(second);
}

int main(void)
{
    shmem_init();
    check_options();
    check_unknown_options();
    check_teams();
    check_order();
    check_sessions();
    check_invalid();
    check_reuse();
    shmem_finalize();
    return 0;
}
