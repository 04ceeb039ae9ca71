/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits.h"

const int typed_comparisons[TYPED_COMPARISONS] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT,
                                                  SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};

/* As the conversion of an element to 64 bits does it. */
static uint64_t widen(struct typed_kind kind, uint64_t bits)
{
    unsigned unused = 64 - 8 * (unsigned)kind.bytes;

    bits <<= unused;
    return kind.is_signed ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
}

uint64_t typed_edge(struct typed_kind kind, int index)
{
    uint64_t sign = (uint64_t)1 << (8 * kind.bytes - 1);
    uint64_t middle = (uint64_t)1 << (4 * kind.bytes);
    const uint64_t edges[TYPED_EDGES] = {0, 1, middle, sign - 1, sign, UINT64_MAX};

    return widen(kind, edges[index]);
}

bool typed_compares(struct typed_kind kind, uint64_t left, int comparison, uint64_t right)
{
    bool is_less = kind.is_signed ? (int64_t)left < (int64_t)right : left < right;

    switch (comparison) {
    case SHMEM_CMP_EQ:
        return left == right;
    case SHMEM_CMP_NE:
        return left != right;
    case SHMEM_CMP_GT:
        return !is_less && left != right;
    case SHMEM_CMP_GE:
        return !is_less;
    case SHMEM_CMP_LT:
        return is_less;
    default:
        return is_less || left == right;
    }
}

/* False when no value ends the wait. */
static bool find_end(struct typed_kind kind, struct typed_wait *wait)
{
    wait->end = wait->start;
    for (int i = 0; i < TYPED_EDGES; i++) {
        if (typed_compares(kind, wait->end, wait->comparison, wait->bound))
            return true;
        wait->end = typed_edge(kind, i);
    }
    return typed_compares(kind, wait->end, wait->comparison, wait->bound);
}

size_t typed_waits(struct typed_kind kind, struct typed_wait out_waits[TYPED_MOST_WAITS])
{
    size_t count = 0;

    for (int i = 0; i < TYPED_MOST_WAITS; i++) {
        struct typed_wait wait = {
            .comparison = typed_comparisons[i / (TYPED_EDGES * TYPED_EDGES)],
            .start = typed_edge(kind, i % TYPED_EDGES),
            .bound = typed_edge(kind, i / TYPED_EDGES % TYPED_EDGES),
        };

        if (find_end(kind, &wait))
            out_waits[count++] = wait;
    }
    return count;
}
