/* SPDX-License-Identifier: BSD-3-Clause */
/** Collectives over teams and over active sets; part of face.h, which includes this. */
#ifndef SHM_OPENSHMEM_COLLECTIVE_H
#define SHM_OPENSHMEM_COLLECTIVE_H

#include "coll/coll.h"

/* ---- over whichever group, with the checks of this face ---- */

void openshmem_broadcast(const struct shm_collective *collective, void *dest, const void *source,
                         size_t bytes, int root, bool has_root_dest);
void openshmem_collect(const struct shm_collective *collective, void *dest, const void *source,
                       size_t bytes);
void openshmem_fcollect(const struct shm_collective *collective, void *dest, const void *source,
                        size_t bytes);
void openshmem_alltoall(const struct shm_collective *collective, void *dest, const void *source,
                        size_t bytes);
void openshmem_alltoalls(const struct shm_collective *collective,
                         const struct shm_alltoalls *arrays);
void openshmem_reduce(const struct shm_collective *collective, const struct shm_reduce *reduce);

/* ---- over a team: 0 on success, and no return otherwise ---- */

int face_team_sync(const char *call, shmem_team_t team);
int face_broadcast(const char *call, shmem_team_t team, void *dest, const void *source,
                   size_t bytes, int root);
int face_collect(const char *call, shmem_team_t team, void *dest, const void *source, size_t bytes);
int face_fcollect(const char *call, shmem_team_t team, void *dest, const void *source,
                  size_t bytes);
int face_alltoall(const char *call, shmem_team_t team, void *dest, const void *source,
                  size_t bytes);
int face_alltoalls(const char *call, shmem_team_t team, const struct shm_alltoalls *arrays);
int face_reduce(const char *call, shmem_team_t team, const struct shm_reduce *reduce);
int face_scan(const char *call, shmem_team_t team, const struct shm_reduce *reduce,
              bool is_inclusive);

/* ---- over an active set ---- */

struct face_active_set {
    int start;
    int log_stride;
    int size;
    long *sync; /* SHMEM_SYNC_SIZE elements; used unless the set is all PEs */
};

/** Counts are int there; a negative one becomes a number that is refused. */
static inline size_t face_elements(int count)
{
    return (size_t)count;
}

void face_set_barrier(const char *call, const struct face_active_set *set);
void face_set_broadcast(const char *call, const struct face_active_set *set, void *dest,
                        const void *source, size_t bytes, int root);
void face_set_collect(const char *call, const struct face_active_set *set, void *dest,
                      const void *source, size_t bytes);
void face_set_fcollect(const char *call, const struct face_active_set *set, void *dest,
                       const void *source, size_t bytes);
void face_set_alltoall(const char *call, const struct face_active_set *set, void *dest,
                       const void *source, size_t bytes);
void face_set_alltoalls(const char *call, const struct face_active_set *set,
                        const struct shm_alltoalls *arrays);
void face_set_reduce(const char *call, const struct face_active_set *set,
                     const struct shm_reduce *reduce);

#endif
