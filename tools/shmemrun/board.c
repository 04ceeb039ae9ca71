/* SPDX-License-Identifier: BSD-3-Clause */
#include "board.h"

#include "base/board.h"
#include "base/cleanup.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <shmem/plugin.h>
#include <sys/mman.h>

static int make_memory(uint64_t bytes)
{
    auto_fd int fd = memfd_create("shmem board", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return -1;
    return take_fd(&fd);
}

void board_init(struct board *board, int n_pes)
{
    uint64_t bytes = shm_board_bytes((uint32_t)n_pes);
    void *mapped;

    *board =
        (struct board){.fd = shm_board_is_permitted((uint32_t)n_pes) ? make_memory(bytes) : -1};
    if (board->fd < 0)
        return;
    mapped = mmap(NULL, sizeof *board->memory, PROT_READ | PROT_WRITE, MAP_SHARED, board->fd, 0);
    if (mapped == MAP_FAILED) {
        board_fini(board);
        return;
    }
    board->memory = mapped;
    board->memory->magic = SHM_BOARD_MAGIC;
    board->memory->n_pes = (uint32_t)n_pes;
}

void board_fini(struct board *board)
{
    if (board->memory != NULL)
        munmap(board->memory, sizeof *board->memory);
    if (board->fd >= 0)
        close(board->fd);
    *board = (struct board){.fd = -1};
}

void board_shut(struct board *board)
{
    if (board->memory == NULL)
        return;
    atomic_fetch_or(&board->memory->gate, SHM_BOARD_SHUT);
    shm_board_ring(board->memory);
}

void board_announce_death(struct board *board, int pe)
{
    if (board->memory != NULL)
        shm_board_announce(board->memory,
                           shm_board_event(SHM_BOOTSTRAP_PE_FAILED, (uint32_t)pe, 0));
}
