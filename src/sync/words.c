/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync_internal.h"

static bool is_left_out(const struct shm_words_test *test, size_t index)
{
    return test->status != NULL && test->status[index] != 0;
}

static bool is_satisfied(const struct shm_words_test *test, size_t index)
{
    size_t offset = index * shm_word_bytes(test->kind);
    struct shm_word_test one = {(const char *)test->words + offset, test->value, test->kind,
                                test->comparison};

    if (test->values != NULL)
        one.value = shm_word_load((const char *)test->values + offset, test->kind);
    return shm_word_compares(&one, shm_word_load(one.word, one.kind));
}

bool shm_words_all(const struct shm_words_test *test)
{
    for (size_t i = 0; i < test->count; i++) {
        if (!is_left_out(test, i) && !is_satisfied(test, i))
            return false;
    }
    return true;
}

static size_t find_between(const struct shm_words_test *test, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!is_left_out(test, i) && is_satisfied(test, i))
            return i;
    }
    return SIZE_MAX;
}

size_t shm_words_any(const struct shm_words_test *test, size_t first)
{
    size_t found = find_between(test, first, test->count);

    return found != SIZE_MAX ? found : find_between(test, 0, first);
}

/* Multiples of the golden ratio, less their whole parts: any part of them with fixed distances, as
 * of calls that look at several arrays by turns, fills the range from 0 to 1 evenly too. */
size_t shm_words_turn(struct shm_instance *instance, size_t count)
{
    const uint64_t golden_ratio = 0x9E3779B97F4A7C15; /* of 2^64 */
    uint64_t turn = atomic_load_explicit(&instance->words_turn, memory_order_relaxed);

    /* relaxed, and no matter when threads get the same turn: nothing else depends on it */
    atomic_store_explicit(&instance->words_turn, turn + golden_ratio, memory_order_relaxed);
    return (size_t)(((unsigned __int128)turn * count) >> 64);
}

size_t shm_words_some(const struct shm_words_test *test, size_t *indices)
{
    size_t count = 0;

    for (size_t i = 0; i < test->count; i++) {
        if (!is_left_out(test, i) && is_satisfied(test, i))
            indices[count++] = i;
    }
    return count;
}

/* No word can ever satisfy the test. */
static bool is_empty(const struct shm_words_test *test)
{
    for (size_t i = 0; i < test->count; i++) {
        if (!is_left_out(test, i))
            return false;
    }
    return true;
}

/* A wait for words, with what the last look at them has found. A wait that is over has not looked
 * again, so what it found is what ended it. */
struct watched_words {
    const struct shm_words_test *test;
    size_t *found; /* index or count */
    size_t *indices;
    size_t first; /* where to look first */
};

static bool are_all(const struct shm_wait *wait)
{
    const struct watched_words *watched = wait->argument;

    return shm_words_all(watched->test);
}

static bool is_any(const struct shm_wait *wait)
{
    const struct watched_words *watched = wait->argument;

    *watched->found = shm_words_any(watched->test, watched->first);
    return *watched->found != SIZE_MAX;
}

static bool are_some(const struct shm_wait *wait)
{
    const struct watched_words *watched = wait->argument;

    *watched->found = shm_words_some(watched->test, watched->indices);
    return *watched->found != 0;
}

static enum shm_status watch_words(struct shm_instance *instance,
                                   const struct watched_words *watched, const char *call,
                                   bool (*is_over)(const struct shm_wait *wait))
{
    struct shm_wait wait = {.is_over = is_over, .argument = watched, .call = call, .peer = -1};

    return shm_wait(instance, &wait);
}

enum shm_status shm_wait_until_all(struct shm_instance *instance, const struct shm_words_test *test,
                                   const char *call)
{
    struct watched_words watched = {.test = test};

    return watch_words(instance, &watched, call, are_all);
}

enum shm_status shm_wait_until_any(struct shm_instance *instance, const struct shm_words_test *test,
                                   const char *call, size_t *out_index)
{
    size_t index = SIZE_MAX;
    struct watched_words watched = {.test = test, .found = &index};
    enum shm_status status = SHM_OK;

    if (!is_empty(test)) {
        watched.first = shm_words_turn(instance, test->count);
        status = watch_words(instance, &watched, call, is_any);
    }
    if (status == SHM_OK)
        *out_index = index;
    return status;
}

enum shm_status shm_wait_until_some(struct shm_instance *instance,
                                    const struct shm_words_test *test, const char *call,
                                    size_t *indices, size_t *out_count)
{
    size_t count = 0;
    struct watched_words watched = {.test = test, .found = &count, .indices = indices};
    enum shm_status status = SHM_OK;

    if (!is_empty(test))
        status = watch_words(instance, &watched, call, are_some);
    if (status == SHM_OK)
        *out_count = count;
    return status;
}
