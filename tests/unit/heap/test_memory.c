/* SPDX-License-Identifier: BSD-3-Clause */
/* Reserving addresses, creating the memory and mapping it. */
#include "heap/heap.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_detail(const char *part)
{
    if (strstr(shm_error_detail(), part) == NULL)
        fail_msg("the detail \"%s\" does not say \"%s\"", shm_error_detail(), part);
}

static struct shm_heap_layout make_layout(uint64_t heap_bytes, int n_pes)
{
    struct shm_heap_layout layout;

    assert_int_equal(shm_heap_layout_make(5000, 8192, heap_bytes, n_pes, &layout), SHM_OK);
    return layout;
}

static void reserve(struct shm_heap *heap, uint64_t heap_bytes, int my_pe, int n_pes)
{
    struct shm_heap_layout layout = make_layout(heap_bytes, n_pes);

    shm_heap_init(heap);
    assert_int_equal(shm_heap_reserve(heap, &layout, my_pe, n_pes, 0), SHM_OK);
}

/* What may be done at an address, in the form of /proc/self/maps; "" when nothing is mapped. */
static void permissions_at(const void *address, char out_permissions[5])
{
    FILE *file = fopen("/proc/self/maps", "re");
    char line[512];

    assert_non_null(file);
    out_permissions[0] = '\0';
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long begin;
        unsigned long end;
        char permissions[5];

        if (sscanf(line, "%lx-%lx %4s", &begin, &end, permissions) == 3 &&
            (uintptr_t)address >= begin && (uintptr_t)address < end)
            memcpy(out_permissions, permissions, sizeof permissions);
    }
    fclose(file);
}

static void assert_permissions(const void *address, const char *expected)
{
    char permissions[5];

    permissions_at(address, permissions);
    assert_string_equal(permissions, expected);
}

static int count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* ---- addresses ---- */

static void test_reserved_addresses_are_aligned_and_inaccessible(void **state)
{
    struct shm_heap heap;

    (void)state;
    reserve(&heap, 10 << 20, 2, 5);
    assert_int_equal((uintptr_t)heap.gva % SHM_HEAP_ALIGNMENT, 0);
    assert_int_equal(heap.reserved_bytes, 5 * heap.layout.stride);
    assert_ptr_equal(shm_heap_slice(&heap, 3), heap.gva + 3 * heap.layout.stride);
    assert_permissions(heap.gva, "---p");
    assert_permissions(heap.gva + heap.reserved_bytes - 1, "---p");
    shm_heap_destroy(&heap);
}

static void test_domains_have_places_of_their_own(void **state)
{
    struct shm_heap_layout layout = make_layout(1 << 20, 3);
    struct shm_heap heaps[4];
    char *before[4];

    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            shm_heap_init(&heaps[i]);
            assert_int_equal(shm_heap_reserve(&heaps[i], &layout, 0, 3, i * 85), SHM_OK);
            if (round == 1 && (uintptr_t)before[i] < 0x500000000000u) /* its preferred place */
                assert_ptr_equal(heaps[i].gva, before[i]);
            before[i] = heaps[i].gva;
        }
        for (int i = 0; i < 4; i++)
            shm_heap_destroy(&heaps[i]);
    }
}

