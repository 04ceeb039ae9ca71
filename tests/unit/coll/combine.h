/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of reductions and scans by members of groups, compared with the reference. */
#ifndef SHM_TEST_COLL_COMBINE_H
#define SHM_TEST_COLL_COMBINE_H

#include "base/cleanup.h"
#include "coll/reduce_kernel.h"
#include "members.h"
#include "reference.h"

enum operation { REDUCE, EXCLUSIVE_SCAN, INCLUSIVE_SCAN };

/* What is called. */
struct sample {
    enum operation operation;
    enum shm_reduction reduction;
    enum shm_element element;
    size_t count;
    bool is_in_place;
};

/* Where dest and source begin: not always at a cache line, and the same on all members. */
static inline unsigned char *dest_of(const struct member *member, const struct sample *sample)
{
    return member->dest + member->round % 7 * shm_element_bytes(sample->element);
}

static inline unsigned char *source_of(const struct member *member, const struct sample *sample)
{
    if (sample->is_in_place)
        return dest_of(member, sample);
    return member->source + member->round % 5 * shm_element_bytes(sample->element);
}

static inline enum shm_status combine(struct member *member, const struct sample *sample)
{
    struct shm_reduce reduce = {.dest = dest_of(member, sample),
                                .source = source_of(member, sample),
                                .count = sample->count,
                                .reduction = sample->reduction,
                                .element = sample->element};

    if (sample->count == 0)
        reduce.dest = NULL, reduce.source = NULL;
    if (sample->operation == REDUCE)
        return shm_reduce(&member->collective, &reduce);
    return shm_scan(&member->collective, &reduce, sample->operation == INCLUSIVE_SCAN);
}

/* What a rank has as its source in the present round. */
static inline void fill_source(const struct member *member, const struct sample *sample, int rank,
                               void *array)
{
    fill_awkward(sample->element, array, sample->count, seed_of(member, rank));
}

static inline void fill_expected(const struct member *member, const struct sample *sample,
                                 void *expected, void *scratch)
{
    int ranks = member->size;

    if (sample->operation != REDUCE)
        ranks = member->rank + (sample->operation == INCLUSIVE_SCAN);
    if (ranks == 0)
        memset(expected, 0, sample->count * shm_element_bytes(sample->element));
    else
        fill_source(member, sample, 0, expected);
    for (int rank = 1; rank < ranks; rank++) {
        fill_source(member, sample, rank, scratch);
        reference_combine(sample->reduction, sample->element, expected, scratch, sample->count);
    }
}

static inline void fail_sample(struct member *member, const struct sample *sample, const char *what)
{
    thread_job_fail(member->self,
                    "%s: rank %d of %d PEs from %d by %d (%s), operation %d: %s of %zu %s%s", what,
                    member->rank, member->size, member->group.start, member->group.stride,
                    member->group.slot == SHM_SLOT_NONE ? "words" : "slot", (int)sample->operation,
                    shm_reduction_name(sample->reduction), sample->count,
                    shm_element_name(sample->element), sample->is_in_place ? " in place" : "");
}

static inline bool is_untouched(const unsigned char *bytes)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (bytes[i] != UNTOUCHED)
            return false;
    }
    return true;
}

/* One call with everything around it. No barrier between calls but those of the calls. */
static inline void check_sample(struct member *member, const struct sample *sample)
{
    size_t bytes = sample->count * shm_element_bytes(sample->element);
    auto_free unsigned char *expected = malloc(bytes + 1);
    auto_free unsigned char *scratch = malloc(bytes + 1);
    unsigned char *dest, *source;

    if (expected == NULL || scratch == NULL)
        abort();
    member->round++;
    dest = dest_of(member, sample);
    source = source_of(member, sample);
    memset(dest - GUARD, UNTOUCHED, bytes + 2 * (size_t)GUARD);
    fill_source(member, sample, member->rank, source);
    if (combine(member, sample) != SHM_OK)
        fail_sample(member, sample, shm_error_detail());
    fill_expected(member, sample, expected, scratch);
    if (!is_same(sample->element, dest, expected, sample->count))
        fail_sample(member, sample, "dest is wrong");
    if (!is_untouched(dest - GUARD) || !is_untouched(dest + bytes))
        fail_sample(member, sample, "bytes beside dest were written");
    fill_source(member, sample, member->rank, scratch);
    if (!sample->is_in_place && !is_same(sample->element, source, scratch, sample->count))
        fail_sample(member, sample, "source was written");
}

/* All legal reductions and elements. */
static inline void check_all_kinds(struct member *member, enum operation operation, size_t count)
{
    struct sample sample = {.operation = operation, .count = count};

    for (int reduction = 0; reduction < SHM_REDUCTIONS; reduction++) {
        for (int element = 0; element < SHM_ELEMENTS; element++) {
            sample.reduction = (enum shm_reduction)reduction;
            sample.element = (enum shm_element)element;
            sample.is_in_place = member->round % 3 == 0;
            if (is_legal(sample.reduction, sample.element))
                check_sample(member, &sample);
        }
    }
}

/* Calls of changing sizes around the limits, with nothing between them. */
static inline void check_rounds(struct member *member, enum operation operation, unsigned rounds)
{
    static const size_t counts[] = {1, 128, 129, 0, 3000, 40};
    struct sample sample = {.operation = operation, .reduction = SHM_REDUCE_SUM};

    for (unsigned i = 0; i < rounds; i++) {
        sample.count = counts[i % LENGTH(counts)];
        sample.element = i % 5 == 0 ? SHM_ELEMENT_I32 : SHM_ELEMENT_F64;
        sample.is_in_place = i % 4 == 1;
        check_sample(member, &sample);
    }
    check_words(member);
}

#endif
