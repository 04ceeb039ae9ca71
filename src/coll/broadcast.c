/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

/* What is to be moved, and whether this member is to get it. */
struct broadcast {
    void *dest;
    const void *source;
    size_t bytes;
    int root;
    bool is_wanted;
};

static enum shm_status broadcast_shown(const struct shm_collective *collective,
                                       const struct broadcast *broadcast)
{
    const struct shm_group *group = collective->group;
    enum shm_status status;

    if (group->rank == broadcast->root)
        shm_coll_copy(shm_exchange_buffer(collective->instance, group), broadcast->source,
                      broadcast->bytes);
    status = shm_coll_meet(collective);
    if (status != SHM_OK || !broadcast->is_wanted)
        return status;
    shm_coll_copy(broadcast->dest, shm_exchange_of(collective->instance, group, broadcast->root),
                  broadcast->bytes);
    return SHM_OK;
}

/* Each member begins elsewhere, so that they do not all want the same part of the root's memory
 * at the same time. */
static void copy_from_root(const struct shm_collective *collective,
                           const struct broadcast *broadcast)
{
    const struct shm_group *group = collective->group;
    const char *from = shm_coll_remote(collective, broadcast->source, broadcast->root);
    char *to = broadcast->dest;
    size_t begin = broadcast->bytes / (size_t)group->size / SHM_CACHE_LINE * SHM_CACHE_LINE *
                   (size_t)group->rank;

    shm_coll_copy(to + begin, from + begin, broadcast->bytes - begin);
    shm_coll_copy(to, from, begin);
}

static enum shm_status broadcast_directly(const struct shm_collective *collective,
                                          const struct broadcast *broadcast)
{
    enum shm_status status = shm_coll_meet(collective);

    if (status != SHM_OK)
        return status;
    if (collective->group->rank != broadcast->root)
        copy_from_root(collective, broadcast);
    else if (broadcast->is_wanted)
        shm_coll_copy(broadcast->dest, broadcast->source, broadcast->bytes);
    return shm_coll_meet(collective);
}

enum shm_status shm_broadcast(const struct shm_collective *collective, void *dest,
                              const void *source, size_t bytes, int root, bool has_root_dest)
{
    struct broadcast broadcast = {dest, source, bytes, root,
                                  has_root_dest || collective->group->rank != root};
    struct shm_coll_record record = {.kind = SHM_COLL_BROADCAST,
                                     .count = bytes,
                                     .detail = (uint64_t)root,
                                     .dest_offset = shm_coll_offset(collective, dest),
                                     .source_offset = shm_coll_offset(collective, source)};
    enum shm_status status = shm_coll_agree(collective, &record);

    if (status != SHM_OK)
        return status;
    return shm_coll_is_small(collective, bytes) ? broadcast_shown(collective, &broadcast)
                                                : broadcast_directly(collective, &broadcast);
}
