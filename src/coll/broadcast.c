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

/* The others need not pass the address of the source: the root tells it. */
static void show_source(const struct shm_collective *collective, const void *source)
{
    struct shm_group *group = collective->group;
    uint64_t offset = shm_coll_offset(collective, source);

    if (group->slot != SHM_SLOT_NONE)
        memcpy(shm_exchange_buffer(collective->instance, group), &offset, sizeof offset);
    else
        group->words[SHM_COLL_WORD_SOURCE] = (long)offset;
}

static const char *reach_source(const struct shm_collective *collective, int root)
{
    const struct shm_group *group = collective->group;
    uint64_t offset;

    memcpy(&offset,
           group->slot != SHM_SLOT_NONE
               ? shm_exchange_of(collective->instance, group, root)
               : shm_coll_remote(collective, &group->words[SHM_COLL_WORD_SOURCE], root),
           sizeof offset);
    return shm_coll_at_offset(collective, offset, root);
}

/* Each member begins elsewhere, so that they do not all want the same part of the root's memory
 * at the same time. */
static void copy_from_root(const struct shm_collective *collective,
                           const struct broadcast *broadcast)
{
    const struct shm_group *group = collective->group;
    const char *from = reach_source(collective, broadcast->root);
    char *to = broadcast->dest;
    size_t begin = broadcast->bytes / (size_t)group->size / SHM_CACHE_LINE * SHM_CACHE_LINE *
                   (size_t)group->rank;

    shm_coll_copy(to + begin, from + begin, broadcast->bytes - begin);
    shm_coll_copy(to, from, begin);
}

static enum shm_status broadcast_directly(const struct shm_collective *collective,
                                          const struct broadcast *broadcast)
{
    struct shm_group *group = collective->group;
    bool is_root = group->rank == broadcast->root;
    enum shm_status status;

    if (is_root)
        show_source(collective, broadcast->source);
    status = shm_coll_meet(collective);
    if (status != SHM_OK)
        return status;
    if (!is_root && broadcast->bytes != 0)
        copy_from_root(collective, broadcast);
    else if (is_root && broadcast->is_wanted)
        shm_coll_copy(broadcast->dest, broadcast->source, broadcast->bytes);
    status = shm_coll_meet(collective);
    if (is_root && group->slot == SHM_SLOT_NONE)
        group->words[SHM_COLL_WORD_SOURCE] = 0; /* all have read it */
    return status;
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
