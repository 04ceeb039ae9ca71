/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one mistake, named by the first argument, that SHMEM_DEBUG=1 finds. Three PEs. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static long words[16];

/* ---- writing past the end of a block ---- */

static void overrun_free(void)
{
    char *block = shmem_malloc(100);
    void *behind = shmem_malloc(100);

    if (shmem_my_pe() == 2)
        memset(block + 104, 0, 3);
    shmem_free(behind);
    shmem_free(block);
}

/* PE 0 does it to PE 1, which tells. */
static void overrun_put(void)
{
    char *block = shmem_calloc(5, 20);
    const char byte = 'x';

    if (shmem_my_pe() == 0)
        shmem_putmem(block + 100, &byte, 1, 1);
    shmem_free(block);
}

static void overrun_realloc(void)
{
    char *block = shmem_malloc(1000);

    if (shmem_my_pe() == 1)
        memset(block + 1000, 'x', 60);
    shmem_realloc(block, 5000);
}

static void overrun_shrunk(void)
{
    char *block = shmem_malloc(1000);

    block = shmem_realloc(block, 10);
    block[10] = 'x';
    shmem_free(block);
}

static void overrun_finalize(void)
{
    char *first = shmem_align(4096, 64);
    char *second = shmem_malloc(7);

    if (shmem_my_pe() == 1)
        memset(first + 64, 'x', 2);
    second[6] = 'x';
}

/* ---- pointers that are no block ---- */

static void double_free(void)
{
    void *block = shmem_malloc(64);
    void *other = shmem_malloc(64);

    shmem_free(block);
    shmem_free(other);
    shmem_free(shmem_align(4096, 640));
    shmem_free(other);
}

static void double_free_moved(void)
{
    char *block = shmem_malloc(100);

    shmem_malloc(64);
    shmem_realloc(block, 100000);
    shmem_free(block);
}

static void free_inside(void)
{
    shmem_free((char *)shmem_malloc(100) + 8);
}

static void realloc_free_space(void)
{
    shmem_realloc((char *)shmem_malloc(64) + 65536, 128);
}

/* ---- no memory to keep book: PE 1 may not have more ---- */

static void exhaust(void *(*take)(size_t))
{
    struct rlimit limit;
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file == NULL || fscanf(file, "%lu", &pages) != 1)
        abort();
    fclose(file);
    limit.rlim_cur = limit.rlim_max = pages * (rlim_t)sysconf(_SC_PAGESIZE);
    if (shmem_my_pe() == 1 && setrlimit(RLIMIT_AS, &limit) != 0)
        abort();
    for (int i = 0; i < 10000; i++)
        take(64);
}

static void exhaust_shmem(void)
{
    exhaust(shmem_malloc);
}

static void exhaust_aclshmem(void)
{
    exhaust(aclshmem_malloc);
}

/* ---- calls that differ: PE 1 does something else ---- */

static void differ_call(void)
{
    void *block = shmem_malloc(64);

    if (shmem_my_pe() == 1)
        shmem_free(block);
    else
        shmem_malloc(64);
}

static void differ_zeroing(void)
{
    if (shmem_my_pe() == 1)
        shmem_malloc(64);
    else
        shmem_calloc(8, 8);
}

static void differ_count(void)
{
    shmem_calloc(shmem_my_pe() == 1 ? 4 : 8, shmem_my_pe() == 1 ? 16 : 8);
}

static void differ_overflow(void)
{
    shmem_calloc(shmem_my_pe() == 1 ? (size_t)1 << 60 : 8, 100);
}

static void differ_alignment(void)
{
    shmem_align(shmem_my_pe() == 1 ? 256 : 128, 64);
}

static void differ_ptr(void)
{
    char *block = shmem_malloc(64);
    char *other = shmem_malloc(64);

    shmem_free(shmem_my_pe() == 1 ? other : block);
}

static void differ_null(void)
{
    void *block = shmem_malloc(64);

    shmem_realloc(shmem_my_pe() == 1 ? NULL : block, 128);
}

/* A variable may lie elsewhere on each PE. */
static void free_foreign(void)
{
    shmem_free(words);
}

static void differ_foreign(void)
{
    void *block = shmem_malloc(64);

    shmem_free(shmem_my_pe() == 1 ? (void *)words : block);
}

