/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs generated calls of OpenSHMEM functions, under the launcher. */
#include "typed.h"

int main(void)
{
    void *block;

    shmem_init();
    block = shmem_malloc(TYPED_AREA_BYTES);
    CHECK(block != NULL, "no memory");
    typed_run(block);
    shmem_free(block);
    shmem_finalize();
    return 0;
}
