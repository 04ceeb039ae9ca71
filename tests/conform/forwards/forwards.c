/* SPDX-License-Identifier: BSD-3-Clause */
#include "forwards.h"

static void check_pointer(const char *what, const void *given, const void *expected)
{
    if (given != expected)
        fail_msg("%s gave %p as %s, expected %p", one_pe_call, given, what, expected);
}

static void check_number(const char *what, long long given, long long expected)
{
    if (given != expected)
        fail_msg("%s gave %lld as %s, expected %lld", one_pe_call, given, what, expected);
}

#define POINTER(member) check_pointer(#member, given->member, expected->member)
#define NUMBER(member) check_number(#member, (long long)given->member, expected->member)
#define SIZE(member) check_number(#member, (long long)given->member, (long long)expected->member)

static void check_team_settings(const struct one_pe_given *expected)
{
    const struct one_pe_given *given = &one_pe_given;

    NUMBER(triplet.start);
    NUMBER(triplet.stride);
    NUMBER(triplet.size);
    POINTER(settings[0].config);
    NUMBER(settings[0].mask);
    POINTER(settings[0].team);
    POINTER(settings[1].config);
    NUMBER(settings[1].mask);
    POINTER(settings[1].team);
}

static void check_arrays(const struct one_pe_given *expected)
{
    const struct one_pe_given *given = &one_pe_given;

    NUMBER(set.start);
    NUMBER(set.log_stride);
    NUMBER(set.size);
    POINTER(set.sync);
    POINTER(alltoalls.dest);
    POINTER(alltoalls.source);
    NUMBER(alltoalls.dest_stride);
    NUMBER(alltoalls.source_stride);
    SIZE(alltoalls.count);
    SIZE(alltoalls.element_bytes);
    POINTER(reduce.dest);
    POINTER(reduce.source);
    SIZE(reduce.count);
    NUMBER(reduce.reduction);
    NUMBER(reduce.element);
    NUMBER(is_inclusive);
}

void check_given(const struct one_pe_given *expected)
{
    const struct one_pe_given *given = &one_pe_given;

    POINTER(team);
    POINTER(other_team);
    POINTER(ctx);
    POINTER(dest);
    POINTER(source);
    SIZE(bytes);
    NUMBER(pe);
    NUMBER(options);
    NUMBER(mask);
    check_team_settings(expected);
    check_arrays(expected);
}

void check_pe(shmem_ctx_t ctx, int pe)
{
    struct one_pe_context translated = one_pe_context;

    one_pe_context = (struct one_pe_context){NULL, SHMEM_CTX_INVALID, 0};
    check_pointer("context", translated.ctx, ctx);
    if (ctx == SHMEM_CTX_INVALID) {
        check_number("PE", one_pe_number, pe);
        return;
    }
    assert_string_equal(translated.call, one_pe_call);
    check_number("PE in the context", translated.pe, pe);
    check_number("PE", one_pe_number, pe + 1000 * (int)(uintptr_t)ctx);
}

void check_waits(const struct one_pe_waits *expected)
{
    const struct one_pe_waits *given = &one_pe_waits;

    if (given->argument != NULL || expected->argument != NULL)
        assert_string_equal(given->argument, expected->argument);
    POINTER(word.word);
    SIZE(word.value);
    NUMBER(word.kind);
    NUMBER(word.comparison);
    POINTER(words.words);
    SIZE(words.count);
    POINTER(words.status);
    POINTER(words.values);
    SIZE(words.value);
    NUMBER(words.kind);
    NUMBER(words.comparison);
    NUMBER(words.has_values);
    POINTER(indices);
    POINTER(put.dest);
    POINTER(put.source);
    SIZE(put.nelems);
    SIZE(put.element_bytes);
    POINTER(put.sig_addr);
    SIZE(put.signal_bytes);
    SIZE(put.signal);
    NUMBER(put.sig_op);
}
