/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

enum shm_status shm_explain_remote(const struct shm_instance *instance, const char *argument,
                                   const void *address, uint64_t bytes, int pe)
{
    const struct shm_reach *reach = &instance->reach;

    if (!shm_instance_has_pe(instance, pe))
        return shm_fail(SHM_INVALID_VALUE, "pe = %d, expected 0 to %d", pe, reach->n_pes - 1);
    if (shm_reach_has_heap(reach, address, 0) ||
        (reach->static_bytes != 0 && shm_reach_has_static(reach, address, 0)))
        return shm_fail(SHM_INVALID_VALUE,
                        "%s = %p with %llu bytes reaches past the end of symmetric memory",
                        argument, address, (unsigned long long)bytes);
    return shm_fail(
        SHM_INVALID_VALUE,
        "%s = %p is not symmetric, expected an address from the symmetric heap "
        "(%p to %p)%s",
        argument, address, (void *)reach->heap_begin,
        (void *)(reach->heap_begin + reach->heap_bytes),
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

enum shm_status shm_check_word(const struct shm_instance *instance,
                               const struct shm_word_test *test)
{
    const struct shm_reach *reach = &instance->reach;
    size_t bytes = shm_word_bytes(test->kind);

    if (!shm_reach_has_heap(reach, test->word, bytes) &&
        !shm_reach_has_static(reach, test->word, bytes))
        return shm_explain_remote(instance, "ivar", test->word, bytes, reach->my_pe);
    if (test->comparison >= SHM_CMP_EQ && test->comparison <= SHM_CMP_LE)
        return SHM_OK;
    return shm_fail(SHM_INVALID_VALUE, "cmp = %d, expected SHMEM_CMP_EQ (%d) to SHMEM_CMP_LE (%d)",
                    (int)test->comparison, SHM_CMP_EQ, SHM_CMP_LE);
}
