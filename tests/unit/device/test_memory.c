/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks and contexts. */
#include "device_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_blocks(void **state)
{
    static const size_t sizes[] = {1, 63, 64, 4097, 3000000};
    void *blocks[5];

    (void)state;
    for (int i = 0; i < 5; i++) {
        size_t alignment = i == 4 ? (size_t)2 << 20 : 64;

        assert_int_equal(shm_device_memory_take(SHM_MEMORY_DEVICE, sizes[i], alignment, &blocks[i]),
                         SHM_OK);
        assert_int_equal((uintptr_t)blocks[i] % alignment, 0);
        memset(blocks[i], 1, (sizes[i] + 63) / 64 * 64);
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(shm_device_memory_give(SHM_MEMORY_HOST, blocks[i]), SHM_INVALID_PARAM);
        assert_int_equal(shm_device_memory_give(SHM_MEMORY_DEVICE, blocks[i]), SHM_OK);
        assert_int_equal(shm_device_memory_give(SHM_MEMORY_DEVICE, blocks[i]), SHM_INVALID_PARAM);
        expect_detail("no block of device memory");
    }
}

static void test_no_block(void **state)
{
    char *block;

    (void)state;
    assert_int_equal(shm_device_memory_take(SHM_MEMORY_HOST, 100, 64, (void **)&block), SHM_OK);
    assert_int_equal(shm_device_memory_give(SHM_MEMORY_HOST, block + 8), SHM_INVALID_PARAM);
    assert_int_equal(shm_device_memory_give(SHM_MEMORY_HOST, NULL), SHM_INVALID_PARAM);
    assert_int_equal(shm_device_memory_give(SHM_MEMORY_HOST, block), SHM_OK);
    assert_int_equal(shm_device_memory_take(SHM_MEMORY_HOST, SIZE_MAX, 64, (void **)&block),
                     SHM_MALLOC_FAILED);
    assert_int_equal(shm_device_memory_take(SHM_MEMORY_HOST, SIZE_MAX / 4, 64, (void **)&block),
                     SHM_MALLOC_FAILED);
    expect_detail("no memory for a block");
}

static void *take_and_give(void *argument)
{
    const _Atomic bool *is_over = argument;
    void *block;

    while (!*is_over) {
        if (shm_device_memory_take(SHM_MEMORY_HOST, 64, 64, &block) != SHM_OK ||
            shm_device_memory_give(SHM_MEMORY_HOST, block) != SHM_OK)
            abort();
    }
    return NULL;
}

static bool can_child_take(void)
{
    pid_t child = fork();
    int status = -1;
    void *block;

    if (child == 0) {
        alarm(5);
        _exit(shm_device_memory_take(SHM_MEMORY_HOST, 64, 64, &block) == SHM_OK ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

/* Comes first: nothing but blocks has been taken before. */
static void test_fork_beside_others(void **state)
{
    _Atomic bool is_over = false;
    pthread_t threads[2];
    bool is_well = true;

    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* its allocator does not provide for forks: the child would wait for it forever */
#endif
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, &is_over), 0);
    for (int i = 0; i < 100 && is_well; i++)
        is_well = can_child_take();
    is_over = true;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_true(is_well);
}

static void test_contexts(void **state)
{
    void *contexts[3], *again;
    int device = -1;

    (void)state;
    assert_int_equal(shm_device_context_default(3, &contexts[0]), SHM_OK);
    assert_int_equal(shm_device_context_default(3, &again), SHM_OK);
    assert_ptr_equal(contexts[0], again);
    assert_int_equal(shm_device_context_default(63, &contexts[1]), SHM_OK);
    assert_ptr_not_equal(contexts[0], contexts[1]);
    assert_int_equal(shm_device_context_create(5, &contexts[2]), SHM_OK);
    assert_int_equal(shm_device_context_device(contexts[0], &device), SHM_OK);
    assert_int_equal(device, 3);
    assert_int_equal(shm_device_context_device(contexts[2], &device), SHM_OK);
    assert_int_equal(device, 5);
    assert_int_equal(shm_device_context_destroy(contexts[0]), SHM_INVALID_PARAM);
    expect_detail("always has stays");
    assert_int_equal(shm_device_context_destroy(contexts[2]), SHM_OK);
    assert_int_equal(shm_device_context_destroy(contexts[2]), SHM_INVALID_PARAM);
    assert_int_equal(shm_device_context_device(contexts[2], &device), SHM_INVALID_PARAM);
    assert_int_equal(shm_device_context_destroy(NULL), SHM_INVALID_PARAM);
}

/* Every place of the table can be used; then there is an error, and afterwards room again. */
static void test_all_handles(void **state)
{
    static void *events[70000];
    size_t count = 0;

    (void)state;
    while (count < 70000 && shm_event_create(&events[count]) == SHM_OK)
        count++;
    expect_detail("65536 streams, events and contexts exist");
    assert_true(count > 65000 && count <= 65536);
    assert_int_equal(shm_event_destroy(events[100]), SHM_OK);
    assert_int_equal(shm_event_create(&events[100]), SHM_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(shm_event_destroy(events[i]), SHM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fork_beside_others), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_no_block),           cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_all_handles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
