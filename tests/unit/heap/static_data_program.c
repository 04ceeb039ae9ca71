/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares its own static data. Built in every form an executable can have. */
#include "heap/heap.h"
#include "static_data_check.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE_BYTES (256u << 20)

int initialised = 42;
int zeroed;
char large[LARGE_BYTES];
char scratch[65536] = {1};
char *pointer = &scratch[5];
static _Thread_local int per_thread = 9;
const char *const protected_table[] = {scratch, large}; /* relocated, hence in the RELRO part */
static struct shm_static_data *atfork_data;

static int *local_static(void)
{
    static int counter = 1000;

    return &counter;
}

/* ---- parts of the test ---- */

static bool contains(const struct shm_static_data *data, const volatile void *address)
{
    const volatile char *at = address;

    return at >= data->begin && at < data->begin + data->bytes;
}

static void check_extent(const struct shm_static_data *data)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    CHECK(data->bytes >= LARGE_BYTES && data->bytes % page == 0);
    CHECK((size_t)data->begin % page == 0);
    CHECK(data->file_bytes % page == 0 && data->file_bytes < data->bytes);
    CHECK(data->begin + data->file_bytes > scratch && data->begin + data->file_bytes > pointer);
    CHECK(contains(data, &initialised) && contains(data, &zeroed) && contains(data, large));
    CHECK(contains(data, &large[LARGE_BYTES - 1]) && contains(data, scratch));
    CHECK(contains(data, &pointer) && contains(data, local_static()));
    CHECK(!contains(data, &per_thread) && !contains(data, "text") && !contains(data, data));
    CHECK(!data->is_shared && data->digest != 0);
}

/* The same program, started once more, finds the same digest. */
static void check_digest(const struct shm_static_data *data)
{
    char program[4096] = "";
    char line[32] = "";
    int pipes[2];
    pid_t child;

    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    CHECK(pipe2(pipes, O_CLOEXEC) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        execl(program, program, "digest", (char *)NULL);
        _exit(1);
    }
    close(pipes[1]);
    CHECK(read(pipes[0], line, sizeof line - 1) > 0);
    CHECK(waitpid(child, NULL, 0) == child);
    close(pipes[0]);
    CHECK(strtoull(line, NULL, 16) == data->digest);
}

static void make_heap(struct shm_heap *heap, size_t static_bytes)
{
    struct shm_heap_layout layout;

    shm_heap_init(heap);
    CHECK(shm_heap_layout_make(64, static_bytes, 1 << 20, 3, &layout) == SHM_OK);
    CHECK(shm_heap_reserve(heap, &layout, 2, 3, 0) == SHM_OK);
    CHECK(shm_heap_create(heap, 2, SHM_HUGE_PAGES_OFF) == SHM_OK);
}

static void check_refusals(struct shm_static_data *data)
{
    struct shm_heap heap;

    shm_heap_init(&heap);
    CHECK(shm_static_data_share(data, &heap) == SHM_INVALID_PARAM);
    make_heap(&heap, data->bytes - 1);
    CHECK(shm_static_data_share(data, &heap) == SHM_INVALID_PARAM);
    CHECK(strstr(shm_error_detail(), "this PE's slice") != NULL);
    shm_heap_destroy(&heap);
    make_heap(&heap, data->bytes / 2);
    CHECK(shm_heap_map(&heap, 1, 0, 2) == SHM_OK);
    CHECK(shm_static_data_share(data, &heap) == SHM_INVALID_VALUE);
    CHECK(strstr(shm_error_detail(), "the slice has room for") != NULL);
    CHECK(!data->is_shared && initialised == 42);
    CHECK(shm_static_data_restore(data) == SHM_OK);
    shm_heap_destroy(&heap);
}

static void set_values(void)
{
    initialised = 43;
    zeroed = 44;
    large[LARGE_BYTES / 2] = 45;
    *local_static() += 1;
    per_thread = 46;
    memset(scratch, 1, sizeof scratch);
}

static void check_values(void)
{
    CHECK(initialised == 43 && zeroed == 44);
    CHECK(large[0] == 0 && large[LARGE_BYTES / 2] == 45);
    CHECK(*local_static() == 1001 && per_thread == 46);
    CHECK(pointer == &scratch[5] && *pointer == 1 && scratch[sizeof scratch - 1] == 1);
    CHECK(protected_table[0] == scratch && protected_table[1] == large);
}

/* Allocates and prints, so that a libc inside the program works on its own static data. */
static void exercise_libc(void)
{
    void *blocks[200];
    FILE *sink = fopen("/dev/null", "w");

    CHECK(sink != NULL);
    for (size_t i = 0; i < 200; i++) {
        blocks[i] = malloc(1 + i * 100);
        CHECK(blocks[i] != NULL && fprintf(sink, "%p\n", blocks[i]) > 0);
    }
    for (size_t i = 0; i < 200; i++)
        free(blocks[i]);
    fclose(sink);
}

