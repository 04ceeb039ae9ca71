/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHM_BOOTSTRAP_INTERNAL_H
#define SHM_BOOTSTRAP_INTERNAL_H

#include <shmem/plugin.h>

/** The bootstrap of a single PE, built in. */
const struct shm_bootstrap_ops *shm_bootstrap_alone_entry(void);

#endif
