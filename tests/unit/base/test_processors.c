/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/processors.h"
#include "machine_tree.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <sched.h>

/* Where trees may be made; set by main(). */
static const char *where;

static int make_tree(void **state)
{
    char *root = malloc(PATH_MAX);

    *state = root;
    return root == NULL ? -1 : machine_tree_make(where, root);
}

static int remove_tree(void **state)
{
    int failed = machine_tree_remove(*state);

    free(*state);
    return failed;
}

/* ---- sets ---- */

static void test_sets_are_added_and_counted(void **state)
{
    struct shm_processor_set set = {{0}};
    struct shm_processor_set other = {{0}};

    (void)state;
    assert_int_equal(shm_processors_count(&set), 0);
    set.words[0] = 0x5;
    other.words[0] = 0x6;
    other.words[SHM_PROCESSOR_WORDS - 1] = 1ull << 63;
    shm_processors_add(&set, &other);
    assert_int_equal(shm_processors_count(&set), 4);
    assert_int_equal(set.words[0], 0x7);
    assert_int_equal(shm_processors_count(&other), 3);
}

static void test_affinity_of_the_thread_counts(void **state)
{
    struct shm_processor_set set;
    cpu_set_t before;
    cpu_set_t one;
    int last = -1;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    shm_processors_allowed(&set);
    assert_int_equal(shm_processors_count(&set), CPU_COUNT(&before));
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &before))
            last = i;
    }
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    shm_processors_allowed(&set);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(shm_processors_count(&set), 1);
    assert_true((set.words[last / 64] >> (last % 64) & 1) != 0);
}

static void test_leaving_a_processor(void **state)
{
    cpu_set_t before, after;
    bool was_elsewhere = false;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    if (CPU_COUNT(&before) < 2)
        skip();
    for (int i = 0; i < 100 && !was_elsewhere; i++) { /* it may be moved back at any time */
        int here = sched_getcpu();

        assert_true(shm_processors_leave());
        was_elsewhere = sched_getcpu() != here;
        assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
        assert_true(CPU_EQUAL(&before, &after));
    }
    assert_true(was_elsewhere);
}

static void test_no_other_processor(void **state)
{
    cpu_set_t before, one, after;
    bool has_left;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    has_left = shm_processors_leave();
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_false(has_left);
    assert_true(CPU_EQUAL(&one, &after));
}

/* ---- quotas ---- */

#define MOUNT_2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_1 "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"

static void write_version_2(const char *root, const char *path)
{
    char line[256];

    snprintf(line, sizeof line, "0::%s\n", path);
    machine_tree_write(root, "proc/self/cgroup", line);
    machine_tree_write(root, "proc/self/mountinfo",
                       "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" MOUNT_2);
}

static void test_no_control_groups_mean_no_quota(void **state)
{
    assert_int_equal(shm_processors_quota_under(*state), INT_MAX);
}

