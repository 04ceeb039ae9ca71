/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of MPI but the variables of its launcher: the plug-in initialises
 * MPI, keeps it for the second job, and finalizes it in the end. */
#include "member.h"

#include <string.h>
#include <sys/wait.h>

static int number(const char *openmpi, const char *mpich, int without)
{
    const char *text = getenv(openmpi);

    if (text == NULL)
        text = getenv(mpich);
    return text == NULL ? without : atoi(text);
}

/* A child has no part in MPI, and must not end it. */
static void fork_child(void)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0)
        exit(7);
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(int argc, char **argv)
{
    int pe = number("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0);
    int n_pes = number("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
    const char *what = argc > 1 ? argv[1] : "";

    join_and_use(pe, n_pes, NULL);
    fork_child();
    EXPECT(join_as(pe, n_pes, NULL) == 0);
    use(pe, n_pes);
    if (strcmp(what, "vanish") == 0 && pe == n_pes - 1)
        exit(5);
    if (strcmp(what, "vanish") == 0)
        aclshmem_barrier_all(); /* one is missing: MPI's launcher ends this */
    if (strcmp(what, "return") == 0)
        return 0; /* leaves the job on its way out */
    EXPECT(aclshmem_finalize() == 0);
    printf("done %d of %d\n", pe, n_pes);
    return 0;
}
