/* SPDX-License-Identifier: BSD-3-Clause */
/** What a process has, to see that nothing stays behind. */
#ifndef USAGE_H
#define USAGE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sanitizer keeps freed memory for a while, and looks for leaks itself. */
#if defined(__SANITIZE_ADDRESS__)
enum { SLACK_MAPPINGS = 1000, SLACK_KIB = 1 << 20 };
#else
enum { SLACK_MAPPINGS = 4, SLACK_KIB = 2048 };
#endif

struct usage {
    long descriptors, mappings, threads, resident_kib;
};

static inline long count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    long count = 0;

    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count;
}

static inline struct usage measure(void)
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

/** As measure(), once there are no more threads than before: one that was joined vanishes a moment
 *  later. */
static inline struct usage measure_after(const struct usage *before)
{
    struct usage usage = measure();

    for (int i = 0; i < 200 && usage.threads > before->threads; i++) {
        usleep(10000);
        usage = measure();
    }
    return usage;
}

/** 0 when there is not more than before; otherwise says what there is, and returns 1. */
static inline int compare(const struct usage *before, const struct usage *after)
{
    if (after->descriptors == before->descriptors && after->threads <= before->threads &&
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

#endif
