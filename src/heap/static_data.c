/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/heap_internal.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The data of a program includes the red zones of its sanitizer, and in a statically linked one
 * the state of libc and sanitizer. So pages are copied by loops that no sanitizer watches and
 * that the compiler cannot turn into library calls. */
#define UNWATCHED __attribute__((no_sanitize("address"))) __attribute__((no_sanitize("thread")))

/* ---- finding the data ---- */

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

/* ---- copying ---- */

UNWATCHED static bool is_zero_page(const volatile uint64_t *page, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        if (page[i] != 0)
            return false;
    }
    return true;
}

/* Where a copy goes: memory that is zero, and the file behind it, through which pages get there
 * without being mapped and brought in one by one; -1 = none, or a limit of file sizes forbids it.
 */
struct target {
    char *memory;
    int fd;
    uint64_t offset;
};

UNWATCHED static void copy_page(const struct target *to, size_t at, const char *page,
                                size_t page_bytes)
{
    const volatile uint64_t *source = (const volatile uint64_t *)(const void *)page;
    volatile uint64_t *destination = (volatile uint64_t *)(void *)(to->memory + at);

    if (is_zero_page(source, page_bytes / sizeof *source))
        return;
    if (to->fd >= 0 &&
        syscall(SYS_pwrite64, to->fd, page, page_bytes, to->offset + at) == (long)page_bytes)
        return;
    for (size_t i = 0; i < page_bytes / sizeof *source; i++)
        destination[i] = source[i];
}

/* Copies pages to a place that is zero: pages of zeros are left out there and cost no memory. */
UNWATCHED static void copy_pages(const struct target *to, size_t at, const char *from, size_t bytes)
{
    size_t page_bytes = shm_heap_page_bytes();

    for (size_t done = 0; done < bytes; done += page_bytes)
        copy_page(to, at + done, from + done, page_bytes);
}

/* How many pages are looked up at once. */
#define LOOKED_UP 512

/* Copies pages that were zero at first. Those that nobody touched are not in memory, and looking at
 * them would bring them in one by one, which takes seconds for a large array. The kernel's map of
 * pages has 64 bits for each; the upper two say that it is in memory or swapped out. What cannot be
 * looked up there is copied. */
UNWATCHED static void copy_touched_pages(const struct target *to, size_t at, const char *from,
                                         size_t pages, int page_map)
{
    size_t page_bytes = shm_heap_page_bytes();
    uint64_t entries[LOOKED_UP];
    size_t wanted = pages * sizeof *entries;
    long found = syscall(SYS_pread64, page_map, entries, wanted,
                         (uintptr_t)from / page_bytes * sizeof *entries);

    for (size_t i = 0; i < pages; i++) {
        if (found != (long)wanted || entries[i] >> 62 != 0)
            copy_page(to, at + i * page_bytes, from + i * page_bytes, page_bytes);
    }
}

/* Copies private data into the slice. */
UNWATCHED static void copy_private(const struct target *to, const struct shm_static_data *data,
                                   int page_map)
{
    size_t page_bytes = shm_heap_page_bytes();

    copy_pages(to, 0, data->begin, data->file_bytes);
    for (size_t at = data->file_bytes; at < data->bytes; at += LOOKED_UP * page_bytes) {
        size_t pages = (data->bytes - at) / page_bytes;

        copy_touched_pages(to, at, data->begin + at, pages < LOOKED_UP ? pages : LOOKED_UP,
                           page_map);
    }
}

/* Copies shared data. Holes of the memfd are left out, because reading them would fill them. */
static void copy_shared(const struct target *to, const struct shm_static_data *data)
{
    off_t begin = (off_t)data->memory_offset;
    off_t end = begin + (off_t)data->bytes;
    off_t at = begin;

    while (at < end) {
        off_t filled = lseek(data->memory_fd, at, SEEK_DATA);
        off_t hole;

        if (filled < 0 && errno == ENXIO)
            return;
        hole = filled < 0 ? end : lseek(data->memory_fd, filled, SEEK_HOLE);
        filled = filled < 0 ? at : filled; /* the program closed the descriptor: copy it all */
        if (filled >= end)
            return;
        at = hole < filled || hole > end ? end : hole;
        copy_pages(to, (size_t)(filled - begin), data->begin + (filled - begin),
                   (size_t)(at - filled));
    }
}

