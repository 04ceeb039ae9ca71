/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/team. */
#ifndef SHM_TEAM_INTERNAL_H
#define SHM_TEAM_INTERNAL_H

#include "team/team.h"

/* ---- handles ---- */

/** Frees a team or a context, whose struct begins with `object`. */
void shm_handled_free(struct shm_handled *object);

/** Removes the objects for which is_wanted(object, argument) holds and gives them to `destroy`. */
void shm_handle_table_remove_if(struct shm_handle_table *table,
                                bool (*is_wanted)(const struct shm_handled *object,
                                                  const void *argument),
                                const void *argument, void (*destroy)(struct shm_handled *object));

/* ---- teams ---- */

/** Allocates a team of a group, of which it has a copy, and puts it into the table. */
SHM_MUST_CHECK enum shm_status shm_team_create(struct shm_instance *instance,
                                               const struct shm_group *group,
                                               const struct shm_team_config *config,
                                               struct shm_team **out_team);

/** Takes a team out of the table and frees it. */
void shm_team_release(struct shm_team *team);

/** Destroys the contexts that were made from a team. */
void shm_contexts_destroy_of(const struct shm_team *team);

/* ---- slots ---- */

/**
 * Takes a slot that is free on all members of a group, on behalf of all of them; returns it, or
 * SHM_SLOT_NONE. `skipped` free ones are left for others that look at the same time for groups
 * with some of the same members, unless there is no other. To be called by the PE of rank 0.
 */
int shm_slot_take(const struct shm_instance *instance, const struct shm_group *group, int skipped);

/** Undoes shm_slot_take(), when no member has used the slot. */
void shm_slot_give_back(const struct shm_instance *instance, const struct shm_group *group,
                        int slot);

/** Prepares a slot that this PE has taken for the barriers of the group; returns the sequence that
 *  these must exceed. */
uint64_t shm_slot_prepare(const struct shm_instance *instance, const struct shm_group *group,
                          int slot);

/** Gives up the slot of a group for this PE, which has left the last barrier of the group. */
void shm_slot_leave(const struct shm_instance *instance, int slot);

#endif