static long long memory_in_use(const struct shm_heap *heap)
{
    struct stat info;

    CHECK(fstat(heap->memory_fd, &info) == 0);
    return (long long)info.st_blocks * 512;
}

/* Where a peer finds a variable: in the slice of this PE, at the same offset. */
static volatile int *as_peers_see(const struct shm_heap *heap, const struct shm_static_data *data,
                                  const int *variable)
{
    int *base = mmap(NULL, data->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, heap->memory_fd,
                     (off_t)(1 * heap->layout.stride + heap->layout.static_offset));

    CHECK(base != MAP_FAILED);
    return (volatile int *)((char *)base + ((const char *)variable - data->begin));
}

static void check_peers(const struct shm_heap *heap, const struct shm_static_data *data)
{
    volatile int *seen = as_peers_see(heap, data, &initialised);
    volatile int *in_slice = (volatile int *)(shm_heap_slice(heap, 2) + heap->layout.static_offset +
                                              ((char *)&initialised - data->begin));

    CHECK(*seen == 43 && *in_slice == 43);
    initialised = 50;
    CHECK(*seen == 50 && *in_slice == 50);
    *seen = 43;
    CHECK(*(volatile int *)&initialised == 43 && *in_slice == 43);
    munmap((char *)seen - ((char *)&initialised - data->begin), data->bytes);
}

static void before_fork(void)
{
    shm_static_data_fork_prepare(atfork_data);
}

static void after_fork_in_parent(void)
{
    shm_static_data_fork_parent(atfork_data);
}

static void after_fork_in_child(void)
{
    shm_static_data_fork_child(atfork_data);
}

/* The child sees the values of the fork; later stores of neither reach the other. */
static void check_fork(const struct shm_static_data *data)
{
    int to_child[2];
    int status = 0;
    char letter = 'x';
    pid_t child;

    CHECK(pipe2(to_child, O_CLOEXEC) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(read(to_child[0], &letter, 1) == 1);
        CHECK(!data->is_shared && data->snapshot == NULL);
        check_values();
        zeroed = 60;
        large[LARGE_BYTES / 2] = 61;
        exercise_libc();
        _exit(0);
    }
    CHECK(data->is_shared && data->snapshot == NULL);
    initialised = 51;
    CHECK(write(to_child[1], &letter, 1) == 1);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(initialised == 51);
    initialised = 43;
    check_values();
    close(to_child[0]);
    close(to_child[1]);
}

/* A second round must not bring back what the slice held in the first one. */
static void check_second_round(struct shm_static_data *data, const struct shm_heap *heap)
{
    memset(scratch, 0, sizeof scratch);
    CHECK(shm_static_data_share(data, heap) == SHM_OK);
    CHECK(shm_static_data_share(data, heap) == SHM_OK);
    for (size_t i = 0; i < sizeof scratch; i++)
        CHECK(scratch[i] == 0);
    CHECK(shm_static_data_restore(data) == SHM_OK);
    CHECK(initialised == 43 && zeroed == 44);
}

static long page_faults(void)
{
    struct rusage usage;

    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_minflt;
}

/* Pages that nobody touched are left alone, as far as the kernel tells which they are. */
static void share_untouched(struct shm_static_data *data, const struct shm_heap *heap)
{
    long faults = page_faults();

    CHECK(shm_static_data_share(data, heap) == SHM_OK);
    CHECK(access("/proc/self/pagemap", R_OK) != 0 || page_faults() - faults < 10000);
}

static void run(struct shm_static_data *data)
{
    struct shm_heap heap;
    volatile int *seen;

    check_extent(data);
    check_digest(data);
    check_refusals(data);
    set_values();
    make_heap(&heap, data->bytes);
    CHECK(shm_heap_map(&heap, 1, 0, 2) == SHM_OK);
    share_untouched(data, &heap);
    CHECK(data->is_shared);
    check_values();
    exercise_libc();
    CHECK(memory_in_use(&heap) < 32 << 20);
    check_peers(&heap, data);
    check_fork(data);
    seen = as_peers_see(&heap, data, &zeroed);
    CHECK(shm_static_data_restore(data) == SHM_OK);
    CHECK(!data->is_shared);
    check_values();
    exercise_libc();
    CHECK(memory_in_use(&heap) < 32 << 20);
    *seen = 70;
    CHECK(*(volatile int *)&zeroed == 44);
    check_second_round(data, &heap);
    shm_heap_destroy(&heap);
    CHECK(initialised == 43);
    exercise_libc();
}

int main(int argument_count, char **arguments)
{
    struct shm_static_data data;

    shm_static_data_find(&data);
    if (argument_count > 1 && strcmp(arguments[1], "digest") == 0) {
        printf("%llx\n", (unsigned long long)data.digest);
        return 0;
    }
    atfork_data = &data;
    CHECK(pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0);
    run(&data);
    return 0;
}
