/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI this process uses. Two of them in one process do not go together, and each has a
 * plug-in of its own. */
#include "bootstrap/bootstrap_internal.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

struct mpi {
    const char *file;
    const char *symbol;      /* only this MPI has it */
    const char *variable[2]; /* its launchers set one of them */
};

static const struct mpi mpis[] = {
    {"aclshmem_bootstrap_mpi_openmpi.so",
     "ompi_mpi_comm_world",
     {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}},
    {"aclshmem_bootstrap_mpi_mpich.so", "MPIR_Dup_fn", {"PMI_RANK", "MPI_LOCALRANKID"}},
    {"aclshmem_bootstrap_mpi.so", "MPI_Init_thread", {NULL, NULL}}, /* any other */
};

#define MPIS (sizeof mpis / sizeof *mpis)

static bool is_loaded(const struct mpi *mpi)
{
    return dlsym(RTLD_DEFAULT, mpi->symbol) != NULL;
}

static bool is_launcher(const struct mpi *mpi)
{
    for (int i = 0; i < 2; i++) {
        if (mpi->variable[i] != NULL && getenv(mpi->variable[i]) != NULL)
            return true;
    }
    return false;
}

static const struct mpi *find(bool (*fits)(const struct mpi *mpi))
{
    for (size_t i = 0; i < MPIS; i++) {
        if (fits(&mpis[i]))
            return &mpis[i];
    }
    return NULL;
}

const char *shm_bootstrap_mpi_file(size_t index)
{
    const struct mpi *mpi = find(is_loaded);

    if (mpi == NULL)
        mpi = find(is_launcher);
    if (mpi != NULL)
        return index == 0 ? mpi->file : NULL;
    return index < MPIS ? mpis[index].file : NULL;
}
