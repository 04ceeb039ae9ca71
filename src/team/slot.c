/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots of groups. Each PE has a bitmap of those that it is in; who makes a group takes one on
 * behalf of all members, and each member gives up its own when it leaves. Nobody ever waits here.
 *
 * Order: a bit is cleared as release and set as acquire, so the words of a slot are as its older
 * group left them: locked instructions on x86-TSO, LDCLRL and LDSETA or exclusives on Arm. What the
 * new group finds in them is told through the barrier of the split.
 */
#include "team_internal.h"

#define WORDS ((SHM_SLOTS + 63) / 64)

static _Atomic uint64_t *taken_word(const struct shm_instance *instance, int pe, int word)
{
    return &shm_instance_control(instance, pe)->taken_slots[word];
}

static uint64_t bit_of(int slot)
{
    return 1ull << (slot % 64);
}

/* PE of the group with the i-th lowest number. */
static int ascending_pe(const struct shm_group *group, int i)
{
    return shm_group_pe(group, group->stride < 0 ? group->size - 1 - i : i);
}

/* Slots of a word that are for groups of splits. */
static uint64_t offered_bits(int word)
{
    uint64_t bits = UINT64_MAX;

    if (word == 0)
        bits &= UINT64_MAX << SHM_SLOT_FIRST_FREE;
    if (word == WORDS - 1 && SHM_SLOTS % 64 != 0)
        bits &= bit_of(SHM_SLOTS) - 1;
    return bits;
}

/* Those that were free on all members a moment ago. */
static uint64_t free_bits(const struct shm_instance *instance, const struct shm_group *group,
                          int word)
{
    uint64_t bits = offered_bits(word);

    for (int i = 0; i < group->size && bits != 0; i++)
        bits &= ~atomic_load_explicit(taken_word(instance, ascending_pe(group, i), word),
                                      memory_order_relaxed);
    return bits;
}

/* Gives the slot back to the `count` lowest members. */
static void give_back(const struct shm_instance *instance, const struct shm_group *group, int slot,
                      int count)
{
    for (int i = 0; i < count; i++)
        atomic_fetch_and_explicit(taken_word(instance, ascending_pe(group, i), slot / 64),
                                  ~bit_of(slot), memory_order_release);
}

/* All members or none. Ascending, so that of several who want the same slot one gets it. */
static bool try_take(const struct shm_instance *instance, const struct shm_group *group, int slot)
{
    for (int i = 0; i < group->size; i++) {
        /* acquire pairs with the release of shm_slot_leave(): the stores that the PE made to its
         * area for an older group come first */
        uint64_t before =
            atomic_fetch_or_explicit(taken_word(instance, ascending_pe(group, i), slot / 64),
                                     bit_of(slot), memory_order_acquire);

        if ((before & bit_of(slot)) != 0) {
            give_back(instance, group, slot, i);
            return false;
        }
    }
    return true;
}

static int take(const struct shm_instance *instance, const struct shm_group *group, int skipped)
{
    for (int word = 0; word < WORDS; word++) {
        uint64_t bits = free_bits(instance, group, word);

        for (; bits != 0; bits &= bits - 1) {
            int slot = word * 64 + __builtin_ctzll(bits);

            if (skipped-- <= 0 && try_take(instance, group, slot))
                return slot;
        }
    }
    return SHM_SLOT_NONE;
}

int shm_slot_take(const struct shm_instance *instance, const struct shm_group *group, int skipped)
{
    int slot = take(instance, group, skipped);

    return slot == SHM_SLOT_NONE && skipped > 0 ? take(instance, group, 0) : slot;
}

void shm_slot_give_back(const struct shm_instance *instance, const struct shm_group *group,
                        int slot)
{
    give_back(instance, group, slot, group->size);
}

/* A PE that is still on its way out of an older group in this slot looks at `arrived` and
 * `released` of the PEs that were in it: neither may fall. Signals of the older group have numbers
 * up to that at which its members arrived last, so that none is taken for one of the new group. */
uint64_t shm_slot_prepare(const struct shm_instance *instance, const struct shm_group *group,
                          int slot)
{
    uint64_t base = 0;

    for (int rank = 0; rank < group->size; rank++) {
        const struct shm_control *control =
            shm_instance_control(instance, shm_group_pe(group, rank));
        uint64_t arrived =
            atomic_load_explicit(&control->groups[slot].barrier.arrived, memory_order_relaxed);

        if (arrived > base)
            base = arrived;
    }
    /* its 32 bits are compared as a difference, which must stay small: the other members may have
     * been far ahead of this PE */
    atomic_store_explicit(&instance->control->groups[slot].barrier.released, (uint32_t)base,
                          memory_order_release);
    return base;
}

void shm_slot_leave(const struct shm_instance *instance, int slot)
{
    /* release pairs with the acquire of try_take() */
    atomic_fetch_and_explicit(taken_word(instance, instance->reach.my_pe, slot / 64), ~bit_of(slot),
                              memory_order_release);
}
