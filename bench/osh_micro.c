/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * osh_micro.c - a portable OpenSHMEM micro-benchmark.
 *
 * It only uses calls that exist in OpenSHMEM 1.4 (active-set collectives with
 * pSync arrays, typed point-to-point calls), so that the same source compiles
 * and runs, unchanged, on every implementation that we compare.
 *
 * Output: one line per metric, on stdout of PE 0 only:
 *
 *     name<TAB>size<TAB>value<TAB>unit
 *
 * "size" is in bytes (0 where it has no meaning).  Lines that start with '#'
 * are comments.
 *
 * Method: every metric is measured REPS times after a warm-up; the median of
 * the repetitions is printed.  The number of iterations in one repetition is
 * calibrated so that a repetition takes about TARGET_US microseconds; PE 0
 * decides it and broadcasts it by a plain put, so all PEs agree.
 *
 * Point-to-point tests: PE 0 is the initiator, PE n-1 is the target; the
 * other PEs wait in a barrier (as they would in a real program).
 * Collective tests: all PEs take part; PE 0's clock is reported.
 *
 * Options (all optional):
 *   -r REPS      repetitions, default 7 (at least 5 for a meaningful median)
 *   -t US        wanted length of one repetition in us, default 20000
 *   -m BYTES     largest message, default 16777216
 *   -c           skip point-to-point tests ("collectives only")
 *   -p           skip collective tests
 *
 * Build:  oshcc -O2 -std=gnu11 osh_micro.c -o osh_micro
 * Run:    oshrun -np 2 ./osh_micro
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define MAXREPS 101
#define WINDOW 64 /* nbi operations in flight per quiet     */

static int reps = 7;
static double target_us = 20000.0;
static size_t max_msg = 16u << 20;
static int me, np, peer; /* peer: the target of PE 0, i.e. np - 1  */

/* Symmetric (static) control words and collective work arrays. */
static long ctl_iters; /* iteration count decided by PE 0        */
static long ctl_seq;   /* sequence number that guards ctl_iters  */
static long flag_a;    /* ping-pong and atomics words            */

/* Two pSync arrays used in turn, plus the reduction work array: the 1.4 rules
 * allow immediate reuse of pSync only when two arrays alternate or a barrier
 * separates the calls. */
#define SYNC_MAX 1024
static long psync[2][SYNC_MAX];
#define PWRK_MAX (16384 + 1024)
static long pwrk[2][PWRK_MAX];

static double now_us(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1e6 + tv.tv_usec;
}

static int cmp_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, n, sizeof *v, cmp_double);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

static void report(const char *name, size_t size, double value, const char *unit)
{
    if (me == 0) {
        printf("%s\t%zu\t%.4f\t%s\n", name, size, value, unit);
        fflush(stdout);
    }
}

/* All PEs get PE 0's value of "n". */
static long agree(long n)
{
    static long seq = 0;
    seq++;
    if (me == 0) {
        for (int i = 1; i < np; i++)
            shmem_long_p(&ctl_iters, n, i);
        shmem_quiet();
        for (int i = 1; i < np; i++)
            shmem_long_p(&ctl_seq, seq, i);
        shmem_quiet();
    } else {
        shmem_long_wait_until(&ctl_seq, SHMEM_CMP_GE, seq);
        n = ctl_iters;
    }
    shmem_barrier_all();
    return n;
}

/* ---- one test: a function that performs "iters" operations ---------------- */

struct test {
    void (*fn)(struct test *, long iters);
    size_t size; /* message size in bytes                  */
    void *sym;   /* symmetric buffer                       */
    void *loc;   /* local (private) buffer                 */
    int all;     /* 1: every PE runs fn; 0: only PE 0;
                    2: PE 0 and the peer run fn            */
};

static int takes_part(const struct test *t)
{
    return t->all == 1 || me == 0 || (t->all == 2 && me == peer);
}

