/* SPDX-License-Identifier: BSD-3-Clause */
#include "communicator.h"

#include <mpi.h>
#include <stddef.h>

static MPI_Comm communicator;

bool communicator_enter(int *out_pe, int *out_n_pes, void **out_communicator)
{
    MPI_Init(NULL, NULL);
    communicator = MPI_COMM_WORLD;
    MPI_Comm_rank(communicator, out_pe);
    MPI_Comm_size(communicator, out_n_pes);
    *out_communicator = &communicator;
    return true;
}

void communicator_leave(void)
{
    MPI_Finalize();
}
