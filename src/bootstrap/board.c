/* SPDX-License-Identifier: BSD-3-Clause */
/* Bootstrap at the launcher's board (base/board.h), built in. */
#include "base/board.h"

#include "bootstrap/bootstrap_internal.h"

#include "base/cleanup.h"
#include "base/status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LOOK_NS SHM_NS_PER_SECOND /* a sleeper looks up that often, though nothing is missed */
#define PATIENCE_NS (2 * SHM_NS_PER_SECOND)
#define NAMED_MAX 16
#define LAST_ROUND (UINT32_MAX - 1) /* goodbye */

struct place {
    struct shm_board *board;
    int fd; /* borrowed */
    uint32_t pe;
    uint32_t n_pes;
    uint32_t session;
    uint32_t round; /* rounds that this PE has come to */
    bool has_left;
};

static uint32_t upper(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static uint32_t lower(uint64_t word)
{
    return (uint32_t)word;
}

/* ---- waiting ---- */

static enum shm_status what_happened(const struct place *place)
{
    uint64_t event = atomic_load(&place->board->event);
    uint64_t broken = atomic_load(&place->board->broken);
    int pe = (int)(upper(event) & 0xffffff);

    if (event >> 56 == SHM_BOOTSTRAP_ABORT)
        return shm_fail(SHM_ABORTED, "PE %d asked the job to exit with status %d", pe,
                        (int)lower(event));
    if (event != 0)
        return shm_fail(SHM_PEER_LOST, "PE %d failed", pe);
    if (place->session != 0 && upper(broken) == place->session)
        return shm_fail(SHM_PEER_LOST, "PE %u failed: it gave the job up", lower(broken) - 1);
    if (place->session != 0 && upper(atomic_load(&place->board->gate)) != place->session)
        return shm_fail(SHM_PEER_LOST, "PE 0 failed: it began anew");
    return SHM_OK;
}

/* PEs that have not come as far as this one. */
static enum shm_status name_missing(const struct place *place)
{
    uint64_t own = (uint64_t)place->session << 32 | (place->round + 1);
    char names[NAMED_MAX * 7 + 1] = "";
    size_t used = 0;
    uint32_t missing = 0;

    for (uint32_t pe = 0; pe < place->n_pes; pe++) {
        if (atomic_load(&place->board->steps[pe]) < own && missing++ < NAMED_MAX)
            used += (size_t)snprintf(names + used, sizeof names - used, " %u", pe);
    }
    return shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed: PE%s%s%s %s missing",
                    missing == 1 ? "" : "s", names, missing > NAMED_MAX ? " ..." : "",
                    missing == 1 ? "is" : "are");
}

static uint64_t time_to_sleep_ns(uint64_t deadline_ns)
{
    uint64_t now = shm_now_ns();

    if (deadline_ns == 0 || deadline_ns > now + LOOK_NS)
        return LOOK_NS;
    return deadline_ns > now ? deadline_ns - now : 1;
}

/* Waits until `is_done` says so, which it is asked before anything else is looked at. */
static enum shm_status wait_until(const struct place *place,
                                  bool (*is_done)(const struct place *place), uint64_t deadline_ns)
{
    for (;;) {
        uint32_t bell = atomic_load(&place->board->bell);
        enum shm_status status;

        if (is_done(place))
            return SHM_OK;
        status = what_happened(place);
        if (status == SHM_OK && shm_deadline_passed(deadline_ns))
            status = name_missing(place);
        if (status != SHM_OK)
            return status;
        shm_futex_wait(&place->board->bell, bell, time_to_sleep_ns(deadline_ns));
    }
}

/* Adds one to a word of the session; gives the sum. */
static enum shm_status count_in(const struct place *place, _Atomic uint64_t *word,
                                uint32_t *out_sum)
{
    uint64_t seen = atomic_load(word);

    do {
        if (upper(seen) != place->session)
            return shm_fail(SHM_PEER_LOST, "PE 0 failed: it began anew");
    } while (!atomic_compare_exchange_weak(word, &seen, seen + 1));
    *out_sum = lower(seen) + 1;
    return SHM_OK;
}

/* ---- the gate ---- */

static bool is_shut(uint64_t gate)
{
    return (gate & SHM_BOARD_SHUT) != 0;
}

static bool have_all_come(const struct place *place, uint64_t gate)
{
    return upper(gate) == place->session && (lower(gate) & ~SHM_BOARD_SHUT) == place->n_pes;
}

/* Who has come is counted before the gate is shut, or not at all: so either all pass or nobody. */
static bool is_gate_decided(const struct place *place)
{
    uint64_t gate = atomic_load(&place->board->gate);

    return have_all_come(place, gate) || (upper(gate) == place->session && is_shut(gate));
}

/* PE 0. Nobody is in the session before, who has not given it up. */
static void open_session(struct place *place)
{
    struct shm_board *board = place->board;
    uint64_t gate = atomic_load(&board->gate);

    place->session = upper(gate) + 1;
    atomic_store(&board->arrived, (uint64_t)place->session << 32);
    atomic_store(&board->left, (uint64_t)place->session << 32);
    while (!atomic_compare_exchange_weak(&board->gate, &gate,
                                         (uint64_t)place->session << 32 | (gate & SHM_BOARD_SHUT)))
        continue;
    shm_board_ring(board);
}

