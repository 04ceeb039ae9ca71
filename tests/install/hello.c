/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes each PE's number to the next one; valid as C11 and as C++17. */
#include <shmem.h>
#include <stdio.h>

static int from = -1;

int main(void)
{
    int me, n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    shmem_int_p(&from, me, (me + 1) % n_pes);
    shmem_barrier_all();
    printf("PE %d of %d heard from %d\n", me, n_pes, from);
    shmem_finalize();
    return 0;
}
