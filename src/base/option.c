/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/option.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"

/* "12.34": where its two runs of digits are, and what follows. */
struct decimal {
    const char *whole;
    size_t whole_digits;
    const char *fraction;
    size_t fraction_digits;
    const char *rest;
};

/* false when there is not a single digit. Independent of the locale, unlike strtod(). */
static bool split_decimal(const char *text, struct decimal *out_decimal)
{
    struct decimal parts = {.whole = text, .whole_digits = strspn(text, DIGITS)};

    parts.rest = text + parts.whole_digits;
    parts.fraction = parts.rest;
    if (*parts.rest == '.') {
        parts.fraction++;
        parts.fraction_digits = strspn(parts.fraction, DIGITS);
        parts.rest = parts.fraction + parts.fraction_digits;
    }
    if (parts.whole_digits + parts.fraction_digits == 0)
        return false;
    *out_decimal = parts;
    return true;
}

/* false when the number is above `most`. */
static bool read_digits(const char *digits, size_t count, uint64_t most, uint64_t *out_value)
{
    uint64_t value = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t digit = (uint64_t)(digits[i] - '0');

        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out_value = value;
    return true;
}

/* 0.fraction * 2^shift, rounded up. Exact: nested divisions round down like one division, and
   the product is a whole number only if no step leaves a remainder. */
