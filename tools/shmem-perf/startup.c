/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole jobs, from the launcher's start to its end. */
#include "groups.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PES 16384
#define MOST_JOBS 64
#define PATH_BYTES 4096

extern char **environ;

/* This program, and the launcher. */
struct programs {
    char self[PATH_BYTES];
    char launcher[PATH_BYTES + 16];
};

/* Unless the user names the launcher, it is the one beside this program. */
static int find_programs(const char *launcher, struct programs *programs)
{
    ssize_t bytes = readlink("/proc/self/exe", programs->self, sizeof programs->self - 1);
    char *slash;

    if (bytes <= 0)
        return -1;
    programs->self[bytes] = '\0';
    slash = strrchr(programs->self, '/');
    if (launcher != NULL)
        snprintf(programs->launcher, sizeof programs->launcher, "%s", launcher);
    else
        snprintf(programs->launcher, sizeof programs->launcher, "%.*s/shmemrun",
                 (int)(slash - programs->self), programs->self);
    return 0;
}

/* Status of the whole job; its time in microseconds. */
static int run_job(struct programs *programs, char *n_pes, double *out_us)
{
    char option[] = "-n";
    char task[] = "--nothing";
    char *arguments[] = {programs->launcher, option, n_pes, programs->self, task, NULL};
    double start_us = now_us();
    int status = 0;
    pid_t pid;
    int error = posix_spawnp(&pid, programs->launcher, NULL, NULL, arguments, environ);

    if (error != 0) {
        fprintf(stderr, "shmem-perf: cannot start %s: %s\n", programs->launcher, strerror(error));
        return -1;
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    *out_us = now_us() - start_us;
    if (status == 0)
        return 0;
    fprintf(stderr, "shmem-perf: a job of %s PEs ended with an error\n", n_pes);
    return -1;
}

static int time_jobs(struct programs *programs, unsigned long n_pes, int repetitions,
                     struct rows *rows)
{
    double us[MOST_REPETITIONS];
    char text[24];
    struct row row = {"startup", "job", n_pes, 0, 0, 0, "ms"};
    struct timing timing;

    snprintf(text, sizeof text, "%lu", n_pes);
    for (int i = 0; i < repetitions; i++) {
        if (run_job(programs, text, &us[i]) != 0)
            return 1;
    }
    timing = timing_of(us, repetitions);
    row.value = timing.median_us / 1e3;
    row.least = timing.least_us / 1e3;
    row.most = timing.most_us / 1e3;
    rows_add(rows, &row);
    return 0;
}

/* Numbers from the text "2,16,64"; 0 of them after a message. */
static size_t read_list(const char *list, unsigned long n_pes[MOST_JOBS])
{
    const char *rest = list;

    for (size_t count = 0; count < MOST_JOBS; rest++) {
        char *end;

        n_pes[count] = strtoul(rest, &end, 10);
        if (*rest < '0' || *rest > '9' || n_pes[count] < 1 || n_pes[count] > MOST_PES)
            break;
        count++;
        if (*end == '\0')
            return count;
        if (*end != ',')
            break;
        rest = end;
    }
    fprintf(
        stderr,
        "shmem-perf: --startup %s: expected at most %d numbers of PEs from 1 to %d, as 2,16,64\n",
        list, MOST_JOBS, MOST_PES);
    return 0;
}

int measure_startup(const char *list, const char *launcher, int repetitions, struct rows *rows)
{
    unsigned long n_pes[MOST_JOBS];
    size_t count = read_list(list, n_pes);
    struct programs programs;

    if (count == 0)
        return 2;
    if (find_programs(launcher, &programs) != 0) {
        fprintf(stderr, "shmem-perf: cannot find itself: %s\n", strerror(errno));
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (time_jobs(&programs, n_pes[i], repetitions, rows) != 0)
            return 1;
    }
    return 0;
}
