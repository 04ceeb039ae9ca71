/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with its own shmem_long_put, which reaches the library's by the profiling name, on
 * several PEs; the generic and the other functions go on as ever. */
#include "check.h"

#include <pshmem.h>

static long slots[4];
static int own_calls;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    own_calls++;
    pshmem_long_put(dest, source, nelems, pe);
}

int main(void)
{
    long values[2];
    int right;
    int left;

    shmem_init();
    right = (shmem_my_pe() + 1) % shmem_n_pes();
    left = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
    values[0] = 100 + shmem_my_pe();
    values[1] = 200 + shmem_my_pe();
    shmem_long_put(&slots[0], values, 2, right);
    CHECK(own_calls == 1, "%d own calls", own_calls);
    shmem_put(&slots[2], values, 1, right); /* selects shmem_long_put */
    CHECK(own_calls == 2, "%d own calls", own_calls);
    shmem_long_p(&slots[3], values[1], right);
    shmem_barrier_all();
    CHECK(slots[0] == 100 + left && slots[1] == 200 + left, "%ld %ld", slots[0], slots[1]);
    CHECK(slots[2] == 100 + left && slots[3] == 200 + left, "%ld %ld", slots[2], slots[3]);
    CHECK(own_calls == 2, "%d own calls", own_calls);
    shmem_finalize();
    return 0;
}
