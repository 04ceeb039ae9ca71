/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs generated calls of OpenSHMEM functions, under the launcher: once or, if they are on
 * contexts, on each of three kinds. */
#include "groups.h"
#include "typed.h"

static void run_on_contexts(void *block)
{
    struct typed_context contexts[] = {
        {"the default context", SHMEM_CTX_DEFAULT, false},
        {"a context of all PEs", SHMEM_CTX_INVALID, false},
        {"a context of the reversed team", SHMEM_CTX_INVALID, true},
    };

    CHECK(shmem_ctx_create(0, &contexts[1].ctx) == 0, "no context");
    CHECK(shmem_team_create_ctx(typed_teams[TYPED_REVERSED].team, 0, &contexts[2].ctx) == 0,
          "no context of the team");
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        typed_run(block, &contexts[i]);
    shmem_ctx_destroy(contexts[2].ctx);
    shmem_ctx_destroy(contexts[1].ctx);
}

int main(void)
{
    const struct typed_context none = {NULL, SHMEM_CTX_DEFAULT, false};
    void *block;

    shmem_init();
    block = shmem_malloc(TYPED_AREA_BYTES);
    CHECK(block != NULL, "no memory");
    typed_make_groups();
    if (typed_are_on_contexts)
        run_on_contexts(block);
    else
        typed_run(block, &none);
    typed_destroy_groups();
    shmem_free(block);
    shmem_finalize();
    return 0;
}
