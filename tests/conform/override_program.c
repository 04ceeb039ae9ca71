/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with its own shmem_long_put, which reaches the library's by the profiling name, while
 * functions that it does not define come from the library. */
#include <pshmem.h>
#include <stdio.h>

static int own_calls;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    own_calls++;
    pshmem_long_put(dest, source, nelems, pe);
}

int main(void)
{
    long source[2] = {41, 42}, dest[2] = {0};

    shmem_long_put(dest, source, 2, 0);
    if (own_calls != 1 || dest[1] != 42) {
        fprintf(stderr, "own calls %d, copied %ld, expected 1 and 42\n", own_calls, dest[1]);
        return 1;
    }
    dest[0] = 0;
    shmem_long_get(dest, source, 1, 0);
    pshmem_barrier_all();
    if (own_calls != 1 || dest[0] != 41) {
        fprintf(stderr, "own calls %d, got %ld, expected 1 and 41\n", own_calls, dest[0]);
        return 1;
    }
    return 0;
}