static void test_quota_of_version_2(void **state)
{
    write_version_2(*state, "/job");
    assert_int_equal(shm_processors_quota_under(*state), INT_MAX);
    machine_tree_write(*state, "sys/fs/cgroup/job/cpu.max", "max 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), INT_MAX);
    machine_tree_write(*state, "sys/fs/cgroup/job/cpu.max", "300000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 3);
    machine_tree_write(*state, "sys/fs/cgroup/job/cpu.max", "300001 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 4);
    machine_tree_write(*state, "sys/fs/cgroup/job/cpu.max", "1000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 1);
}

static void test_strange_files_mean_no_quota(void **state)
{
    static const char *const texts[] = {
        "", "\n", "many 100000\n", "100000 0\n", "0 100000\n", "99999999999999999999999 100000\n"};

    write_version_2(*state, "/job");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        machine_tree_write(*state, "sys/fs/cgroup/job/cpu.max", texts[i]);
        assert_int_equal(shm_processors_quota_under(*state), INT_MAX);
    }
}

static void test_quota_of_an_ancestor_counts(void **state)
{
    write_version_2(*state, "/a/b/c");
    machine_tree_write(*state, "sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    machine_tree_write(*state, "sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    machine_tree_write(*state, "sys/fs/cgroup/a/cpu.max", "100000 50000\n");
    assert_int_equal(shm_processors_quota_under(*state), 2);
    machine_tree_write(*state, "sys/fs/cgroup/cpu.max", "100000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 1);
}

static void test_quota_of_other_groups_does_not_count(void **state)
{
    write_version_2(*state, "/a/b");
    machine_tree_write(*state, "sys/fs/cgroup/a/b2/cpu.max", "100000 100000\n");
    machine_tree_write(*state, "sys/fs/cgroup/a/b/c/cpu.max", "100000 100000\n");
    machine_tree_write(*state, "sys/fs/cpu.max", "100000 100000\n");
    machine_tree_write(*state, "sys/fs/cgroup/a/b/cpu.max", "500000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 5);
}

static void test_quota_of_version_1(void **state)
{
    machine_tree_write(*state, "proc/self/cgroup",
                       "5:cpuset:/other\n4:cpu,cpuacct:/job/step\n0::/\n");
    machine_tree_write(*state, "proc/self/mountinfo", MOUNT_1);
    assert_int_equal(shm_processors_quota_under(*state), INT_MAX);
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
    assert_int_equal(shm_processors_quota_under(*state), INT_MAX);
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 3);
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "50000\n");
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "50000\n");
    assert_int_equal(shm_processors_quota_under(*state), 1);
}

/* Without a namespace of its own a container sees the whole path, but has mounted its part only. */
static void test_container_that_sees_its_own_part(void **state)
{
    machine_tree_write(*state, "proc/self/cgroup", "4:cpu:/docker/0123/job\n");
    machine_tree_write(*state, "proc/self/mountinfo",
                       "31 23 0:27 /docker/0123 /cg/cpu ro shared:5 - cgroup cgroup rw,cpu\n");
    machine_tree_write(*state, "cg/cpu/job/cpu.cfs_quota_us", "700000\n");
    machine_tree_write(*state, "cg/cpu/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 7);
    machine_tree_write(*state, "proc/self/cgroup", "4:cpu:/elsewhere/job\n");
    machine_tree_write(*state, "cg/cpu/cpu.cfs_quota_us", "600000\n");
    machine_tree_write(*state, "cg/cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 6);
}

static void test_group_outside_of_the_namespace(void **state)
{
    write_version_2(*state, "/../../other");
    machine_tree_write(*state, "sys/fs/cgroup/cpu.max", "200000 100000\n");
    machine_tree_write(*state, "other/cpu.max", "100000 100000\n");
    machine_tree_write(*state, "sys/other/cpu.max", "100000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 2);
}

static void test_smaller_of_both_versions(void **state)
{
    machine_tree_write(*state, "proc/self/cgroup", "4:cpu,cpuacct:/job\n0::/job\n");
    machine_tree_write(*state, "proc/self/mountinfo",
                       MOUNT_1 "32 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
    machine_tree_write(*state, "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    machine_tree_write(*state, "sys/fs/cgroup/unified/job/cpu.max", "900000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 4);
    machine_tree_write(*state, "sys/fs/cgroup/unified/job/cpu.max", "200000 100000\n");
    assert_int_equal(shm_processors_quota_under(*state), 2);
}

static void test_quota_of_this_machine(void **state)
{
    (void)state;
    assert_int_equal(shm_processors_quota(), shm_processors_quota_under(""));
    assert_true(shm_processors_quota() >= 1);
}

#define WITH_TREE(function) cmocka_unit_test_setup_teardown(function, make_tree, remove_tree)

int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_are_added_and_counted),
        cmocka_unit_test(test_affinity_of_the_thread_counts),
        cmocka_unit_test(test_leaving_a_processor),
        cmocka_unit_test(test_no_other_processor),
        WITH_TREE(test_no_control_groups_mean_no_quota),
        WITH_TREE(test_quota_of_version_2),
        WITH_TREE(test_strange_files_mean_no_quota),
        WITH_TREE(test_quota_of_an_ancestor_counts),
        WITH_TREE(test_quota_of_other_groups_does_not_count),
        WITH_TREE(test_quota_of_version_1),
        WITH_TREE(test_container_that_sees_its_own_part),
        WITH_TREE(test_group_outside_of_the_namespace),
        WITH_TREE(test_smaller_of_both_versions),
        cmocka_unit_test(test_quota_of_this_machine),
    };

    where = argument_count > 1 ? arguments[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
