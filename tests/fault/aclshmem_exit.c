/* SPDX-License-Identifier: BSD-3-Clause */
/* An ACLSHMEM program under the launcher: the last PE asks the job to exit with status argv[2]
 * while the others are in code of their own. argv[1] is the address to meet at. */
#include <aclshmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    if (argc != 3)
        return 2;
    attributes.my_pe = atoi(getenv("SHMEM_PE"));
    attributes.n_pes = atoi(getenv("SHMEM_N_PES"));
    attributes.local_mem_size = 1 << 20;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", argv[1]);
    if (aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) != ACLSHMEM_SUCCESS)
        return 3;
    aclshmem_barrier_all();
    if (aclshmem_my_pe() == aclshmem_n_pes() - 1)
        aclshmem_global_exit(atoi(argv[2]));
    for (;;)
        pause();
}