/* Runs a test and returns the median time of ONE operation in us (on PE 0). */
static double measure(struct test *t, long max_iters)
{
    double v[MAXREPS], t0, dt;
    long iters = 1, n;

    /* Calibrate, which is also the warm-up: double the count until a run takes a
     * quarter of the target.  A run counts as long enough only if the shortest
     * of three is, so that one page fault or one lost time slice cannot leave us
     * with a handful of iterations. */
    double best = 0;
    int tries = 0;
    for (;;) {
        shmem_barrier_all();
        t0 = now_us();
        if (takes_part(t))
            t->fn(t, iters);
        dt = now_us() - t0;
        n = 0;
        if (me == 0) {
            best = tries == 0 || dt < best ? dt : best;
            tries++;
            if (best < target_us / 4 && iters < max_iters) {
                n = iters * 2;
                tries = 0;
            } else if (tries < 3)
                n = iters;
            else
                n = -1;
        }
        n = agree(n);
        if (n < 0)
            break;
        iters = n;
    }
    if (me == 0) {
        double per = best / iters;
        n = per > 0 ? (long)(target_us / per) : max_iters;
        if (n < 1)
            n = 1;
        if (n > max_iters)
            n = max_iters;
    } else {
        n = 0;
    }
    iters = agree(n);

    for (int r = 0; r < reps; r++) {
        shmem_barrier_all();
        t0 = now_us();
        if (takes_part(t))
            t->fn(t, iters);
        v[r] = (now_us() - t0) / iters;
    }
    shmem_barrier_all();
    return median(v, reps);
}

/* ---- point to point -------------------------------------------------------- */

static void f_put(struct test *t, long n)
{
    for (long i = 0; i < n; i++) {
        shmem_putmem(t->sym, t->loc, t->size, peer);
        shmem_quiet();
    }
}

static void f_get(struct test *t, long n)
{
    for (long i = 0; i < n; i++)
        shmem_getmem(t->loc, t->sym, t->size, peer);
}

/* Issue rate of single-word puts: one quiet per 1024 operations. */
static void f_long_p(struct test *t, long n)
{
    long *d = t->sym;
    for (long i = 0; i < n; i++) {
        shmem_long_p(d + (i & 1023), i, peer);
        if ((i & 1023) == 1023)
            shmem_quiet();
    }
    shmem_quiet();
}

static volatile long sink;

static void f_long_g(struct test *t, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++)
        s += shmem_long_g(t->sym, peer);
    sink = s;
}

/* Bandwidth: WINDOW nbi operations, each to its own slot when memory allows
 * ("slots" is derived from the buffer cap), then one quiet. */
static size_t bw_cap;

static void f_put_bw(struct test *t, long n)
{
    size_t slots = bw_cap / t->size, s = 0;
    for (long i = 0; i < n; i++) {
        for (int w = 0; w < WINDOW; w++) {
            shmem_putmem_nbi((char *)t->sym + s * t->size, (char *)t->loc + s * t->size, t->size,
                             peer);
            if (++s == slots)
                s = 0;
        }
        shmem_quiet();
    }
}

static void f_get_bw(struct test *t, long n)
{
    size_t slots = bw_cap / t->size, s = 0;
    for (long i = 0; i < n; i++) {
        for (int w = 0; w < WINDOW; w++) {
            shmem_getmem_nbi((char *)t->loc + s * t->size, (char *)t->sym + s * t->size, t->size,
                             peer);
            if (++s == slots)
                s = 0;
        }
        shmem_quiet();
    }
}

/* ---- atomics ----------------------------------------------------------------- */

static void f_fadd(struct test *t, long n)
{
    for (long i = 0; i < n; i++)
        sink = shmem_long_atomic_fetch_add(t->sym, 1, peer);
}

static void f_inc(struct test *t, long n)
{
    for (long i = 0; i < n; i++)
        shmem_long_atomic_inc(t->sym, peer);
    shmem_quiet();
}

static void f_cswap(struct test *t, long n)
{
    for (long i = 0; i < n; i++)
        sink = shmem_long_atomic_compare_swap(t->sym, i, i + 1, peer);
}

static void f_fadd0(struct test *t, long n) /* all PEs hammer PE 0 */
{
    for (long i = 0; i < n; i++)
        sink = shmem_long_atomic_fetch_add(t->sym, 1, 0);
    shmem_barrier_all();
}

/* Ping-pong between PE 0 and the peer; "base" keeps the values growing, and it
 * moves by the same amount on both sides. */
static long pp_base;

static void f_pingpong(struct test *t, long n)
{
    (void)t;
    for (long i = 1; i <= n; i++) {
        if (me == 0) {
            shmem_long_p(&flag_a, pp_base + i, peer);
            shmem_long_wait_until(&flag_a, SHMEM_CMP_GE, pp_base + i);
        } else {
            shmem_long_wait_until(&flag_a, SHMEM_CMP_GE, pp_base + i);
            shmem_long_p(&flag_a, pp_base + i, 0);
        }
    }
    pp_base += n;
}

