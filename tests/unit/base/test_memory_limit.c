/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory_limit.h"
#include "machine_tree.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#define MIB (1024ull * 1024)

#define MEMINFO                                                                                    \
    "MemTotal:       16777216 kB\n"                                                                \
    "MemFree:          100000 kB\n"                                                                \
    "MemAvailable:    8388608 kB\n"                                                                \
    "SwapTotal:       4194304 kB\n"                                                                \
    "SwapFree:        1048576 kB\n"
#define MACHINE_BYTES (9216 * MIB) /* available and free swap */

#define MOUNT_2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_1 "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"

/* Where trees may be made; set by main(). */
static const char *where;

static int make_tree(void **state)
{
    char *root = malloc(PATH_MAX);

    *state = root;
    if (root == NULL || machine_tree_make(where, root) != 0)
        return -1;
    machine_tree_write(root, "proc/meminfo", MEMINFO);
    machine_tree_write(root, "proc/self/cgroup", "4:memory:/old/job\n0::/new/job\n");
    machine_tree_write(root, "proc/self/mountinfo", MOUNT_1 MOUNT_2);
    return 0;
}

static int remove_tree(void **state)
{
    int failed = machine_tree_remove(*state);

    free(*state);
    return failed;
}

static void assert_limit(void **state, uint64_t bytes, enum shm_memory_limiter expected)
{
    enum shm_memory_limiter limiter = (enum shm_memory_limiter)77;

    assert_int_equal(shm_memory_available_under(*state, &limiter), bytes);
    assert_int_equal(limiter, expected);
}

/* Writes a group's limit, use and droppable part, in MiB. */
static void write_new(void **state, const char *group, const char *limit, uint64_t used,
                      uint64_t droppable)
{
    char name[256];
    char text[256];

    snprintf(name, sizeof name, "sys/fs/cgroup%s/memory.max", group);
    machine_tree_write(*state, name, limit);
    snprintf(name, sizeof name, "sys/fs/cgroup%s/memory.current", group);
    snprintf(text, sizeof text, "%llu\n", (unsigned long long)(used * MIB));
    machine_tree_write(*state, name, text);
    snprintf(name, sizeof name, "sys/fs/cgroup%s/memory.stat", group);
    snprintf(text, sizeof text, "anon 77\nfile 99\ninactive_file_x 5\ninactive_file %llu\nslab 1\n",
             (unsigned long long)(droppable * MIB));
    machine_tree_write(*state, name, text);
}

static void test_machine_alone(void **state)
{
    assert_limit(state, MACHINE_BYTES, SHM_MEMORY_LIMITED_BY_MACHINE);
}

static void test_unknown_machine(void **state)
{
    machine_tree_write(*state, "proc/meminfo", "MemTotal: 16777216 kB\nSwapFree: 5 kB\n");
    assert_limit(state, UINT64_MAX, SHM_MEMORY_LIMITED_BY_MACHINE);
}

static void test_group_of_version_2(void **state)
{
    write_new(state, "/new/job", "max\n", 100, 0);
    assert_limit(state, MACHINE_BYTES, SHM_MEMORY_LIMITED_BY_MACHINE);
    write_new(state, "/new/job", "1073741824\n", 300, 0);
    assert_limit(state, 724 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/new/job", "1073741824\n", 300, 100);
    assert_limit(state, 824 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/new/job", "1073741824\n", 1100, 10);
    assert_limit(state, 0, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/new/job", "1073741824\n", 10, 200); /* numbers of different moments */
    assert_limit(state, 1024 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/new/job", "1099511627776\n", 0, 0);
    assert_limit(state, MACHINE_BYTES, SHM_MEMORY_LIMITED_BY_MACHINE);
}

static void test_ancestors_count(void **state)
{
    write_new(state, "/new/job", "1073741824\n", 300, 0);
    write_new(state, "/new", "2147483648\n", 2000, 0);
    assert_limit(state, 48 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/new", "max\n", 2000, 0);
    write_new(state, "", "536870912\n", 400, 0);
    assert_limit(state, 112 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/other", "1048576\n", 1, 0);
    assert_limit(state, 112 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
}

static void test_incomplete_group_is_no_limit(void **state)
{
    machine_tree_write(*state, "sys/fs/cgroup/new/job/memory.max", "1073741824\n");
    assert_limit(state, MACHINE_BYTES, SHM_MEMORY_LIMITED_BY_MACHINE);
    machine_tree_write(*state, "sys/fs/cgroup/new/job/memory.current", "nonsense\n");
    assert_limit(state, MACHINE_BYTES, SHM_MEMORY_LIMITED_BY_MACHINE);
    machine_tree_write(*state, "sys/fs/cgroup/new/job/memory.current", "1048576\n");
    assert_limit(state, 1023 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
}

static void test_group_of_version_1(void **state)
{
    const char *folder = "sys/fs/cgroup/memory/old";
    char name[128];

    snprintf(name, sizeof name, "%s/memory.limit_in_bytes", folder);
    machine_tree_write(*state, name, "9223372036854771712\n");
    snprintf(name, sizeof name, "%s/memory.usage_in_bytes", folder);
    machine_tree_write(*state, name, "104857600\n");
    assert_limit(state, MACHINE_BYTES, SHM_MEMORY_LIMITED_BY_MACHINE);
    snprintf(name, sizeof name, "%s/memory.limit_in_bytes", folder);
    machine_tree_write(*state, name, "209715200\n");
    assert_limit(state, 100 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    snprintf(name, sizeof name, "%s/memory.stat", folder);
    machine_tree_write(*state, name, "inactive_file 1048576\ntotal_inactive_file 10485760\n");
    assert_limit(state, 110 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
    write_new(state, "/new/job", "52428800\n", 0, 0); /* the smaller of both versions */
    assert_limit(state, 50 * MIB, SHM_MEMORY_LIMITED_BY_CGROUP);
}

static void test_this_machine(void **state)
{
    enum shm_memory_limiter limiter = (enum shm_memory_limiter)77;
    uint64_t bytes = shm_memory_available(&limiter);

    (void)state;
    assert_true(bytes > MIB && bytes < UINT64_MAX);
    assert_true(limiter == SHM_MEMORY_LIMITED_BY_MACHINE ||
                limiter == SHM_MEMORY_LIMITED_BY_CGROUP);
}

#define WITH_TREE(function) cmocka_unit_test_setup_teardown(function, make_tree, remove_tree)

int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(test_machine_alone),
        WITH_TREE(test_unknown_machine),
        WITH_TREE(test_group_of_version_2),
        WITH_TREE(test_ancestors_count),
        WITH_TREE(test_incomplete_group_is_no_limit),
        WITH_TREE(test_group_of_version_1),
        cmocka_unit_test(test_this_machine),
    };

    where = argument_count > 1 ? arguments[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
