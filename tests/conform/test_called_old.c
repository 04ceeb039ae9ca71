/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that have nothing to do here, on several PEs: old programs make them around stores of
 * other PEs, and tools replace shmem_pcontrol. */
#include "check.h"

static long words[3];

int main(void)
{
    int next;
    int before;

    shmem_init();
    next = (shmem_my_pe() + 1) % shmem_n_pes();
    before = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
    shmem_pcontrol(1);
    shmem_set_cache_inv();
    shmem_set_cache_line_inv(&words[1]);
    words[0] = -1;
    shmem_long_p(&words[1], 100 + shmem_my_pe(), next);
    shmem_udcflush();
    shmem_udcflush_line(&words[1]);
    shmem_clear_cache_line_inv(&words[1]);
    shmem_clear_cache_inv();
    shmem_pcontrol(2, "more", &words);
    shmem_barrier_all();
    CHECK(words[0] == -1 && words[1] == 100 + before && words[2] == 0, "%ld %ld %ld", words[0],
          words[1], words[2]);
    shmem_finalize();
    return 0;
}
