/* SPDX-License-Identifier: BSD-3-Clause */
/** The MPI communicator whose processes become PEs; in a build without MPI there is none. */
#ifndef EXAMPLES_COMMUNICATOR_H
#define EXAMPLES_COMMUNICATOR_H

#include <stdbool.h>

/** Starts MPI: the number of this process, of all, and what comm_args shall point to. False: this
 *  program was built without MPI. */
bool communicator_enter(int *out_pe, int *out_n_pes, void **out_communicator);

void communicator_leave(void);

#endif
