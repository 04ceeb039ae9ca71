/* SPDX-License-Identifier: BSD-3-Clause */
/* Does one wrong thing on PE 0, named by the first argument, while the others wait in a barrier. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long word;
static long words[16];

static void do_wrong(const char *what)
{
    long local = 0;
    long *block = shmem_malloc(64);

    if (shmem_my_pe() != 0)
        return;
    if (strcmp(what, "pe") == 0)
        shmem_long_p(&word, 1, shmem_n_pes());
    if (strcmp(what, "negative_pe") == 0)
        local = shmem_long_g(&word, -1);
    if (strcmp(what, "stack") == 0)
        shmem_long_put(&local, words, 1, 0);
    if (strcmp(what, "private_heap") == 0)
        shmem_getmem(words, malloc(8), 8, 0);
    if (strcmp(what, "beyond") == 0)
        shmem_putmem(block, words, (size_t)1 << 44, 0);
    if (strcmp(what, "overflow") == 0)
        shmem_long_get(words, block, SIZE_MAX / 4, 0);
    if (strcmp(what, "atomic") == 0)
        shmem_long_atomic_add(&local, 1, 0);
    if (strcmp(what, "unaligned") == 0)
        shmem_long_atomic_inc((long *)(void *)((char *)block + 4), 0);
    if (strcmp(what, "stride") == 0)
        shmem_long_iput(words, words, 0, 1, 4, 0);
    if (strcmp(what, "wait_stack") == 0)
        shmem_long_wait_until(&local, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "test_stack") == 0)
        shmem_long_test(&local, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "child") == 0) {
        if (fork() == 0)
            shmem_long_p(&word, 1, 0);
        wait(NULL);
    }
    if (strcmp(what, "grandchild") == 0 && system("exec \"$SELF\"") != 1 << 8)
        shmem_global_exit(9);
    if (strcmp(what, "comparison") == 0)
        shmem_long_wait_until(&word, 9, 1);
    if (strcmp(what, "alignment") == 0)
        shmem_align(48, 64);
    if (strcmp(what, "exit") == 0)
        exit(7);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "before") == 0)
        shmem_long_p(&word, 1, 0);
    shmem_init();
    if (strcmp(what, "free") == 0)
        shmem_free(words); /* collective, so all PEs make the mistake */
    if (strcmp(what, "double_free") == 0) {
        void *block = shmem_malloc(64);

        shmem_free(block);
        shmem_free(block);
    }
    if (strcmp(what, "sizes") == 0)
        shmem_malloc(shmem_my_pe() == 1 ? 128 : 64);
    if (strcmp(what, "left") == 0 && shmem_my_pe() == 0)
        return 0; /* a normal end is a finalize, which the others do not expect */
    do_wrong(what);
    shmem_barrier_all();
    shmem_finalize();
    if (strcmp(what, "after") == 0)
        shmem_barrier_all();
    if (strcmp(what, "twice") == 0)
        shmem_finalize();
    return 0;
}
