/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHM_BOOTSTRAP_INTERNAL_H
#define SHM_BOOTSTRAP_INTERNAL_H

#include <shmem/plugin.h>
#include <stddef.h>

/** The bootstrap of a single PE, built in. */
const struct shm_bootstrap_ops *shm_bootstrap_alone_entry(void);

/** The bootstrap at the launcher's board, built in. */
const struct shm_bootstrap_ops *shm_bootstrap_board_entry(void);

/** Number `index` of the files that may be the plug-in for MPI here; NULL behind the last. There is
 *  one only when the process has loaded an MPI, or was started by the launcher of one. */
const char *shm_bootstrap_mpi_file(size_t index);

#endif
