/* SPDX-License-Identifier: BSD-3-Clause */
/* The least a program can do. compare.sh times it from outside: launcher, init, finalize, exit. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0)
        printf("# %d PEs\n", shmem_n_pes());
    shmem_finalize();
    return 0;
}
