/* SPDX-License-Identifier: BSD-3-Clause */
/** Finding processes and descriptors in /proc. */
#ifndef SHMEMRUN_PROCESSES_H
#define SHMEMRUN_PROCESSES_H

/** Sends SIGKILL to every child of this process. */
void processes_kill_children(void);

/**
 * Sends SIGKILL to every other process that was started with the variable `mark` (NAME=VALUE).
 * Returns how many there were.
 */
int processes_kill_marked(const char *mark);

/** Closes every descriptor above 2 except `kept_fd`. */
void processes_close_descriptors(int kept_fd);

/** Marks every descriptor above 2 as close-on-exec. */
void processes_keep_descriptors_private(void);

#endif
