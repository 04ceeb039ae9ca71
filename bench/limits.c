/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - what this machine can do at best between two processes that share
 * a memory mapping, with no library in between.  It gives the yardstick for
 * osh_micro.c and prints the same table:
 *
 *     name<TAB>size<TAB>value<TAB>unit
 *
 * Two processes (parent = initiator on the first allowed core, child = target
 * on the second) share one memfd mapping; each touches its own half first, as
 * PEs would touch their own symmetric heaps.
 *
 * Rows correspond to osh_micro rows by name:
 *   put_lat / get_lat     one memcpy into / out of the other's half
 *   put_fence_lat         a store into the other's half and a full fence, which
 *                         put and quiet cannot do without
 *   put_bw / get_bw       64 memcpys cycling through 2 x 16 MiB (same window)
 *   long_p_rate           plain 8-byte stores (relaxed atomic) into the other half
 *   long_g_lat            one load of a word owned by the other process
 *   fetch_add_lat         lock xadd, target line not being touched by anyone
 *   compare_swap_lat      lock cmpxchg, same
 *   fetch_add_contended   lock xadd by both processes on one line
 *   pingpong_oneway       a line bounced by two spinning processes, one way
 *   barrier_all           two-process sense barrier on two cache lines
 *   switch                from one process to another on the same core, by futex: half of a
 *                         ping-pong of two processes that share a core.  Where n PEs share a
 *                         core, each must get its turn in a barrier: the floor is n x switch
 *
 * Build:  cc -O2 -std=gnu11 limits.c -o limits      Run:  ./limits
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define HALF (32u << 20)
#define WINDOW 64
#define REPS 9

struct shared {                      /* one cache line for every word */
    _Alignas(128) atomic_long start; /* which phase the child may run      */
    _Alignas(128) atomic_long done;  /* phases that the child has finished */
    _Alignas(128) atomic_long ping;
    _Alignas(128) atomic_long pong;
    _Alignas(128) atomic_long counter;
    _Alignas(128) atomic_long bar[32]; /* words 0 and 16: one line each       */
    _Alignas(128) _Atomic int turn;    /* whose it is, of two on one core     */
};
static struct shared *sh;
static char *mine, *theirs; /* parent's half and child's half        */
static volatile long sink;

static double now_us(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1e6 + tv.tv_usec;
}

static int cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *n, size_t s, double v, const char *u)
{
    printf("%s\t%zu\t%.4f\t%s\n", n, s, v, u);
}

