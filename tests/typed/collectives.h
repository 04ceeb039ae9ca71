/* SPDX-License-Identifier: BSD-3-Clause */
/** Calls of the collectives that copy arrays or meet, and checks of what they did. */
#ifndef TYPED_COLLECTIVES_H
#define TYPED_COLLECTIVES_H

#include "groups.h"
#include "typed.h"

/* where the arrays begin in their areas, in elements; dest in `shared`, source in `source` */
enum { TYPED_TO = 1, TYPED_FROM = 2, TYPED_TO_STRIDE = 3, TYPED_FROM_STRIDE = 2, TYPED_CASES = 6 };

/** One call of a collective. */
struct typed_collective {
    struct typed_call call;
    const struct typed_group *group;
    size_t element_bytes;
    size_t count; /* elements of an array, or for one PE; collect: at most */
    int root;
};

/** Calls over teams and sets of several shapes: of nothing, of what fits into a line, of more.
 *  `blocks` arrays of that length have room in an area. */
struct typed_case {
    int group; /* index in the list */
    size_t bytes;
};

extern const struct typed_case typed_cases[TYPED_CASES];

/** False when the job has no such group. `spread`: elements of an area for one of the array. */
bool typed_prepare_collective(struct typed_collective *collective, const char *name,
                              const struct typed_group *groups, size_t number, size_t spread);

/** Elements that a rank brings to a collect. */
size_t typed_share(const struct typed_collective *collective, int rank);

/* Each checks that the call did that to all arrays of this PE and nothing else. */
void typed_check_broadcast(const struct typed_collective *collective, bool has_root_dest);
void typed_check_collect(const struct typed_collective *collective);
void typed_check_fcollect(const struct typed_collective *collective);
void typed_check_alltoall(const struct typed_collective *collective);
void typed_check_alltoalls(const struct typed_collective *collective);

/** The work array of active sets is as it was. */
void typed_check_sync(const struct typed_collective *collective);

/* a source and a dest for every member */
#define TYPED_SPREAD_BLOCKS(group) (size_t)(group)->size
#define TYPED_SPREAD_ONE(group) ((void)(group), (size_t)1)
#define TYPED_SPREAD_STRIDED(group) ((size_t)(group)->size * TYPED_TO_STRIDE)

#define TYPED_COLLECTIVE(name, element, groups, spread, statement, check)                          \
    do {                                                                                           \
        for (size_t i = 0; i < TYPED_CASES; i++) {                                                 \
            struct typed_collective all = {.element_bytes = sizeof(element)};                      \
            const struct typed_group *group = &(groups)[typed_cases[i].group];                     \
            if (!typed_prepare_collective(&all, name, groups, i, spread(group)))                   \
                continue;                                                                          \
            element *to = (element *)all.call.shared + TYPED_TO;                                   \
            element *from = (element *)all.call.source + TYPED_FROM;                               \
            typed_start(&all.call);                                                                \
            if (group->rank >= 0)                                                                  \
                statement;                                                                         \
            typed_finish(&all.call);                                                               \
            check;                                                                                 \
            typed_check_sync(&all);                                                                \
        }                                                                                          \
    } while (0)

#define TYPED_SUCCEEDS(statement) CHECK((statement) == 0, "%s failed", all.call.called)
#define TYPED_SET group->start, group->log_stride, group->size, typed_sync

#define BROADCAST(function, element)                                                               \
    TYPED_COLLECTIVE(#function, element, typed_teams, TYPED_SPREAD_ONE,                            \
                     TYPED_SUCCEEDS(function(group->team, to, from, all.count, all.root)),         \
                     typed_check_broadcast(&all, true))

#define TYPED_COPY(function, element, spread, check)                                               \
    TYPED_COLLECTIVE(#function, element, typed_teams, spread,                                      \
                     TYPED_SUCCEEDS(function(group->team, to, from, all.count)), check(&all))

