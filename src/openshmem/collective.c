/* SPDX-License-Identifier: BSD-3-Clause */
#include "face.h"

/* ---- checks ---- */

static void check_array(const struct shm_collective *collective, const char *argument,
                        const void *address, size_t bytes)
{
    struct shm_instance *instance = collective->instance;
    int me = instance->reach.my_pe;

    if (bytes == 0 || shm_reach_remote(&instance->reach, address, bytes, me) != NULL)
        return;
    face_refuse(instance, collective->call,
                shm_explain_remote(instance, argument, address, bytes, me));
}

static void check_arrays(const struct shm_collective *collective, const void *dest,
                         size_t dest_bytes, const void *source, size_t source_bytes)
{
    check_array(collective, "dest", dest, dest_bytes);
    check_array(collective, "source", source, source_bytes);
}

/* Ranges that have a byte in common; found under SHMEM_DEBUG. */
static void check_overlap(const struct shm_collective *collective, const void *dest,
                          size_t dest_bytes, const void *source, size_t source_bytes,
                          bool may_be_same)
{
    struct shm_instance *instance = collective->instance;
    enum shm_status status;

    if (!instance->reach.is_debugging)
        return;
    status = shm_check_overlap(instance, dest, dest_bytes, source, source_bytes, may_be_same);
    if (status != SHM_OK)
        face_refuse(instance, collective->call, status);
}

static void check_root(const struct shm_collective *collective, int root)
{
    if (root < 0 || root >= collective->group->size)
        face_refuse(collective->instance, collective->call,
                    shm_fail(SHM_INVALID_VALUE, "PE_root = %d, expected 0 to %d", root,
                             collective->group->size - 1));
}

static void finish(const struct shm_collective *collective, enum shm_status status)
{
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(collective->instance, collective->call, status);
}

/* ---- the collectives, over whichever group ---- */

void openshmem_broadcast(const struct shm_collective *collective, void *dest, const void *source,
                         size_t bytes, int root, bool has_root_dest)
{
    bool is_root;

    check_root(collective, root);
    is_root = collective->group->rank == root;
    check_arrays(collective, dest, is_root && !has_root_dest ? 0 : bytes, source,
                 is_root ? bytes : 0);
    check_overlap(collective, dest, bytes, source, bytes, true);
    finish(collective, shm_broadcast(collective, dest, source, bytes, root, has_root_dest));
}

void openshmem_collect(const struct shm_collective *collective, void *dest, const void *source,
                       size_t bytes)
{
    /* how much of dest the other members fill turns out later */
    check_arrays(collective, dest, bytes, source, bytes);
    check_overlap(collective, dest, bytes, source, bytes, false);
    finish(collective, shm_collect(collective, dest, source, bytes));
}

void openshmem_fcollect(const struct shm_collective *collective, void *dest, const void *source,
                        size_t bytes)
{
    size_t all = face_bytes(bytes, (size_t)collective->group->size);

    check_arrays(collective, dest, all, source, bytes);
    check_overlap(collective, dest, all, source, bytes, false);
    finish(collective, shm_fcollect(collective, dest, source, bytes));
}

void openshmem_alltoall(const struct shm_collective *collective, void *dest, const void *source,
                        size_t bytes)
{
    size_t all = face_bytes(bytes, (size_t)collective->group->size);

    check_arrays(collective, dest, all, source, all);
    check_overlap(collective, dest, all, source, all, false);
    finish(collective, shm_alltoall(collective, dest, source, bytes));
}

/* Bytes of an array of alltoalls, from its first to its last byte. */
static size_t strided_bytes(const struct shm_collective *collective,
                            const struct shm_alltoalls *arrays, const char *argument,
                            ptrdiff_t stride)
{
    size_t elements = face_bytes(arrays->count, (size_t)collective->group->size);

    if (stride < 1)
        face_refuse(collective->instance, collective->call,
                    shm_fail(SHM_INVALID_VALUE, "%s = %td, expected 1 or more", argument, stride));
    if (elements == 0)
        return 0;
    elements = face_bytes(elements - 1, (size_t)stride);
    return elements == SIZE_MAX ? SIZE_MAX : face_bytes(elements + 1, arrays->element_bytes);
}

void openshmem_alltoalls(const struct shm_collective *collective,
                         const struct shm_alltoalls *arrays)
{
    size_t dest_bytes = strided_bytes(collective, arrays, "dst", arrays->dest_stride);
    size_t source_bytes = strided_bytes(collective, arrays, "sst", arrays->source_stride);

    check_arrays(collective, arrays->dest, dest_bytes, arrays->source, source_bytes);
    if (arrays->dest_stride == 1 && arrays->source_stride == 1) /* others may lie in the gaps */
        check_overlap(collective, arrays->dest, dest_bytes, arrays->source, source_bytes, false);
    finish(collective, shm_alltoalls(collective, arrays));
}

static void check_reduce(const struct shm_collective *collective, const struct shm_reduce *reduce)
{
    size_t bytes = face_bytes(reduce->count, shm_element_bytes(reduce->element));

    check_arrays(collective, reduce->dest, bytes, reduce->source, bytes);
    check_overlap(collective, reduce->dest, bytes, reduce->source, bytes, true);
}

void openshmem_reduce(const struct shm_collective *collective, const struct shm_reduce *reduce)
{
    check_reduce(collective, reduce);
    finish(collective, shm_reduce(collective, reduce));
}

/* ---- over a team ---- */

static struct shm_collective over_team(const char *call, shmem_team_t handle)
{
    const struct shm_team *team = openshmem_team(call, handle);

    return (struct shm_collective){team->instance, team->group, call};
}

int face_team_sync(const char *call, shmem_team_t team)
{
    struct shm_collective collective = over_team(call, team);

    finish(&collective,
           shm_collective_barrier(collective.instance, collective.group, SHM_COLL_BARRIER, call));
    return 0;
}

int face_broadcast(const char *call, shmem_team_t team, void *dest, const void *source,
                   size_t bytes, int root)
{
    struct shm_collective collective = over_team(call, team);

    openshmem_broadcast(&collective, dest, source, bytes, root, true);
    return 0;
}

int face_collect(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes)
{
    struct shm_collective collective = over_team(call, team);

    openshmem_collect(&collective, dest, source, bytes);
    return 0;
}

int face_fcollect(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes)
{
    struct shm_collective collective = over_team(call, team);

    openshmem_fcollect(&collective, dest, source, bytes);
    return 0;
}

int face_alltoall(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes)
{
    struct shm_collective collective = over_team(call, team);

    openshmem_alltoall(&collective, dest, source, bytes);
    return 0;
}

int face_alltoalls(const char *call, shmem_team_t team, const struct shm_alltoalls *arrays)
{
    struct shm_collective collective = over_team(call, team);

    openshmem_alltoalls(&collective, arrays);
    return 0;
}

int face_reduce(const char *call, shmem_team_t team, const struct shm_reduce *reduce)
{
    struct shm_collective collective = over_team(call, team);

    openshmem_reduce(&collective, reduce);
    return 0;
}

int face_scan(const char *call, shmem_team_t team, const struct shm_reduce *reduce,
              bool is_inclusive)
{
    struct shm_collective collective = over_team(call, team);

    check_reduce(&collective, reduce);
    finish(&collective, shm_scan(&collective, reduce, is_inclusive));
    return 0;
}
