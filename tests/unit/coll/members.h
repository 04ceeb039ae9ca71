/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of many shapes and modes, whose members call collectives and look at their memory. */
#ifndef TESTS_UNIT_COLL_MEMBERS_H
#define TESTS_UNIT_COLL_MEMBERS_H

#include "../thread_job.h"
#include "coll/coll.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#define PES 10
#define AREA_BYTES ((size_t)4 << 20) /* heap and static data of each PE */
#define SOURCE_AT ((size_t)64 << 10) /* behind the words of groups */
#define DEST_AT ((size_t)2 << 20)    /* all have room for 8 times 100000 bytes, and guards */
#define OTHER_DEST_AT ((size_t)3 << 20)
#define GUARD 64       /* bytes in front of and behind dest */
#define UNTOUCHED 0xee /* what dest and its guards hold before a call */

struct shape {
    int start, stride, size;
};

static const struct shape shapes[] = {{3, 1, 1}, {0, 1, 2}, {2, 1, 3},  {1, 1, 5},  {2, 1, 8},
                                      {1, 2, 5}, {0, 4, 3}, {7, -1, 8}, {9, -2, 5}, {2, -2, 2}};

struct mode {
    bool is_crowded;
    bool has_slot;
    bool is_static; /* arrays in static data, not in the heap */
};

static const struct mode modes[] = {
    {true, true, false}, {true, false, true}, {false, true, true}, {false, false, false}};

static const size_t sizes[] = {0, 1, 7, 64, 1000, 1024, 1025, 100000};

/* A PE as a member of one of the groups. */
struct member {
    struct thread_job_pe *self;
    struct shm_group group;
    struct shm_group watch; /* the same PEs, to meet without the group */
    struct shm_collective collective;
    unsigned char *source;
    unsigned char *dest;
    unsigned char *other_dest;
    int rank;
    int size;
    unsigned round; /* of the calls so far; the same on all members */
};

/* What the PEs of a job do. */
struct run {
    const struct mode *mode;
    void (*body)(struct member *member);
};

static inline long *words_of(const struct thread_job_pe *self, size_t shape)
{
    return (long *)self->instance->reach.heap_begin + shape * SHM_GROUP_WORDS;
}

/* False when the PE is no member of that group. The groups of all shapes have places of their own.
 */
static inline bool member_init(struct member *member, struct thread_job_pe *self, size_t index)
{
    const struct mode *mode = ((const struct run *)self->argument)->mode;
    const struct shape *shape = &shapes[index];
    const struct shm_reach *reach = &self->instance->reach;
    unsigned char *area = (void *)(mode->is_static ? reach->static_begin : reach->heap_begin);
    struct shm_group group = {.start = shape->start,
                              .stride = shape->stride,
                              .size = shape->size,
                              .slot = SHM_SLOT_FIRST_FREE + 2 * (int)index};

    *member = (struct member){.self = self, .watch = group, .size = shape->size};
    member->rank = member->watch.rank = group.rank = shm_group_rank(&group, self->pe);
    member->watch.slot++;
    if (!mode->has_slot) {
        group.slot = SHM_SLOT_NONE;
        group.words = words_of(self, index);
    }
    member->group = group;
    member->collective = (struct shm_collective){self->instance, &member->group, "some_call"};
    member->source = area + SOURCE_AT;
    member->dest = area + DEST_AT;
    member->other_dest = area + OTHER_DEST_AT;
    return group.rank >= 0;
}

static inline unsigned char pattern(unsigned seed, size_t i)
{
    return (unsigned char)((seed * 2654435761u >> 13) + i * 7 + (i >> 8) * 13);
}

/* Of what rank `rank` has as its source in this round. */
static inline unsigned seed_of(const struct member *member, int rank)
{
    return member->round * 64 + (unsigned)rank;
}

/* Fills the own source with a new round. */
static inline void member_begin_source(struct member *member, size_t bytes)
{
    member->round++;
    for (size_t i = 0; i < bytes; i++)
        member->source[i] = pattern(seed_of(member, member->rank), i);
}

static inline void member_clear(unsigned char *dest, size_t bytes)
{
    memset(dest - GUARD, UNTOUCHED, bytes + 2 * GUARD);
}

