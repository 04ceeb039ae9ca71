/* SPDX-License-Identifier: BSD-3-Clause */
#include "typed.h"

#include <string.h>

static _Alignas(16) unsigned char static_area[TYPED_AREA_BYTES];
static unsigned char *heap_area;
static unsigned calls;
static struct typed_context on;

uint64_t typed_mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

uint64_t typed_bits(const struct typed_call *call, int pe, enum typed_role role)
{
    return typed_mix(((uint64_t)call->number << 32) + ((uint64_t)role << 24) + (uint64_t)pe + 1);
}

void typed_fill(const struct typed_call *call, int pe, enum typed_role role, unsigned char *area)
{
    uint64_t bits = typed_bits(call, pe, role);

    for (size_t i = 0; i < TYPED_AREA_BYTES / sizeof bits; i++) {
        uint64_t word = typed_mix(bits + i);

        memcpy(area + i * sizeof word, &word, sizeof word);
    }
}

/* The function, and what it works on. */
static const char *describe(const char *function)
{
    static char text[200];

    if (on.name == NULL)
        return function;
    snprintf(text, sizeof text, "%s on %s", function, on.name);
    return text;
}

struct typed_call typed_prepare(const char *function)
{
    static _Alignas(16) unsigned char local_area[TYPED_AREA_BYTES];
    struct typed_call call = {.called = describe(function),
                              .number = ++calls,
                              .me = shmem_my_pe(),
                              .ctx = on.ctx,
                              .local = local_area};
    int n_pes = shmem_n_pes();
    int distance = n_pes == 1 ? 0 : 1 + (int)(call.number % (unsigned)(n_pes - 1));

    call.pe = (call.me + distance) % n_pes;
    call.caller = (call.me + n_pes - distance) % n_pes;
    call.target = on.is_reversed ? n_pes - 1 - call.pe : call.pe;
    call.shared = call.number % 2 == 0 ? heap_area : static_area;
    call.source = call.number % 2 == 0 ? static_area : heap_area;
    typed_fill(&call, call.me, TYPED_SHARED, call.shared);
    typed_fill(&call, call.me, TYPED_SOURCE, call.source);
    typed_fill(&call, call.me, TYPED_LOCAL, call.local);
    return call;
}

void typed_start(const struct typed_call *call)
{
    (void)call;
    shmem_barrier_all();
}

void typed_complete(const struct typed_call *call)
{
    if (on.name == NULL)
        shmem_quiet();
    else
        shmem_ctx_quiet(call->ctx);
}

void typed_finish(const struct typed_call *call)
{
    typed_complete(call);
    shmem_barrier_all();
}

/* Most significant byte first. */
static const char *hex(const unsigned char *bytes, size_t count, char text[33])
{
    for (size_t i = 0; i < count; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[count - 1 - i]);
    return text;
}

void typed_check_value(const struct typed_call *call, const char *what, const void *found,
                       const void *expected, size_t bytes)
{
    char texts[2][33];

    CHECK(memcmp(found, expected, bytes) == 0, "%s: %s is 0x%s, expected 0x%s", call->called, what,
          hex(found, bytes, texts[0]), hex(expected, bytes, texts[1]));
}

static unsigned char *area_of(const struct typed_call *call, enum typed_role role)
{
    return role == TYPED_SHARED ? call->shared : role == TYPED_SOURCE ? call->source : call->local;
}

void typed_check_area(const struct typed_call *call, enum typed_role role,
                      const unsigned char *expected)
{
    const char *what = role == TYPED_SHARED ? "shared" : role == TYPED_SOURCE ? "source" : "local";
    const unsigned char *found = area_of(call, role);

    for (size_t i = 0; i < TYPED_AREA_BYTES; i++)
        CHECK(found[i] == expected[i], "%s: byte %zu of the %s memory is %02x, expected %02x",
              call->called, i, what, found[i], expected[i]);
}

void typed_check_rest(const struct typed_call *call, enum typed_role role, size_t from, size_t to)
{
    unsigned char expected[TYPED_AREA_BYTES];

    typed_fill(call, call->me, role, expected);
    memcpy(expected + from, area_of(call, role) + from, to - from);
    typed_check_area(call, role, expected);
}

void typed_check_untouched(const struct typed_call *call, size_t from, size_t to)
{
    typed_check_rest(call, TYPED_LOCAL, 0, 0);
    typed_check_rest(call, TYPED_SHARED, from, to);
}

static void copy(const struct typed_shape *shape, size_t element_bytes, unsigned char *to,
                 const unsigned char *from)
{
    for (size_t i = 0; i < shape->count; i++)
        memcpy(to + ((ptrdiff_t)shape->to_first + (ptrdiff_t)i * shape->to_stride) *
                        (ptrdiff_t)element_bytes,
               from + ((ptrdiff_t)shape->from_first + (ptrdiff_t)i * shape->from_stride) *
                          (ptrdiff_t)element_bytes,
               shape->block * element_bytes);
}

void typed_check_put(const struct typed_call *call, const struct typed_shape *shape,
                     size_t element_bytes)
{
    unsigned char expected[TYPED_AREA_BYTES];
    unsigned char source[TYPED_AREA_BYTES];

    typed_check_rest(call, TYPED_LOCAL, 0, 0);
    typed_fill(call, call->me, TYPED_SHARED, expected);
    typed_fill(call, call->caller, TYPED_LOCAL, source);
    copy(shape, element_bytes, expected, source);
    typed_check_area(call, TYPED_SHARED, expected);
}

void typed_check_get(const struct typed_call *call, const struct typed_shape *shape,
                     size_t element_bytes)
{
    unsigned char expected[TYPED_AREA_BYTES];
    unsigned char source[TYPED_AREA_BYTES];

    typed_check_rest(call, TYPED_SHARED, 0, 0);
    typed_fill(call, call->me, TYPED_LOCAL, expected);
    typed_fill(call, call->pe, TYPED_SHARED, source);
    copy(shape, element_bytes, expected, source);
    typed_check_area(call, TYPED_LOCAL, expected);
}

void typed_run(void *heap_block, const struct typed_context *context)
{
    heap_area = heap_block;
    on = *context;
    for (const struct typed_family *family = typed_families; family->name != NULL; family++) {
        unsigned before = calls;

        family->run();
        CHECK(calls > before, "%s: no function was called", family->name);
    }
}
