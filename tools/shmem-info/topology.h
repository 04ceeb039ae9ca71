/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEM_INFO_TOPOLOGY_H
#define SHMEM_INFO_TOPOLOGY_H

/** Joins the job of the launcher, or one of this process alone; its PE 0 prints which engines reach
 *  which PEs. Returns the exit status. */
int shmem_info_topology(void);

#endif