/* A new round: fills the own source with it, and dest with what is to stay where nothing comes. */
static inline void member_begin(struct member *member, size_t source_bytes, size_t dest_bytes)
{
    member_begin_source(member, source_bytes);
    member_clear(member->dest, dest_bytes);
}

/* As member_begin(), for one of many calls that follow each other with the same bytes, to dest and
 * other_dest in turn: prepares the one for the next call. A call that waits until all have come
 * shows that it is ready on all. */
static inline void member_begin_in_turn(struct member *member, size_t source_bytes,
                                        size_t dest_bytes)
{
    unsigned char *next = member->dest;

    member_begin_source(member, source_bytes);
    member->dest = member->other_dest;
    member->other_dest = next;
    member_clear(next, dest_bytes);
}

/* Meets without the group, before calls that write to dest of others. */
static inline void member_meet(struct member *member)
{
    if (shm_barrier(member->self->instance, &member->watch, "watch") != SHM_OK)
        thread_job_fail(member->self, "rank %d of %d: %s", member->rank, member->size,
                        shm_error_detail());
}

static inline void member_fail(struct member *member, const char *what, size_t bytes, size_t at)
{
    thread_job_fail(
        member->self, "rank %d of %d PEs from %d by %d (%s), round %u, %zu bytes: %s at byte %zu",
        member->rank, member->size, member->group.start, member->group.stride,
        member->group.slot == SHM_SLOT_NONE ? "words" : "slot", member->round, bytes, what, at);
}

static inline void member_expect(struct member *member, enum shm_status status,
                                 enum shm_status expected)
{
    if (status != expected)
        thread_job_fail(member->self, "rank %d of %d, round %u: status %d (%s), expected %d",
                        member->rank, member->size, member->round, (int)status, shm_error_detail(),
                        (int)expected);
}

/* `bytes` bytes of dest must be those of the source of `rank` from byte `from` on. */
static inline void check_block(struct member *member, size_t at, int rank, size_t from,
                               size_t bytes)
{
    unsigned seed = seed_of(member, rank);

    for (size_t i = 0; i < bytes; i++) {
        if (member->dest[at + i] != pattern(seed, from + i)) {
            member_fail(member, "wrong data", bytes, at + i);
            return;
        }
    }
}

static inline void check_untouched(struct member *member, const unsigned char *begin, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (begin[i] != UNTOUCHED) {
            member_fail(member, "touched", bytes, (size_t)(begin + i - member->dest));
            return;
        }
    }
}

static inline void check_guards(struct member *member, size_t dest_bytes)
{
    check_untouched(member, member->dest - GUARD, GUARD);
    check_untouched(member, member->dest + dest_bytes, GUARD);
}

/* The words of a group without a slot must be zero when no member is in a call. */
static inline void check_words(struct member *member)
{
    if (member->group.slot != SHM_SLOT_NONE)
        return;
    member_expect(member, shm_barrier(member->self->instance, &member->watch, "watch"), SHM_OK);
    for (int i = 0; i < SHM_GROUP_WORDS; i++) {
        if (member->group.words[i] != 0)
            member_fail(member, "word not zero", SHM_GROUP_WORDS, (size_t)i);
    }
    member_expect(member, shm_barrier(member->self->instance, &member->watch, "watch"), SHM_OK);
}

/* Calls the body as each of the groups that the PE is a member of. */
static inline void run_members(struct thread_job_pe *self)
{
    const struct run *run = self->argument;
    struct member member;

    for (size_t shape = 0; shape < LENGTH(shapes); shape++) {
        if (member_init(&member, self, shape))
            run->body(&member);
    }
}

/* Runs the body on all members of all groups, in one mode after the other until something goes
 * wrong; returns what, "" for nothing. */
static inline const char *run_modes(void (*body)(struct member *member), bool has_debug)
{
    static struct thread_job job;

    job.failure[0] = '\0';
    for (size_t i = 0; i < LENGTH(modes) && job.failure[0] == '\0'; i++) {
        struct run run = {&modes[i], body};

        thread_job_start(&job, &(struct thread_job_request){.n_pes = PES,
                                                            .heap_bytes = AREA_BYTES,
                                                            .static_bytes = AREA_BYTES,
                                                            .is_crowded = modes[i].is_crowded,
                                                            .has_debug = has_debug});
        thread_job_run(&job, run_members, &run);
        thread_job_end(&job);
    }
    return job.failure;
}

#endif
