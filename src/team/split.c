/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making teams. Each PE of the parent prepares its own new teams, and the PE of rank 0 of each
 * new team, its leader, takes a slot. Each shows in its exchange buffer how it fared; behind the
 * barrier all read the entries of all, so that the outcome is the same on every PE.
 *
 * A member may enter the first barrier of a new team before another has returned from the split:
 * the area of the other is free, and its `arrived` is below the first sequence, which means that
 * it has not arrived. So nobody has to set `arrived`.
 */
#include "team_internal.h"

#include <stdio.h>
#include <string.h>

#define AXES 2

/* What a PE shows the other members of the parent. */
struct entry {
    uint64_t kind;            /* enum shm_collective_kind */
    struct shm_triplet asked; /* that of the call; of a grid {x_range, 0, 0} */
    int status;               /* enum shm_status; SHM_AGAIN: found no slot, wants to look again */
    int slot[AXES];           /* of the new teams that it leads */
    uint64_t base[AXES];      /* sequence of these */
    char reason[256];         /* detail of `status` */
};

_Static_assert(sizeof(struct entry) <= SHM_EXCHANGE_BYTES, "entries are exchanged in one piece");

/* A new team of this PE. */
struct part {
    int leader; /* rank in the parent */
    struct shm_group group;
    struct shm_team_config config;
    struct shm_team *team; /* NULL until prepared */
};

struct split {
    struct shm_team *parent;
    const char *call;
    struct part parts[AXES];
    int count; /* of parts: none where this PE becomes no member */
    struct entry mine;
    bool has_met; /* the last barrier went well: `status` is the outcome of all */
};

static const struct entry *entry_of(const struct split *split, int rank)
{
    return shm_exchange_of(split->parent->instance, split->parent->group, rank);
}

static bool is_leader(const struct part *part)
{
    return part->team != NULL && part->group.rank == 0;
}

/* ---- steps ---- */

static void fail_mine(struct split *split, enum shm_status status)
{
    split->mine.status = (int)status;
    snprintf(split->mine.reason, sizeof split->mine.reason, "%s", shm_error_detail());
}

static enum shm_status prepare_part(struct split *split, struct part *part)
{
    if (part->config.num_contexts < 0)
        return shm_fail(SHM_INVALID_VALUE, "num_contexts = %d, expected 0 or more",
                        part->config.num_contexts);
    return shm_team_create(split->parent->instance, &part->group, &part->config, &part->team);
}

/* What can fail on a single PE, when the arguments are right. */
static void prepare(struct split *split)
{
    enum shm_status status = SHM_OK;

    for (int i = 0; i < AXES; i++)
        split->mine.slot[i] = SHM_SLOT_NONE;
    for (int i = 0; i < split->count && status == SHM_OK; i++)
        status = prepare_part(split, &split->parts[i]);
    if (status != SHM_OK)
        fail_mine(split, status);
}

/* Takes the slots that this PE's new teams still lack. Those of the second axis leave the first
 * slot to the teams of the first, which have members in common with them. */
static void take_slots(struct split *split, enum shm_status if_none)
{
    const struct shm_instance *instance = split->parent->instance;
    struct entry *mine = &split->mine;

    if (mine->status == SHM_AGAIN)
        mine->status = SHM_OK;
    for (int i = 0; i < split->count && mine->status == SHM_OK; i++) {
        const struct part *part = &split->parts[i];

        if (!is_leader(part) || mine->slot[i] != SHM_SLOT_NONE)
            continue;
        mine->slot[i] = shm_slot_take(instance, &part->group, i);
        if (mine->slot[i] != SHM_SLOT_NONE)
            mine->base[i] = shm_slot_prepare(instance, &part->group, mine->slot[i]);
        else
            fail_mine(split, shm_fail(if_none,
                                      "no room for another team: none of %d places is free on all "
                                      "of its %d PEs",
                                      SHM_SLOTS - SHM_SLOT_FIRST_FREE, part->group.size));
    }
}

static enum shm_status fail_differing(const struct split *split, int rank)
{
    const struct shm_triplet *theirs = &entry_of(split, rank)->asked;
    const struct shm_triplet *first = &entry_of(split, 0)->asked;
    int pe = shm_group_pe(split->parent->group, rank);
    int first_pe = split->parent->group->start;

