/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers and atomic operations between PE 0 and the last PE. */
#include "groups.h"

#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 64        /* transfers under way until a quiet */
#define SMALL_SLOTS 1024 /* words that are written in turn */
#define SMALLEST_ROOM (4u << 20)

static volatile long unused; /* results that nobody needs go here, so that they are computed */
static long ball;            /* of the ping-pong */

static int last_pe(void)
{
    return shmem_n_pes() - 1;
}

/* ---- transfers ---- */

static void run_put(const struct operation *operation, long count)
{
    int pe = last_pe();

    for (long i = 0; i < count; i++) {
        shmem_putmem(operation->symmetric, operation->local, operation->bytes, pe);
        shmem_quiet();
    }
}

static void run_get(const struct operation *operation, long count)
{
    int pe = last_pe();

    for (long i = 0; i < count; i++)
        shmem_getmem(operation->local, operation->symmetric, operation->bytes, pe);
}

static void run_put_window(const struct operation *operation, long count)
{
    size_t slot = 0;
    int pe = last_pe();

    for (long i = 0; i < count; i++) {
        for (int k = 0; k < WINDOW; k++) {
            size_t at = slot * operation->bytes;

            shmem_putmem_nbi(operation->symmetric + at, operation->local + at, operation->bytes,
                             pe);
            slot = slot + 1 == operation->slots ? 0 : slot + 1;
        }
        shmem_quiet();
    }
}

static void run_get_window(const struct operation *operation, long count)
{
    size_t slot = 0;
    int pe = last_pe();

    for (long i = 0; i < count; i++) {
        for (int k = 0; k < WINDOW; k++) {
            size_t at = slot * operation->bytes;

            shmem_getmem_nbi(operation->local + at, operation->symmetric + at, operation->bytes,
                             pe);
            slot = slot + 1 == operation->slots ? 0 : slot + 1;
        }
        shmem_quiet();
    }
}

/* What the machine does without a library: to and from memory of this process. The empty assembly
 * keeps the compiler from merging copies. */
static void run_memcpy(const struct operation *operation, long count)
{
    for (long i = 0; i < count; i++) {
        memcpy(operation->symmetric, operation->local, operation->bytes);
        __asm__ volatile("" ::: "memory");
    }
}

static void run_memcpy_window(const struct operation *operation, long count)
{
    size_t slot = 0;

    for (long i = 0; i < count * WINDOW; i++) {
        size_t at = slot * operation->bytes;

        memcpy(operation->symmetric + at, operation->local + at, operation->bytes);
        __asm__ volatile("" ::: "memory");
        slot = slot + 1 == operation->slots ? 0 : slot + 1;
    }
}

static void run_ping_pong(const struct operation *operation, long count)
{
    static long base;
    int first = shmem_my_pe() == 0;
    int other = first ? last_pe() : 0;

    (void)operation;
    for (long i = 1; i <= count; i++) {
        if (first)
            shmem_long_p(&ball, base + i, other);
        shmem_long_wait_until(&ball, SHMEM_CMP_GE, base + i);
        if (!first)
            shmem_long_p(&ball, base + i, other);
    }
    base += count; /* on both, so that the values go on growing */
}

/* ---- words ---- */

static void run_p(const struct operation *operation, long count)
{
    long *words = (void *)operation->symmetric;
    int pe = last_pe();

    for (long i = 0; i < count; i++) {
        shmem_long_p(&words[i % SMALL_SLOTS], i, pe);
        if (i % SMALL_SLOTS == SMALL_SLOTS - 1)
            shmem_quiet();
    }
    shmem_quiet();
}

static void run_g(const struct operation *operation, long count)
{
    const long *word = (const void *)operation->symmetric;
    long sum = 0;
    int pe = last_pe();

    for (long i = 0; i < count; i++)
        sum += shmem_long_g(word, pe);
    unused = sum;
}

static void run_fetch_add(const struct operation *operation, long count)
{
    long *word = (void *)operation->symmetric;
    int pe = last_pe();

    for (long i = 0; i < count; i++)
        unused = shmem_long_atomic_fetch_add(word, 1, pe);
}

static void run_add(const struct operation *operation, long count)
{
    long *word = (void *)operation->symmetric;
    int pe = last_pe();

    for (long i = 0; i < count; i++)
        shmem_long_atomic_add(word, 1, pe);
    shmem_quiet();
}

