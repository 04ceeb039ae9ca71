/* SPDX-License-Identifier: BSD-3-Clause */
/* The gate of the launcher's board: all PEs come into a session there, or none. */
#include "bootstrap/board_internal.h"

#define PATIENCE_NS (2 * SHM_NS_PER_SECOND)

static bool is_shut(uint64_t gate)
{
    return (gate & SHM_BOARD_SHUT) != 0;
}

static bool have_all_come(const struct shm_place *place, uint64_t gate)
{
    return shm_upper_half(gate) == place->session &&
           (shm_lower_half(gate) & ~SHM_BOARD_SHUT) == place->n_pes;
}

/* Who has come is counted before the gate is shut, or not at all: so either all pass or nobody. */
static bool is_gate_decided(const struct shm_place *place)
{
    uint64_t gate = atomic_load(&place->board->gate);

    return have_all_come(place, gate) || (shm_upper_half(gate) == place->session && is_shut(gate));
}

/* PE 0. Nobody is in the session before, who has not given it up. */
static void open_session(struct shm_place *place)
{
    struct shm_board *board = place->board;
    uint64_t gate = atomic_load(&board->gate);

    place->session = shm_upper_half(gate) + 1;
    atomic_store(&board->arrived, (uint64_t)place->session << 32);
    atomic_store(&board->left, (uint64_t)place->session << 32);
    while (!atomic_compare_exchange_weak(&board->gate, &gate,
                                         (uint64_t)place->session << 32 | (gate & SHM_BOARD_SHUT)))
        continue;
    shm_board_ring(board);
}

/* A session that this PE was not in before, and that nobody has given up. */
static bool is_session_open(const struct shm_place *place)
{
    uint64_t gate = atomic_load(&place->board->gate);

    return is_shut(gate) ||
           (shm_upper_half(gate) > shm_upper_half(atomic_load(&place->board->steps[place->pe])) &&
            shm_upper_half(gate) != shm_upper_half(atomic_load(&place->board->broken)));
}

/* SHM_NOT_SUPPORTED: the gate is shut. */
static enum shm_status come_in(struct shm_place *place)
{
    struct shm_board *board = place->board;
    uint64_t gate = atomic_load(&board->gate);

    if (place->pe != 0)
        place->session = shm_upper_half(gate);
    atomic_store(&board->steps[place->pe], (uint64_t)place->session << 32 | 1);
    do {
        if (is_shut(gate))
            return shm_fail(SHM_NOT_SUPPORTED, "the launcher's board is not for all PEs");
        if (shm_upper_half(gate) != place->session)
            return shm_fail(SHM_PEER_LOST, "PE 0 failed: it began anew");
    } while (!atomic_compare_exchange_weak(&board->gate, &gate, gate + 1));
    if (shm_lower_half(gate) + 1 == place->n_pes)
        shm_board_ring(board);
    return SHM_OK;
}

/* PE 0 may have no board and serve the store, in which case it meets nobody here. When it is just
 * late, the launcher notices who went to the store, and PE 0 follows them. */
static enum shm_status wait_for_session(const struct shm_place *place, uint64_t deadline_ns)
{
    uint64_t now = shm_now_ns();
    uint64_t patience_ns = PATIENCE_NS;

    if (deadline_ns != 0 && deadline_ns < now + 2 * PATIENCE_NS)
        patience_ns = deadline_ns > now ? (deadline_ns - now) / 2 : 0;
    if (shm_place_wait_until(place, is_session_open, now + patience_ns) == SHM_TIMEOUT_ERROR)
        return shm_fail(SHM_NOT_SUPPORTED, "PE 0 does not come to the launcher's board");
    return shm_place_what_happened(place);
}

enum shm_status shm_place_pass_gate(struct shm_place *place, uint64_t deadline_ns)
{
    enum shm_status status = SHM_OK;

    if (place->pe == 0)
        open_session(place);
    else
        status = wait_for_session(place, deadline_ns);
    if (status == SHM_OK)
        status = come_in(place);
    if (status == SHM_OK)
        status = shm_place_wait_until(place, is_gate_decided, deadline_ns);
    if (status == SHM_OK && !have_all_come(place, atomic_load(&place->board->gate)))
        status = shm_fail(SHM_NOT_SUPPORTED, "the launcher's board is not for all PEs");
    return status;
}