/* ---- collectives ---------------------------------------------------------------- */

static void f_barrier(struct test *t, long n)
{
    (void)t;
    for (long i = 0; i < n; i++)
        shmem_barrier_all();
}

static void f_sync(struct test *t, long n)
{
    (void)t;
    for (long i = 0; i < n; i++)
        shmem_sync_all();
}

/* The loops below alternate the two pSync arrays and put a barrier after every
 * second call, which every 1.4 implementation must accept.  The barrier is part
 * of the measured time for all implementations alike: collective + 1/2 barrier. */
#define COLL(NAME, CALL)                                                                           \
    static void NAME(struct test *t, long n)                                                       \
    {                                                                                              \
        size_t words = t->size / 8;                                                                \
        char *dst = t->sym;                                                                        \
        char *src = (char *)t->sym + (size_t)np * t->size;                                         \
        for (long i = 0; i < n; i++) {                                                             \
            int k = i & 1;                                                                         \
            CALL;                                                                                  \
            if (k)                                                                                 \
                shmem_barrier_all();                                                               \
        }                                                                                          \
        if (n & 1)                                                                                 \
            shmem_barrier_all();                                                                   \
    }
COLL(f_bcast, shmem_broadcast64(dst, src, words, 0, 0, 0, np, psync[k]))
COLL(f_sum,
     shmem_long_sum_to_all((long *)dst, (long *)src, (int)words, 0, 0, np, pwrk[k], psync[k]))
COLL(f_fcoll, shmem_fcollect64(dst, src, words, 0, 0, np, psync[k]))
/* alltoall: "size" is what a PE sends to EACH PE, so source is np * size. */
COLL(f_a2a, shmem_alltoall64(dst, src, words, 0, 0, np, psync[k]))

static void f_malloc(struct test *t, long n)
{
    for (long i = 0; i < n; i++) {
        void *p = shmem_malloc(t->size);
        if (!p) {
            fprintf(stderr, "shmem_malloc(%zu) failed\n", t->size);
            shmem_global_exit(3);
        }
        shmem_free(p);
    }
}

