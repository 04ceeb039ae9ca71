/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each PE says hello.
 *
 *   oshcc hello.c -o hello
 *   shmemrun -n 4 ./hello
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int pe, n_pes, exit_status = 0;

    shmem_init();
    pe = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (argc == 1) {
        printf("hello from PE %d of %d\n", pe, n_pes);
    } else if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        if (pe == 0)
            printf("usage: hello\nEach PE prints one line.\n");
    } else {
        if (pe == 0)
            fprintf(stderr, "hello: takes no arguments, found '%s'\n", argv[1]);
        exit_status = 2;
    }
    shmem_finalize();
    return exit_status;
}
