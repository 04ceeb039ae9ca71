/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A meeting at which each member looks for itself whether the others have come: what one shows and
 * the number that says so share a cache line, so that both arrive together. On a crowded node that
 * would be a turn on the processor for each look: there it is a barrier.
 *
 * The buffers are filled and read by plain stores and loads, ordered by the meetings alone. Two of
 * them suffice: who fills one for meeting s + 2 has left s + 1, which all members entered when they
 * had read what was shown at s, and a release keeps earlier loads before it as well as stores.
 * x86-TSO does so anyway, on Arm STLR and DMB ISH do.
 */
#include "sync_internal.h"

struct showing {
    const _Atomic uint64_t *shown;
    uint64_t sequence;
};

static bool is_shown(const struct shm_wait *wait)
{
    const struct showing *showing = wait->argument;

    /* pairs with the release store in show(): the bytes were written before it */
    return atomic_load_explicit(showing->shown, memory_order_acquire) >= showing->sequence;
}

static struct shm_group_area *area_of(const struct shm_instance *instance,
                                      const struct shm_group *group, int rank)
{
    return &shm_instance_control(instance, shm_group_pe(group, rank))->groups[group->slot];
}

/* Nobody writes to the bytes again before two meetings later, and the one in between is left only
 * when all members have entered it, who then have read these. Release here and acquire there
 * suffice on Arm, too; on x86 both are plain accesses. */
static void show(const struct shm_instance *instance, const struct shm_group *group)
{
    struct shm_group_area *mine = area_of(instance, group, group->rank);

    /* at once behind the bytes, while their line is here */
    atomic_store_explicit(&mine->exchange[group->sequence & 1].shown, group->sequence,
                          memory_order_release);
    atomic_store_explicit(&mine->barrier.arrived, group->sequence, memory_order_release);
    shm_wake_members(instance, group);
}

enum shm_status shm_exchange(struct shm_instance *instance, struct shm_group *group,
                             const char *call)
{
    struct showing showing;
    struct shm_wait wait = {
        .call = call, .group = group, .is_over = is_shown, .argument = &showing};
    enum shm_status status = SHM_OK;

    if (instance->reach.is_crowded || group->slot == SHM_SLOT_NONE || group->size == 1)
        return shm_barrier(instance, group, call);
    shm_fence(instance);
    showing.sequence = wait.sequence = shm_group_next_meeting(group);
    show(instance, group);
    for (int distance = 1; distance < group->size && status == SHM_OK; distance++) {
        int rank = (group->rank + distance) % group->size;

        showing.shown = &area_of(instance, group, rank)->exchange[group->sequence & 1].shown;
        wait.peer = shm_group_pe(group, rank);
        status = shm_wait(instance, &wait);
    }
    return status;
}
