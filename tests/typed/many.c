/* SPDX-License-Identifier: BSD-3-Clause */
#include "many.h"

const int typed_leave_out[TYPED_WORDS] = {1, -1, 256, 1, 1 << 30, 1};

/* Leaves out nothing without and with a mask, every second word, and all but two. */
static void set_mask(struct typed_many *many, size_t number)
{
    static const int left_out[] = {1, -7, 256, 1 << 31};

    many->mask = number % TYPED_MASKS == 0 ? NULL : many->status;
    for (size_t w = 0; w < TYPED_WORDS; w++) {
        bool is_in = number % TYPED_MASKS < 2 ||
                     (number % TYPED_MASKS == 2 ? (number / TYPED_MASKS + w) % 2 == 0
                                                : (number / TYPED_MASKS + w) % TYPED_WORDS < 2);

        many->status[w] = is_in ? 0 : left_out[(number + w) % 4];
    }
}

static bool holds(const struct typed_many *many, size_t word, uint64_t value)
{
    return typed_compares(many->kind, value, many->comparison, many->bounds[word]);
}

/* The first edge from number `from` on that compares so with the bound; false if none does. */
static bool find_edge(const struct typed_many *many, size_t word, size_t from, bool is_held,
                      uint64_t *out_edge)
{
    for (size_t i = 0; i < TYPED_EDGES; i++) {
        *out_edge = typed_edge(many->kind, (int)((from + i) % TYPED_EDGES));
        if (holds(many, word, *out_edge) == is_held)
            return true;
    }
    return false;
}

/* A bound that can be kept and broken, a value that keeps it and one that breaks it. */
static void set_word(struct typed_many *many, size_t word, size_t edge, size_t number)
{
    do
        many->bounds[word] = typed_edge(many->kind, (int)(edge++ % TYPED_EDGES));
    while (!find_edge(many, word, number + word, false, &many->start[word]) ||
           !find_edge(many, word, number + 2 * word, true, &many->end[word]));
}

/* Words that the wait is not about would give another result. */
static void set_starts(struct typed_many *many)
{
    for (size_t w = 0; w < TYPED_WORDS; w++) {
        bool is_last = w == many->last[0] || (many->purpose == TYPED_SOME && w == many->last[1]);
        bool is_in = many->status[w] == 0;

        if (!is_last && is_in == (many->purpose == TYPED_ALL))
            many->start[w] = many->end[w];
    }
}

void typed_wait_of(struct typed_many *many, size_t number, bool is_vector)
{
    size_t in[TYPED_WORDS];
    size_t count = 0;

    many->comparison = typed_comparisons[number / TYPED_EDGES];
    set_mask(many, number);
    for (size_t w = 0; w < TYPED_WORDS; w++) {
        set_word(many, w, number % TYPED_EDGES + (is_vector ? w : 0), number);
        if (many->status[w] == 0)
            in[count++] = w;
    }
    many->last[0] = in[number % count];
    many->last[1] = in[(number + 1) % count];
    set_starts(many);
}

void typed_test_of(struct typed_many *many, size_t number, bool is_vector)
{
    size_t bound = number / TYPED_MASKS;

    many->comparison = typed_comparisons[bound / TYPED_EDGES];
    set_mask(many, number);
    for (size_t w = 0; w < TYPED_WORDS; w++) {
        many->end[w] = typed_edge(many->kind, (int)w);
        many->bounds[w] =
            typed_edge(many->kind, (int)((bound + (is_vector ? w : 0)) % TYPED_EDGES));
    }
}

/* ---- waits ---- */

/* Another value would be one from before the wait ended, or of another word. */
static void check_word(const struct typed_many *many, size_t word, uint64_t now, uint64_t expected)
{
    CHECK(now == expected,
          "%s: word %zu is 0x%llx, expected 0x%llx; comparison %d with 0x%llx, status %d",
          many->call->called, word, (unsigned long long)now, (unsigned long long)expected,
          many->comparison, (unsigned long long)many->bounds[word], many->status[word]);
}

void typed_check_waited_all(const struct typed_many *many, const uint64_t now[TYPED_WORDS])
{
    for (size_t w = 0; w < TYPED_WORDS; w++)
        check_word(many, w, now[w], many->status[w] == 0 ? many->end[w] : many->start[w]);
}

void typed_check_waited_any(const struct typed_many *many, const uint64_t now[TYPED_WORDS],
                            size_t index)
{
    CHECK(index == many->last[0], "%s: %zu, expected word %zu", many->call->called, index,
          many->last[0]);
    for (size_t w = 0; w < TYPED_WORDS; w++)
        check_word(many, w, now[w], w == index ? many->end[w] : many->start[w]);
}

void typed_check_waited_some(const struct typed_many *many, const uint64_t now[TYPED_WORDS],
                             const size_t *indices, size_t count)
{
    CHECK(count == 1 || count == 2, "%s: %zu words, expected 1 or 2", many->call->called, count);
    CHECK(count == 1 || indices[0] != indices[1], "%s: word %zu twice", many->call->called,
          indices[0]);
    for (size_t i = 0; i < count; i++) {
        CHECK(indices[i] == many->last[0] || indices[i] == many->last[1],
              "%s: word %zu, expected %zu or %zu", many->call->called, indices[i], many->last[0],
              many->last[1]);
        check_word(many, indices[i], now[indices[i]], many->end[indices[i]]);
    }
}

/* ---- tests ---- */

static size_t count_holding(const struct typed_many *many, bool is_held)
{
    size_t count = 0;

    for (size_t w = 0; w < TYPED_WORDS; w++)
        count += many->status[w] == 0 && holds(many, w, many->end[w]) == is_held;
    return count;
}

static void check_found(const struct typed_many *many, size_t index)
{
    CHECK(index < TYPED_WORDS, "%s: word %zu of %d", many->call->called, index, TYPED_WORDS);
    CHECK(many->status[index] == 0, "%s: word %zu, which was left out", many->call->called, index);
    CHECK(holds(many, index, many->end[index]), "%s: word %zu, 0x%llx; comparison %d with 0x%llx",
          many->call->called, index, (unsigned long long)many->end[index], many->comparison,
          (unsigned long long)many->bounds[index]);
}

void typed_check_tested_all(const struct typed_many *many, int result)
{
    int expected = count_holding(many, false) == 0;

    CHECK(result == expected, "%s: %d, expected %d; comparison %d with 0x%llx and others",
          many->call->called, result, expected, many->comparison,
          (unsigned long long)many->bounds[0]);
}

void typed_check_tested_any(const struct typed_many *many, size_t index)
{
    if (count_holding(many, true) > 0)
        check_found(many, index);
    else
        CHECK(index == SIZE_MAX, "%s: word %zu, expected none", many->call->called, index);
}

void typed_check_tested_some(const struct typed_many *many, const size_t *indices, size_t count)
{
    size_t expected = count_holding(many, true);

    CHECK(count == expected, "%s: %zu words, expected %zu; comparison %d with 0x%llx and others",
          many->call->called, count, expected, many->comparison,
          (unsigned long long)many->bounds[0]);
    for (size_t i = 0; i < count; i++) {
        check_found(many, indices[i]);
        for (size_t before = 0; before < i; before++)
            CHECK(indices[before] != indices[i], "%s: word %zu twice", many->call->called,
                  indices[i]);
    }
}
