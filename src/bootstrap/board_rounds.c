/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds at the launcher's board, in which all PEs meet and read what the others wrote. */
#include "bootstrap/board_internal.h"

#include <errno.h>
#include <unistd.h>

static bool is_round_complete(const struct shm_place *place)
{
    uint64_t arrived = atomic_load(&place->board->arrived);

    return shm_upper_half(arrived) == place->session &&
           shm_lower_half(arrived) / place->n_pes >= place->round;
}

/* The first to come to a round says how many bytes there are; who has another number spoils it. */
static uint64_t agree_on_size(const struct shm_place *place, uint32_t bytes)
{
    _Atomic uint64_t *word = &place->board->sizes[place->round & 1];
    uint64_t mine = (uint64_t)place->session << 48 | (uint64_t)(uint16_t)place->round << 32 | bytes;
    uint64_t seen = atomic_load(word);
    uint64_t wanted;

    do {
        if (seen == mine)
            break;
        wanted = shm_upper_half(seen) == shm_upper_half(mine)
                     ? (uint64_t)shm_upper_half(mine) << 32 | UINT32_MAX
                     : mine;
    } while (!atomic_compare_exchange_weak(word, &seen, wanted));
    return mine;
}

/* Comes to the next round, whose table has the bytes of this PE already. */
static enum shm_status meet(struct shm_place *place, uint32_t bytes, uint64_t deadline_ns)
{
    struct shm_board *board = place->board;
    uint32_t arrivals = 0;
    uint64_t size;
    enum shm_status status;

    place->round++;
    size = agree_on_size(place, bytes);
    atomic_store(&board->steps[place->pe], (uint64_t)place->session << 32 | (place->round + 1));
    status = shm_place_count_in(place, &board->arrived, &arrivals);
    if (status == SHM_OK && arrivals % place->n_pes == 0)
        shm_board_ring(board);
    if (status == SHM_OK)
        status = shm_place_wait_until(place, is_round_complete, deadline_ns);
    if (status == SHM_OK && atomic_load(&board->sizes[place->round & 1]) != size)
        return shm_fail(SHM_MISMATCH, "PE %u passes %u bytes to allgather, others do not",
                        place->pe, bytes);
    return status;
}

enum shm_status shm_place_barrier(void *state, uint64_t deadline_ns)
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
static enum shm_status read_pieces(const struct shm_place *place, uint64_t table, char *all,
                                   size_t piece, size_t stride)
{
    enum shm_status status = SHM_OK;

    if (piece == stride)
        return read_at(place->fd, all, piece * place->n_pes, table);
    for (uint32_t pe = 0; pe < place->n_pes && status == SHM_OK; pe++)
        status = read_at(place->fd, all + pe * stride, piece, table + pe * piece);
    return status;
}

enum shm_status shm_place_allgather(void *state, const void *mine, size_t bytes, void *all,
                                    uint64_t deadline_ns)
{
    struct shm_place *place = state;
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