    if (split->mine.kind == SHM_COLL_SPLIT_2D)
        return shm_fail(SHM_MISMATCH, "xrange = %d on PE %d, expected %d as on PE %d",
                        theirs->start, pe, first->start, first_pe);
    return shm_fail(SHM_MISMATCH,
                    "start, stride, size = %d, %d, %d on PE %d, expected %d, %d, %d as on PE %d",
                    theirs->start, theirs->stride, theirs->size, pe, first->start, first->stride,
                    first->size, first_pe);
}

/* What this PE has found as well, it says as its own. */
static enum shm_status fail_as(const struct split *split, enum shm_status status, int rank)
{
    const char *reason = entry_of(split, rank)->reason;

    if (split->mine.status == (int)status && strcmp(reason, split->mine.reason) == 0)
        return shm_fail(status, "%s", reason);
    return shm_fail(status, "PE %d: %s", shm_group_pe(split->parent->group, rank), reason);
}

/* Kinds first: only then are the others' buffers entries. Outcome of all: an error that looking
 * again does not cure counts most. */
static enum shm_status judge(const struct split *split)
{
    const struct shm_group *parent = split->parent->group;
    const struct entry *first = entry_of(split, 0);
    enum shm_status status = shm_collective_kinds_agree(split->parent->instance, parent);
    int failed = -1;

    if (status != SHM_OK)
        return status;
    for (int rank = 0; rank < parent->size; rank++) {
        const struct entry *entry = entry_of(split, rank);

        if (memcmp(&entry->asked, &first->asked, sizeof entry->asked) != 0)
            return fail_differing(split, rank);
        if (entry->status != SHM_OK && (status == SHM_OK || status == SHM_AGAIN)) {
            status = (enum shm_status)entry->status;
            failed = rank;
        }
    }
    return status == SHM_OK ? SHM_OK : fail_as(split, status, failed);
}

static enum shm_status meet(struct split *split)
{
    struct shm_instance *instance = split->parent->instance;
    struct shm_group *group = split->parent->group;
    enum shm_status status;

    memcpy(shm_exchange_buffer(instance, group), &split->mine, sizeof split->mine);
    status = shm_barrier(instance, group, split->call);
    split->has_met = status == SHM_OK;
    return split->has_met ? judge(split) : status;
}

static void complete(const struct split *split)
{
    for (int i = 0; i < split->count; i++) {
        const struct part *part = &split->parts[i];
        const struct entry *leader = entry_of(split, part->leader);

        part->team->own_group.slot = leader->slot[i];
        part->team->own_group.sequence = leader->base[i];
    }
}

/* Without a barrier behind it this PE does not know the outcome: members for which the split went
 * well may use a slot that it took. */
static void undo(const struct split *split)
{
    for (int i = 0; i < split->count; i++) {
        const struct part *part = &split->parts[i];

        if (split->has_met && split->mine.slot[i] != SHM_SLOT_NONE)
            shm_slot_give_back(split->parent->instance, &part->group, split->mine.slot[i]);
        if (part->team != NULL)
            shm_team_release(part->team);
    }
}

/* A slot can be lacking for a moment only, as members that are on their way out of a destroyed
 * team, or leaders of other new teams, still hold it. Behind the barrier the former have left. */
static enum shm_status run(struct split *split)
{
    enum shm_status status;

    prepare(split);
    take_slots(split, SHM_AGAIN);
    status = meet(split);
    if (split->has_met && status == SHM_AGAIN) {
        take_slots(split, SHM_MALLOC_FAILED);
        status = meet(split);
    }
    if (status == SHM_OK)
        complete(split);
    else
        undo(split);
    return status;
}

/* ---- splits ---- */

static void add_part(struct split *split, const struct shm_triplet *triplet,
                     const struct shm_team_config *config)
{
    const struct shm_group *parent = split->parent->group;
    struct part *part = &split->parts[split->count++];

    part->leader = triplet->start;
    part->group =
        (struct shm_group){.start = shm_group_pe(parent, triplet->start),
                           .stride = triplet->size == 1 ? 1 : triplet->stride * parent->stride,
                           .size = triplet->size,
                           .slot = SHM_SLOT_NONE};
    part->group.rank = shm_group_rank(&part->group, split->parent->instance->reach.my_pe);
    if (config != NULL)
        part->config = *config;
}

