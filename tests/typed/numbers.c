/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values fill the width of their type, as far as results stay exact: then it does not matter in
 * which order they were combined, and a computation in another type shows.
 */
#include "numbers.h"

#include <complex.h>
#include <string.h>

/* An element, or what becomes of several. */
struct number {
    uint64_t bits; /* integers: extended by their sign */
    long double re;
    long double im;
};

/* ---- elements ---- */

static uint64_t extend(const struct typed_numbers *numbers, uint64_t bits)
{
    unsigned unused = 64 - 8 * (unsigned)numbers->all.element_bytes;

    if (numbers->all.element_bytes >= sizeof bits) /* also those that are no integers */
        return bits;
    bits <<= unused;
    return numbers->class == TYPED_SIGNED ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
}

#define LOAD(type)                                                                                 \
    type value;                                                                                    \
    memcpy(&value, element, sizeof value)

static struct number load(const struct typed_numbers *numbers, const unsigned char *element)
{
    size_t bytes = numbers->all.element_bytes;
    struct number number = {0};

    if (numbers->class == TYPED_COMPLEX && bytes == sizeof(float _Complex)) {
        LOAD(float _Complex);
        number = (struct number){.re = crealf(value), .im = cimagf(value)};

    } else if (numbers->class == TYPED_COMPLEX) {
        LOAD(double _Complex);
        number = (struct number){.re = creal(value), .im = cimag(value)};

    } else if (numbers->class == TYPED_REAL && bytes == sizeof(float)) {

        LOAD(float);
        number.re = value;

    } else if (numbers->class == TYPED_REAL && bytes == sizeof(double)) {

        LOAD(double);
        number.re = value;

    } else if (numbers->class == TYPED_REAL) {

        LOAD(long double);
        number.re = value;
    } else {

        memcpy(&number.bits, element, bytes); /* its first bytes are the low ones */
        number.bits = extend(numbers, number.bits);
    }
    return number;
}

#define STORE(type, expression)                                                                    \
    type value = expression;                                                                       \
    memcpy(element, &value, sizeof value)

static void store(const struct typed_numbers *numbers, unsigned char *element,
                  const struct number *number)
{
    size_t bytes = numbers->all.element_bytes;

    if (numbers->class == TYPED_COMPLEX && bytes == sizeof(float _Complex)) {
        STORE(float _Complex, (float)number->re + (float)number->im * I);

    } else if (numbers->class == TYPED_COMPLEX) {
        STORE(double _Complex, (double)number->re + (double)number->im * I);

    } else if (numbers->class == TYPED_REAL && bytes == sizeof(float)) {

        STORE(float, (float)number->re);

    } else if (numbers->class == TYPED_REAL && bytes == sizeof(double)) {

        STORE(double, (double)number->re);

    } else if (numbers->class == TYPED_REAL) {

        STORE(long double, number->re);
    } else {

        memcpy(element, &number->bits, bytes);
    }
}

/* ---- the values of the sources ---- */

static uint64_t integer(enum typed_operation operation, uint64_t bits)
{
    switch (operation) {
    case TYPED_AND: /* most bits are set, so that some stay */
        return bits | typed_mix(bits);
    case TYPED_OR: /* few are */
        return bits & typed_mix(bits);
    case TYPED_PROD: /* odd ones never become 0 */
        return bits | 1;
    default:
        return bits;
    }
}

/* Bits of the significand of a part. */
static int digits(const struct typed_numbers *numbers)
{
    size_t bytes = numbers->all.element_bytes;

    if (numbers->class == TYPED_COMPLEX)
        bytes /= 2;
    return bytes == sizeof(float) ? 24 : bytes == sizeof(double) ? 53 : 64;
}

/* A number of so many bits and a sign, not 0, with some behind the point. */
static long double fraction(uint64_t bits, int digits)
{
    return (long double)((int64_t)bits >> (63 - digits) | 1) / 8;
}

/* Up to 16 values of sums, and 8 of products: one wide one in turn, and narrow ones. */
static long double part(const struct typed_numbers *numbers, uint64_t bits, bool is_wide)
{
    static const long double narrow[] = {1, 2, 3, -1, -2, -3};

    if (numbers->operation == TYPED_MIN || numbers->operation == TYPED_MAX)
        return fraction(bits, digits(numbers) - 1);
    if (numbers->operation == TYPED_SUM)
        return fraction(bits, digits(numbers) - 5);
    if (is_wide)
        return fraction(bits, digits(numbers) - 16);
    return narrow[bits % (numbers->class == TYPED_COMPLEX ? 2 : 6)];
}

static struct number value_of(const struct typed_numbers *numbers, int pe, size_t index)
{
    uint64_t bits = typed_mix(typed_bits(&numbers->all.call, pe, TYPED_OPERAND) + index);
    bool is_wide = (int)(index % (size_t)shmem_n_pes()) == pe;
    struct number number = {.bits = extend(numbers, integer(numbers->operation, bits))};

