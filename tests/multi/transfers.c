/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers at their limits: of no elements, of many MiB at odd addresses, by threads whose PE
 * completes them, and on the way when the PE leaves the job. */
#include "check.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 50, BLOCK = 3000 };

#define LARGE_BYTES ((4u << 20) + 13)

static long words[4] = {1, 2, 3, 4};
static uint64_t signals;
static unsigned char blocks[THREADS][BLOCK];
static long rounds;
static long left_behind;

/* ---- no elements: no address is looked at ---- */

static void move_nothing(shmem_ctx_t ctx, int pe)
{
    shmem_ctx_putmem(ctx, NULL, NULL, 0, pe);
    shmem_ctx_getmem(ctx, NULL, NULL, 0, pe);
    shmem_ctx_putmem_nbi(ctx, NULL, NULL, 0, pe);
    shmem_ctx_getmem_nbi(ctx, NULL, NULL, 0, pe);
    shmem_ctx_put128(ctx, NULL, NULL, 0, pe);
    shmem_ctx_get8(ctx, NULL, NULL, 0, pe);
    shmem_ctx_long_put(ctx, NULL, words, 0, pe);
    shmem_ctx_long_get(ctx, NULL, words, 0, pe);
    shmem_ctx_double_put_nbi(ctx, NULL, NULL, 0, pe);
    shmem_ctx_longdouble_get_nbi(ctx, NULL, NULL, 0, pe);
    shmem_ctx_iput16(ctx, NULL, NULL, 2, 3, 0, pe);
    shmem_ctx_iget128(ctx, NULL, NULL, 3, 2, 0, pe);
    shmem_ctx_long_iput(ctx, NULL, words, 1, 1, 0, pe);
    shmem_ctx_long_iget(ctx, NULL, words, 1, 1, 0, pe);
    shmem_ctx_long_ibput(ctx, NULL, NULL, 1, 1, 1, 0, pe);
    shmem_ctx_long_ibget(ctx, NULL, NULL, 1, 1, 1, 0, pe);
}

/* A put of nothing with a signal still signals. */
static void check_nothing(void)
{
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_ctx_t ctx;

    CHECK(shmem_ctx_create(0, &ctx) == 0, "context");
    move_nothing(SHMEM_CTX_DEFAULT, next);
    move_nothing(ctx, next);
    shmem_putmem_signal(NULL, NULL, 0, &signals, 1, SHMEM_SIGNAL_ADD, next);
    shmem_ctx_long_put_signal_nbi(ctx, NULL, NULL, 0, &signals, 2, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&signals, SHMEM_CMP_EQ, 3);
    shmem_ctx_destroy(ctx);
    for (long i = 0; i < 4; i++)
        CHECK(words[i] == i + 1, "word %ld became %ld", i, words[i]);
    shmem_barrier_all();
}

/* ---- many MiB ---- */

static unsigned char byte_of(int pe, size_t at)
{
    return (unsigned char)(at * 7 + at / 4096 + (size_t)pe * 31 + 1);
}

/* Byte `at` of the block is PE `pe`'s byte `at - from`; around the block nothing was written. */
static void expect_block(const unsigned char *block, size_t from, size_t bytes, int pe,
                         const char *call)
{
    for (size_t at = 0; at < LARGE_BYTES + 64; at++) {
        bool is_inside = at >= from && at < from + bytes;
        unsigned char expected = is_inside ? byte_of(pe, at - from) : 0;

        CHECK(block[at] == expected, "%s: byte %zu is %d, expected %d", call, at, block[at],
              expected);
    }
}

static void check_large(void)
{
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();
    int next = (me + 1) % n_pes;
    int before = (me + n_pes - 1) % n_pes;
    unsigned char *dest = shmem_calloc(LARGE_BYTES + 64, 1);
    unsigned char *source = shmem_malloc(LARGE_BYTES);

    CHECK(dest != NULL && source != NULL, "memory");
    for (size_t at = 0; at < LARGE_BYTES; at++)
        source[at] = byte_of(me, at);
    shmem_barrier_all();
    shmem_putmem(dest + 5, source, LARGE_BYTES, next);
    shmem_barrier_all();
    expect_block(dest, 5, LARGE_BYTES, before, "put");
    memset(dest, 0, LARGE_BYTES + 64);
    shmem_getmem(dest + 3, source, LARGE_BYTES - 1, next);
    expect_block(dest, 3, LARGE_BYTES - 1, next, "get");
    memset(dest, 0, LARGE_BYTES + 64);
    shmem_getmem_nbi(dest + 1, source, LARGE_BYTES, before);
    shmem_quiet();
    expect_block(dest, 1, LARGE_BYTES, before, "get_nbi");
    memset(dest, 0, LARGE_BYTES + 64);
    shmem_barrier_all();
    shmem_putmem_nbi(dest, source, LARGE_BYTES, before);
    shmem_barrier_all();
    expect_block(dest, 0, LARGE_BYTES, next, "put_nbi");
    shmem_free(source);
    shmem_free(dest);
}

/* ---- threads put, and one thread completes it all ---- */

static void *put_block(void *argument)
{
    long number = (long)(intptr_t)argument;
    unsigned char block[BLOCK];

    memset(block, (int)(rounds + number) & 0xff, sizeof block);
    shmem_putmem_nbi(blocks[number], block, sizeof block, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_quiet(); /* block goes out of scope */
    return NULL;
}

static void put_from_threads(void)
{
    pthread_t threads[THREADS];

    for (long i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, put_block, (void *)(intptr_t)i) == 0, "thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void check_threads(void)
{
    static long arrived;
    int next = (shmem_my_pe() + 1) % shmem_n_pes();

    for (rounds = 1; rounds <= ROUNDS; rounds++) {
        put_from_threads();
        shmem_fence();
        shmem_long_p(&arrived, rounds, next);
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, rounds);
        for (int i = 0; i < THREADS; i++)
            for (int at = 0; at < BLOCK; at++)
                CHECK(blocks[i][at] == (unsigned char)(rounds + i),
                      "round %ld: byte %d of %d is %d", rounds, at, i, blocks[i][at]);
        shmem_barrier_all();
    }
}

int main(void)
{
    int provided;
    int me;
    int n_pes;

    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0, "init");
    check_nothing();
    check_large();
    check_threads();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    shmem_long_put_nbi(&left_behind, &(long){me + 1}, 1, (me + 1) % n_pes);
    shmem_finalize(); /* completes the put, on every PE */
    if (left_behind != (me + n_pes - 1) % n_pes + 1)
        fprintf(stderr, "PE %d: %ld after finalize\n", me, left_behind);
    return left_behind != (me + n_pes - 1) % n_pes + 1;
}