int main(int argc, char **argv)
{
    int do_p2p = 1, do_coll = 1, opt;
    double t0 = now_us();
    shmem_init();
    double t_init = now_us() - t0;

    me = shmem_my_pe();
    np = shmem_n_pes();
    peer = np - 1;
    while ((opt = getopt(argc, argv, "r:t:m:cp")) != -1) {
        if (opt == 'r')
            reps = atoi(optarg);
        else if (opt == 't')
            target_us = atof(optarg);
        else if (opt == 'm')
            max_msg = strtoul(optarg, NULL, 0);
        else if (opt == 'c')
            do_p2p = 0;
        else if (opt == 'p')
            do_coll = 0;
    }
    if (np < 2 || reps < 1 || reps > MAXREPS) {
        if (me == 0)
            fprintf(stderr, "needs >= 2 PEs and 1..%d repetitions\n", MAXREPS);
        shmem_finalize();
        return 2;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SYNC_MAX; i++)
            psync[k][i] = SHMEM_SYNC_VALUE;
    if (SYNC_MAX < SHMEM_COLLECT_SYNC_SIZE || SYNC_MAX < SHMEM_REDUCE_SYNC_SIZE ||
        SYNC_MAX < SHMEM_ALLTOALL_SYNC_SIZE || SYNC_MAX < SHMEM_BCAST_SYNC_SIZE) {
        fprintf(stderr, "enlarge SYNC_MAX\n");
        return 2;
    }
    if (me == 0)
        printf("# osh_micro: %d PEs, %d reps, OpenSHMEM %d.%d\n# name\tsize\tvalue\tunit\n", np,
               reps, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    report("init", 0, t_init / 1e3, "ms");
    shmem_barrier_all();

    /* Message buffers.  bw_cap bounds the window: 64 x 64 KiB fits (4 MiB);
     * larger messages share slots so that memory stays near 2 x max_msg. */
    bw_cap = 2 * max_msg < (4u << 20) ? (4u << 20) : 2 * max_msg;
    if (do_p2p) {
        char *sym = shmem_malloc(bw_cap), *loc = aligned_alloc(4096, bw_cap);
        if (!sym || !loc) {
            fprintf(stderr, "out of memory\n");
            shmem_global_exit(3);
        }
        memset(sym, 1, bw_cap);
        memset(loc, 2, bw_cap);
        static const size_t lat[] = {8, 64, 1024, 65536, 4u << 20};
        static const size_t bw[] = {65536, 1u << 20, 16u << 20};

        for (size_t i = 0; i < sizeof lat / sizeof *lat; i++)
            if (lat[i] <= max_msg) {
                struct test t = {f_put, lat[i], sym, loc, 0};
                report("put_lat", lat[i], measure(&t, 10000000), "us");
            }
        for (size_t i = 0; i < sizeof lat / sizeof *lat; i++)
            if (lat[i] <= max_msg) {
                struct test t = {f_get, lat[i], sym, loc, 0};
                report("get_lat", lat[i], measure(&t, 10000000), "us");
            }
        struct test tp = {f_long_p, 8, sym, loc, 0};
        report("long_p_rate", 8, 1.0 / measure(&tp, 50000000), "Mop/s");
        struct test tg = {f_long_g, 8, sym, loc, 0};
        report("long_g_lat", 8, measure(&tg, 10000000), "us");
        for (size_t i = 0; i < sizeof bw / sizeof *bw; i++)
            if (bw[i] <= max_msg) {
                struct test t = {f_put_bw, bw[i], sym, loc, 0};
                report("put_bw", bw[i], (double)bw[i] * WINDOW / measure(&t, 10000), "MB/s");
            }
        for (size_t i = 0; i < sizeof bw / sizeof *bw; i++)
            if (bw[i] <= max_msg) {
                struct test t = {f_get_bw, bw[i], sym, loc, 0};
                report("get_bw", bw[i], (double)bw[i] * WINDOW / measure(&t, 10000), "MB/s");
            }
        struct test a1 = {f_fadd, 8, sym, NULL, 0};
        report("fetch_add_lat", 8, measure(&a1, 10000000), "us");
        struct test a2 = {f_inc, 8, sym, NULL, 0};
        report("atomic_inc_rate", 8, 1.0 / measure(&a2, 10000000), "Mop/s");
        struct test a3 = {f_cswap, 8, sym, NULL, 0};
        report("compare_swap_lat", 8, measure(&a3, 10000000), "us");
        struct test pp = {f_pingpong, 8, NULL, NULL, 2};
        report("pingpong_oneway", 8, measure(&pp, 2000000) / 2, "us");
        struct test a4 = {f_fadd0, 8, sym, NULL, 1};
        report("fetch_add_contended", 8, measure(&a4, 2000000), "us");
        free(loc);
        shmem_free(sym);
    }

    if (do_coll) {
        static const size_t sz[] = {8, 65536};
        struct test b = {f_barrier, 0, NULL, NULL, 1};
        report("barrier_all", 0, measure(&b, 1000000), "us");
        struct test s = {f_sync, 0, NULL, NULL, 1};
        report("sync_all", 0, measure(&s, 1000000), "us");
        for (int i = 0; i < 2; i++) {
            size_t bytes = (size_t)(2 * np) * sz[i]; /* dst np*size, src np*size */
            char *sym = shmem_malloc(bytes);
            if (!sym) {
                fprintf(stderr, "shmem_malloc(%zu) failed\n", bytes);
                shmem_global_exit(3);
            }
            memset(sym, 0, bytes);
            struct test t1 = {f_bcast, sz[i], sym, NULL, 1};
            report("broadcast64", sz[i], measure(&t1, 1000000), "us");
            struct test t2 = {f_sum, sz[i], sym, NULL, 1};
            report("long_sum_to_all", sz[i], measure(&t2, 1000000), "us");
            struct test t3 = {f_fcoll, sz[i], sym, NULL, 1};
            report("fcollect64", sz[i], measure(&t3, 1000000), "us");
            struct test t4 = {f_a2a, sz[i], sym, NULL, 1};
            report("alltoall64", sz[i], measure(&t4, 1000000), "us");
            shmem_free(sym);
        }
        struct test m1 = {f_malloc, 64, NULL, NULL, 1};
        report("malloc_free", 64, measure(&m1, 1000000), "us");
        struct test m2 = {f_malloc, 1u << 20, NULL, NULL, 1};
        report("malloc_free", 1u << 20, measure(&m2, 1000000), "us");
    }

    shmem_barrier_all();
    int am0 = me == 0;
    t0 = now_us();
    shmem_finalize();
    double t_fin = now_us() - t0;
    if (am0) {
        printf("finalize\t0\t%.4f\tms\n", t_fin / 1e3);
        fflush(stdout);
    }
    return 0;
}
