/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_internal.h"

#include "reduce_kernel.h"

#include <stdio.h>
#include <string.h>

#define FIELDS (sizeof(struct shm_coll_record) / sizeof(uint64_t))
#define TEXT_BYTES 64

/* The fields of a record by number, in the order in which they are compared. */
enum field { KIND, COUNT, DETAIL, DEST, SOURCE, DEST_STRIDE, SOURCE_STRIDE };

_Static_assert(offsetof(struct shm_coll_record, source_stride) == SOURCE_STRIDE * sizeof(uint64_t),
               "a record consists of words in this order");

static uint64_t field_of(const struct shm_coll_record *record, size_t field)
{
    uint64_t words[FIELDS];

    memcpy(words, record, sizeof words);
    return words[field];
}

static bool is_reduction(const struct shm_coll_record *record)
{
    return record->kind == SHM_COLL_REDUCE || record->kind == SHM_COLL_SCAN;
}

static bool counts_elements(const struct shm_coll_record *record)
{
    return is_reduction(record) || record->kind == SHM_COLL_ALLTOALLS;
}

/* As the prototypes name them. */
static const char *field_name(const struct shm_coll_record *record, size_t field)
{
    static const char *const names[] = {"the kind of collective",
                                        "nelems",
                                        "the bytes of an element",
                                        "dest",
                                        "source",
                                        "dst",
                                        "sst",
                                        "the call"};

    if (field == COUNT && record->kind == SHM_COLL_REDUCE)
        return "nreduce";
    if (field == COUNT && !counts_elements(record))
        return "nelems, in bytes";
    if (field == DETAIL && is_reduction(record))
        return "the operation";
    if (field == DETAIL && record->kind == SHM_COLL_BROADCAST)
        return "PE_root";
    return names[field];
}

static void write_offset(char text[TEXT_BYTES], uint64_t offset)
{
    if (offset == SHM_COLL_OFFSET_NONE)
        snprintf(text, TEXT_BYTES, "no symmetric address");
    else if (offset >= SHM_COLL_OFFSET_STATIC)
        snprintf(text, TEXT_BYTES, "static data + %llu",
                 (unsigned long long)(offset - SHM_COLL_OFFSET_STATIC));
    else
        snprintf(text, TEXT_BYTES, "heap + %llu", (unsigned long long)offset);
}

static void write_operation(char text[TEXT_BYTES], const struct shm_coll_record *record)
{
    static const char *const scans[] = {"exclusive ", "inclusive "};
    uint64_t detail = record->detail;

    snprintf(text, TEXT_BYTES, "%s%s of %s",
             record->kind == SHM_COLL_SCAN ? scans[detail >> 16 & 1] : "",
             shm_reduction_name((enum shm_reduction)(detail >> 8 & 0xff)),
             shm_element_name((enum shm_element)(detail & 0xff)));
}

static void write_field(char text[TEXT_BYTES], const struct shm_coll_record *record, size_t field)
{
    uint64_t value = field_of(record, field);

    if (field == KIND)
        snprintf(text, TEXT_BYTES, "%s", shm_collective_kind_name(value));
    else if (field == DEST || field == SOURCE)
        write_offset(text, value);
    else if (field == DETAIL && is_reduction(record))
        write_operation(text, record);
    else
        snprintf(text, TEXT_BYTES, "%llu", (unsigned long long)value);
}

static enum shm_status compare(const struct shm_group *group, const struct shm_coll_record *first,
                               const struct shm_coll_record *other, int rank)
{
    /* addresses of empty arrays do not matter; a collect knows only later what is empty */
    size_t end = first->count == 0 && first->kind != SHM_COLL_COLLECT ? DEST : FIELDS;
    char texts[2][TEXT_BYTES];
    size_t field = 0;

    while (field < end && field_of(first, field) == field_of(other, field))
        field++;
    if (field == end)
        return SHM_OK;
    write_field(texts[0], first, field);
    write_field(texts[1], other, field);
    return shm_fail(SHM_MISMATCH, "PE %d differs from PE %d in %s: %s instead of %s",
                    shm_group_pe(group, rank), group->start, field_name(first, field), texts[1],
                    texts[0]);
}

/* Where this process reads the record that the member of rank `rank` shows. */
static const struct shm_coll_record *record_of(const struct shm_collective *collective, int rank)
{
    const struct shm_group *group = collective->group;

    if (group->slot != SHM_SLOT_NONE)
        return shm_exchange_of(collective->instance, group, rank);
    return shm_coll_remote(collective, &group->words[SHM_COLL_WORD_RECORD], rank);
}

/* Everybody compares everybody with rank 0, so that all find the same first difference. */
static enum shm_status compare_all(const struct shm_collective *collective)
{
    struct shm_coll_record first;
    enum shm_status status = SHM_OK;

    memcpy(&first, record_of(collective, 0), sizeof first);
    for (int rank = 1; rank < collective->group->size && status == SHM_OK; rank++) {
        struct shm_coll_record other;

        memcpy(&other, record_of(collective, rank), sizeof other);
        status = compare(collective->group, &first, &other, rank);
    }
    return status;
}

/* A barrier over the words leaves them zero. */
static bool has_barrier(const struct shm_collective *collective)
{
    for (int rank = 0; rank < collective->group->size; rank++) {
        struct shm_coll_record record;

        memcpy(&record, record_of(collective, rank), sizeof record);
        if (record.kind == SHM_COLL_BARRIER)
            return true;
    }
    return false;
}

static enum shm_status agree_by_words(const struct shm_collective *collective,
                                      const struct shm_coll_record *mine)
{
    long *words = &collective->group->words[SHM_COLL_WORD_RECORD];
    enum shm_status comparison, status;

    memcpy(words, mine, sizeof *mine);
    status = shm_coll_meet(collective);
    if (status != SHM_OK)
        return status;
    comparison = compare_all(collective);
    if (comparison != SHM_OK && has_barrier(collective))
        return comparison;              /* that member does not come again */
    status = shm_coll_meet(collective); /* all have read */
    memset(words, 0, sizeof *mine);
    return status != SHM_OK ? status : comparison;
}

enum shm_status shm_coll_agree(const struct shm_collective *collective,
                               const struct shm_coll_record *mine)
{
    enum shm_status status;

    if (!collective->instance->options.debug || collective->group->size == 1)
        return SHM_OK;
    if (collective->group->slot == SHM_SLOT_NONE)
        return agree_by_words(collective, mine);
    memcpy(shm_exchange_buffer(collective->instance, collective->group), mine, sizeof *mine);
    status = shm_coll_exchange(collective);
    return status == SHM_OK ? compare_all(collective) : status;
}

enum shm_status shm_coll_meet(const struct shm_collective *collective)
{
    return shm_barrier(collective->instance, collective->group, collective->call);
}

enum shm_status shm_coll_exchange(const struct shm_collective *collective)
{
    return shm_exchange(collective->instance, collective->group, collective->call);
}