static void run_compare_swap(const struct operation *operation, long count)
{
    long *word = (void *)operation->symmetric;
    int pe = last_pe();

    for (long i = 0; i < count; i++)
        unused = shmem_long_atomic_compare_swap(word, i, i + 1, pe);
}

static void run_contended(const struct operation *operation, long count)
{
    long *word = (void *)operation->symmetric;

    for (long i = 0; i < count; i++)
        unused = shmem_long_atomic_fetch_add(word, 1, 0);
    shmem_barrier_all();
}

/* ---- groups ---- */

struct memory {
    char *symmetric, *local;
    size_t bytes; /* of each */
};

/* Touched, so that no measurement pays for the first use of a page. */
static struct memory take_memory(size_t bytes)
{
    struct memory memory = {.bytes = bytes < SMALLEST_ROOM ? SMALLEST_ROOM : bytes};

    memory.symmetric = take_symmetric(memory.bytes);
    memory.local = malloc(memory.bytes);
    if (memory.local == NULL) {
        fprintf(stderr, "shmem-perf: no memory for %zu bytes\n", memory.bytes);
        shmem_global_exit(1);
    }
    memset(memory.symmetric, 1, memory.bytes);
    memset(memory.local, 2, memory.bytes);
    return memory;
}

static void give_memory(struct memory *memory)
{
    free(memory->local);
    shmem_free(memory->symmetric);
}

void measure_latency(const struct plan *plan, struct rows *rows)
{
    struct memory memory = take_memory(plan->largest);
    struct operation ball_game = {run_ping_pong, FIRST_AND_LAST_PE, 8, NULL, NULL, 1, 2};

    for (size_t bytes = 8; bytes <= plan->largest; bytes *= 8) {
        struct operation operation = {run_put,      FIRST_PE, bytes, memory.symmetric,
                                      memory.local, 1,        1};

        add_time(plan, "latency", "put", &operation, rows);
        operation.run = run_get;
        add_time(plan, "latency", "get", &operation, rows);
        operation.run = run_memcpy;
        add_time(plan, "latency", "memcpy", &operation, rows);
    }
    add_time(plan, "latency", "ping-pong", &ball_game, rows);
    give_memory(&memory);
}

void measure_bandwidth(const struct plan *plan, struct rows *rows)
{
    struct memory memory = take_memory(2 * plan->largest);

    for (size_t bytes = 512; bytes <= plan->largest; bytes *= 8) {
        struct operation operation = {
            run_put_window,       FIRST_PE, bytes, memory.symmetric, memory.local,
            memory.bytes / bytes, WINDOW};

        add_rate(plan, "bandwidth", "put", &operation, (double)bytes, "MB/s", rows);
        operation.run = run_get_window;
        add_rate(plan, "bandwidth", "get", &operation, (double)bytes, "MB/s", rows);
        operation.run = run_memcpy_window;
        add_rate(plan, "bandwidth", "memcpy", &operation, (double)bytes, "MB/s", rows);
    }
    give_memory(&memory);
}

void measure_rate(const struct plan *plan, struct rows *rows)
{
    struct memory memory = take_memory(0);
    struct operation operation = {run_p, FIRST_PE, 8, memory.symmetric, memory.local, 1, 1};

    add_rate(plan, "rate", "p", &operation, 1, "Mop/s", rows);
    operation.run = run_g;
    add_rate(plan, "rate", "g", &operation, 1, "Mop/s", rows);
    give_memory(&memory);
}

void measure_atomics(const struct plan *plan, struct rows *rows)
{
    static const struct {
        const char *name;
        void (*run)(const struct operation *operation, long count);
        enum performers performers;
    } kinds[] = {
        {"add", run_add, FIRST_PE},
        {"fetch_add", run_fetch_add, FIRST_PE},
        {"compare_swap", run_compare_swap, FIRST_PE},
        {"contended", run_contended, ALL_PES},
    };
    struct memory memory = take_memory(0);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct operation operation = {
            kinds[i].run, kinds[i].performers, 8, memory.symmetric, memory.local, 1, 1};

        add_time(plan, "atomics", kinds[i].name, &operation, rows);
    }
    give_memory(&memory);
}
