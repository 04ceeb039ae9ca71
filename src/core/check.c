/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

/* The largest size also stands for all that a size cannot tell. */
static enum shm_status explain_end(const char *argument, const void *address, uint64_t bytes)
{
    if (bytes == UINT64_MAX)
        return shm_fail(SHM_INVALID_VALUE,
                        "%s = %p with 2^64 - 1 or more bytes reaches past the end of symmetric "
                        "memory",
                        argument, address);
    return shm_fail(SHM_INVALID_VALUE,
                    "%s = %p with %llu bytes reaches past the end of symmetric memory", argument,
                    address, (unsigned long long)bytes);
}

enum shm_status shm_explain_remote(const struct shm_instance *instance, const char *argument,
                                   const void *address, uint64_t bytes, int pe)
{
    const struct shm_reach *reach = &instance->reach;

    if (!shm_instance_has_pe(instance, pe))
        return shm_fail(SHM_INVALID_VALUE, "pe = %d, expected 0 to %d", pe, reach->n_pes - 1);
    if (shm_reach_has_heap(reach, address, 0) ||
        (reach->static_bytes != 0 && shm_reach_has_static(reach, address, 0)))
        return explain_end(argument, address, bytes);
    return shm_fail(
        SHM_INVALID_VALUE,
        "%s = %p is not symmetric, expected an address from the symmetric heap "
        "(%p to %p)%s%s",
        argument, address, (void *)reach->heap_begin,
        (void *)(reach->heap_begin + reach->heap_bytes),
        atomic_load_explicit(&reach->host_bytes, memory_order_relaxed) != 0 ? ", the host heap"
                                                                            : "",
        reach->static_bytes != 0 ? " or of a global or static variable of the program itself" : "");
}

void *shm_pointer(const struct shm_instance *instance, const void *address, int pe)
{
    void *remote;

    if (!shm_instance_has_pe(instance, pe))
        return NULL;
    remote = shm_reach_remote(&instance->reach, address, 1, pe);
    return remote != NULL && pe == instance->reach.my_pe ? (void *)(uintptr_t)address : remote;
}

enum shm_status shm_explain_alignment(const char *argument, const void *address, size_t bytes)
{
    return shm_fail(SHM_INVALID_VALUE, "%s = %p is not aligned to its %zu bytes", argument, address,
                    bytes);
}

/* Words of `bytes` bytes together; each is read with one load, which must be aligned. */
static enum shm_status check_own_words(const struct shm_instance *instance, const char *argument,
                                       const void *words, uint64_t bytes, enum shm_word_kind kind)
{
    const struct shm_reach *reach = &instance->reach;
    size_t width = shm_word_bytes(kind);

    if (!shm_reach_has_heap(reach, words, bytes) && !shm_reach_has_static(reach, words, bytes))
        return shm_explain_remote(instance, argument, words, bytes, reach->my_pe);
    if ((uintptr_t)words % width != 0)
        return shm_explain_alignment(argument, words, width);
    return SHM_OK;
}

static enum shm_status check_comparison(enum shm_comparison comparison)
{
    if ((unsigned)comparison <= SHM_CMP_LE)
        return SHM_OK;
    return shm_fail(SHM_INVALID_VALUE, "cmp = %d, expected SHMEM_CMP_EQ (%d) to SHMEM_CMP_LE (%d)",
                    (int)comparison, SHM_CMP_EQ, SHM_CMP_LE);
}

enum shm_status shm_check_word(const struct shm_instance *instance, const char *argument,
                               const struct shm_word_test *test)
{
    enum shm_status status =
        check_own_words(instance, argument, test->word, shm_word_bytes(test->kind), test->kind);

    return status == SHM_OK ? check_comparison(test->comparison) : status;
}

enum shm_status shm_check_words(const struct shm_instance *instance,
                                const struct shm_words_test *test)
{
    enum shm_status status = check_comparison(test->comparison);
    uint64_t bytes;

    if (status != SHM_OK || test->count == 0)
        return status;
    if (test->has_values && test->values == NULL)
        return shm_fail(SHM_INVALID_VALUE, "cmp_values = NULL, expected %zu values", test->count);
    if (__builtin_mul_overflow(test->count, shm_word_bytes(test->kind), &bytes))
        bytes = UINT64_MAX; /* no object has that size: refused below */
    return check_own_words(instance, "ivars", test->words, bytes, test->kind);
}

enum shm_status shm_check_words_listed(const struct shm_instance *instance,
                                       const struct shm_words_test *test, const size_t *indices)
{
    enum shm_status status = shm_check_words(instance, test);

    if (status == SHM_OK && test->count != 0 && indices == NULL)
        return shm_fail(SHM_INVALID_VALUE, "indices = NULL, expected room for %zu elements",
                        test->count);
    return status;
}

enum shm_status shm_explain_signal_operator(int signal_operator)
{
    return shm_fail(SHM_INVALID_VALUE,
                    "sig_op = %d, expected SHMEM_SIGNAL_SET (%d) or SHMEM_SIGNAL_ADD (%d)",
                    signal_operator, SHM_SIGNAL_SET, SHM_SIGNAL_ADD);
}
