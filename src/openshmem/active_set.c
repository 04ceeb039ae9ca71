/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The old collectives, over active sets. All PEs of the job together are the world team; any other
 * set meets at its pSync, as nothing else tells its collectives from those of other sets.
 */
#include "face.h"

static void check_range(struct shm_instance *instance, const char *call, const char *argument,
                        int value, int least, int most)
{
    if (value < least || value > most)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE, "%s = %d, expected %d to %d", argument, value,
                             least, most));
}

static void check_set(struct shm_instance *instance, const char *call,
                      const struct face_active_set *set)
{
    int n_pes = instance->reach.n_pes;
    int64_t last;

    check_range(instance, call, "PE_start", set->start, 0, n_pes - 1);
    check_range(instance, call, "logPE_stride", set->log_stride, 0, 30);
    check_range(instance, call, "PE_size", set->size, 1, n_pes);
    last = set->start + (int64_t)(set->size - 1) * ((int64_t)1 << set->log_stride);
    if (last >= n_pes)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "PE_start = %d, logPE_stride = %d, PE_size = %d: the last PE is "
                             "%lld, expected at most %d",
                             set->start, set->log_stride, set->size, (long long)last, n_pes - 1));
}

static void check_sync(struct shm_instance *instance, const char *call, const long *sync)
{
    size_t bytes = SHMEM_SYNC_SIZE * sizeof *sync;
    int me = instance->reach.my_pe;

    if (shm_reach_remote(&instance->reach, sync, bytes, me) == NULL)
        face_refuse(instance, call, shm_explain_remote(instance, "pSync", sync, bytes, me));
    if ((uintptr_t)sync % sizeof *sync != 0)
        face_refuse(instance, call, shm_explain_alignment("pSync", sync, sizeof *sync));
}

/* Fills `room` unless the set is all PEs. */
static struct shm_collective over_set(const char *call, const struct face_active_set *set,
                                      struct shm_group *room)
{
    struct shm_instance *instance = face_instance(call);

    check_set(instance, call, set);
    if (set->size == instance->reach.n_pes)
        return (struct shm_collective){instance, &instance->world, call};
    check_sync(instance, call, set->sync);
    *room = (struct shm_group){.start = set->start,
                               .stride = 1 << set->log_stride,
                               .size = set->size,
                               .slot = SHM_SLOT_NONE,
                               .words = set->sync};
    room->rank = shm_group_rank(room, instance->reach.my_pe);
    if (room->rank < 0)
        face_refuse(instance, call,
                    shm_fail(SHM_INVALID_VALUE,
                             "PE_start = %d, logPE_stride = %d, PE_size = %d: this PE is not in "
                             "the active set",
                             set->start, set->log_stride, set->size));
    return (struct shm_collective){instance, room, call};
}

void face_set_barrier(const char *call, const struct face_active_set *set)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);
    enum shm_status status =
        shm_collective_barrier(collective.instance, collective.group, SHM_COLL_BARRIER, call);

    if (status != SHM_OK)
        face_refuse(collective.instance, call, status);
}

void face_set_broadcast(const char *call, const struct face_active_set *set, void *dest,
                        const void *source, size_t bytes, int root)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);

    openshmem_broadcast(&collective, dest, source, bytes, root, false);
}

void face_set_collect(const char *call, const struct face_active_set *set, void *dest,
                      const void *source, size_t bytes)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);

    openshmem_collect(&collective, dest, source, bytes);
}

void face_set_fcollect(const char *call, const struct face_active_set *set, void *dest,
                       const void *source, size_t bytes)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);

    openshmem_fcollect(&collective, dest, source, bytes);
}

void face_set_alltoall(const char *call, const struct face_active_set *set, void *dest,
                       const void *source, size_t bytes)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);

    openshmem_alltoall(&collective, dest, source, bytes);
}

void face_set_alltoalls(const char *call, const struct face_active_set *set,
                        const struct shm_alltoalls *arrays)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);

    openshmem_alltoalls(&collective, arrays);
}

void face_set_reduce(const char *call, const struct face_active_set *set,
                     const struct shm_reduce *reduce)
{
    struct shm_group room;
    struct shm_collective collective = over_set(call, set, &room);

    if (reduce->count > INT_MAX)
        face_refuse(
            collective.instance, call,
            shm_fail(SHM_INVALID_VALUE, "nreduce = %d, expected 0 or more", (int)reduce->count));
    openshmem_reduce(&collective, reduce);
}