    number.re = part(numbers, bits, is_wide);
    if (numbers->class == TYPED_COMPLEX)
        number.im = part(numbers, typed_mix(bits), is_wide);
    return number;
}

void typed_set_numbers(const struct typed_numbers *numbers)
{
    for (size_t i = 0; i < numbers->all.count; i++) {
        struct number number = value_of(numbers, numbers->all.call.me, i);

        store(numbers, numbers->from + i * numbers->all.element_bytes, &number);
    }
}

/* ---- what becomes of them ---- */

static uint64_t combine_integers(const struct typed_numbers *numbers, uint64_t left, uint64_t right)
{
    bool is_less = numbers->class == TYPED_SIGNED ? (int64_t)left < (int64_t)right : left < right;

    switch (numbers->operation) {
    case TYPED_AND:
        return left & right;
    case TYPED_OR:
        return left | right;
    case TYPED_XOR:
        return left ^ right;
    case TYPED_MIN:
        return is_less ? left : right;
    case TYPED_MAX:
        return is_less ? right : left;
    case TYPED_SUM:
        return extend(numbers, left + right);
    default:
        return extend(numbers, left * right);
    }
}

static struct number combine(const struct typed_numbers *numbers, struct number left,
                             struct number right)
{
    bool is_less = left.re < right.re;

    if (numbers->class == TYPED_SIGNED || numbers->class == TYPED_UNSIGNED)
        return (struct number){.bits = combine_integers(numbers, left.bits, right.bits)};
    switch (numbers->operation) {
    case TYPED_MIN:
        return is_less ? left : right;
    case TYPED_MAX:
        return is_less ? right : left;
    case TYPED_SUM:
        return (struct number){.re = left.re + right.re, .im = left.im + right.im};
    default:
        return (struct number){.re = left.re * right.re - left.im * right.im,
                               .im = left.re * right.im + left.im * right.re};
    }
}

/* ---- checks ---- */

static void check_number(const struct typed_numbers *numbers, const char *what, size_t index,
                         struct number found, struct number expected)
{
    const struct typed_collective *all = &numbers->all;

    if (numbers->class == TYPED_SIGNED || numbers->class == TYPED_UNSIGNED)
        CHECK(found.bits == expected.bits, "%s of %s: %s[%zu] of %zu is 0x%llx, expected 0x%llx",
              all->call.called, all->group->name, what, index, all->count,
              (unsigned long long)found.bits, (unsigned long long)expected.bits);
    else
        CHECK(found.re == expected.re && found.im == expected.im,
              "%s of %s: %s[%zu] of %zu is %La%+Lai, expected %La%+Lai", all->call.called,
              all->group->name, what, index, all->count, found.re, found.im, expected.re,
              expected.im);
}

/* The element that the ranks below `end` have together. */
static struct number combine_ranks(const struct typed_numbers *numbers, int end, size_t index)
{
    struct number number = {0};

    for (int rank = 0; rank < end; rank++) {
        struct number next = value_of(numbers, typed_pe_of(numbers->all.group, rank), index);

        number = rank == 0 ? next : combine(numbers, number, next);
    }
    return number;
}

/* The integers of a number that has another class do not count. */
static void check_dest(const struct typed_numbers *numbers, int end)
{
    size_t bytes = numbers->all.element_bytes;

    for (size_t i = 0; i < numbers->all.count; i++)
        check_number(numbers, "dest", i, load(numbers, numbers->to + i * bytes),
                     combine_ranks(numbers, end, i));
}

static void check_source(const struct typed_numbers *numbers)
{
    size_t bytes = numbers->all.element_bytes;

    for (size_t i = 0; i < numbers->all.count; i++)
        check_number(numbers, "source", i, load(numbers, numbers->from + i * bytes),
                     value_of(numbers, numbers->all.call.me, i));
}

static void check(const struct typed_numbers *numbers, int end)
{
    const struct typed_collective *all = &numbers->all;
    size_t bytes = all->element_bytes;
    size_t to_bytes = all->group->rank >= 0 && numbers->to != numbers->from ? all->count : 0;

    if (all->group->rank >= 0)
        check_dest(numbers, end);
    if (all->group->rank < 0 || numbers->to != numbers->from)
        check_source(numbers);
    typed_check_rest(&all->call, TYPED_SHARED, TYPED_TO * bytes, (TYPED_TO + to_bytes) * bytes);
    typed_check_rest(&all->call, TYPED_SOURCE, TYPED_FROM * bytes,
                     (TYPED_FROM + all->count) * bytes);
}

void typed_check_reduce(const struct typed_numbers *numbers)
{
    check(numbers, numbers->all.group->size);
}

void typed_check_scan(const struct typed_numbers *numbers, bool is_inclusive)
{
    check(numbers, numbers->all.group->rank + (is_inclusive ? 1 : 0));
}