static enum shm_status check_triplet(const struct shm_triplet *triplet, int parent_size)
{
    int64_t last = triplet->start + (int64_t)triplet->stride * ((int64_t)triplet->size - 1);

    if (triplet->start < 0 || triplet->start >= parent_size)
        return shm_fail(SHM_INVALID_VALUE, "start = %d, expected 0 to %d", triplet->start,
                        parent_size - 1);
    if (triplet->size < 1 || triplet->size > parent_size)
        return shm_fail(SHM_INVALID_VALUE, "size = %d, expected 1 to %d", triplet->size,
                        parent_size);
    if (triplet->stride == 0 && triplet->size > 1)
        return shm_fail(SHM_INVALID_VALUE, "stride = 0, expected another for size = %d",
                        triplet->size);
    if (last < 0 || last >= parent_size)
        return shm_fail(SHM_INVALID_VALUE,
                        "start = %d, stride = %d, size = %d: rank %lld is not in the parent, "
                        "expected 0 to %d",
                        triplet->start, triplet->stride, triplet->size, (long long)last,
                        parent_size - 1);
    return SHM_OK;
}

/* What a PE shows of the wanted width of a grid: all that are too wide are one row. */
static struct shm_triplet clipped(int x_range, int parent_size)
{
    return (struct shm_triplet){.start = x_range < parent_size ? x_range : parent_size};
}

/* True when a rank of the parent belongs to a valid triplet. */
static bool has_rank(const struct shm_triplet *triplet, int rank)
{
    const struct shm_group ranks = {
        .start = triplet->start, .stride = triplet->stride, .size = triplet->size};

    return shm_group_rank(&ranks, rank) >= 0;
}

enum shm_status shm_team_split_strided(struct shm_team *parent, const char *call,
                                       const struct shm_triplet *triplet,
                                       const struct shm_team_config *config,
                                       struct shm_team **out_team)
{
    struct split split = {.parent = parent,
                          .call = call,
                          .mine = {.kind = SHM_COLL_SPLIT_STRIDED, .asked = *triplet}};
    enum shm_status status = check_triplet(triplet, parent->group->size);

    if (status != SHM_OK)
        fail_mine(&split, status);
    else if (has_rank(triplet, parent->group->rank))
        add_part(&split, triplet, config);
    status = run(&split);
    if (status == SHM_OK)
        *out_team = split.parts[0].team;
    return status;
}

enum shm_status shm_team_split_refuse(struct shm_team *parent, const char *call, bool is_grid,
                                      const struct shm_triplet *asked, enum shm_status reason)
{
    struct split split = {
        .parent = parent,
        .call = call,
        .mine = {.kind = is_grid ? SHM_COLL_SPLIT_2D : SHM_COLL_SPLIT_STRIDED, .asked = *asked}};

    if (is_grid)
        split.mine.asked = clipped(asked->start, parent->group->size);
    fail_mine(&split, reason);
    return run(&split);
}

/* The caller's row and column of a grid of that width. */
static void add_axes(struct split *split, int width, const struct shm_team_grid *grid)
{
    const struct shm_group *parent = split->parent->group;
    int n = parent->size;
    int x = parent->rank % width;
    int y = parent->rank / width;
    struct shm_triplet row = {y * width, 1, n - y * width < width ? n - y * width : width};
    struct shm_triplet column = {x, width, (n - x + width - 1) / width};

    add_part(split, &row, &grid->config[0]);
    add_part(split, &column, &grid->config[1]);
}

enum shm_status shm_team_split_2d(struct shm_team *parent, const char *call, int x_range,
                                  struct shm_team_grid *grid)
{
    struct split split = {
        .parent = parent,
        .call = call,
        .mine = {.kind = SHM_COLL_SPLIT_2D, .asked = clipped(x_range, parent->group->size)}};
    int width = split.mine.asked.start;
    enum shm_status status;

    if (width < 1)
        fail_mine(&split, shm_fail(SHM_INVALID_VALUE, "xrange = %d, expected 1 or more", x_range));
    else
        add_axes(&split, width, grid);
    status = run(&split);
    for (int axis = 0; axis < AXES && status == SHM_OK; axis++)
        grid->team[axis] = split.parts[axis].team;
    return status;
}