/* A session that this PE was not in before, and that nobody has given up. */
static bool is_session_open(const struct place *place)
{
    uint64_t gate = atomic_load(&place->board->gate);

    return is_shut(gate) || (upper(gate) > upper(atomic_load(&place->board->steps[place->pe])) &&
                             upper(gate) != upper(atomic_load(&place->board->broken)));
}

/* SHM_NOT_SUPPORTED: the gate is shut. */
static enum shm_status come_in(struct place *place)
{
    struct shm_board *board = place->board;
    uint64_t gate = atomic_load(&board->gate);

    if (place->pe != 0)
        place->session = upper(gate);
    atomic_store(&board->steps[place->pe], (uint64_t)place->session << 32 | 1);
    do {
        if (is_shut(gate))
            return shm_fail(SHM_NOT_SUPPORTED, "the launcher's board is not for all PEs");
        if (upper(gate) != place->session)
            return shm_fail(SHM_PEER_LOST, "PE 0 failed: it began anew");
    } while (!atomic_compare_exchange_weak(&board->gate, &gate, gate + 1));
    if (lower(gate) + 1 == place->n_pes)
        shm_board_ring(board);
    return SHM_OK;
}

/* PE 0 may have no board and serve the store, in which case it meets nobody here. When it is just
 * late, the launcher notices who went to the store, and PE 0 follows them. */
static enum shm_status wait_for_session(const struct place *place, uint64_t deadline_ns)
{
    uint64_t now = shm_now_ns();
    uint64_t patience_ns = PATIENCE_NS;

    if (deadline_ns != 0 && deadline_ns < now + 2 * PATIENCE_NS)
        patience_ns = deadline_ns > now ? (deadline_ns - now) / 2 : 0;
    if (wait_until(place, is_session_open, now + patience_ns) == SHM_TIMEOUT_ERROR)
        return shm_fail(SHM_NOT_SUPPORTED, "PE 0 does not come to the launcher's board");
    return what_happened(place);
}

static enum shm_status pass_gate(struct place *place, uint64_t deadline_ns)
{
    enum shm_status status = SHM_OK;

    if (place->pe == 0)
        open_session(place);
    else
        status = wait_for_session(place, deadline_ns);
    if (status == SHM_OK)
        status = come_in(place);
    if (status == SHM_OK)
        status = wait_until(place, is_gate_decided, deadline_ns);
    if (status == SHM_OK && !have_all_come(place, atomic_load(&place->board->gate)))
        status = shm_fail(SHM_NOT_SUPPORTED, "the launcher's board is not for all PEs");
    return status;
}

/* The first one is named: others give up because of it, or come late from an earlier session. */
static void give_up(const struct place *place)
{
    uint64_t broken = atomic_load(&place->board->broken);

    while (upper(broken) < place->session &&
           !atomic_compare_exchange_weak(&place->board->broken, &broken,
                                         (uint64_t)place->session << 32 | (place->pe + 1)))
        continue;
    shm_board_ring(place->board);
}

static void board_close(void *state)
{
    struct place *place = state;

    if (place == NULL)
        return;
    if (place->session != 0 && !place->has_left)
        give_up(place);
    munmap(place->board, shm_board_mapped_bytes(place->n_pes));
    free(place);
}

static enum shm_status map_board(struct place *place)
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
    auto_free struct place *place = calloc(1, sizeof *place);
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
    status = pass_gate(place, request->deadline_ns);
    if (status != SHM_OK) {
        place->has_left = status == SHM_NOT_SUPPORTED;
        board_close(take_pointer(&place));
        return status;
    }
    *out_state = take_pointer(&place);
    return SHM_OK;
}

/* ---- rounds ---- */

static bool is_round_complete(const struct place *place)
{
    uint64_t arrived = atomic_load(&place->board->arrived);

    return upper(arrived) == place->session && lower(arrived) / place->n_pes >= place->round;
}

/* The first to come to a round says how many bytes there are; who has another number spoils it. */
static uint64_t agree_on_size(const struct place *place, uint32_t bytes)
{
    _Atomic uint64_t *word = &place->board->sizes[place->round & 1];
    uint64_t mine = (uint64_t)place->session << 48 | (uint64_t)(uint16_t)place->round << 32 | bytes;
    uint64_t seen = atomic_load(word);
    uint64_t wanted;

    do {
        if (seen == mine)
            break;
        wanted = upper(seen) == upper(mine) ? (uint64_t)upper(mine) << 32 | UINT32_MAX : mine;
    } while (!atomic_compare_exchange_weak(word, &seen, wanted));
    return mine;
}

/* Comes to the next round, whose table has the bytes of this PE already. */
static enum shm_status meet(struct place *place, uint32_t bytes, uint64_t deadline_ns)
{
    struct shm_board *board = place->board;
    uint32_t arrivals = 0;
    uint64_t size;
    enum shm_status status;

