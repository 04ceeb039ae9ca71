/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives.h"

#include <string.h>

const struct typed_case typed_cases[TYPED_CASES] = {{0, 0},  {0, 56}, {0, 1100},
                                                    {1, 48}, {2, 80}, {3, 64}};

bool typed_prepare_collective(struct typed_collective *collective, const char *name,
                              const struct typed_group *groups, size_t number, size_t spread)
{
    const struct typed_case *this_case = &typed_cases[number];
    size_t first = collective->element_bytes * (TYPED_TO > TYPED_FROM ? TYPED_TO : TYPED_FROM);
    size_t most;

    collective->group = &groups[this_case->group];
    if (collective->group->size == 0)
        return false;
    most = (TYPED_AREA_BYTES - first) / (collective->element_bytes * spread);
    collective->count =
        (this_case->bytes + collective->element_bytes - 1) / collective->element_bytes;
    if (collective->count > most)
        collective->count = most;
    collective->call = typed_prepare(name);
    collective->root = (int)(collective->call.number % (unsigned)collective->group->size);
    return true;
}

size_t typed_share(const struct typed_collective *collective, int rank)
{
    return ((size_t)rank * 5 + 3) % (collective->count + 1);
}

/* ---- what the dest must be ---- */

/* A dest in the making. */
struct expected {
    const struct typed_collective *collective;
    unsigned char dest[TYPED_AREA_BYTES];
    unsigned char source[TYPED_AREA_BYTES]; /* of the PE from which it comes now */
};

static void start(struct expected *expected, const struct typed_collective *collective)
{
    expected->collective = collective;
    typed_fill(&collective->call, collective->call.me, TYPED_SHARED, expected->dest);
}

static void take_from(struct expected *expected, int rank)
{
    const struct typed_collective *collective = expected->collective;

    typed_fill(&collective->call, typed_pe_of(collective->group, rank), TYPED_SOURCE,
               expected->source);
}

/* Elements from the source of that rank, by their places in the arrays. */
static void copy(struct expected *expected, size_t to, size_t from, size_t count)
{
    size_t bytes = expected->collective->element_bytes;

    memcpy(expected->dest + (TYPED_TO + to) * bytes, expected->source + (TYPED_FROM + from) * bytes,
           count * bytes);
}

static void finish(const struct expected *expected)
{
    const struct typed_call *call = &expected->collective->call;

    typed_check_area(call, TYPED_SHARED, expected->dest);
    typed_check_rest(call, TYPED_SOURCE, 0, 0);
}

void typed_check_broadcast(const struct typed_collective *collective, bool has_root_dest)
{
    int rank = collective->group->rank;
    struct expected expected;

    start(&expected, collective);
    if (rank >= 0 && (has_root_dest || rank != collective->root)) {
        take_from(&expected, collective->root);
        copy(&expected, 0, 0, collective->count);
    }
    finish(&expected);
}

void typed_check_collect(const struct typed_collective *collective)
{
    struct expected expected;
    size_t to = 0;

    start(&expected, collective);
    for (int rank = 0; collective->group->rank >= 0 && rank < collective->group->size; rank++) {
        take_from(&expected, rank);
        copy(&expected, to, 0, typed_share(collective, rank));
        to += typed_share(collective, rank);
    }
    finish(&expected);
}

void typed_check_fcollect(const struct typed_collective *collective)
{
    struct expected expected;

    start(&expected, collective);
    for (int rank = 0; collective->group->rank >= 0 && rank < collective->group->size; rank++) {
        take_from(&expected, rank);
        copy(&expected, (size_t)rank * collective->count, 0, collective->count);
    }
    finish(&expected);
}

/* Element `i` of the block for rank `to` in the source of another becomes element `i` of its block
 * in the dest of `to`. */
static void check_exchange(const struct typed_collective *collective, size_t to_stride,
                           size_t from_stride)
{
    int me = collective->group->rank;
    struct expected expected;

    start(&expected, collective);
    for (int rank = 0; me >= 0 && rank < collective->group->size; rank++) {
        take_from(&expected, rank);
        for (size_t i = 0; i < collective->count; i++)
            copy(&expected, ((size_t)rank * collective->count + i) * to_stride,
                 ((size_t)me * collective->count + i) * from_stride, 1);
    }
    finish(&expected);
}

void typed_check_alltoall(const struct typed_collective *collective)
{
    check_exchange(collective, 1, 1);
}

void typed_check_alltoalls(const struct typed_collective *collective)
{
    check_exchange(collective, TYPED_TO_STRIDE, TYPED_FROM_STRIDE);
}

void typed_check_sync(const struct typed_collective *collective)
{
    for (size_t i = 0; i < SHMEM_SYNC_SIZE; i++)
        CHECK(typed_sync[i] == SHMEM_SYNC_VALUE, "%s of %s left %ld in pSync[%zu]",
              collective->call.called, collective->group->name, typed_sync[i], i);
}
