/* SPDX-License-Identifier: BSD-3-Clause */
/* Does one wrong thing on PE 0, named by the first argument, while the others wait in a barrier.
 * "before" and "after" call what the second argument names when the library is not in use. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long word;
static long words[16];
static uint64_t the_signal;

static void signal_wrongly(const char *what)
{
    uint64_t local = 0;
    void *odd = (char *)words + 4;

    if (strcmp(what, "signal_stack") == 0)
        shmem_signal_set(&local, 1, 0);
    if (strcmp(what, "signal_unaligned") == 0)
        shmem_signal_add(odd, 1, 0);
    if (strcmp(what, "signal_pe") == 0)
        shmem_signal_add(&the_signal, 1, -2);
    if (strcmp(what, "signal_fetch") == 0)
        shmem_signal_fetch(&local);
    if (strcmp(what, "signal_wait") == 0)
        shmem_signal_wait_until(&local, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "signal_wait_unaligned") == 0)
        shmem_signal_wait_until(odd, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "signal_cmp") == 0)
        shmem_signal_wait_until(&the_signal, 6, 1);
    if (strcmp(what, "put_signal_op") == 0)
        shmem_long_put_signal(words + 1, words + 2, 1, &the_signal, 1, 9, 1);
    if (strcmp(what, "put_signal_word") == 0)
        shmem_putmem_signal(words + 1, words + 2, 8, &local, 1, SHMEM_SIGNAL_SET, 1);
    if (strcmp(what, "put_signal_dest") == 0)
        shmem_long_put_signal_nbi((long *)&local, words, 1, &the_signal, 1, SHMEM_SIGNAL_ADD, 1);
    if (strcmp(what, "put_signal_pe") == 0)
        shmem_put64_signal(words, words, 0, &the_signal, 1, SHMEM_SIGNAL_SET, shmem_n_pes());
}

static void wait_wrongly(const char *what)
{
    long local[4] = {0};
    size_t indices[4];
    int *odd = (int *)(void *)((char *)words + 2);

    if (strcmp(what, "all_stack") == 0)
        shmem_long_wait_until_all(local, 4, NULL, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "any_unaligned") == 0)
        shmem_int_wait_until_any(odd, 4, NULL, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "some_cmp") == 0)
        shmem_long_wait_until_some(words, 4, indices, NULL, -1, 1);
    if (strcmp(what, "some_indices") == 0)
        shmem_long_wait_until_some(words, 4, NULL, NULL, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "all_vector_huge") == 0)
        shmem_long_wait_until_all_vector(words, SIZE_MAX / 4, NULL, SHMEM_CMP_EQ, local);
    if (strcmp(what, "test_all_stack") == 0)
        shmem_long_test_all(local, 4, NULL, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "test_any_cmp") == 0)
        shmem_long_test_any(words, 0, NULL, 7, 1);
    if (strcmp(what, "test_some_indices") == 0)
        shmem_long_test_some(words, 4, NULL, NULL, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "test_some_vector") == 0)
        shmem_long_test_some_vector(local, 4, indices, NULL, SHMEM_CMP_EQ, local);
}

static void lock_wrongly(const char *what)
{
    long local = 0;
    long *odd = (long *)(void *)((char *)words + 4);

    if (strcmp(what, "lock_stack") == 0)
        shmem_set_lock(&local);
    if (strcmp(what, "lock_unaligned") == 0)
        shmem_set_lock(odd);
    if (strcmp(what, "test_lock") == 0)
        shmem_test_lock(&local);
    if (strcmp(what, "clear_lock") == 0)
        shmem_clear_lock(&word);
    if (strcmp(what, "clear_stack") == 0)
        shmem_clear_lock(&local);
    if (strcmp(what, "clear_twice") == 0) {
        shmem_set_lock(&word);
        shmem_clear_lock(&word);
        shmem_clear_lock(&word);
    }
}

/* A function of each family. */
static void call_one(const char *family)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    const int pe = 0;

    if (strcmp(family, "p") == 0)
        shmem_long_p(&word, 1, 0);
    if (strcmp(family, "ctx_p") == 0)
        shmem_ctx_long_p(ctx, &word, 1, 0);
    if (strcmp(family, "team_my_pe") == 0)
        shmem_team_my_pe(SHMEM_TEAM_INVALID);
    if (strcmp(family, "split") == 0)
        shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team);
    if (strcmp(family, "ctx_create") == 0)
        shmem_ctx_create(0, &ctx);
    if (strcmp(family, "ctx_destroy") == 0)
        shmem_ctx_destroy(SHMEM_CTX_INVALID);
    if (strcmp(family, "session") == 0)
        shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
    if (strcmp(family, "put_signal") == 0)
        shmem_long_put_signal(&word, words, 1, &the_signal, 1, SHMEM_SIGNAL_SET, 0);
    if (strcmp(family, "signal_wait") == 0)
        shmem_signal_wait_until(&the_signal, SHMEM_CMP_EQ, 0);
    if (strcmp(family, "pe_quiet") == 0)
        shmem_pe_quiet(&pe, 1);
    if (strcmp(family, "sync_all") == 0)
        shmem_sync_all();
    if (strcmp(family, "team_sync") == 0)
        shmem_team_sync(team);
    if (strcmp(family, "broadcast") == 0)
        shmem_long_broadcast(team, words, words + 1, 1, 0);
    if (strcmp(family, "sum_reduce") == 0)
        shmem_long_sum_reduce(team, words, words + 1, 1);
    if (strcmp(family, "sum_to_all") == 0)
        shmem_long_sum_to_all(words, words + 1, 1, 0, 0, 1, words, words);
    if (strcmp(family, "set_lock") == 0)
        shmem_set_lock(&word);
    if (strcmp(family, "test_lock") == 0)
        shmem_test_lock(&word);
    if (strcmp(family, "wait_until_any") == 0)
        shmem_long_wait_until_any(words, 1, NULL, SHMEM_CMP_EQ, 0);
    if (strcmp(family, "test_all") == 0)
        shmem_long_test_all(words, 1, NULL, SHMEM_CMP_EQ, 0);
    if (strcmp(family, "pcontrol") == 0)
        shmem_pcontrol(1);
    if (strcmp(family, "udcflush") == 0)
        shmem_udcflush();
}

static void do_wrong(const char *what)
{
    long local = 0;
    long *block = shmem_malloc(64);

    if (shmem_my_pe() != 0)
        return;
    signal_wrongly(what);
    wait_wrongly(what);
    lock_wrongly(what);
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
        call_one(argc > 2 ? argv[2] : "p");
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
    if (strcmp(what, "late_barrier") == 0 && shmem_my_pe() == 0)
        usleep(1000000);
    shmem_barrier_all();
    if (strcmp(what, "late_finalize") == 0 && shmem_my_pe() == 0)
        usleep(1000000);
    shmem_finalize();
    if (strcmp(what, "after") == 0 && argc > 2)
        call_one(argv[2]);
    if (strcmp(what, "after") == 0)
        shmem_barrier_all();
    if (strcmp(what, "twice") == 0)
        shmem_finalize();
    return 0;
}