/* ---- calls that do not meet ---- */

static void deadlock(void)
{
    if (shmem_my_pe() == 1)
        shmem_malloc(64);
    else
        shmem_barrier_all();
}

/* A call that asks for nothing does not wait. */
static void deadlock_nothing(void)
{
    shmem_malloc(shmem_my_pe() == 1 ? 0 : 64);
    shmem_barrier_all();
}

/* PE 0 waits for 1, which waits for 2, which waits for 0. */
static void deadlock_teams(void)
{
    shmem_team_t teams[3];
    int me = shmem_my_pe();

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &teams[0]);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 2, NULL, 0, &teams[1]);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &teams[2]);
    shmem_team_sync(teams[me]);
}

/* Not a mistake: the others wait long, but not for ever. */
static void slow(void)
{
    shmem_free(shmem_malloc(64));
    if (shmem_my_pe() == 1)
        sleep(3);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        sleep(3);
        shmem_long_p(&words[0], 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_long_wait_until(&words[0], SHMEM_CMP_EQ, 1);
    }
}

/* ---- source and dest that overlap: PE 0 makes the mistake ---- */

static void overlap_put(void)
{
    if (shmem_my_pe() == 0)
        shmem_long_put(&words[1], &words[4], 4, 0);
}

static void overlap_get(void)
{
    char *block = shmem_malloc(64);

    if (shmem_my_pe() == 0)
        shmem_getmem(block + 31, block, 32, 0);
}

static void overlap_same(void)
{
    if (shmem_my_pe() == 0)
        shmem_long_put_nbi(words, words, 4, 0);
}

/* An address of PE 1's object, and the object itself. */
static void overlap_ptr(void)
{
    if (shmem_my_pe() == 0)
        shmem_long_put(words, (long *)shmem_ptr(words, 1) + 2, 4, 1);
}

static void overlap_iput(void)
{
    if (shmem_my_pe() == 0)
        shmem_long_iput(words, &words[10], 3, -1, 4, 0);
}

static void overlap_iget(void)
{
    if (shmem_my_pe() == 0)
        shmem_long_iget(words, &words[4], 2, 1, 4, 0);
}

/* Not a mistake: the ranges overlap, the elements do not; or they are those of two PEs. */
static void apart(void)
{
    int me = shmem_my_pe();

    shmem_long_iput(&words[0], &words[1], 2, 2, 8, me);
    shmem_long_iget(&words[1], &words[0], 2, 2, 8, me);
    shmem_long_put(&words[0], &words[4], 4, me);
    shmem_long_put(&words[0], &words[1], 4, (me + 1) % 3);
    shmem_long_get(words, words, 16, (me + 1) % 3);
}

static const struct {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"exhaust_shmem", exhaust_shmem},
    {"exhaust_aclshmem", exhaust_aclshmem},
    {"overrun_free", overrun_free},
    {"overrun_put", overrun_put},
    {"overrun_realloc", overrun_realloc},
    {"overrun_shrunk", overrun_shrunk},
    {"overrun_finalize", overrun_finalize},
    {"double_free", double_free},
    {"double_free_moved", double_free_moved},
    {"free_inside", free_inside},
    {"free_foreign", free_foreign},
    {"realloc_free_space", realloc_free_space},
    {"differ_call", differ_call},
    {"differ_zeroing", differ_zeroing},
    {"differ_count", differ_count},
    {"differ_overflow", differ_overflow},
    {"differ_alignment", differ_alignment},
    {"differ_ptr", differ_ptr},
    {"differ_null", differ_null},
    {"differ_foreign", differ_foreign},
    {"deadlock", deadlock},
    {"deadlock_nothing", deadlock_nothing},
    {"deadlock_teams", deadlock_teams},
    {"slow", slow},
    {"overlap_put", overlap_put},
    {"overlap_get", overlap_get},
    {"overlap_same", overlap_same},
    {"overlap_ptr", overlap_ptr},
    {"overlap_iput", overlap_iput},
    {"overlap_iget", overlap_iget},
    {"apart", apart},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    shmem_init();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        if (strcmp(name, mistakes[i].name) == 0)
            mistakes[i].make();
    }
    if (argc > 2) /* leave finalize to exit() */
        return 0;
    shmem_finalize();
    return 0;
}
