/* SPDX-License-Identifier: BSD-3-Clause */
/** A PE of a job that meets over MPI: joins, uses what it can reach, tells what went wrong. */
#ifndef MEMBER_H
#define MEMBER_H

#include <aclshmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAP (1024ul * 1024)

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "PE %d: %s:%d: %s\n", aclshmem_my_pe(), __FILE__, __LINE__,            \
                    #condition);                                                                   \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static inline int join_as(int pe, int n_pes, void *communicator)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    attributes.my_pe = pe;
    attributes.n_pes = n_pes;
    attributes.local_mem_size = HEAP;
    attributes.comm_args = communicator;
    return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attributes);
}

/* Puts, gets, barriers and a team among all PEs. */
static inline void use(int pe, int n_pes)
{
    int *block = aclshmem_calloc(16, sizeof *block);
    int value = 100 + pe;
    int left = (pe + n_pes - 1) % n_pes;
    aclshmem_team_t odd = ACLSHMEM_TEAM_INVALID;
    int got = 0;

    EXPECT(aclshmem_my_pe() == pe && aclshmem_n_pes() == n_pes && block != NULL);
    aclshmem_putmem(block + pe, &value, sizeof value, (pe + 1) % n_pes);
    aclshmem_barrier_all();
    EXPECT(block[left] == 100 + left);
    aclshmem_getmem(&got, block + pe, sizeof got, (pe + 1) % n_pes);
    EXPECT(got == value);
    if (n_pes > 1) {
        EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 1, 2, n_pes / 2, &odd) == 0);
        EXPECT(pe % 2 == 0 || aclshmem_team_my_pe(odd) == pe / 2);
    }
    if (odd != ACLSHMEM_TEAM_INVALID) {
        aclshmem_barrier(odd);
        aclshmem_team_destroy(odd);
    }
    aclshmem_barrier_all();
    aclshmem_free(block);
}

static inline void join_and_use(int pe, int n_pes, void *communicator)
{
    EXPECT(join_as(pe, n_pes, communicator) == 0);
    use(pe, n_pes);
    EXPECT(aclshmem_finalize() == 0);
}

#endif
