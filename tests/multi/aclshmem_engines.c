/* SPDX-License-Identifier: BSD-3-Clause */
/* The mask of engines of ACLSHMEM's attributes: what is refused, and that the others move data. */
#include "own_pes.h"

#include <dirent.h>

#define PES 2
#define COUNT 50000

struct job {
    char address[64];
    int engines; /* data_op_engine_type_t */
};

static int join_with(int pe, const struct job *job)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, PES, job->address);

    attributes.option_attr.data_op_engine_type = (data_op_engine_type_t)job->engines;
    return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
}

/* Without a job, so PE 0 of two is refused before it waits for the other. */
static void expect_refusal(int engines, int code)
{
    struct job job = {.engines = engines};

    find_address(job.address);
    assert_int_equal(join_with(0, &job), code);
    assert_int_equal(aclshmemx_init_status(), ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refusal(0, ACLSHMEM_INVALID_VALUE);
    expect_refusal(-1, ACLSHMEM_INVALID_VALUE);
    expect_refusal(16, ACLSHMEM_INVALID_VALUE);
    expect_refusal(17, ACLSHMEM_INVALID_VALUE);
    expect_refusal(ACLSHMEM_DATA_OP_ROCE, ACLSHMEM_NOT_SUPPORTED);
    expect_refusal(ACLSHMEM_DATA_OP_MTE | ACLSHMEM_DATA_OP_ROCE, ACLSHMEM_NOT_SUPPORTED);
    expect_refusal(15, ACLSHMEM_NOT_SUPPORTED);
}

static int count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    EXPECT(tasks != NULL);
    for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void move_data(int pe, int n_pes, const void *argument)
{
    const struct job *job = argument;
    int other = n_pes - 1 - pe;
    int32_t *dest;
    int32_t *source;
    int32_t *signal;
    int threads;

    EXPECT(join_with(pe, job) == 0);
    threads = count_threads();
    dest = aclshmem_calloc(COUNT, sizeof *dest);
    source = aclshmem_calloc(COUNT, sizeof *source);
    signal = aclshmem_calloc(1, sizeof *signal);
    EXPECT(dest != NULL && source != NULL && signal != NULL);
    for (int32_t i = 0; i < COUNT; i++)
        source[i] = pe * COUNT + i;
    aclshmem_int32_put_nbi(dest, source, COUNT / 2, other);
    aclshmemx_putmem_signal_nbi(dest + COUNT / 2, source + COUNT / 2, COUNT * 2, signal, 7,
                                ACLSHMEM_SIGNAL_SET, other);
    aclshmem_barrier_all();
    EXPECT(*signal == 7);
    for (int32_t i = 0; i < COUNT; i++)
        EXPECT(dest[i] == other * COUNT + i);
    aclshmem_int32_get(dest, source, COUNT, pe);
    EXPECT(memcmp(dest, source, COUNT * sizeof *dest) == 0);
    EXPECT(count_threads() == threads + (job->engines == ACLSHMEM_DATA_OP_SDMA));
    aclshmem_barrier_all();
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(count_threads() == 1);
}

static void run_engines(int engines)
{
    struct job job = {.engines = engines};

    find_address(job.address);
    run_pes(PES, move_data, &job);
}

static void test_mte(void **state)
{
    (void)state;
    run_engines(ACLSHMEM_DATA_OP_MTE);
}

static void test_sdma(void **state)
{
    (void)state;
    run_engines(ACLSHMEM_DATA_OP_SDMA);
}

/* Which engine serves is no business of SHMEM_ENGINES here. */
static void test_attributes_decide(void **state)
{
    (void)state;
    setenv("SHMEM_ENGINES", "mte", 1);
    run_engines(ACLSHMEM_DATA_OP_SDMA);
    setenv("SHMEM_ENGINES", "sdma", 1);
    run_engines(ACLSHMEM_DATA_OP_MTE);
    setenv("SHMEM_ENGINES", "fast", 1); /* is an error all the same */
    expect_refusal(ACLSHMEM_DATA_OP_MTE, ACLSHMEM_INVALID_VALUE);
    unsetenv("SHMEM_ENGINES");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_mte),
        cmocka_unit_test(test_sdma),
        cmocka_unit_test(test_attributes_decide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
