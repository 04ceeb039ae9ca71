/* SPDX-License-Identifier: BSD-3-Clause */
/* Bootstrap at the launcher's board (base/board.h), built in. */
#include "bootstrap/board_internal.h"
#include "bootstrap/bootstrap_internal.h"

#include "base/cleanup.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LAST_ROUND (UINT32_MAX - 1) /* goodbye */

/* The first one is named: others give up because of it, or come late from an earlier session. */
static void give_up(const struct shm_place *place)
{
    uint64_t broken = atomic_load(&place->board->broken);

    while (shm_upper_half(broken) < place->session &&
           !atomic_compare_exchange_weak(&place->board->broken, &broken,
                                         (uint64_t)place->session << 32 | (place->pe + 1)))
        continue;
    shm_board_ring(place->board);
}

static void board_close(void *state)
{
    struct shm_place *place = state;

    if (place == NULL)
        return;
    if (place->session != 0 && !place->has_left)
        give_up(place);
    munmap(place->board, shm_board_mapped_bytes(place->n_pes));
    free(place);
}

static enum shm_status map_board(struct shm_place *place)
{
    void *mapped = mmap(NULL, shm_board_mapped_bytes(place->n_pes), PROT_READ | PROT_WRITE,
                        MAP_SHARED, place->fd, 0);

    if (mapped == MAP_FAILED)
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "mapping the launcher's board");
    place->board = mapped;
    if (place->board->magic == SHM_BOARD_MAGIC && place->board->n_pes == place->n_pes)
        return SHM_OK;
    munmap(mapped, shm_board_mapped_bytes(place->n_pes));
    return shm_fail(SHM_MISMATCH, "the launcher's board is of another version");
}

static enum shm_status board_open(const struct shm_host *host,
                                  const struct shm_bootstrap_request *request, void **out_state)
{
    auto_free struct shm_place *place = calloc(1, sizeof *place);
    enum shm_status status;

    (void)host;
    if (place == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the bootstrap");
    place->fd = request->board_fd;
    place->pe = (uint32_t)request->my_pe;
    place->n_pes = (uint32_t)request->n_pes;
    status = map_board(place);
    if (status != SHM_OK)
        return status;
    status = shm_place_pass_gate(place, request->deadline_ns);
    if (status != SHM_OK) {
        place->has_left = status == SHM_NOT_SUPPORTED;
        board_close(take_pointer(&place));
        return status;
    }
    *out_state = take_pointer(&place);
    return SHM_OK;
}

static enum shm_status board_poll(void *state, struct shm_bootstrap_event *out_event)
{
    const struct shm_place *place = state;
    uint64_t event = atomic_load(&place->board->event);
    uint64_t broken = atomic_load(&place->board->broken);

    *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_NOTHING};
    if (event != 0)
        *out_event =
            (struct shm_bootstrap_event){.kind = (enum shm_bootstrap_event_kind)(event >> 56),
                                         .pe = (int)(shm_upper_half(event) & 0xffffff),
                                         .status = (int)shm_lower_half(event)};
    else if (shm_upper_half(broken) == place->session)
        *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_PE_FAILED,
                                                  .pe = (int)shm_lower_half(broken) - 1};
    return SHM_OK;
}

static enum shm_status board_abort(void *state, int exit_status)
{
    const struct shm_place *place = state;

    shm_board_announce(place->board,
                       shm_board_event(SHM_BOOTSTRAP_ABORT, place->pe, (uint32_t)exit_status));
    return SHM_OK;
}

static bool have_all_left(const struct shm_place *place)
{
    return shm_lower_half(atomic_load(&place->board->left)) == place->n_pes;
}

/* The last step. PE 0 stays until the others have taken it, because it may open the next session;
 * what happens to them meanwhile is no failure of its own. */
static enum shm_status board_finalize(void *state, uint64_t deadline_ns)
{
    struct shm_place *place = state;
    uint32_t gone = 0;
    enum shm_status status = shm_place_count_in(place, &place->board->left, &gone);

    if (status != SHM_OK)
        return status;
    place->has_left = true;
    place->round = LAST_ROUND;
    atomic_store(&place->board->steps[place->pe],
                 (uint64_t)place->session << 32 | (LAST_ROUND + 1));
    if (gone == place->n_pes)
        shm_board_ring(place->board);
    if (place->pe == 0)
        status = shm_place_wait_until(place, have_all_left, deadline_ns);
    return status == SHM_PEER_LOST || status == SHM_ABORTED ? SHM_OK : status;
}

/* The descriptor is the library's. */
static void board_forget(void *state)
{
    (void)state;
}

static const struct shm_bootstrap_ops ops = {
    .abi = SHM_PLUGIN_ABI,
    .bytes = sizeof ops,
    .name = "board",
    .open = board_open,
    .barrier = shm_place_barrier,
    .allgather = shm_place_allgather,
    .poll = board_poll,
    .abort = board_abort,
    .finalize = board_finalize,
    .close = board_close,
    .forget = board_forget,
};

const struct shm_bootstrap_ops *shm_bootstrap_board_entry(void)
{
    return &ops;
}
