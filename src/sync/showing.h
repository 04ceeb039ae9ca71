/* SPDX-License-Identifier: BSD-3-Clause */
/** How the members of a group show each other a little, part of sync.h, which includes this. */
#ifndef SHM_SYNC_SHOWING_H
#define SHM_SYNC_SHOWING_H

#include "instance/instance.h"

/* ---- showing each other a little: groups that have a slot ---- */

/** SHM_EXCHANGE_BYTES bytes that the other members can read behind the next meeting of the group:
 *  a barrier or shm_exchange(). To be filled before it; aligned for every type. */
static inline void *shm_exchange_buffer(const struct shm_instance *instance,
                                        const struct shm_group *group)
{
    return instance->control->groups[group->slot].exchange[(group->sequence + 1) & 1].bytes;
}

/** What the member of rank `rank` put into its buffer before the last meeting of the group; valid
 *  until this PE enters the next one: nobody fills that half again before all have. */
static inline const void *shm_exchange_of(const struct shm_instance *instance,
                                          const struct shm_group *group, int rank)
{
    const struct shm_control *control = shm_instance_control(instance, shm_group_pe(group, rank));

    return control->groups[group->slot].exchange[group->sequence & 1].bytes;
}

/** As shm_barrier(), for members that want nothing but what the others show: where each PE has a
 *  processor it costs no more than that what is shown arrives. Without a slot it is a barrier. */
SHM_MUST_CHECK enum shm_status shm_exchange(struct shm_instance *instance, struct shm_group *group,
                                            const char *call);

/*
 * ---- notices: one member gives, the others take, and nobody waits for those who take. All members
 * call shm_notice_begin() with the same giver in mind, then one of them fills the buffer and gives,
 * the others take. Groups that have a slot ----
 */

/** Finds room for a notice. Meets with the others first when all of it has been used. */
SHM_MUST_CHECK enum shm_status shm_notice_begin(struct shm_instance *instance,
                                                struct shm_group *group, const char *call);

/** SHM_NOTICE_BYTES bytes for the giver to fill. */
static inline void *shm_notice_buffer(const struct shm_instance *instance,
                                      const struct shm_group *group)
{
    return instance->control->groups[group->slot].notices[group->notices - 1].bytes;
}

void shm_notice_give(struct shm_instance *instance, const struct shm_group *group);

/** Waits for the notice of rank `giver`. Its bytes are valid until this PE enters the next meeting
 *  of the group, also the one in shm_notice_begin(). */
SHM_MUST_CHECK enum shm_status shm_notice_take(struct shm_instance *instance,
                                               const struct shm_group *group, int giver,
                                               const char *call, const void **out_bytes);

#endif
