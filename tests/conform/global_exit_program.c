/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_global_exit hands its status on, and compilers know that it does not return: leave() has no
 * return and no warning. Succeeds when the process exits with that status. */
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

static void check_status(int status, void *unused)
{
    (void)unused;
    _exit(status == 3 ? 0 : 1);
}

static int leave(void)
{
    shmem_global_exit(3);
}

int main(void)
{
    if (on_exit(check_status, NULL) != 0)
        return 1;
    return leave();
}
