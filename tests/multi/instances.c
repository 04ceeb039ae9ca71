/* SPDX-License-Identifier: BSD-3-Clause */
/* Both interfaces in one program: OpenSHMEM means instance 0, ACLSHMEM what was chosen. */
#include "check.h"

#include <aclshmem.h>

#define CHOSEN 77

static aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
static long variable;

/* An instance of all PEs in reverse order, which meet by an id that instance 0 carries. */
static void start_reversed(void)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    int n_pes = shmem_n_pes();
    int rank = n_pes - 1 - shmem_my_pe();
    int code;

    if (rank == 0) {
        code = aclshmemx_get_uniqueid(&id);
        CHECK(code == 0, "unique id: %d", code);
        for (int pe = 0; pe < n_pes; pe++)
            shmem_putmem(&id, &id, sizeof id, pe);
    }
    shmem_barrier_all();
    code = aclshmemx_set_attr_uniqueid_args(rank, n_pes, 1 << 20, &id, &attributes);
    CHECK(code == 0, "attributes: %d", code);
    attributes.instance_id = CHOSEN;
    code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes);
    CHECK(code == 0, "init: %d", code);
}

static void use_both(void)
{
    int n_pes = shmem_n_pes();
    int me = shmem_my_pe();
    int rank = aclshmem_my_pe();
    long *standard = shmem_calloc((size_t)n_pes, sizeof *standard);
    int64_t *chosen = aclshmem_calloc((size_t)n_pes, sizeof *chosen);

    CHECK(rank == n_pes - 1 - me && aclshmem_n_pes() == n_pes, "rank %d", rank);
    CHECK(aclshmem_ptr(standard, rank) == NULL, "a block of instance 0 is not one of the other");
    CHECK(!shmem_addr_accessible(chosen, me), "nor is a block of the other one of instance 0");
    CHECK(aclshmem_ptr(&variable, rank) == NULL, "static data is symmetric in instance 0 only");
    CHECK(shmem_addr_accessible(&variable, me), "static data is symmetric in instance 0");
    for (int pe = 0; pe < n_pes; pe++) {
        shmem_long_p(standard + me, me + 1, pe);
        aclshmem_int64_p(chosen + rank, 10 * rank + 10, pe);
    }
    shmem_barrier_all();
    aclshmem_barrier_all();
    for (int pe = 0; pe < n_pes; pe++) {
        CHECK(standard[pe] == pe + 1, "instance 0: %ld from PE %d", standard[pe], pe);
        CHECK(chosen[pe] == 10 * pe + 10, "the other: %ld from PE %d", (long)chosen[pe], pe);
    }
    aclshmem_free(chosen);
    shmem_free(standard);
}

static void check_choice(uint64_t wanted)
{
    uint64_t chosen = aclshmemx_instance_ctx_get()->id;

    CHECK(chosen == wanted, "instance %lu is chosen, expected %lu", (unsigned long)chosen,
          (unsigned long)wanted);
}

/* Instance 0 ends, the other one goes on, and instance 0 begins again. */
static void restart_standard(int rank)
{
    int is_initialized = 1;

    shmem_finalize();
    shmem_query_initialized(&is_initialized);
    if (is_initialized != 0 || aclshmem_my_pe() != rank)
        aclshmem_global_exit(1);
    aclshmem_barrier_all();
    shmem_init();
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        shmem_init();
        check_choice(0);
        start_reversed();
        check_choice(CHOSEN);
        use_both();
        restart_standard(aclshmem_my_pe());
        check_choice(0);
        CHECK(aclshmemx_instance_ctx_set(CHOSEN) == 0, "choosing");
        use_both();
        if (round == 1)
            break;
        CHECK(aclshmemx_finalize(CHOSEN) == 0, "ending");
        check_choice(0);
        shmem_finalize();
    }
    return 0; /* ends both */
}
