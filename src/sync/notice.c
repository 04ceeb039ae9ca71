/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A member gives its notices in its own area, in a row of places that are free again behind the
 * next meeting of the group. As every member counts the notices of all, each knows the place and
 * the number of the next one, and when the row is used up: nobody has to say that it has read one.
 */
#include "sync_internal.h"

#include "base/futex.h"

/* Grows from notice to notice, whoever gives them, and from one group in the slot to the next: a
 * team ends with a meeting, behind which it has no notices. So a place never holds a number that is
 * still to come. */
static uint64_t number_of(const struct shm_group *group)
{
    return group->sequence * SHM_NOTICES + group->notices;
}

static struct shm_notice *place_of(const struct shm_instance *instance,
                                   const struct shm_group *group, int rank)
{
    struct shm_control *control = shm_instance_control(instance, shm_group_pe(group, rank));

    return &control->groups[group->slot].notices[group->notices - 1];
}

enum shm_status shm_notice_begin(struct shm_instance *instance, struct shm_group *group,
                                 const char *call)
{
    enum shm_status status = SHM_OK;

    if (group->notices == SHM_NOTICES)
        status = shm_barrier(instance, group, call);
    else
        shm_fence(instance);
    if (status == SHM_OK)
        group->notices++;
    return status;
}

void shm_notice_give(struct shm_instance *instance, const struct shm_group *group)
{
    struct shm_notice *notice = place_of(instance, group, group->rank);
    uint32_t changes = atomic_load_explicit(&notice->changes, memory_order_relaxed);

    atomic_store_explicit(&notice->number, number_of(group), memory_order_release);
    if (!instance->reach.is_crowded) {
        shm_wake_members(instance, group);
        return;
    }
    /* a sleeper that has seen the new value has seen the number, too; for another one the kernel
     * compares */
    atomic_store_explicit(&notice->changes, changes + 1, memory_order_release);
    shm_futex_wake(&notice->changes, INT32_MAX);
}

struct awaited {
    const struct shm_notice *notice;
    uint64_t number;
};

static bool is_given(const struct shm_wait *wait)
{
    const struct awaited *awaited = wait->argument;

    /* Pairs with the release store in shm_notice_give(): the bytes were written before it. That is
     * enough on Arm, too; on x86 both are plain accesses. */
    return atomic_load_explicit(&awaited->notice->number, memory_order_acquire) >= awaited->number;
}

enum shm_status shm_notice_take(struct shm_instance *instance, const struct shm_group *group,
                                int giver, const char *call, const void **out_bytes)
{
    struct awaited awaited = {place_of(instance, group, giver), number_of(group)};
    struct shm_wait wait = {.is_over = is_given,
                            .argument = &awaited,
                            .futex = instance->reach.is_crowded ? &awaited.notice->changes : NULL,
                            .call = call,
                            .peer = shm_group_pe(group, giver),
                            .group = group};
    enum shm_status status = shm_wait(instance, &wait);

    if (status == SHM_OK)
        *out_bytes = awaited.notice->bytes;
    return status;
}