/* A private copy of the shared data, elsewhere; NULL without memory for it. */
static char *take_snapshot(const struct shm_static_data *data)
{
    char *copy = mmap(NULL, data->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (copy == MAP_FAILED)
        return NULL;
    copy_shared(&(struct target){.memory = copy, .fd = -1}, data);
    return copy;
}

static bool move_into_place(struct shm_static_data *data, char *copy)
{
    return mremap(copy, data->bytes, data->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, data->begin) !=
           MAP_FAILED;
}

/* ---- sharing ---- */

static enum shm_status check_place(const struct shm_static_data *data, const struct shm_heap *heap)
{
    if (heap->gva == NULL || heap->my_slice < 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "static data can be shared when this PE's slice is mapped");
    if (data->bytes > heap->layout.static_bytes)
        return shm_fail(SHM_INVALID_VALUE,
                        "static data of %zu bytes, the slice has room for %" PRIu64, data->bytes,
                        heap->layout.static_bytes);
    return SHM_OK;
}

/* The kernel answers a write behind the limit of file sizes with a deadly signal. */
static bool may_write(const struct shm_static_data *data)
{
    struct rlimit limit = {.rlim_cur = 0};

    getrlimit(RLIMIT_FSIZE, &limit);
    return data->memory_offset + data->bytes <= limit.rlim_cur;
}

/* Returns 0 or errno. A handler that ran between copy and mapping could store into the old pages,
 * so signals wait. Bare system calls: see UNWATCHED. */
static int copy_and_map(const struct shm_static_data *data, char *slice_part)
{
    const struct target target = {slice_part, may_write(data) ? data->memory_fd : -1,
                                  data->memory_offset};
    auto_fd int page_map =
        data->bytes > data->file_bytes ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    sigset_t all;
    sigset_t before;
    long mapped;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    copy_private(&target, data, page_map);
    mapped = syscall(SYS_mmap, data->begin, data->bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED, data->memory_fd, data->memory_offset);
    error = mapped == -1 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

enum shm_status shm_static_data_share(struct shm_static_data *data, const struct shm_heap *heap)
{
    enum shm_status status;
    int error;

    if (data->bytes == 0 || data->is_shared)
        return SHM_OK;
    status = check_place(data, heap);
    if (status != SHM_OK)
        return status;
    data->memory_fd = heap->memory_fd;
    data->memory_offset =
        (uint64_t)heap->my_slice * heap->layout.stride + heap->layout.static_offset;
    if (shm_heap_has_pages(heap->memory_fd, (off_t)data->memory_offset, (off_t)data->bytes) &&
        fallocate(heap->memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)data->memory_offset, (off_t)data->bytes) != 0)
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "clearing the place of the static data");
    error = copy_and_map(data, shm_heap_slice(heap, heap->my_pe) + heap->layout.static_offset);
    if (error != 0)
        return shm_fail_errno(SHM_SMEM_ERROR, error, "mapping %zu bytes of static data at %p",
                              data->bytes, (void *)data->begin);
    data->is_shared = true;
    return SHM_OK;
}

/* MADV_POPULATE_WRITE of Linux 5.14, which the headers may not know. */
#define POPULATE_WRITE 23

/* Gives the process its own copy of each page in begin .. end - 1: all of them by one system call,
 * or else each by a write of what is there anyway, atomic so that no store of another thread is
 * lost. An exchange, as compilers may leave out the write of an operation that never changes
 * anything. It begins with a guess, because a page that is read first is brought in twice. */
UNWATCHED static void own_pages(char *begin, const char *end)
{
    size_t page_bytes = shm_heap_page_bytes();

    if (madvise(begin, (size_t)(end - begin), POPULATE_WRITE) == 0)
        return;
    for (volatile char *page = begin; page < end; page += page_bytes) {
        char held = 0;

        while (!__atomic_compare_exchange_n(page, &held, held, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            continue;
    }
}

/* The parts of the file that were never written to are left alone. */
static void own_written_pages(const struct shm_static_data *data)
{
    off_t begin = (off_t)data->memory_offset;
    off_t end = begin + (off_t)data->bytes;
    off_t hole = begin;
    off_t written;

    while (hole < end && (written = lseek(data->memory_fd, hole, SEEK_DATA)) >= 0 &&
           written < end) {
        hole = lseek(data->memory_fd, written, SEEK_HOLE);
        if (hole < 0 || hole > end)
            hole = end;
        own_pages(data->begin + (written - begin), data->begin + (hole - begin));
    }
}

/* A private mapping of the same pages replaces the shared one in one step, and takes over page by
 * page: other threads may go on writing. It keeps the file alive, whose heap is emptied by
 * shm_heap_release_pages(). */
enum shm_status shm_static_data_restore(struct shm_static_data *data)
{
    if (!data->is_shared)
        return SHM_OK;
    if (mmap(data->begin, data->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
             data->memory_fd, (off_t)data->memory_offset) == MAP_FAILED)
        return shm_fail_errno(SHM_SMEM_ERROR, errno,
                              "a private mapping of %zu bytes of static data", data->bytes);
    data->is_shared = false;
    own_written_pages(data);
    return SHM_OK;
}

/* In a child, whose parent goes on writing to the pages. */
static enum shm_status replace_by_copy(struct shm_static_data *data)
{
    char *copy = take_snapshot(data);
    int error;

    if (copy == NULL)
        return shm_fail_errno(SHM_MALLOC_FAILED, errno,
                              "a private copy of %zu bytes of static data", data->bytes);
    if (move_into_place(data, copy))
        return SHM_OK;
    error = errno;
    munmap(copy, data->bytes);
    return shm_fail_errno(SHM_SMEM_ERROR, error, "moving %zu bytes of static data to %p",
                          data->bytes, (void *)data->begin);
}

/* ---- fork ---- */

void shm_static_data_fork_prepare(struct shm_static_data *data)
{
    if (!data->is_shared)
        return;
    data->snapshot = take_snapshot(data);
    if (data->snapshot == NULL)
        shm_log(SHM_LOG_WARN, "heap", "no memory for a copy of the static data at fork");
}

void shm_static_data_fork_parent(struct shm_static_data *data)
{
    if (data->snapshot != NULL)
        munmap(data->snapshot, data->bytes);
    data->snapshot = NULL;
}

/* Without a snapshot the child still gets a copy, if of a slightly later moment. */
void shm_static_data_fork_child(struct shm_static_data *data)
{
    bool is_private = data->snapshot != NULL && move_into_place(data, data->snapshot);

    data->snapshot = NULL;
    if (is_private)
        data->is_shared = false;
    else if (data->is_shared && replace_by_copy(data) != SHM_OK)
        shm_log(SHM_LOG_ERROR, "heap", "this child shares static data with its parent: %s",
                shm_error_detail());
}
