/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of 1 GiB and a static array of 256 MiB: both reach to their ends, and what nobody touches
 * costs no memory. Needs SHMEM_SYMMETRIC_SIZE=1100M and SHMEM_OVERCOMMIT=1. */
#include "check.h"

#include <string.h>

#define BLOCK_WORDS ((size_t)1 << 27)
#define ARRAY_WORDS ((size_t)1 << 25)

static long array[ARRAY_WORDS];

static long resident_kib(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[200];
    long kib = -1;

    CHECK(status != NULL, "no /proc/self/status");
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    }
    fclose(status);
    return kib;
}

/* Words at both ends and in the middle: put, added to, and fetched. */
static void check_ends(long *words, size_t count, long base)
{
    const size_t places[] = {0, count / 2, count - 1};
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int right = (me + 1) % n_pes;
    int left = (me + n_pes - 1) % n_pes;

    for (int i = 0; i < 3; i++) {
        long *word = &words[places[i]];

        shmem_long_p(word, base + me + i, right);
        shmem_fence();
        shmem_long_atomic_add(word, 1000, right);
        CHECK(shmem_long_g(word, right) == base + 1000 + me + i, "word %zu: %ld", places[i],
              shmem_long_g(word, right));
        shmem_barrier_all();
        CHECK(*word == base + 1000 + left + i, "word %zu is %ld", places[i], *word);
        CHECK(shmem_ptr(word, right) != NULL, "no pointer to word %zu", places[i]);
        shmem_barrier_all();
    }
}

int main(void)
{
    long *block;

    shmem_init();
    block = shmem_malloc(BLOCK_WORDS * sizeof *block);
    CHECK(block != NULL, "no block of 1 GiB");
    check_ends(block, BLOCK_WORDS, 10);
    check_ends(array, ARRAY_WORDS, 20);
    CHECK(resident_kib() > 0 && resident_kib() < 200 << 10, "%ld KiB are in memory",
          resident_kib());
    shmem_free(block);
    shmem_finalize();
    CHECK(array[0] != 0 && array[ARRAY_WORDS - 1] != 0 && array[1] == 0, "after finalize");
    return 0;
}
