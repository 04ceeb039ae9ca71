/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, and collectives one behind the other without anything between them. */
#include "litmus.h"

#include <string.h>

enum { STEPS = 20, MOST_WORDS = 160 };

/* ---- barriers ---- */

static void meet(uint32_t kind)
{
    if (kind == 0)
        shmem_barrier_all();
    else if (kind == 1)
        shmem_sync_all(); /* orders as well: memory is reached by load and store */
    else
        shmem_team_sync(SHMEM_TEAM_WORLD);
}

static void tell(long *word, long value, int pe)
{
    switch (random_below(4)) {
    case 0:
        shmem_long_put(word, &value, 1, pe);
        break;
    case 1:
        shmem_long_put_nbi(word, &value, 1, pe);
        shmem_quiet();
        break;
    case 2:
        shmem_long_atomic_set(word, value, pe);
        break;
    default:
        shmem_long_p(word, value, pe);
    }
}

/* Two sets of words by turns: nobody writes the next ones before all have entered the barrier
 * behind which the last ones were read. */
void meet_in_barriers(long round)
{
    static long words[2][LITMUS_MAX_PES];
    int me = shmem_my_pe();
    int n_pes = shmem_n_pes();

    for (long i = 0; i < STEPS; i++) {
        long step = round * STEPS + i;
        long *set = words[step % 2];
        int other = (int)random_below((uint32_t)n_pes);

        for (int pe = 0; pe < n_pes; pe++)
            tell(&set[me], step, (pe + me) % n_pes);
        dawdle();
        meet(agreed_below(3, round, i));
        for (int pe = 0; pe < n_pes; pe++) {
            if (set[pe] != step)
                violation("step %ld: the word of PE %d is %ld instead of %ld", i, pe, set[pe],
                          step);
        }
        if (shmem_long_g(&set[me], other) != step)
            violation("step %ld: the word on PE %d is not %ld", i, other, step);
    }
}

/* ---- collectives ---- */

/* Each has a dest of its own in turn, so that only the library's buffers are in common. */
static long dests[4][LITMUS_MAX_PES * MOST_WORDS];
static long source[LITMUS_MAX_PES * MOST_WORDS];

struct step {
    long value; /* that PE 0 contributes; PE p adds p */
    size_t words;
    int root;
    long *dest;
    const char *name;
};

static void fill(const struct step *step, size_t words)
{
    for (size_t i = 0; i < words; i++)
        source[i] = step->value + shmem_my_pe();
}

static void expect(const struct step *step, size_t at, long expected)
{
    if (step->dest[at] != expected)
        violation("%s of %zu words, root %d: word %zu is %ld instead of %ld", step->name,
                  step->words, step->root, at, step->dest[at], expected);
}

static void broadcast(struct step *step)
{
    step->name = "broadcast";
    fill(step, step->words);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, step->dest, source, step->words, step->root);
    for (size_t i = 0; i < step->words; i++)
        expect(step, i, step->value + step->root);
}

static void sum(struct step *step)
{
    long n_pes = shmem_n_pes();

    step->name = "sum";
    fill(step, step->words);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, step->dest, source, step->words);
    for (size_t i = 0; i < step->words; i++)
        expect(step, i, step->value * n_pes + n_pes * (n_pes - 1) / 2);
}

static void fcollect(struct step *step)
{
    step->name = "fcollect";
    fill(step, step->words);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, step->dest, source, step->words);
    for (size_t i = 0; i < step->words * (size_t)shmem_n_pes(); i++)
        expect(step, i, step->value + (long)(i / step->words));
}

/* PE p contributes p % 3 words. */
static void collect(struct step *step)
{
    size_t at = 0;

    step->name = "collect";
    fill(step, 2);
    shmem_long_collect(SHMEM_TEAM_WORLD, step->dest, source, (size_t)shmem_my_pe() % 3);
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        for (int i = 0; i < pe % 3; i++)
            expect(step, at++, step->value + pe);
    }
}

static void alltoall(struct step *step)
{
    size_t all = step->words * (size_t)shmem_n_pes();

    step->name = "alltoall";
    for (size_t i = 0; i < all; i++)
        source[i] = step->value + shmem_my_pe() + 1000 * (long)(i / step->words);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, step->dest, source, step->words);
    for (size_t i = 0; i < all; i++)
        expect(step, i, step->value + (long)(i / step->words) + 1000 * shmem_my_pe());
}

void meet_in_collectives(long round)
{
    static void (*const kinds[])(struct step * step) = {broadcast, sum, fcollect, collect,
                                                        alltoall};

    for (long i = 0; i < STEPS; i++) {
        struct step step = {.value = round * 100000 + i * 100,
                            .words = 1 + agreed_below(8, round, i + 1000),
                            .root = (int)agreed_below((uint32_t)shmem_n_pes(), round, i + 2000),
                            .dest = dests[i % 4]};

        if (agreed_below(8, round, i + 3000) == 0)
            step.words = MOST_WORDS; /* too large for an exchange buffer */
        dawdle();
        kinds[agreed_below(sizeof kinds / sizeof *kinds, round, i + 4000)](&step);
    }
}
