/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cycles that kernels of one PE spend between marks ("frames"), by block. The PE is chosen by
 * SHMEM_CYCLE_PROF_PE; what is written into its profile is printed as a table.
 */
#include "face.h"

#include <stdio.h>
#include <stdlib.h>

#define CYCLES_PER_US 50.0

/* One profile for all calls; threads may ask at once. */
static aclshmem_prof_pe_t *profile_of(struct shm_instance *instance, const char *call)
{
    aclshmem_prof_pe_t *profile = atomic_load(&instance->profile);
    aclshmem_prof_pe_t *made;

    if (profile != NULL)
        return profile;
    made = calloc(1, sizeof *made);
    if (made == NULL) {
        shm_log(SHM_LOG_ERROR, "aclshmem", "%s: no memory for a profile of %zu bytes", call,
                sizeof *made);
        return NULL;
    }
    made->pe_id = instance->reach.my_pe;
    if (atomic_compare_exchange_strong(&instance->profile, &profile, made))
        return made;
    free(made);
    return profile;
}

static void print_block(const aclshmem_prof_block_t *block, int number)
{
    for (int frame = 0; frame < ACLSHMEM_CYCLE_PROF_FRAME_CNT; frame++) {
        double count = (double)block->ccount[frame];

        if (block->ccount[frame] != 0)
            printf("%-10d%-10d%-15lld%-15lld%-15.3f\n", number, frame,
                   (long long)block->cycles[frame], (long long)block->ccount[frame],
                   (double)block->cycles[frame] / count / CYCLES_PER_US);
    }
}

static void print(const aclshmem_prof_pe_t *profile)
{
    static const char thick[] = "============================================================";
    static const char thin[] = "------------------------------------------------------------";

    printf("%s\n%-10s%-10s%-15s%-15s%-15s\n%s\n", thick, "BlockID", "FrameID", "Cycles", "Count",
           "AvgTime(us)", thin);
    for (int block = 0; block < ACLSHMEM_CYCLE_PROF_MAX_BLOCK; block++)
        print_block(&profile->block_prof[block], block);
    printf("%s\n", thick);
    fflush(stdout);
}

void face_get_prof(const char *call, aclshmem_prof_pe_t **out_profs, bool verbose)
{
    struct shm_instance *instance = face_instance(call);
    aclshmem_prof_pe_t *profile = NULL;

    if (instance != NULL && instance->profiled_pe == instance->reach.my_pe)
        profile = profile_of(instance, call);
    if (out_profs != NULL)
        *out_profs = profile;
    if (profile != NULL && verbose)
        print(profile);
}