/* Pins the caller to the k-th core of the cores it is allowed to use. */
static void pin(int k)
{
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int c = 0, seen = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET(c, &all) && seen++ == k) {
            CPU_SET(c, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
    fprintf(stderr, "# needs at least two cores for meaningful numbers\n");
}

typedef void fn_t(size_t size, long n);
/* A compiler barrier after each copy keeps the compiler from merging copies. */
#define FENCE() __asm__ volatile("" ::: "memory")

static void f_put(size_t s, long n)
{
    for (long i = 0; i < n; i++) {
        memcpy(theirs, mine, s);
        FENCE();
    }
}

static void f_put_fence(size_t s, long n)
{
    for (long i = 0; i < n; i++) {
        memcpy(theirs, mine, s);
        atomic_thread_fence(memory_order_seq_cst);
    }
}

static void f_get(size_t s, long n)
{
    for (long i = 0; i < n; i++) {
        memcpy(mine, theirs, s);
        FENCE();
    }
}

static void bw(char *d, char *c, size_t s, long n)
{
    size_t slots = HALF / s, k = 0;
    for (long i = 0; i < n * WINDOW; i++) {
        memcpy(d + k * s, c + k * s, s);
        FENCE();
        if (++k == slots)
            k = 0;
    }
}

static void f_put_bw(size_t s, long n)
{
    bw(theirs, mine, s, n);
}

static void f_get_bw(size_t s, long n)
{
    bw(mine, theirs, s, n);
}

static void f_p(size_t s, long n)
{
    (void)s;
    atomic_long *d = (atomic_long *)theirs;
    for (long i = 0; i < n; i++)
        atomic_store_explicit(d + (i & 1023), i, memory_order_relaxed);
}

static void f_g(size_t s, long n)
{
    (void)s;
    for (long i = 0; i < n; i++)
        sink = atomic_load((atomic_long *)theirs);
}

static void f_fadd(size_t s, long n)
{
    (void)s;
    for (long i = 0; i < n; i++)
        sink = atomic_fetch_add((atomic_long *)theirs, 1);
}

static void f_cas(size_t s, long n)
{
    (void)s;
    for (long i = 0; i < n; i++) {
        long e = i;
        atomic_compare_exchange_strong((atomic_long *)theirs, &e, i + 1);
    }
}

/* Median time of one operation, initiator only (the child is asleep). */
static double measure(fn_t *f, size_t s)
{
    double v[REPS], t;
    long n = 1;
    for (;;) {    /* calibrate (and warm up): the shortest of  */
        t = 1e30; /* three runs must last 5 ms                 */
        for (int k = 0; k < 3; k++) {
            double d = now_us();
            f(s, n);
            d = now_us() - d;
            if (d < t)
                t = d;
        }
        if (t >= 5000)
            break;
        n *= 2;
    }
    n = (long)(n * 20000 / t) + 1;
    for (int r = 0; r < REPS; r++) {
        t = now_us();
        f(s, n);
        v[r] = (now_us() - t) / n;
    }
    qsort(v, REPS, sizeof *v, cmp);
    return v[REPS / 2];
}

/* ---- tests in which both processes are active ------------------------------- */

static void pingpong(int who, long n)
{
    static long b; /* both sides advance it by the same amount */
    for (long i = 1; i <= n; i++)
        if (who == 0) {
            atomic_store_explicit(&sh->ping, b + i, memory_order_release);
            while (atomic_load_explicit(&sh->pong, memory_order_acquire) != b + i)
                ;
        } else {
            while (atomic_load_explicit(&sh->ping, memory_order_acquire) < b + i)
                ;
            atomic_store_explicit(&sh->pong, b + i, memory_order_release);
        }
    b += n;
}

static void barrier2(int who, long n)
{
    for (long i = 0; i < n; i++) {
        long v = atomic_load_explicit(&sh->bar[16 * who], memory_order_relaxed) + 1;
        atomic_store_explicit(&sh->bar[16 * who], v, memory_order_release);
        while (atomic_load_explicit(&sh->bar[16 * (1 - who)], memory_order_acquire) < v)
            ;
    }
}

static void contended(int who, long n)
{
    (void)who;
    for (long i = 0; i < n; i++)
        sink = atomic_fetch_add(&sh->counter, 1);
}

typedef void fn2_t(int who, long n);

static struct {
    const char *name;
    fn2_t *f;
    double scale;
} both[] = {
    {"pingpong_oneway", pingpong, 0.5},
    {"barrier_all", barrier2, 1.0},
    {"fetch_add_contended", contended, 1.0},
};

#define NBOTH (sizeof both / sizeof *both)
#define N2 200000L

static void run_phases(int who)
{
    for (size_t k = 0; k < NBOTH; k++) {
        double v[REPS];
        for (int r = 0; r < REPS + 1; r++) { /* the first is the warm-up */
            barrier2(who, 1);
            double t = now_us();
            both[k].f(who, N2);
            barrier2(who, 1);
            if (r)
                v[r - 1] = (now_us() - t) / N2 * both[k].scale;
        }
        qsort(v, REPS, sizeof *v, cmp);
        if (who == 0)
            report(both[k].name, k == 1 ? 0 : 8, v[REPS / 2], "us");
    }
}

/* ---- two processes on one core -------------------------------------------------- */

static void sleep_on(_Atomic int *word, int value)
{
    syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void take_turns(int who, long n)
{
    for (long i = 0; i < n; i++) {
        int turn;

        while ((turn = atomic_load(&sh->turn)) != who)
            sleep_on(&sh->turn, turn);
        atomic_store(&sh->turn, 1 - who);
        syscall(SYS_futex, &sh->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

#define TURNS 20000L

static void measure_switch(void)
{
    double v[REPS];
    int status;
    pid_t kid = fork();

    pin(0);
    if (kid == 0) {
        take_turns(1, TURNS * (REPS + 1));
        _exit(0);
    }
    for (int r = 0; r < REPS + 1; r++) { /* the first is the warm-up */
        double t = now_us();
        take_turns(0, TURNS);
        if (r)
            v[r - 1] = (now_us() - t) / TURNS / 2;
    }
    waitpid(kid, &status, 0);
    qsort(v, REPS, sizeof *v, cmp);
    report("switch", 0, v[REPS / 2], "us");
}

int main(void)
{
    static const size_t lat[] = {8, 64, 1024, 65536, 4u << 20},
                        bws[] = {65536, 1u << 20, 16u << 20};
    int fd = memfd_create("limits", 0);
    size_t hdr = 65536, total = hdr + 2 * (size_t)HALF;
    if (fd < 0 || ftruncate(fd, (off_t)total)) {
        perror("memfd");
        return 1;
    }
    char *p = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    sh = (struct shared *)p;
    mine = aligned_alloc(4096, HALF); /* the private local buffer      */
    memset(mine, 2, HALF);
    theirs = p + hdr;

    pid_t kid = fork();
    if (kid == 0) { /* child = target                */
        pin(1);
        memset(theirs, 1, HALF);
        atomic_store(&sh->done, 1);
        while (atomic_load(&sh->start) == 0)
            usleep(200); /* idle while parent copies */
        run_phases(1);
        _exit(0);
    }
    pin(0);
    while (atomic_load(&sh->done) == 0)
        usleep(200);
    setvbuf(stdout, NULL, _IOLBF, 0); /* nothing in the buffer at a fork */
    printf("# limits: two processes, one memfd mapping\n# name\tsize\tvalue\tunit\n");
    for (size_t i = 0; i < 5; i++)
        report("put_lat", lat[i], measure(f_put, lat[i]), "us");
    report("put_fence_lat", 8, measure(f_put_fence, 8), "us");
    for (size_t i = 0; i < 5; i++)
        report("get_lat", lat[i], measure(f_get, lat[i]), "us");
    report("long_p_rate", 8, 1.0 / measure(f_p, 8), "Mop/s");
    report("long_g_lat", 8, measure(f_g, 8), "us");
    for (size_t i = 0; i < 3; i++)
        report("put_bw", bws[i], (double)bws[i] * WINDOW / measure(f_put_bw, bws[i]), "MB/s");
    for (size_t i = 0; i < 3; i++)
        report("get_bw", bws[i], (double)bws[i] * WINDOW / measure(f_get_bw, bws[i]), "MB/s");
    report("fetch_add_lat", 8, measure(f_fadd, 8), "us");
    report("atomic_inc_rate", 8, 1.0 / measure(f_fadd, 8), "Mop/s");
    report("compare_swap_lat", 8, measure(f_cas, 8), "us");
    fflush(stdout);
    atomic_store(&sh->start, 1);
    run_phases(0);
    int st;
    waitpid(kid, &st, 0);
    measure_switch();
    return 0;
}