    place->round++;
    size = agree_on_size(place, bytes);
    atomic_store(&board->steps[place->pe], (uint64_t)place->session << 32 | (place->round + 1));
    status = count_in(place, &board->arrived, &arrivals);
    if (status == SHM_OK && arrivals % place->n_pes == 0)
        shm_board_ring(board);
    if (status == SHM_OK)
        status = wait_until(place, is_round_complete, deadline_ns);
    if (status == SHM_OK && atomic_load(&board->sizes[place->round & 1]) != size)
        return shm_fail(SHM_MISMATCH, "PE %u passes %u bytes to allgather, others do not",
                        place->pe, bytes);
    return status;
}

static enum shm_status board_barrier(void *state, uint64_t deadline_ns)
{
    return meet(state, 0, deadline_ns);
}

/* Bytes of a file, all of them. */
static enum shm_status write_at(int fd, const char *data, size_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t done = pwrite(fd, data, bytes, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return shm_fail_errno(SHM_SMEM_ERROR, errno, "writing to the launcher's board");
        data += done;
        bytes -= (size_t)done;
        offset += (uint64_t)done;
    }
    return SHM_OK;
}

static enum shm_status read_at(int fd, char *data, size_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t done = pread(fd, data, bytes, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return shm_fail_errno(SHM_SMEM_ERROR, errno, "reading the launcher's board");
        data += done;
        bytes -= (size_t)done;
        offset += (uint64_t)done;
    }
    return SHM_OK;
}

/* The pieces of all PEs, which lie `stride` apart in `all`. */
static enum shm_status read_pieces(const struct place *place, uint64_t table, char *all,
                                   size_t piece, size_t stride)
{
    enum shm_status status = SHM_OK;

    if (piece == stride)
        return read_at(place->fd, all, piece * place->n_pes, table);
    for (uint32_t pe = 0; pe < place->n_pes && status == SHM_OK; pe++)
        status = read_at(place->fd, all + pe * stride, piece, table + pe * piece);
    return status;
}

static enum shm_status board_allgather(void *state, const void *mine, size_t bytes, void *all,
                                       uint64_t deadline_ns)
{
    struct place *place = state;
    enum shm_status status = SHM_OK;

    if (bytes == 0 || bytes >= UINT32_MAX)
        return shm_fail(SHM_INVALID_VALUE, "allgather of %zu bytes, expected at least 1", bytes);
    for (size_t at = 0; at < bytes && status == SHM_OK; at += SHM_BOARD_PIECE_BYTES) {
        size_t rest = bytes - at;
        size_t piece = rest < SHM_BOARD_PIECE_BYTES ? rest : SHM_BOARD_PIECE_BYTES;
        uint64_t table = shm_board_table(place->n_pes, (place->round + 1) & 1);

        status = write_at(place->fd, (const char *)mine + at, piece, table + place->pe * piece);
        if (status == SHM_OK)
            status = meet(place, (uint32_t)bytes, deadline_ns);
        if (status == SHM_OK)
            status = read_pieces(place, table, (char *)all + at, piece, bytes);
    }
    return status;
}

/* ---- the rest ---- */

static enum shm_status board_poll(void *state, struct shm_bootstrap_event *out_event)
{
    const struct place *place = state;
    uint64_t event = atomic_load(&place->board->event);
    uint64_t broken = atomic_load(&place->board->broken);

    *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_NOTHING};
    if (event != 0)
        *out_event =
            (struct shm_bootstrap_event){.kind = (enum shm_bootstrap_event_kind)(event >> 56),
                                         .pe = (int)(upper(event) & 0xffffff),
                                         .status = (int)lower(event)};
    else if (upper(broken) == place->session)
        *out_event = (struct shm_bootstrap_event){.kind = SHM_BOOTSTRAP_PE_FAILED,
                                                  .pe = (int)lower(broken) - 1};
    return SHM_OK;
}

static enum shm_status board_abort(void *state, int exit_status)
{
    const struct place *place = state;

    shm_board_announce(place->board,
                       shm_board_event(SHM_BOOTSTRAP_ABORT, place->pe, (uint32_t)exit_status));
    return SHM_OK;
}

static bool have_all_left(const struct place *place)
{
    return lower(atomic_load(&place->board->left)) == place->n_pes;
}

/* The last step. PE 0 stays until the others have taken it, because it may open the next session;
 * what happens to them meanwhile is no failure of its own. */
static enum shm_status board_finalize(void *state, uint64_t deadline_ns)
{
    struct place *place = state;
    uint32_t gone = 0;
    enum shm_status status = count_in(place, &place->board->left, &gone);

    if (status != SHM_OK)
        return status;
    place->has_left = true;
    place->round = LAST_ROUND;
    atomic_store(&place->board->steps[place->pe],
                 (uint64_t)place->session << 32 | (LAST_ROUND + 1));
    if (gone == place->n_pes)
        shm_board_ring(place->board);
    if (place->pe == 0)
        status = wait_until(place, have_all_left, deadline_ns);
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
    .barrier = board_barrier,
    .allgather = board_allgather,
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
