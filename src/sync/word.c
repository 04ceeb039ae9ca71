/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync_internal.h"

bool shm_word_is(const struct shm_word_test *test)
{
    return shm_word_compares(test, shm_word_load(test->word, test->kind));
}

struct observed_word {
    const struct shm_word_test *test;
    uint64_t *value; /* what the last look has seen */
};

static bool word_is(const struct shm_wait *wait)
{
    const struct observed_word *observed = wait->argument;

    *observed->value = shm_word_load(observed->test->word, observed->test->kind);
    return shm_word_compares(observed->test, *observed->value);
}

enum shm_status shm_wait_until_value(struct shm_instance *instance,
                                     const struct shm_word_test *test, const char *call,
                                     uint64_t *out_value)
{
    uint64_t value = 0;
    struct observed_word observed = {test, &value};
    struct shm_wait wait = {.is_over = word_is, .argument = &observed, .call = call, .peer = -1};
    enum shm_status status = shm_wait(instance, &wait);

    if (status == SHM_OK)
        *out_value = value; /* a wait that is over has not looked again */
    return status;
}

enum shm_status shm_wait_until(struct shm_instance *instance, const struct shm_word_test *test,
                               const char *call)
{
    uint64_t value;

    return shm_wait_until_value(instance, test, call, &value);
}
