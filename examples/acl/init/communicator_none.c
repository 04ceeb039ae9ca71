/* SPDX-License-Identifier: BSD-3-Clause */
#include "communicator.h"

bool communicator_enter(int *out_pe, int *out_n_pes, void **out_communicator)
{
    (void)out_pe;
    (void)out_n_pes;
    (void)out_communicator;
    return false;
}

void communicator_leave(void)
{
}
