/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap_internal.h"

#include "base/hash.h"

#include <link.h>
#include <string.h>

struct extent {
    uintptr_t begin, end;
};

static uint64_t hash_add_number(uint64_t hash, uint64_t number)
{
    return shm_hash_add(hash, &number, sizeof number);
}

static struct extent segment_extent(const struct dl_phdr_info *program, const ElfW(Phdr) * segment)
{
    uintptr_t begin = program->dlpi_addr + segment->p_vaddr;

    return (struct extent){begin, begin + segment->p_memsz};
}

/* Adds the build id to the hash, if there is one in this segment of notes. */
static uint64_t hash_add_build_id(uint64_t hash, const struct extent *notes, size_t alignment)
{
    uintptr_t at = notes->begin;

    while (notes->end - at >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at; /* NOLINT(performance-no-int-to-ptr) */
        const char *name = (const char *)(note + 1);
        uint64_t name_bytes = shm_heap_round_up(note->n_namesz, alignment);
        uint64_t body_bytes = shm_heap_round_up(note->n_descsz, alignment);

        at += sizeof *note;
        if (name_bytes > notes->end - at || body_bytes > notes->end - at - name_bytes)
            return hash;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
            memcmp(name, "GNU", sizeof "GNU") == 0)
            return shm_hash_add(hash, name + name_bytes, note->n_descsz);
        at += name_bytes + body_bytes;
    }
    return hash;
}

static uint64_t hash_build_id(uint64_t hash, const struct dl_phdr_info *program)
{
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        struct extent notes = segment_extent(program, segment);

        if (segment->p_type == PT_NOTE)
            hash = hash_add_build_id(hash, &notes, segment->p_align == 8 ? 8 : 4);
    }
    return hash;
}

static struct extent find_relro(const struct dl_phdr_info *program)
{
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        if (program->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            return segment_extent(program, &program->dlpi_phdr[i]);
    }
    return (struct extent){0, 0};
}

/* The part of a segment that stays writable, in whole pages; empty when there is none. */
static struct extent writable_part(const struct extent *segment, const struct extent *relro)
{
    uintptr_t page = shm_heap_page_bytes();
    struct extent part = *segment;

    if (relro->begin <= segment->begin && relro->end >= segment->end)
        return (struct extent){0, 0};
    if (relro->end > part.begin && relro->end <= part.end)
        part.begin = relro->end;
    part.begin &= ~(page - 1); /* RELRO protects whole pages only, so down is right here too */
    part.end = shm_heap_round_up(part.end, page);
    return part;
}

/* The bytes of the part that the loader took from the file, in whole pages. */
static size_t bytes_from_file(const struct extent *part, uintptr_t end_in_file)
{
    uintptr_t end = shm_heap_round_up(end_in_file, shm_heap_page_bytes());

    if (end <= part->begin)
        return 0;
    return (end < part->end ? end : part->end) - part->begin;
}

static int inspect_program(struct dl_phdr_info *program, size_t bytes, void *argument)
{
    struct shm_static_data *data = argument;
    struct extent relro = find_relro(program);

    (void)bytes;
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        struct extent whole = segment_extent(program, segment);
        struct extent part = writable_part(&whole, &relro);
        uint64_t hash = SHM_HASH_START;

        if (segment->p_type != PT_LOAD || (segment->p_flags & (PF_W | PF_X)) != PF_W ||
            part.end - part.begin <= data->bytes)
            continue;
        data->begin = (char *)part.begin; /* NOLINT(performance-no-int-to-ptr) */
        data->bytes = part.end - part.begin;
        data->file_bytes = bytes_from_file(&part, whole.begin + segment->p_filesz);
        hash = hash_add_number(hash, data->bytes);
        hash = hash_add_number(hash, part.begin - program->dlpi_addr);
        hash = hash_add_number(hash, segment->p_flags);
        data->digest = hash_build_id(hash, program);
    }
    return 1; /* the main program comes first, and nothing else is wanted */
}

void shm_static_data_find(struct shm_static_data *out_data)
{
    struct shm_static_data data = {.memory_fd = -1};

    dl_iterate_phdr(inspect_program, &data);
    *out_data = data;
}
