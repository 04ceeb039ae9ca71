/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/processors.h"

#include "base/control_group.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>

/* Eight times the kernel's limit; should that be too few, the answer is one processor. */
#define MOST_PROCESSORS 65536

static void add_processor(struct shm_processor_set *set, size_t number)
{
    size_t bit = number % (SHM_PROCESSOR_WORDS * (size_t)64);

    set->words[bit / 64] |= 1ull << (bit % 64);
}

/* NULL when a mask of so many is too small for this machine's kernel. */
static cpu_set_t *read_mask_of(size_t processors)
{
    cpu_set_t *mask = CPU_ALLOC(processors);

    if (mask == NULL || sched_getaffinity(0, CPU_ALLOC_SIZE(processors), mask) == 0)
        return mask;
    CPU_FREE(mask);
    return NULL;
}

/* To be given to CPU_FREE(); NULL when it can't be read. */
static cpu_set_t *read_mask(size_t *out_processors)
{
    for (size_t processors = 1024; processors <= MOST_PROCESSORS; processors *= 2) {
        cpu_set_t *mask = read_mask_of(processors);

        *out_processors = processors;
        if (mask != NULL)
            return mask;
    }
    return NULL;
}

void shm_processors_allowed(struct shm_processor_set *out_set)
{
    struct shm_processor_set set = {{0}};
    size_t processors;
    cpu_set_t *mask = read_mask(&processors);

    if (mask != NULL) {
        for (size_t i = 0; i < processors; i++) {
            if (CPU_ISSET_S(i, CPU_ALLOC_SIZE(processors), mask))
                add_processor(&set, i);
        }
        CPU_FREE(mask);
    }
    if (shm_processors_count(&set) == 0)
        add_processor(&set, 0);
    *out_set = set;
}

/* The kernel moves a thread at once that may not stay where it is. */
static bool leave_within(cpu_set_t *mask, size_t bytes, size_t here)
{
    bool has_left;

    CPU_CLR_S(here, bytes, mask);
    has_left = CPU_COUNT_S(bytes, mask) > 0 && sched_setaffinity(0, bytes, mask) == 0;
    CPU_SET_S(here, bytes, mask);
    if (has_left)
        (void)sched_setaffinity(0, bytes, mask); /* allowed before, so allowed now */
    return has_left;
}

bool shm_processors_leave(void)
{
    size_t processors;
    cpu_set_t *mask = read_mask(&processors);
    int here = sched_getcpu();
    bool has_left = false;

    if (mask == NULL)
        return false;
    /* not there when it was moved meanwhile */
    if (here >= 0 && CPU_ISSET_S((size_t)here, CPU_ALLOC_SIZE(processors), mask))
        has_left = leave_within(mask, CPU_ALLOC_SIZE(processors), (size_t)here);
    CPU_FREE(mask);
    return has_left;
}

void shm_processors_add(struct shm_processor_set *set, const struct shm_processor_set *other)
{
    for (int i = 0; i < SHM_PROCESSOR_WORDS; i++) {
        if (other->words[i] != 0)
            __atomic_fetch_or(&set->words[i], other->words[i], __ATOMIC_RELAXED);
    }
}

int shm_processors_count(const struct shm_processor_set *set)
{
    int count = 0;

    for (int i = 0; i < SHM_PROCESSOR_WORDS; i++)
        count += __builtin_popcountll(set->words[i]);
    return count;
}

static int whole_processors(uint64_t quota, uint64_t period)
{
    uint64_t processors;

    if (quota == 0 || quota == UINT64_MAX || period == 0)
        return INT_MAX;
    processors = quota / period + (quota % period != 0);
    return processors > INT_MAX ? INT_MAX : (int)processors;
}

static int quota_of_group(const struct shm_control_group *group, bool is_version_1)
{
    uint64_t quota = UINT64_MAX;
    uint64_t period = 100000;
    uint64_t ignored;

    if (!is_version_1 && !shm_control_group_read(group, "cpu.max", &quota, &period))
        return INT_MAX;
    if (is_version_1 && (!shm_control_group_read(group, "cpu.cfs_quota_us", &quota, &ignored) ||
                         !shm_control_group_read(group, "cpu.cfs_period_us", &period, &ignored)))
        return INT_MAX;
    return whole_processors(quota, period);
}

/* The smallest quota on the way from the process's own group to the top. */
static int quota_of_version(const char *root, bool is_version_1)
{
    struct shm_control_group group;
    int least = INT_MAX;

    if (!shm_control_group_find(root, is_version_1 ? "cpu" : NULL, &group))
        return INT_MAX;
    do {
        int quota = quota_of_group(&group, is_version_1);

        least = quota < least ? quota : least;
    } while (shm_control_group_ascend(&group));
    return least;
}

int shm_processors_quota_under(const char *root)
{
    int version_1 = quota_of_version(root, true);
    int version_2 = quota_of_version(root, false);

    return version_1 < version_2 ? version_1 : version_2;
}

int shm_processors_quota(void)
{
    return shm_processors_quota_under("");
}
