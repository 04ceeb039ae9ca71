/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs patterns for a time each: litmus MILLISECONDS [PATTERN...]; without names, all. */
#include "litmus.h"

#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_LINES 3 /* that a PE writes about one pattern */

struct pattern {
    const char *name;
    litmus_round *run;
    int least_pes;
};

static const struct pattern patterns[] = {
    {"pass_messages", pass_messages, 2},
    {"pass_on", pass_on, 3},
    {"buffer_stores", buffer_stores, 2},
    {"buffer_loads", buffer_loads, 2},
    {"read_independent", read_independent, 4},
    {"read_twice", read_twice, 2},
    {"keep_whole", keep_whole, 2},
    {"keep_neighbours", keep_neighbours, 2},
    {"meet_in_barriers", meet_in_barriers, 1},
    {"meet_in_collectives", meet_in_collectives, 1},
    {"take_locks", take_locks, 1},
    {"wake_sleepers", wake_sleepers, 2},
    {"add_up", add_up, 1},
    {"find_any", find_any, 1},
    {"move_blocks", move_blocks, 2},
    {"run_threads", run_threads, 1},
};

static const char *pattern_name; /* that runs now */
static long round_number;
static atomic_long violations; /* of that pattern, on this PE */

void violation(const char *format, ...)
{
    char text[300];
    va_list arguments;

    if (atomic_fetch_add(&violations, 1) >= MOST_LINES)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "PE %d: violation of %s in round %ld: %s\n", shmem_my_pe(), pattern_name,
            round_number, text);
}

/* ---- random numbers and delays ---- */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t random_below(uint32_t limit)
{
    static _Thread_local uint64_t state;

    if (state == 0)
        state = ((uint64_t)getpid() << 32) + (uint64_t)time(NULL) + (uint64_t)(uintptr_t)&state;
    state += 0x9e3779b97f4a7c15u;
    return (uint32_t)((mix(state) >> 32) * limit >> 32);
}

uint32_t agreed_below(uint32_t limit, long round, long number)
{
    uint64_t seed = (uint64_t)round * 0x9e3779b97f4a7c15u + (uint64_t)number;

    return (uint32_t)((mix(mix(seed) + 1) >> 32) * limit >> 32);
}

void dawdle(void)
{
    uint32_t kind = random_below(256);

    if (kind < 128)
        return;
    if (kind == 255)
        usleep(random_below(60));
    else if (kind >= 252)
        sched_yield();
    else
        for (volatile uint32_t spins = random_below(kind < 220 ? 20 : 400); spins > 0; spins--)
            continue;
}

void pause_in_loop(void)
{
    if (random_below(64) == 0)
        sched_yield();
}

/* ---- patterns ---- */

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* PE 0 has the clock. */
static bool agree_to_go_on(double end_s)
{
    static long answer;

    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        answer = now_s() < end_s;
    shmem_broadcastmem(SHMEM_TEAM_WORLD, &answer, &answer, sizeof answer, 0);
    return answer != 0;
}

/* Returns the violations on all PEs. */
static long run(const struct pattern *pattern, double seconds)
{
    static long mine, sum;
    double end_s = now_s() + seconds;

    pattern_name = pattern->name;
    atomic_store(&violations, 0);
    round_number = 0;
    do {
        round_number++;
        pattern->run(round_number);
    } while (agree_to_go_on(end_s));
    mine = atomic_load(&violations);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    if (shmem_my_pe() == 0)
        printf("%-20s %7ld rounds, %ld violations\n", pattern->name, round_number, sum);
    return sum;
}

static bool is_wanted(const struct pattern *pattern, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], pattern->name) == 0)
            return true;
    }
    return argc <= 2 && shmem_n_pes() >= pattern->least_pes;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) / 1e3 : 0.05;
    long found = 0;
    int provided;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    if (shmem_n_pes() > LITMUS_MAX_PES) {
        fprintf(stderr, "litmus: %d PEs, expected at most %d\n", shmem_n_pes(), LITMUS_MAX_PES);
        shmem_global_exit(2);
    }
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (is_wanted(&patterns[i], argc, argv))
            found += run(&patterns[i], seconds);
    }
    shmem_finalize();
    return found != 0;
}
