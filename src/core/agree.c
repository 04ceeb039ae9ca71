/* SPDX-License-Identifier: BSD-3-Clause */
#include "agree.h"

#include "base/memory_limit.h"

#include <string.h>

static enum shm_status numbers_differ(const char *item, int pe, uint64_t other, uint64_t first)
{
    return shm_fail(SHM_MISMATCH, "PE %d and PE 0 differ in the %s: %llu and %llu", pe, item,
                    (unsigned long long)other, (unsigned long long)first);
}

static enum shm_status compare(const struct shm_introduction *first,
                               const struct shm_introduction *other, int pe)
{
    if (other->byte_order != first->byte_order)
        return shm_fail(SHM_MISMATCH, "PE %d and PE 0 differ in the byte order", pe);
    if (other->abi != first->abi)
        return numbers_differ("library's ABI", pe, other->abi, first->abi);
    if (strcmp(other->version, first->version) != 0)
        return shm_fail(SHM_MISMATCH, "PE %d and PE 0 differ in the library version: %s and %s", pe,
                        other->version, first->version);
    if (other->heap_bytes != first->heap_bytes)
        return numbers_differ("heap size in bytes (SHMEM_SYMMETRIC_SIZE or attribute)", pe,
                              other->heap_bytes, first->heap_bytes);
    if (other->static_bytes != first->static_bytes)
        return numbers_differ("bytes of static data (not the same executable?)", pe,
                              other->static_bytes, first->static_bytes);
    if (other->static_digest != first->static_digest)
        return shm_fail(SHM_MISMATCH,
                        "PE %d and PE 0 differ in the layout of static data: they run different "
                        "executables (SHMEM_STATIC_DATA=0 allows that)",
                        pe);
    return SHM_OK;
}

enum shm_status shm_agree_on_program(struct shm_introduction *introductions, int n_pes)
{
    enum shm_status status = SHM_OK;

    for (int pe = 0; pe < n_pes; pe++) {
        introductions[pe].version[sizeof introductions[pe].version - 1] = '\0';
        introductions[pe].door[sizeof introductions[pe].door - 1] = '\0';
    }
    for (int pe = 1; pe < n_pes && status == SHM_OK; pe++)
        status = compare(&introductions[0], &introductions[pe], pe);
    return status;
}

/* The tightest node of the job. */
struct budget {
    uint64_t available; /* of the node, as its first PE sees it */
    uint64_t per_pe;
    int pes; /* on the node */
    uint32_t limiter;
};

static int count_node(const struct shm_introduction *introductions, int n_pes, int first)
{
    int count = 0;

    for (int pe = first; pe < n_pes; pe++)
        count += introductions[pe].node_digest == introductions[first].node_digest;
    return count;
}

static bool is_first_of_node(const struct shm_introduction *introductions, int pe)
{
    for (int before = 0; before < pe; before++) {
        if (introductions[before].node_digest == introductions[pe].node_digest)
            return false;
    }
    return true;
}

static struct budget tightest(const struct shm_introduction *introductions, int n_pes)
{
    struct budget least = {.per_pe = UINT64_MAX};

    for (int pe = 0; pe < n_pes; pe++) {
        const struct shm_introduction *first = &introductions[pe];
        int pes;

        if (!is_first_of_node(introductions, pe))
            continue;
        pes = count_node(introductions, n_pes, pe);
        if (first->memory_available / (uint64_t)pes < least.per_pe)
            least = (struct budget){first->memory_available,
                                    first->memory_available / (uint64_t)pes, pes, first->limiter};
    }
    return least;
}

enum shm_status shm_agree_on_heap(const struct shm_introduction *introductions, int n_pes,
                                  double share, uint64_t *out_heap_bytes)
{
    struct budget budget = tightest(introductions, n_pes);
    uint64_t wanted = introductions[0].heap_bytes;
    bool is_asked = false;
    bool is_overcommitted = false;

    for (int pe = 0; pe < n_pes; pe++) {
        is_asked |= introductions[pe].has_own_heap_size != 0;
        is_overcommitted |= introductions[pe].is_overcommitted != 0;
    }
    *out_heap_bytes = wanted;
    if (is_overcommitted)
        return SHM_OK;
    if (!is_asked) {
        uint64_t fitting = (uint64_t)((double)budget.per_pe * share);

        fitting -= fitting % SHM_HEAP_HUGE_PAGE_BYTES;
        *out_heap_bytes = wanted < fitting ? wanted : fitting;
        return SHM_OK;
    }
    if (wanted > budget.per_pe)
        return shm_fail(
            SHM_INVALID_VALUE,
            "a symmetric heap of %llu bytes for each of %d PEs does not fit: the %s has "
            "left %llu, %llu for each; lower SHMEM_SYMMETRIC_SIZE or local_mem_size, "
            "or set SHMEM_OVERCOMMIT=1",
            (unsigned long long)wanted, budget.pes,
            budget.limiter == SHM_MEMORY_LIMITED_BY_CGROUP ? "container" : "machine",
            (unsigned long long)budget.available, (unsigned long long)budget.per_pe);
    return SHM_OK;
}

bool shm_agree_on_host(const struct shm_introduction *introductions, int n_pes)
{
    for (int pe = 0; pe < n_pes; pe++) {
        if (introductions[pe].has_host_room == 0)
            return false;
    }
    return true;
}
