/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of all kinds by whichever engines SHMEM_ENGINES names: every byte arrives, and no
 * other changes, by the time that the standard says. */
#include "check.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 20, SMALL = 1000, STRIDED = 300 };

#define LARGEST (8u << 20)
#define ROOM (LARGEST + 64)

static int me, n_pes;
static unsigned char *dest, *source; /* symmetric, ROOM bytes */
static long words[SMALL];
static long flag, lock, total;
static uint64_t arrived;
static unsigned char static_dest[5000], static_source[5000];

static unsigned char byte_of(int pe, size_t at, int seed)
{
    return (unsigned char)(at * 7 + at / 4096 + (size_t)pe * 31 + (size_t)seed * 5 + 1);
}

static void fill(unsigned char *bytes, size_t count, int seed)
{
    for (size_t at = 0; at < count; at++)
        bytes[at] = byte_of(me, at, seed);
}

static void expect(const unsigned char *block, size_t from, size_t bytes, int pe, int seed,
                   const char *call)
{
    size_t end = from + bytes + 32;

    for (size_t at = 0; at < end; at++) {
        bool is_inside = at >= from && at < from + bytes;
        unsigned char expected = is_inside ? byte_of(pe, at - from, seed) : 0;

        CHECK(block[at] == expected, "%s, %zu bytes: byte %zu is %d, expected %d", call, bytes, at,
              block[at], expected);
    }
}

/* ---- one transfer of so many bytes, to the next PE or the own one ---- */

static void clear(size_t bytes)
{
    memset(dest, 0, bytes + 64);
    shmem_barrier_all();
}

static void check_size(size_t bytes, int distance)
{
    int to = (me + distance) % n_pes;
    int from = (me + n_pes - distance) % n_pes;
    unsigned char *own = malloc(bytes + 64);

    CHECK(own != NULL, "memory");
    fill(source + 1, bytes, 0);
    fill(own, bytes, 1);
    clear(bytes);
    shmem_putmem(dest + 5, source + 1, bytes, to);
    shmem_barrier_all();
    expect(dest, 5, bytes, from, 0, "put");
    clear(bytes);
    shmem_putmem_nbi(dest + 3, own, bytes, to);
    shmem_barrier_all();
    expect(dest, 3, bytes, from, 1, "put_nbi");
    clear(bytes);
    shmem_putmem_nbi(dest + 1, own, bytes, to);
    shmem_fence();
    shmem_long_atomic_inc(&flag, to);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    expect(dest, 1, bytes, from, 1, "put_nbi and fence");
    flag = 0;
    memset(own, 0, bytes + 64);
    shmem_getmem(own + 7, source + 1, bytes, to);
    expect(own, 7, bytes, to, 0, "get");
    memset(own, 0, bytes + 64);
    shmem_getmem_nbi(own + 2, source + 1, bytes, to);
    shmem_quiet();
    expect(own, 2, bytes, to, 0, "get_nbi");
    free(own);
    shmem_barrier_all();
}

/* ---- elements ---- */

static void check_elements(int to, int from)
{
    long own[STRIDED];
    double number = me + 0.5;
    static double numbers[2];
    static short halves[4];

    for (long i = 0; i < STRIDED; i++)
        own[i] = me * 1000 + i;
    shmem_long_iput(words, own, 3, 2, STRIDED / 2, to);
    shmem_barrier_all();
    for (long i = 0; i < 3 * STRIDED / 2; i++)
        CHECK(words[i] == (i % 3 == 0 ? from * 1000 + i / 3 * 2 : 0), "iput: %ld is %ld", i,
              words[i]);
    memset(own, 0, sizeof own);
    shmem_long_iget(own, words, 2, 3, STRIDED / 2, to);
    for (long i = 0; i < STRIDED; i++)
        CHECK(own[i] == (i % 2 == 0 ? me * 1000 + i : 0), "iget: %ld is %ld", i, own[i]);
    shmem_barrier_all();
    shmem_double_p(&numbers[1], number, to);
    shmem_short_p(&halves[3], (short)(me - 7), to);
    shmem_barrier_all();
    CHECK(numbers[0] == 0 && numbers[1] == from + 0.5, "p: %g", numbers[1]);
    CHECK(halves[2] == 0 && halves[3] == from - 7, "p: %d", halves[3]);
    CHECK(shmem_double_g(&numbers[1], to) == number, "g: %g", shmem_double_g(&numbers[1], to));
    memset(words, 0, sizeof words);
    shmem_barrier_all();
}

static void check_static_data(int to, int from)
{
    fill(static_source, 4000, 3);
    memset(static_dest, 0, sizeof static_dest);
    shmem_barrier_all();
    shmem_putmem_nbi(static_dest + 9, static_source, 4000, to);
    shmem_barrier_all();
    expect(static_dest, 9, 4000, from, 3, "put to static data");
    memset(static_dest, 0, sizeof static_dest);
    shmem_getmem(static_dest + 1, static_source, 3999, to);
    expect(static_dest, 1, 3999, to, 3, "get from static data");
    shmem_barrier_all();
}