static uint64_t scale_fraction(const struct decimal *decimal, unsigned shift)
{
    uint64_t scaled = 0;
    bool has_remainder = false;

    for (size_t i = decimal->fraction_digits; i-- > 0;) {
        scaled += (uint64_t)(decimal->fraction[i] - '0') << shift;
        has_remainder |= scaled % 10 != 0;
        scaled /= 10;
    }
    return scaled + has_remainder;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* false when `suffix` is neither empty nor letters of which the first one is known. */
static bool read_suffix(const char *suffix, unsigned *out_shift)
{
    static const char units[] = "kKmMgGtT";
    const char *unit;

    if (*suffix == '\0') {
        *out_shift = 0;
        return true;
    }
    unit = strchr(units, *suffix);
    if (unit == NULL)
        return false;
    while (is_letter(*suffix))
        suffix++;
    *out_shift = 10 * ((unsigned)(unit - units) / 2 + 1);
    return *suffix == '\0';
}

enum shm_status shm_parse_bytes(const char *text, uint64_t *out_bytes)
{
    struct decimal decimal;
    unsigned shift = 0;
    uint64_t whole = 0;
    uint64_t fraction;

    if (!split_decimal(text, &decimal) || !read_suffix(decimal.rest, &shift))
        return shm_fail(SHM_INVALID_VALUE,
                        "\"%.80s\" is not a size; expected a number of bytes such as 4096, or one "
                        "with a suffix such as 512k, 1.5m, 2g or 1t",
                        text);
    fraction = scale_fraction(&decimal, shift);
    if (!read_digits(decimal.whole, decimal.whole_digits, INT64_MAX >> shift, &whole) ||
        (whole << shift) > INT64_MAX - fraction)
        return shm_fail(SHM_INVALID_VALUE,
                        "\"%.80s\" is too large for a size; expected at most 2^63 - 1 bytes", text);
    *out_bytes = (whole << shift) + fraction;
    return SHM_OK;
}

/* false when `text` is no decimal integer of 64 bits. */
static bool read_integer(const char *text, int64_t *out_value)
{
    bool is_negative = *text == '-';
    size_t count;
    uint64_t value = 0;

    text += is_negative;
    count = strspn(text, DIGITS);
    if (count == 0 || text[count] != '\0' ||
        !read_digits(text, count, (uint64_t)INT64_MAX + is_negative, &value))
        return false;
    *out_value = (int64_t)(is_negative ? 0 - value : value);
    return true;
}

enum shm_status shm_parse_integer(const char *text, int64_t least, int64_t most, int64_t *out_value)
{
    int64_t value = 0;

    if (!read_integer(text, &value) || value < least || value > most)
        return shm_fail(SHM_INVALID_VALUE, "\"%.80s\"; expected a whole number, %lld to %lld", text,
                        (long long)least, (long long)most);
    *out_value = value;
    return SHM_OK;
}

/* false when `text` is no plain decimal number. */
static bool read_seconds(const char *text, double *out_seconds)
{
    struct decimal decimal;
    uint64_t whole = 0;
    double seconds = 0;

    if (!split_decimal(text, &decimal) || *decimal.rest != '\0' ||
        !read_digits(decimal.whole, decimal.whole_digits, INT64_MAX, &whole))
        return false;
    for (size_t i = decimal.fraction_digits; i-- > 0;)
        seconds = (seconds + (decimal.fraction[i] - '0')) / 10;
    *out_seconds = seconds + (double)whole;
    return true;
}

enum shm_status shm_parse_seconds(const char *text, double least, double most, double *out_seconds)
{
    double seconds = 0;

    if (!read_seconds(text, &seconds) || seconds < least || seconds > most)
        return shm_fail(SHM_INVALID_VALUE,
                        "\"%.80s\"; expected seconds, fractions allowed, %.15g to %.15g", text,
                        least, most);
    *out_seconds = seconds;
    return SHM_OK;
}

/* ---- the table ---- */

union value {
    bool flag;
    uint64_t bytes;
    double seconds;
    int64_t number;
    const char *text;
    int choice;
};

static bool parse_flag(const char *text)
{
    static const char *const off_words[] = {"", "0", "no", "off", "false"};

    for (size_t i = 0; i < sizeof off_words / sizeof off_words[0]; i++)
        if (strcasecmp(text, off_words[i]) == 0)
            return false;
    return true;
}

static enum shm_status parse_bytes_option(const struct shm_option *option, const char *text,
                                          uint64_t *out_bytes)
{
    uint64_t bytes = 0;
    enum shm_status status = shm_parse_bytes(text, &bytes);

    if (status != SHM_OK)
        return status;
    if ((double)bytes < option->least || (double)bytes > option->most)
        return shm_fail(SHM_INVALID_VALUE, "\"%.80s\"; expected a size of %.15g to %.15g bytes",
                        text, option->least, option->most);
    *out_bytes = bytes;
    return SHM_OK;
}

static enum shm_status parse_choice(const char *choices, const char *text, int *out_choice)
{
    size_t text_bytes = strlen(text);
    const char *word = choices;

    for (int i = 0;; i++) {
        size_t word_bytes = strcspn(word, "|");

        if (word_bytes == text_bytes && strncasecmp(word, text, text_bytes) == 0) {
            *out_choice = i;
            return SHM_OK;
        }
        if (word[word_bytes] == '\0')
            return shm_fail(SHM_INVALID_VALUE, "\"%.80s\"; expected one of %s", text, choices);
        word += word_bytes + 1;
    }
}

/* A double holds whole numbers up to 2^53; a range beyond that means the type's own. */
static int64_t integer_limit(double limit)
{
    if (limit >= 0x1p63)
        return INT64_MAX;
    return limit <= -0x1p63 ? INT64_MIN : (int64_t)limit;
}

static enum shm_status parse_value(const struct shm_option *option, const char *text,
                                   union value *out_value)
{
    switch (option->kind) {
    case SHM_OPTION_FLAG:
        out_value->flag = parse_flag(text);
        return SHM_OK;
    case SHM_OPTION_BYTES:
        return parse_bytes_option(option, text, &out_value->bytes);
    case SHM_OPTION_SECONDS:
        return shm_parse_seconds(text, option->least, option->most, &out_value->seconds);
    case SHM_OPTION_NUMBER:
        return shm_parse_integer(text, integer_limit(option->least), integer_limit(option->most),
                                 &out_value->number);
    case SHM_OPTION_TEXT:
        out_value->text = text;
        return SHM_OK;
    case SHM_OPTION_CHOICE:
        return parse_choice(option->choices, text, &out_value->choice);
    }
    return shm_fail(SHM_INNER_ERROR, "unknown kind %d of option", (int)option->kind);
}

static size_t value_bytes(enum shm_option_kind kind)
{
    switch (kind) {
    case SHM_OPTION_FLAG:
        return sizeof(bool);
    case SHM_OPTION_CHOICE:
        return sizeof(int);
    case SHM_OPTION_TEXT:
        return sizeof(const char *);
    case SHM_OPTION_BYTES:
    case SHM_OPTION_SECONDS:
    case SHM_OPTION_NUMBER:
        break;
    }
    return sizeof(uint64_t);
}

/* The variable that holds the setting; its main name when none does. */
static const char *set_name(const struct shm_option *option)
{
    bool is_old = getenv(option->name) == NULL && option->old_name != NULL &&
                  getenv(option->old_name) != NULL;

    return is_old ? option->old_name : option->name;
}

const char *shm_option_setting(const struct shm_option *option)
{
    return getenv(set_name(option));
}

static enum shm_status read_option(const struct shm_option *option, union value *out_value)
{
    char reason[SHM_DETAIL_BYTES];
    const char *text = shm_option_setting(option);
    enum shm_status status;

    if (text == NULL)
        text = option->default_text;
    if (text == NULL) {
        memset(out_value, 0, sizeof *out_value);
        return SHM_OK;
    }
    status = parse_value(option, text, out_value);
    if (status == SHM_OK)
        return SHM_OK;
    memcpy(reason, shm_error_detail(), strlen(shm_error_detail()) + 1);
    return shm_fail(status, "%s: %s", set_name(option), reason);
}

enum shm_status shm_options_read(const struct shm_option *table, size_t count, void *values)
{
    union value value;

    for (size_t i = 0; i < count; i++) {
        enum shm_status status = read_option(&table[i], &value);

        if (status != SHM_OK)
            return status;
    }
    /* all are good: only now touch the caller's struct */
    for (size_t i = 0; i < count; i++)
        if (read_option(&table[i], &value) == SHM_OK)
            memcpy((char *)values + table[i].offset, &value, value_bytes(table[i].kind));
    return SHM_OK;
}
