/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of an allocator whose nodes are small, so that a few thousand blocks make it deep and
 * every call moves nodes: after each one, all nodes are looked at.
 */
#include "block_tree_check.h"

#ifndef SEEDS
#define SEEDS 8
#endif
#define HEAP_BYTES (1u << 20)

static void run(struct pair *pair, int steps, uint64_t takes)
{
    for (int i = 0; i < steps; i++) {
        step(pair, takes);
        check_pair(pair);
    }
}

/* Gives all blocks back, from a random place on to the end and then from the start. */
static void drain(struct pair *pair)
{
    size_t at = next_random(&pair->random) % pair->model->count;

    while (pair->model->count > 1 || pair->model->blocks[0].asked != 0) {
        at = at < pair->model->count ? at : 0;
        if (pair->model->blocks[at].asked != 0) {
            step_give(pair, at);
            check_pair(pair);
        } else {
            at++;
        }
    }
    assert_int_equal(pair->allocator->tree.height, 0);
}

static void test_blocks_of_all_sizes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct pair pair = pair_create(HEAP_BYTES, seed);

        for (int i = 0; i < 4; i++) {
            run(&pair, 500, 7);
            run(&pair, 500, 3);
        }
        drain(&pair);
        pair_destroy(&pair);
    }
}

static void test_thousands_of_small_blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct pair pair = pair_create(HEAP_BYTES, seed);

        pair.size_kinds = 1 + seed % 2;
        run(&pair, 3000, 8);
        run(&pair, 1000, 5);
        pair.size_kinds = 5;
        run(&pair, 1000, 4);
        drain(&pair);
        pair_destroy(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_of_all_sizes),
        cmocka_unit_test(test_thousands_of_small_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