static void test_taken_place_is_left_alone(void **state)
{
    struct shm_heap_layout layout = make_layout(1 << 20, 3);
    struct shm_heap first;
    struct shm_heap second;

    (void)state;
    reserve(&first, 1 << 20, 0, 3);
    assert_int_equal(shm_heap_create(&first, 3, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_map(&first, 0, 0, 3), SHM_OK);
    first.gva[0] = 42;
    shm_heap_init(&second);
    assert_int_equal(shm_heap_reserve(&second, &layout, 0, 3, 0), SHM_OK);
    assert_true(second.gva + second.reserved_bytes <= first.gva ||
                first.gva + first.reserved_bytes <= second.gva);
    assert_int_equal((uintptr_t)second.gva % SHM_HEAP_ALIGNMENT, 0);
    assert_int_equal(first.gva[0], 42);
    shm_heap_destroy(&first);
    shm_heap_destroy(&second);
}

static void test_bad_requests_for_addresses(void **state)
{
    struct shm_heap_layout layout = make_layout(1 << 20, 3);
    struct shm_heap heap;

    (void)state;
    shm_heap_init(&heap);
    assert_int_equal(shm_heap_reserve(&heap, &layout, 3, 3, 0), SHM_INVALID_VALUE);
    assert_detail("PE 3 of 3");
    assert_int_equal(shm_heap_reserve(&heap, &layout, 0, 3, 256), SHM_INVALID_VALUE);
    assert_detail("memory domain 256, expected 0 to 255");
    layout.stride = 1ull << 46;
    assert_int_equal(shm_heap_reserve(&heap, &layout, 0, 3, 0), SHM_INVALID_VALUE);
    assert_null(heap.gva);
    layout = make_layout(1 << 20, 3);
    assert_int_equal(shm_heap_reserve(&heap, &layout, 0, 3, 255), SHM_OK);
    assert_int_equal(shm_heap_reserve(&heap, &layout, 0, 3, 255), SHM_INVALID_PARAM);
    shm_heap_destroy(&heap);
    assert_null(heap.gva);
}

/* Runs in a child, because the limits stay. */
static int try_under_limit(int resource, rlim_t limit, const char *part)
{
    struct shm_heap_layout layout;
    struct rlimit limits = {limit, limit};
    enum shm_status status;
    struct shm_heap heap;

    shm_heap_init(&heap);
    if (shm_heap_layout_make(1, 0, 1ull << 38, 4, &layout) != SHM_OK ||
        setrlimit(resource, &limits) != 0)
        return 1;
    status = shm_heap_reserve(&heap, &layout, 0, 4, 0);
    if (status == SHM_OK)
        status = shm_heap_create(&heap, 4, SHM_HUGE_PAGES_OFF);
    if (status != SHM_MALLOC_FAILED)
        return 2;
    if (strstr(shm_error_detail(), part) == NULL ||
        strstr(shm_error_detail(), "SHMEM_SYMMETRIC_SIZE or local_mem_size") == NULL)
        return 3;
    shm_heap_destroy(&heap);
    return 0;
}

static void assert_limit_is_explained(int resource, rlim_t limit, const char *part)
{
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(try_under_limit(resource, limit, part));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static unsigned long long address_bytes_in_use(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu", &pages), 1);
    fclose(file);
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

static void test_file_limit_is_explained(void **state)
{
    (void)state;
    assert_limit_is_explained(RLIMIT_FSIZE, 1 << 20, "(ulimit -f)");
}

static void test_address_limit_is_explained(void **state)
{
    (void)state;
    if (address_bytes_in_use() > 1ull << 39) {
        print_message("a sanitizer uses more addresses than the limit of this test\n");
        skip();
    }
    assert_limit_is_explained(RLIMIT_AS, 1ull << 39, "the process may have 549755813888");
}

/* ---- memory ---- */

static void test_size_of_the_memory_is_sealed(void **state)
{
    struct shm_heap heap;
    struct stat info;

    (void)state;
    reserve(&heap, 3 << 20, 0, 4);
    assert_int_equal(shm_heap_create(&heap, 2, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_false(heap.has_huge_pages);
    assert_int_equal(heap.slices, 2);
    assert_int_equal(fstat(heap.memory_fd, &info), 0);
    assert_int_equal(info.st_size, 2 * heap.layout.stride);
    assert_int_equal(fcntl(heap.memory_fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(ftruncate(heap.memory_fd, 4096), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(ftruncate(heap.memory_fd, info.st_size * 2), -1);
    assert_int_equal(fcntl(heap.memory_fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
    shm_heap_destroy(&heap);
}

static void test_slices_are_where_they_are_mapped(void **state)
{
    struct shm_heap heap;
    struct shm_heap other;

    (void)state;
    reserve(&heap, 3 << 20, 5, 8);
    assert_int_equal(shm_heap_create(&heap, 3, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_map(&heap, 4, 0, 2), SHM_OK);
    assert_int_equal(heap.my_slice, 1);
    assert_int_equal(shm_heap_map(&heap, 7, 2, 1), SHM_OK);
    assert_int_equal(heap.my_slice, 1);
    reserve(&other, 3 << 20, 0, 8);
    other.memory_fd = dup(heap.memory_fd);
    other.slices = 3;
    assert_int_equal(shm_heap_map(&other, 0, 0, 3), SHM_OK);
    for (int i = 0; i < 3; i++)
        shm_heap_slice(&other, i)[heap.layout.heap_offset + 17] = (char)(i + 1);
    assert_int_equal(shm_heap_slice(&heap, 4)[heap.layout.heap_offset + 17], 1);
    assert_int_equal(shm_heap_slice(&heap, 5)[heap.layout.heap_offset + 17], 2);
    assert_int_equal(shm_heap_slice(&heap, 7)[heap.layout.heap_offset + 17], 3);
    assert_permissions(shm_heap_slice(&heap, 3), "---p");
    assert_permissions(shm_heap_slice(&heap, 4), "rw-s");
    assert_permissions(shm_heap_slice(&heap, 6), "---p");
    assert_permissions(shm_heap_slice(&heap, 7), "rw-s");
    shm_heap_destroy(&heap);
    shm_heap_destroy(&other);
}

static void test_bad_requests_for_mappings(void **state)
{
    struct shm_heap heap;

    (void)state;
    shm_heap_init(&heap);
    assert_int_equal(shm_heap_create(&heap, 1, SHM_HUGE_PAGES_OFF), SHM_INVALID_PARAM);
    reserve(&heap, 1 << 20, 0, 4);
    assert_int_equal(shm_heap_map(&heap, 0, 0, 1), SHM_INVALID_PARAM);
    assert_int_equal(shm_heap_create(&heap, 5, SHM_HUGE_PAGES_OFF), SHM_INVALID_VALUE);
    assert_detail("memory for 5 PEs, expected 1 to 4");
    assert_int_equal(shm_heap_create(&heap, 3, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_create(&heap, 3, SHM_HUGE_PAGES_OFF), SHM_INVALID_PARAM);
    assert_int_equal(shm_heap_map(&heap, 2, 0, 3), SHM_INVALID_VALUE);
    assert_detail("mapping 3 PEs from PE 2 on, there are 4");
    assert_int_equal(shm_heap_map(&heap, -1, 0, 1), SHM_INVALID_VALUE);
    assert_int_equal(shm_heap_map(&heap, 0, 0, 0), SHM_INVALID_VALUE);
    assert_int_equal(shm_heap_map(&heap, 0, 1, 3), SHM_INVALID_VALUE);
    assert_detail("mapping 3 slices from slice 1 on, there are 3");
    assert_int_equal(shm_heap_map(&heap, 0, UINT32_MAX, 2), SHM_INVALID_VALUE);
    assert_int_equal(heap.my_slice, -1);
    shm_heap_destroy(&heap);
}

static void test_a_large_heap_costs_nothing(void **state)
{
    struct shm_heap heap;
    struct stat info;

    (void)state;
    reserve(&heap, 64ull << 30, 0, 2);
    assert_int_equal(shm_heap_create(&heap, 2, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_map(&heap, 0, 0, 2), SHM_OK);
    assert_int_equal(fstat(heap.memory_fd, &info), 0);
    assert_int_equal(info.st_blocks, 0);
    heap.gva[heap.reserved_bytes - 1] = 1;
    assert_int_equal(fstat(heap.memory_fd, &info), 0);
    assert_in_range(info.st_blocks, 1, (2 << 20) / 512);
    shm_heap_destroy(&heap);
}

static void test_destroy_leaves_nothing(void **state)
{
    int before = count_descriptors();
    struct shm_heap heap;
    char *gva;
    size_t bytes;

    (void)state;
    reserve(&heap, 1 << 20, 0, 2);
    assert_int_equal(shm_heap_create(&heap, 2, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_map(&heap, 1, 0, 1), SHM_OK);
    gva = heap.gva;
    bytes = heap.reserved_bytes;
    shm_heap_destroy(&heap);
    assert_int_equal(count_descriptors(), before);
    assert_permissions(gva, "");
    assert_permissions(gva + bytes - 1, "");
    shm_heap_destroy(&heap);
}

/* ---- huge pages ---- */

static void test_too_many_huge_pages(void **state)
{
    int before;
    struct shm_heap heap;

    (void)state;
    reserve(&heap, 1ull << 38, 0, 2);
    before = count_descriptors();
    assert_int_equal(shm_heap_create(&heap, 2, SHM_HUGE_PAGES_REQUIRE), SHM_MALLOC_FAILED);
    assert_detail("262144 huge pages of 2 MiB needed for the node, ");
    assert_detail(" are free");
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(shm_heap_create(&heap, 2, SHM_HUGE_PAGES_AUTO), SHM_OK);
    assert_false(heap.has_huge_pages);
    assert_int_equal(shm_heap_map(&heap, 0, 0, 2), SHM_OK);
    heap.gva[heap.reserved_bytes - 1] = 1;
    shm_heap_destroy(&heap);
}

static void test_huge_pages(void **state)
{
    struct shm_heap heap;
    enum shm_status status;
    char *heaps[3];

    (void)state;
    reserve(&heap, 3 << 20, 0, 3);
    status = shm_heap_create(&heap, 2, SHM_HUGE_PAGES_REQUIRE);
    if (status != SHM_OK) {
        assert_true(status == SHM_MALLOC_FAILED || status == SHM_NOT_SUPPORTED);
        shm_heap_destroy(&heap);
        print_message("4 huge pages are needed: %s\n", shm_error_detail());
        skip();
    }
    assert_true(heap.has_huge_pages);
    assert_int_equal(shm_heap_map(&heap, 0, 0, 2), SHM_OK);
    assert_int_equal(shm_heap_map(&heap, 2, 1, 1), SHM_OK);
    for (int pe = 0; pe < 3; pe++)
        heaps[pe] = shm_heap_slice(&heap, pe) + heap.layout.heap_offset;
    memset(heaps[0], 1, heap.layout.heap_bytes);
    memset(heaps[1], 2, heap.layout.heap_bytes);
    assert_int_equal(heaps[0][heap.layout.heap_bytes - 1], 1);
    for (uint64_t at = 0; at < heap.layout.heap_bytes; at += 4096)
        assert_int_equal(heaps[2][at], 2);
    shm_heap_destroy(&heap);
}

static void test_room_is_limited(void **state)
{
    struct shm_heap_layout layout = make_layout(1 << 20, 3);
    struct rlimit before;
    struct rlimit limit;

    (void)state;
    assert_true(shm_heap_has_room(&layout, 3));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){3 * layout.stride - 1, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(shm_heap_has_room(&layout, 3));
    assert_true(shm_heap_has_room(&layout, 2));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    layout.stride = 1ull << 46; /* of addresses that processes cannot have */
    assert_false(shm_heap_has_room(&layout, 1 << 10));
}

/* Memory that is touched grows no more; the heaps' memory is given back together. */
static void test_growth(void **state)
{
    struct shm_heap heap;
    struct shm_heap_layout layout = make_layout(1 << 20, 2);
    uint64_t before;

    (void)state;
    assert_true(shm_heap_layout_add_host(&layout, 2 << 20, 2));
    shm_heap_init(&heap);
    assert_int_equal(shm_heap_reserve(&heap, &layout, 1, 2, 0), SHM_OK);
    assert_int_equal(shm_heap_create(&heap, 2, SHM_HUGE_PAGES_OFF), SHM_OK);
    assert_int_equal(shm_heap_map(&heap, 0, 0, 2), SHM_OK);
    before = shm_heap_growth_bytes(&heap);
    assert_true(before > 2 * (3 << 20) - 8192 && before <= 2 * ((3 << 20) + layout.static_bytes));
    memset(shm_heap_slice(&heap, 1) + layout.heap_offset, 1, 1 << 20);
    memset(shm_heap_slice(&heap, 1) + layout.host_offset, 1, 2 << 20);
    assert_int_equal(shm_heap_growth_bytes(&heap), before - (3 << 20));
    shm_heap_release_pages(&heap);
    assert_int_equal(shm_heap_growth_bytes(&heap), before);
    shm_heap_destroy(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserved_addresses_are_aligned_and_inaccessible),
        cmocka_unit_test(test_domains_have_places_of_their_own),
        cmocka_unit_test(test_taken_place_is_left_alone),
        cmocka_unit_test(test_bad_requests_for_addresses),
        cmocka_unit_test(test_file_limit_is_explained),
        cmocka_unit_test(test_address_limit_is_explained),
        cmocka_unit_test(test_size_of_the_memory_is_sealed),
        cmocka_unit_test(test_slices_are_where_they_are_mapped),
        cmocka_unit_test(test_bad_requests_for_mappings),
        cmocka_unit_test(test_a_large_heap_costs_nothing),
        cmocka_unit_test(test_room_is_limited),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_destroy_leaves_nothing),
        cmocka_unit_test(test_too_many_huge_pages),
        cmocka_unit_test(test_huge_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
