/* SPDX-License-Identifier: BSD-3-Clause */
#include "one_pe.h"

#include "aclshmem/given.h"
#include "openshmem/given.h"

const char *one_pe_call = "";
const char *one_pe_face = "";
long one_pe_number;
struct one_pe_given one_pe_given;
struct one_pe_context one_pe_context;
struct one_pe_aclshmem one_pe_aclshmem;
struct one_pe_waits one_pe_waits;

/* Names of the functions that have called a face function. */
enum { MOST_NAMES = 1 << 13 };

static const char *names[MOST_NAMES];

/* Where the name is, or the free place where it belongs. */
static const char **place_of(const char *name)
{
    uint32_t hash = 2166136261u;

    for (const char *letter = name; *letter != '\0'; letter++)
        hash = (hash ^ (unsigned char)*letter) * 16777619u;
    while (names[hash % MOST_NAMES] != NULL && strcmp(names[hash % MOST_NAMES], name) != 0)
        hash++;
    return &names[hash % MOST_NAMES];
}

void one_pe_record(const char *call, const char *face)
{
    one_pe_call = call;
    one_pe_face = face;
    memset(&one_pe_given, 0, sizeof one_pe_given);
    memset(&one_pe_aclshmem, 0, sizeof one_pe_aclshmem);
    memset(&one_pe_waits, 0, sizeof one_pe_waits);
    *place_of(call) = call;
}

bool one_pe_has_called(const char *name)
{
    return *place_of(name) != NULL;
}
