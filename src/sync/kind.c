/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync/sync.h"

#include <string.h>

const char *shm_collective_kind_name(uint64_t kind)
{
    static const char *const names[SHM_COLL_KINDS] = {
        "barrier or sync", "broadcast", "fcollect", "collect",       "alltoall", "alltoalls",
        "reduction",       "scan",      "split",    "split into 2d", "destroy"};

    return kind < SHM_COLL_KINDS ? names[kind] : "?";
}

static uint64_t shown_kind(const struct shm_instance *instance, const struct shm_group *group,
                           int rank)
{
    uint64_t kind;

    memcpy(&kind, shm_exchange_of(instance, group, rank), sizeof kind);
    return kind;
}

enum shm_status shm_collective_kinds_agree(const struct shm_instance *instance,
                                           const struct shm_group *group)
{
    uint64_t first = shown_kind(instance, group, 0);

    for (int rank = 1; rank < group->size; rank++) {
        uint64_t other = shown_kind(instance, group, rank);

        if (other != first)
            return shm_fail(SHM_MISMATCH,
                            "PE %d differs from PE %d in the kind of collective: %s instead of %s",
                            shm_group_pe(group, rank), group->start,
                            shm_collective_kind_name(other), shm_collective_kind_name(first));
    }
    return SHM_OK;
}

enum shm_status shm_collective_barrier(struct shm_instance *instance, struct shm_group *group,
                                       enum shm_collective_kind kind, const char *call)
{
    uint64_t shown = (uint64_t)kind;
    enum shm_status status;

    if (!instance->reach.is_debugging || group->slot == SHM_SLOT_NONE || group->size == 1)
        return shm_barrier(instance, group, call);
    memcpy(shm_exchange_buffer(instance, group), &shown, sizeof shown);
    status = shm_barrier(instance, group, call);
    return status == SHM_OK ? shm_collective_kinds_agree(instance, group) : status;
}
