/* SPDX-License-Identifier: BSD-3-Clause */
/* Init and finalize many times over: no descriptor, mapping, thread or memory may stay behind.
 * Argument: number of cycles. */
#include <dirent.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sanitizer keeps freed memory for a while, and looks for leaks itself. */
#if defined(__SANITIZE_ADDRESS__)
enum { SLACK_MAPPINGS = 1000, SLACK_KIB = 1 << 20 };
#else
enum { SLACK_MAPPINGS = 4, SLACK_KIB = 2048 };
#endif

static long word = 5;

struct usage {
    long descriptors, mappings, threads, resident_kib;
};

static long count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    long count = 0;

    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count;
}

static struct usage measure(void)
{
    struct usage usage = {count_entries("/proc/self/fd"), 0, count_entries("/proc/self/task"), 0};
    FILE *file = fopen("/proc/self/maps", "re");
    char line[1024];

    while (fgets(line, sizeof line, file) != NULL)
        usage.mappings++;
    fclose(file);
    file = fopen("/proc/self/status", "re");
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0)
            usage.resident_kib = atol(line + 6);
    }
    fclose(file);
    return usage;
}

static void cycle(long number)
{
    long *block;
    int me;
    int n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    block = shmem_malloc(100000);
    *block = -1;
    shmem_barrier_all();
    shmem_long_p(block, number + me, (me + 1) % n_pes);
    shmem_long_p(&word, number + me, (me + 1) % n_pes);
    shmem_barrier_all();
    if (*block != number + (me + n_pes - 1) % n_pes || word != *block) {
        fprintf(stderr, "PE %d: cycle %ld: got %ld and %ld\n", me, number, *block, word);
        shmem_global_exit(1);
    }
    shmem_free(block);
    shmem_finalize();
}

static int compare(const struct usage *before, const struct usage *after)
{
    if (after->descriptors == before->descriptors && after->threads == before->threads &&
        after->mappings <= before->mappings + SLACK_MAPPINGS &&
        after->resident_kib <= before->resident_kib + SLACK_KIB)
        return 0;
    fprintf(stderr,
            "left behind: descriptors %ld -> %ld, mappings %ld -> %ld, threads %ld -> %ld, "
            "resident KiB %ld -> %ld\n",
            before->descriptors, after->descriptors, before->mappings, after->mappings,
            before->threads, after->threads, before->resident_kib, after->resident_kib);
    return 1;
}

int main(int argc, char **argv)
{
    long cycles = argc > 1 ? atol(argv[1]) : 100;
    struct usage before;
    struct usage after;

    for (long i = 0; i < 5; i++) /* the first ones set up what stays: libc's caches, plug-ins */
        cycle(i);
    before = measure();
    for (long i = 0; i < cycles; i++)
        cycle(i);
    after = measure();
    return compare(&before, &after);
}
