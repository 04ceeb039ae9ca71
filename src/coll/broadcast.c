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

/* ---- by notices of the root: a group with a slot ---- */

/* Gives `bytes` of `mine` at the root, and finds them elsewhere: all of them have read what they
 * want of it before their next meeting. The root does not wait for the others, nor they for each
 * other. */
static enum shm_status pass_notice(const struct shm_collective *collective, int root,
                                   const void *mine, size_t bytes, const void **out_given)
{
    struct shm_instance *instance = collective->instance;
    struct shm_group *group = collective->group;
    enum shm_status status = shm_notice_begin(instance, group, collective->call);

    if (status != SHM_OK)
        return status;
    if (group->rank != root)
        return shm_notice_take(instance, group, root, collective->call, out_given);
    memcpy(shm_notice_buffer(instance, group), mine, bytes);
    shm_notice_give(instance, group);
    *out_given = mine;
    return SHM_OK;
}

static enum shm_status broadcast_small(const struct shm_collective *collective,
                                       const struct broadcast *broadcast)
{
    const void *given = NULL;
    enum shm_status status =
        pass_notice(collective, broadcast->root, broadcast->source, broadcast->bytes, &given);

    if (status == SHM_OK && broadcast->is_wanted)
        shm_coll_copy(broadcast->dest, given, broadcast->bytes);
    return status;
}

/* The others need not pass the address of the source: the root tells it. */
static enum shm_status learn_source(const struct shm_collective *collective,
                                    const struct broadcast *broadcast, uint64_t *out_offset)
{
    uint64_t offset = shm_coll_offset(collective, broadcast->source);
    const void *given = NULL;
    enum shm_status status =
        pass_notice(collective, broadcast->root, &offset, sizeof offset, &given);

    if (status == SHM_OK)
        memcpy(out_offset, given, sizeof *out_offset);
    return status;
}

/* ---- by words: a group without a slot ---- */

static enum shm_status learn_source_by_words(const struct shm_collective *collective,
                                             const struct broadcast *broadcast,
                                             uint64_t *out_offset)
{
    struct shm_group *group = collective->group;
    long *word = &group->words[SHM_COLL_WORD_SOURCE];
    enum shm_status status;

    if (group->rank == broadcast->root)
        *word = (long)shm_coll_offset(collective, broadcast->source);
    status = shm_coll_meet(collective);
    if (status == SHM_OK)
        memcpy(out_offset, shm_coll_remote(collective, word, broadcast->root), sizeof *out_offset);
    return status;
}

/* ---- directly from the root's memory ---- */

/* Each member begins elsewhere, so that they do not all want the same part of the root's memory
 * at the same time. */
static void copy_from_root(const struct shm_collective *collective,
                           const struct broadcast *broadcast, uint64_t source_offset)
{
    const struct shm_group *group = collective->group;
    const char *from = shm_coll_at_offset(collective, source_offset, broadcast->root);
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
    bool has_slot = group->slot != SHM_SLOT_NONE;
    bool is_root = group->rank == broadcast->root;
    uint64_t source_offset;
    enum shm_status status = has_slot
                                 ? learn_source(collective, broadcast, &source_offset)
                                 : learn_source_by_words(collective, broadcast, &source_offset);

    if (status != SHM_OK)
        return status;
    if (!is_root)
        copy_from_root(collective, broadcast, source_offset);
    else if (broadcast->is_wanted)
        shm_coll_copy(broadcast->dest, broadcast->source, broadcast->bytes);
    status = shm_coll_meet(collective); /* the root must not change its source before */
    if (is_root && !has_slot)
        group->words[SHM_COLL_WORD_SOURCE] = 0; /* all have read it */
    return status;
}

/* Nothing is to be moved between PEs. */
static enum shm_status broadcast_alone(const struct shm_collective *collective,
                                       const struct broadcast *broadcast)
{
    if (broadcast->is_wanted)
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
    if (bytes == 0 || collective->group->size == 1)
        return broadcast_alone(collective, &broadcast);
    if (collective->group->slot != SHM_SLOT_NONE && bytes <= SHM_NOTICE_BYTES)
        return broadcast_small(collective, &broadcast);
    return broadcast_directly(collective, &broadcast);
}