#define COLLECT(function, element)                                                                 \
    TYPED_COLLECTIVE(                                                                              \
        #function, element, typed_teams, TYPED_SPREAD_BLOCKS,                                      \
        TYPED_SUCCEEDS(function(group->team, to, from, typed_share(&all, group->rank))),           \
        typed_check_collect(&all))

#define FCOLLECT(function, element)                                                                \
    TYPED_COPY(function, element, TYPED_SPREAD_BLOCKS, typed_check_fcollect)

#define ALLTOALL(function, element)                                                                \
    TYPED_COPY(function, element, TYPED_SPREAD_BLOCKS, typed_check_alltoall)

#define ALLTOALLS(function, element)                                                               \
    TYPED_COLLECTIVE(#function, element, typed_teams, TYPED_SPREAD_STRIDED,                        \
                     TYPED_SUCCEEDS(function(group->team, to, from, TYPED_TO_STRIDE,               \
                                             TYPED_FROM_STRIDE, all.count)),                       \
                     typed_check_alltoalls(&all))

#define SET_BROADCAST(function, element)                                                           \
    TYPED_COLLECTIVE(#function, element, typed_sets, TYPED_SPREAD_ONE,                             \
                     function(to, from, all.count, all.root, TYPED_SET),                           \
                     typed_check_broadcast(&all, false))

#define SET_COLLECT(function, element)                                                             \
    TYPED_COLLECTIVE(#function, element, typed_sets, TYPED_SPREAD_BLOCKS,                          \
                     function(to, from, typed_share(&all, group->rank), TYPED_SET),                \
                     typed_check_collect(&all))

#define SET_FCOLLECT(function, element)                                                            \
    TYPED_COLLECTIVE(#function, element, typed_sets, TYPED_SPREAD_BLOCKS,                          \
                     function(to, from, all.count, TYPED_SET), typed_check_fcollect(&all))

#define SET_ALLTOALL(function, element)                                                            \
    TYPED_COLLECTIVE(#function, element, typed_sets, TYPED_SPREAD_BLOCKS,                          \
                     function(to, from, all.count, TYPED_SET), typed_check_alltoall(&all))

#define SET_ALLTOALLS(function, element)                                                           \
    TYPED_COLLECTIVE(#function, element, typed_sets, TYPED_SPREAD_STRIDED,                         \
                     function(to, from, TYPED_TO_STRIDE, TYPED_FROM_STRIDE, all.count, TYPED_SET), \
                     typed_check_alltoalls(&all))

/* ---- meeting: what a PE has written for the next one is there behind it ---- */

enum { TYPED_MEETINGS = 30 };

#define TYPED_MEET(title, groups, complete, statement)                                             \
    do {                                                                                           \
        for (size_t i = 0; i < TYPED_GROUPS; i++) {                                                \
            const struct typed_group *group = &(groups)[i];                                        \
            struct typed_call call = typed_prepare(title);                                         \
            unsigned *word = (unsigned *)call.shared;                                              \
            typed_start(&call);                                                                    \
            for (unsigned round = 0; group->rank >= 0 && round < TYPED_MEETINGS; round++) {        \
                shmem_p(word + round, round, typed_pe_of(group, (group->rank + 1) % group->size)); \
                complete;                                                                          \
                statement;                                                                         \
                CHECK(word[round] == round, "%s of %s: it returned before all came, round %u",     \
                      call.called, group->name, round);                                            \
            }                                                                                      \
            typed_finish(&call);                                                                   \
        }                                                                                          \
    } while (0)

/* a sync leaves the completion of what was written to others */
#define TEAM_SYNC(function, element)                                                               \
    TYPED_MEET(#function, typed_teams, shmem_quiet(),                                              \
               CHECK(function(group->team) == 0, "%s failed", call.called))

#define SET_SYNC(function, element)                                                                \
    TYPED_MEET(#function, typed_sets, shmem_quiet(), function(TYPED_SET))

#define SET_BARRIER(function, element)                                                             \
    TYPED_MEET(#function, typed_sets, (void)0, function(TYPED_SET))

#endif