/* ---- order ---- */

/* Data that a signal announces are there, whichever way they took. */
static void check_signals(int to, int from)
{
    const size_t bytes = (2u << 20) + 3; /* takes longer than to wake who waits */

    memset(dest, 0, bytes + 64);
    shmem_barrier_all();
    for (int round = 1; round <= ROUNDS; round++) {
        fill(source, bytes, round);
        if (round % 2 == 0)
            shmem_putmem_signal(dest, source, bytes, &arrived, 1, SHMEM_SIGNAL_ADD, to);
        else
            shmem_putmem_signal_nbi(dest, source, bytes, &arrived, (uint64_t)round,
                                    SHMEM_SIGNAL_SET, to);
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, (uint64_t)round);
        expect(dest, 0, bytes, from, round, "put with a signal");
        shmem_barrier_all();
    }
    arrived = 0;
    shmem_barrier_all();
}

/* More transfers than can wait at a time. */
static void check_many(int to, int from)
{
    static long own[SMALL];

    for (long i = 0; i < SMALL; i++) {
        own[i] = me * 10000 + i + 1;
        shmem_long_put_nbi(&words[i], &own[i], 1, to);
    }
    shmem_quiet();
    shmem_barrier_all();
    for (long i = 0; i < SMALL; i++)
        CHECK(words[i] == from * 10000 + i + 1, "word %ld is %ld", i, words[i]);
    memset(words, 0, sizeof words);
    shmem_barrier_all();
}

static void check_contexts(int to, int from)
{
    shmem_ctx_t ctx;

    for (int way = 0; way < 3; way++) {
        fill(source, 70000, way);
        clear(70000);
        CHECK(shmem_ctx_create(0, &ctx) == 0, "context");
        shmem_ctx_putmem_nbi(ctx, dest, source, 70000, to);
        if (way == 0)
            shmem_ctx_quiet(ctx);
        if (way == 1)
            shmem_ctx_fence(ctx);
        shmem_ctx_destroy(ctx);
        shmem_long_atomic_inc(&flag, to);
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        expect(dest, 0, 70000, from, way, "put over a context");
        flag = 0;
        shmem_barrier_all();
    }
}

/* Whoever has the lock sees what the one before has put. */
static void check_lock(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        long now;

        shmem_set_lock(&lock);
        now = shmem_long_g(&total, 0) + 1;
        shmem_long_put_nbi(&total, &now, 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&total, 0) == (long)ROUNDS * n_pes, "%ld", shmem_long_g(&total, 0));
    shmem_barrier_all();
}

/* ---- which engine it was ---- */

static int count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    CHECK(tasks != NULL, "/proc/self/task");
    for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* SDMA has a thread from its first transfer on; MTE is before it, but for large ones that do not
 * block. */
static void check_worker(void)
{
    const char *engines = getenv("SHMEM_ENGINES");
    bool has_mte = strstr(engines, "mte") != NULL || strcmp(engines, "any") == 0;
    bool has_sdma = strstr(engines, "sdma") != NULL || strcmp(engines, "any") == 0;
    int before = count_threads();

    shmem_putmem(dest, source, 65536, me);
    shmem_getmem_nbi(dest, source, 4095, me);
    shmem_quiet();
    CHECK(count_threads() == before + (has_sdma && !has_mte), "%d", count_threads());
    shmem_putmem_nbi(dest, source, 4096, me);
    shmem_quiet();
    CHECK(count_threads() == before + has_sdma, "%d", count_threads());
}

int main(void)
{
    static const size_t sizes[] = {0, 1, 7, 65536, LARGEST};
    static long left_behind[600];
    static long last[600];
    int next;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    next = (me + 1) % n_pes;
    dest = shmem_calloc(ROOM, 1);
    source = shmem_calloc(ROOM, 1);
    CHECK(dest != NULL && source != NULL, "memory");
    check_worker();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_size(sizes[i], 1 % n_pes);
        check_size(sizes[i], 0);
    }
    check_elements(next, (me + n_pes - 1) % n_pes);
    check_static_data(next, (me + n_pes - 1) % n_pes);
    check_signals(next, (me + n_pes - 1) % n_pes);
    check_many(next, (me + n_pes - 1) % n_pes);
    check_contexts(next, (me + n_pes - 1) % n_pes);
    check_lock();
    last[599] = me + 1;
    shmem_long_put_nbi(left_behind, last, 600, next);
    shmem_finalize(); /* completes the put, on every PE */
    if (left_behind[599] == (me + n_pes - 1) % n_pes + 1)
        return 0;
    fprintf(stderr, "PE %d: %ld after finalize\n", me, left_behind[599]);
    return 1;
}
