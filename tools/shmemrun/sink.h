/* SPDX-License-Identifier: BSD-3-Clause */
/** A queue in front of the launcher's standard output or error, so that writing never blocks. */
#ifndef SHMEMRUN_SINK_H
#define SHMEMRUN_SINK_H

#include "base/status.h"

#include <stddef.h>

struct sink;

SHM_MUST_CHECK enum shm_status sink_create(int fd, struct sink **out_sink);

/** Does not close the descriptor; accepts NULL. */
void sink_destroy(struct sink *sink);

/** Queues data; drops it when an earlier write failed. */
SHM_MUST_CHECK enum shm_status sink_append(struct sink *sink, const void *data, size_t bytes);

/** Writes as much as the descriptor takes without blocking. */
void sink_write(struct sink *sink);

size_t sink_queued_bytes(const struct sink *sink);

/** errno value of the write that failed; 0 = none. */
int sink_error(const struct sink *sink);

#endif
