/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

enum shm_status shm_fcollect(const struct shm_collective *collective, void *dest,
                             const void *source, size_t bytes)
{
    struct shm_coll_gather gather = {
        .dest = dest, .source = source, .source_bytes = bytes, .block_bytes = bytes};
    struct shm_coll_record record = {.kind = SHM_COLL_FCOLLECT,
                                     .count = bytes,
                                     .dest_offset = shm_coll_offset(collective, dest),
                                     .source_offset = shm_coll_offset(collective, source)};
    enum shm_status status = shm_coll_agree(collective, &record);

    if (status != SHM_OK)
        return status;
    return shm_coll_gather(collective, &gather);
}

/* ---- blocks of different sizes ---- */

/* What a member contributes. Its source is told, too: members without a contribution need not
 * pass that address. */
struct part {
    uint64_t bytes;
    uint64_t source_offset;
};

/* Bytes of data that a buffer holds behind the part. */
#define SHOWN_BYTES (SHM_EXCHANGE_BYTES - sizeof(struct part))

/* What a member of a group with a slot shows. */
struct shown_part {
    struct part part;
    unsigned char data[SHOWN_BYTES]; /* if it fits */
};

/* What a member has learnt when it knows all parts. */
struct survey {
    size_t total;
    bool is_shown; /* the data of all members is in their buffers */
};

static void show_part(const struct shm_collective *collective, const void *source, size_t bytes)
{
    struct shm_group *group = collective->group;
    struct part part = {bytes, shm_coll_offset(collective, source)};

    if (group->slot != SHM_SLOT_NONE) {
        struct shown_part *shown = shm_exchange_buffer(collective->instance, group);

        memcpy(&shown->part, &part, sizeof part);
        if (bytes <= SHOWN_BYTES)
            shm_coll_copy(shown->data, source, bytes);
    } else {
        group->words[SHM_COLL_WORD_COUNT] = (long)part.bytes;
        group->words[SHM_COLL_WORD_SOURCE] = (long)part.source_offset;
    }
}

static void hide_part(const struct shm_collective *collective)
{
    struct shm_group *group = collective->group;

    if (group->slot != SHM_SLOT_NONE)
        return;
    group->words[SHM_COLL_WORD_COUNT] = 0;
    group->words[SHM_COLL_WORD_SOURCE] = 0;
}

static struct part part_of(const struct shm_collective *collective, int rank)
{
    const struct shm_group *group = collective->group;
    struct part part;

    if (group->slot != SHM_SLOT_NONE)
        memcpy(&part, shm_exchange_of(collective->instance, group, rank), sizeof part);
    else
        memcpy(&part, shm_coll_remote(collective, &group->words[SHM_COLL_WORD_COUNT], rank),
               sizeof part);
    return part;
}

/* All members come to the same survey; what this one's dest has no room for is an error here. */
static enum shm_status survey_parts(const struct shm_collective *collective, const void *dest,
                                    struct survey *out_survey)
{
    const struct shm_reach *reach = &collective->instance->reach;
    struct survey survey = {.is_shown = collective->group->slot != SHM_SLOT_NONE};

    for (int rank = 0; rank < collective->group->size; rank++) {
        struct part part = part_of(collective, rank);

        if (part.bytes > SHOWN_BYTES)
            survey.is_shown = false;
        if (__builtin_add_overflow(survey.total, part.bytes, &survey.total))
            survey.total = SIZE_MAX; /* no object has that size: refused below */
    }
    *out_survey = survey;
    if (survey.total == 0 || shm_reach_remote(reach, dest, survey.total, reach->my_pe) != NULL)
        return SHM_OK;
    return shm_fail(SHM_INVALID_VALUE,
                    "dest = %p, expected room for the %zu bytes of all PEs in symmetric memory",
                    dest, survey.total);
}

static void copy_shown(const struct shm_collective *collective, char *dest)
{
    for (int rank = 0; rank < collective->group->size; rank++) {
        const struct shown_part *shown =
            shm_exchange_of(collective->instance, collective->group, rank);
        struct part part = part_of(collective, rank);

        shm_coll_copy(dest, shown->data, part.bytes);
        dest += part.bytes;
    }
}

static void copy_directly(const struct shm_collective *collective, char *dest)
{
    const struct shm_group *group = collective->group;
    size_t at = 0;

    for (int rank = 0; rank < group->rank; rank++)
        at += part_of(collective, rank).bytes;
    /* everybody begins with another member */
    for (int step = 0; step < group->size; step++) {
        int rank = (group->rank + step) % group->size;
        struct part part = part_of(collective, rank);

        if (rank == 0)
            at = 0;
        if (part.bytes != 0)
            memcpy(dest + at, shm_coll_at_offset(collective, part.source_offset, rank), part.bytes);
        at += part.bytes;
    }
}

static enum shm_status collect_parts(const struct shm_collective *collective, void *dest)
{
    struct survey survey;
    enum shm_status check = survey_parts(collective, dest, &survey);
    enum shm_status status;

    if (survey.is_shown) {
        if (check == SHM_OK && survey.total != 0)
            copy_shown(collective, dest);
        return check;
    }
    if (check == SHM_OK && survey.total != 0)
        copy_directly(collective, dest);
    status = shm_coll_meet(collective); /* also behind an error: the others come, too */
    return status != SHM_OK ? status : check;
}

enum shm_status shm_collect(const struct shm_collective *collective, void *dest, const void *source,
                            size_t bytes)
{
    struct shm_coll_record record = {.kind = SHM_COLL_COLLECT,
                                     .dest_offset = shm_coll_offset(collective, dest)};
    enum shm_status status = shm_coll_agree(collective, &record);

    if (status != SHM_OK)
        return status;
    show_part(collective, source, bytes);
    status = shm_coll_exchange(collective);
    if (status == SHM_OK)
        status = collect_parts(collective, dest);
    hide_part(collective);
    return status;
}
