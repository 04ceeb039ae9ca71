/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job in which the kernel refuses PE 1 to copy memory of other processes: argv[1] is "before" or
 * "after" shmem_init, or "dies": PE 1 is killed while PE 0 puts to it.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <shmem.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static char here[100000], there[100000];
static long is_killed;

/* As the filters of containers do. */
static void refuse_copies(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        puts("no seccomp filters here");
        exit(0);
    }
}

static void put_to_the_dead(void)
{
    if (shmem_my_pe() == 1) {
        shmem_long_atomic_set(&is_killed, 1, 0);
        raise(SIGKILL);
    }
    shmem_long_wait_until(&is_killed, SHMEM_CMP_EQ, 1);
    for (;;)
        shmem_putmem(there, here, sizeof here, 1);
}

int main(int argc, char **argv)
{
    const char *pe = getenv("SHMEM_PE");
    const char *when = argc > 1 ? argv[1] : "";

    if (strcmp(when, "before") == 0 && pe != NULL && strcmp(pe, "1") == 0)
        refuse_copies();
    shmem_init();
    if (strcmp(when, "dies") == 0)
        put_to_the_dead();
    if (strcmp(when, "after") == 0 && shmem_my_pe() == 1) {
        refuse_copies();
        shmem_getmem(there, here, sizeof there, 0); /* reading is not refused */
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        shmem_putmem(there, here, sizeof here, 0);
    shmem_barrier_all();
    shmem_finalize();
    printf("done\n");
    return 0;
}
