/* SPDX-License-Identifier: BSD-3-Clause */
/* Global and static variables as source and target of everything; children of fork and system.
 * Compiled as C and as C++, position-independent and not. */
#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

long in_data = 41;
long in_bss;
static int file_static[1000];
static char big[3 << 20];

static long *function_static(void)
{
    static long inner = 7;

    return &inner;
}

static void check_targets(void)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int right = (me + 1) % n_pes;
    int left = (me + n_pes - 1) % n_pes;

    shmem_barrier_all();
    shmem_long_p(&in_data, 100 + me, right);
    shmem_long_p(&in_bss, 200 + me, right);
    shmem_long_p(function_static(), 300 + me, right);
    shmem_int_p(&file_static[999], 400 + me, right);
    shmem_barrier_all();
    CHECK(in_data == 100 + left, "in_data = %ld", in_data);
    CHECK(in_bss == 200 + left, "in_bss = %ld", in_bss);
    CHECK(*function_static() == 300 + left, "inner = %ld", *function_static());
    CHECK(file_static[999] == 400 + left, "file_static = %d", file_static[999]);
    CHECK(shmem_long_g(&in_data, right) == 100 + me, "get of in_data");
    shmem_barrier_all();
}

static void check_big(void)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int left = (me + n_pes - 1) % n_pes;
    char *copy = (char *)malloc(sizeof big);

    memset(copy, 'a' + me % 26, sizeof big);
    shmem_putmem(big, copy, sizeof big, (me + 1) % n_pes);
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof big; i++)
        CHECK(big[i] == 'a' + left % 26, "byte %zu is %d", i, big[i]);
    free(copy);
    shmem_barrier_all();
}

static void check_atomics_and_waits(void)
{
    static long counter;
    static long flag;
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    shmem_long_atomic_add(&counter, me + 1, 0);
    shmem_barrier_all();
    CHECK(shmem_long_atomic_fetch(&counter, 0) == (long)n_pes * (n_pes + 1) / 2, "sum %ld",
          shmem_long_atomic_fetch(&counter, 0));
    shmem_long_p(&flag, 1, (me + 1) % n_pes);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
}

static void check_pointer(void)
{
    int me = shmem_my_pe();
    int right = (me + 1) % shmem_n_pes();
    long *there = (long *)shmem_ptr(&in_data, right);

    CHECK(shmem_ptr(&in_data, me) == &in_data, "own pointer");
    CHECK(there != NULL && *there == shmem_long_g(&in_data, right), "pointer to PE %d", right);
}

/* A child has a copy: what it writes stays its own, and it ends without touching the job. */
static void check_children(void)
{
    long before = in_data;
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        if (in_data != before)
            _exit(2);
        in_data = -1;
        in_bss = -1;
        exit(3);
    }
    CHECK(waitpid(child, &status, 0) == child, "waitpid");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3, "child ended with %x", (unsigned)status);
    CHECK(in_data == before && in_bss != -1, "a child wrote to its parent");
    CHECK(system("exit 5") == 5 << 8, "system()");
    shmem_barrier_all();
    check_targets();
}

int main(void)
{
    if (in_data != 41 || in_bss != 0)
        return 1;
    shmem_init();
    CHECK(in_data == 41 && *function_static() == 7, "init changed the variables");
    check_targets();
    check_big();
    check_atomics_and_waits();
    check_pointer();
    check_children();
    in_data = 1234;
    shmem_finalize();
    return in_data == 1234 && *function_static() >= 300 ? 0 : 1;
}
