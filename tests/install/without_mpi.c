/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for MPI and prints the code. */
#include <aclshmem.h>
#include <stdio.h>

int main(void)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    attributes.n_pes = 1;
    attributes.local_mem_size = 4096;
    printf("%d\n", aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attributes));
    return 0;
}
