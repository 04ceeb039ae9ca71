/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Init that fails: each step of it fails once, on one PE or on both, by a function in its place
 * that the linker puts there (--wrap). Afterwards nothing is left, and the next init works. And
 * what outlives an instance: the generation of handles.
 */
#include "core/core.h"
#include "team/team.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include <arpa/inet.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a PE: cmocka belongs to the parent. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "PE %d, %s: line %d: %s; detail: %s\n", my_pe, failing, __LINE__,      \
                    #condition, shm_error_detail());                                               \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static int my_pe;
static const char *failing = ""; /* name of the function that fails */
static int calls_before;         /* of that function, which do not */

/* ---- functions in the place of others ---- */

static bool fails(const char *name)
{
    return strcmp(name, failing) == 0 && calls_before-- == 0;
}

#define WRAP(name, parameters, arguments)                                                          \
    enum shm_status __real_##name parameters;                                                      \
    enum shm_status __wrap_##name parameters;                                                      \
    enum shm_status __wrap_##name parameters                                                       \
    {                                                                                              \
        check_life(#name);                                                                         \
        if (fails(#name))                                                                          \
            return shm_fail(SHM_INNER_ERROR, "%s was made to fail", #name);                        \
        return __real_##name arguments;                                                            \
    }

/* What the program hears at each step. */
static void check_life(const char *name)
{
    if (strcmp(name, "shm_bootstrap_open") == 0 || strcmp(name, "shm_heap_map") == 0)
        EXPECT(shm_life() == SHM_LIFE_NONE);
    if (strcmp(name, "shm_allocator_create") == 0 || strcmp(name, "shm_teams_create") == 0)
        EXPECT(shm_life() == SHM_LIFE_MEMORY);
}

WRAP(shm_instance_create, (struct shm_instance * *out), (out))
WRAP(shm_options_load, (struct shm_options * out), (out))
WRAP(shm_bootstrap_open,
     (enum shm_bootstrap_kind kind, const struct shm_bootstrap_request *request,
      struct shm_bootstrap **out),
     (kind, request, out))
WRAP(shm_bootstrap_allgather,
     (struct shm_bootstrap * bootstrap, const void *mine, size_t bytes, void *all,
      uint64_t deadline_ns),
     (bootstrap, mine, bytes, all, deadline_ns))
WRAP(shm_heap_door_open, (struct shm_heap_door * door), (door))
WRAP(shm_heap_reserve,
     (struct shm_heap * heap, const struct shm_heap_layout *layout, int pe, int n_pes,
      uint32_t domain),
     (heap, layout, pe, n_pes, domain))
WRAP(shm_heap_create, (struct shm_heap * heap, uint32_t slices, enum shm_huge_pages huge_pages),
     (heap, slices, huge_pages))
WRAP(shm_heap_export,
     (struct shm_heap * heap, struct shm_heap_door *door, uint64_t job_id, const int *members,
      int count, uint64_t deadline_ns, shm_heap_check check, void *argument),
     (heap, door, job_id, members, count, deadline_ns, check, argument))
WRAP(shm_heap_import,
     (struct shm_heap * heap, const char *door_name, uint64_t job_id, uint64_t deadline_ns),
     (heap, door_name, job_id, deadline_ns))
WRAP(shm_heap_map, (struct shm_heap * heap, int first_pe, uint32_t first_slice, uint32_t count),
     (heap, first_pe, first_slice, count))
WRAP(shm_static_data_share, (struct shm_static_data * data, const struct shm_heap *heap),
     (data, heap))
WRAP(shm_allocator_create, (uint64_t bytes, struct shm_allocator **out), (bytes, out))
WRAP(shm_memory_history_create, (struct shm_instance * instance), (instance))
WRAP(shm_teams_create, (struct shm_instance * instance), (instance))
WRAP(shm_barrier_until,
     (struct shm_instance * instance, const struct shm_group *group, const char *call,
      uint64_t deadline_ns),
     (instance, group, call, deadline_ns))

/* ---- what a process has ---- */

static int count_entries(const char *folder)
{
    DIR *directory = opendir(folder);
    int count = 0;

    EXPECT(directory != NULL);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* Mappings of a heap: shared ones of a memfd, and what is reserved in the place for heaps. */
static int count_heap_mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    int count = 0;

    EXPECT(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        uint64_t begin = 0;
        char rights[5] = "";

        EXPECT(sscanf(line, "%" SCNx64 "-%*x %4s", &begin, rights) == 2);
        count += (rights[3] == 's' && strstr(line, "memfd:") != NULL) ||
                 (begin >> 44 >= 2 && begin >> 44 < 5 && strcmp(rights, "---p") == 0);
    }
    fclose(maps);
    return count;
}

struct usage {
    int descriptors, threads, mappings;
};

static struct usage measure(void)
{
    return (struct usage){count_entries("/proc/self/fd"), count_entries("/proc/self/task"),
                          count_heap_mappings()};
}

static void expect_nothing_left(const struct usage *before)
{
    struct usage after = measure();

    for (int i = 0; i < 200 && after.threads > before->threads; i++) {
        usleep(10000); /* a thread that was joined vanishes a moment later */
        after = measure();
    }
    EXPECT(shm_life() == SHM_LIFE_NONE && shm_current() == NULL && shm_default() == NULL);
    EXPECT(after.descriptors == before->descriptors);
    EXPECT(after.threads <= before->threads);
    EXPECT(after.mappings == before->mappings);
}

/* ---- PEs ---- */

struct addresses {
    char text[3][64];
};

static enum shm_status start(uint64_t id, const char *address)
{
    struct shm_start_request request = {
        .instance_id = id,
        .my_pe = my_pe,
        .n_pes = 2,
        .kind = SHM_BOOTSTRAP_CONFIG_STORE,
        .address = address,
        .listen_fd = -1,
        .heap_bytes = 1 << 20,
        .init_timeout_s = 30,
    };

    return shm_start(&request);
}

static void join_and_leave(uint64_t id, const char *address)
{
    EXPECT(start(id, address) == SHM_OK);
    EXPECT(shm_life() == SHM_LIFE_READY && shm_current()->reach.n_pes == 2);
    EXPECT(shm_stop(id) == SHM_OK);
}

struct step {
    const char *name;
    int calls_before;
    bool fails_on[2]; /* PEs */
};

static void be_pe(const struct step *step, const struct addresses *addresses)
{
    struct usage before;

    join_and_leave(0, addresses->text[0]); /* sets up what stays, for instance libc's caches */
    before = measure();
    EXPECT(before.mappings == 0);
    if (step->fails_on[my_pe]) {
        failing = step->name;
        calls_before = step->calls_before;
    }
    EXPECT(start(0, addresses->text[1]) != SHM_OK);
    if (strcmp(step->name, "shm_heap_reserve") == 0 && my_pe == 1 && !step->fails_on[1])
        EXPECT(strcmp(shm_error_detail(), "PE 0: shm_heap_reserve was made to fail") == 0);
    if (step->fails_on[my_pe] && !step->fails_on[1 - my_pe])
        EXPECT(calls_before < 0); /* it got that far; of two that fail, one may hear of the other */
    failing = "";
    expect_nothing_left(&before);
    join_and_leave(0, addresses->text[2]);
    expect_nothing_left(&before);
    exit(0);
}

static void find_address(char address[64])
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof any;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&any, sizeof any), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&any, &bytes), 0);
    close(fd);
    snprintf(address, 64, "tcp://127.0.0.1:%d", ntohs(any.sin_port));
}

static void run_step(const struct step *step)
{
    struct addresses addresses;
    pid_t pids[2];

    for (int i = 0; i < 3; i++)
        find_address(addresses.text[i]);
    for (my_pe = 0; my_pe < 2; my_pe++) {
        pids[my_pe] = fork();
        assert_true(pids[my_pe] >= 0);
        if (pids[my_pe] == 0) {
            alarm(60);
            be_pe(step, &addresses);
        }
    }
    for (int pe = 0; pe < 2; pe++) {
        int status = 0;

        assert_int_equal(waitpid(pids[pe], &status, 0), pids[pe]);
        if (status != 0)
            fail_msg("%s after %d calls, on PE 0: %d, on PE 1: %d: PE %d ended with %#x",
                     step->name, step->calls_before, step->fails_on[0], step->fails_on[1], pe,
                     (unsigned)status);
    }
}

/* Where only one PE fails before it joins, or PE 0 before the other one has found it, the other
 * waits until the time for init is over: that is not tried. */
static void test_each_step_fails(void **state)
{
    static const struct step steps[] = {
        {"shm_instance_create", 0, {true, true}},
        {"shm_options_load", 0, {true, true}},
        {"shm_bootstrap_open", 0, {true, true}},
        {"shm_heap_door_open", 0, {false, true}},
        {"shm_bootstrap_allgather", 0, {false, true}},
        {"shm_bootstrap_allgather", 1, {true, false}},
        {"shm_bootstrap_allgather", 1, {false, true}},
        {"shm_bootstrap_allgather", 1, {true, true}},
        {"shm_heap_reserve", 0, {true, false}},
        {"shm_heap_reserve", 0, {false, true}},
        {"shm_heap_reserve", 0, {true, true}},
        {"shm_heap_create", 0, {true, false}},
        {"shm_heap_export", 0, {true, false}},
        {"shm_heap_import", 0, {false, true}},
        {"shm_heap_map", 0, {true, false}},
        {"shm_heap_map", 0, {false, true}},
        {"shm_heap_map", 0, {true, true}},
        {"shm_static_data_share", 0, {true, false}},
        {"shm_static_data_share", 0, {false, true}},
        {"shm_allocator_create", 0, {true, false}},
        {"shm_allocator_create", 0, {false, true}},
        {"shm_memory_history_create", 0, {false, true}},
        {"shm_teams_create", 0, {true, false}},
        {"shm_teams_create", 0, {false, true}},
        {"shm_barrier_until", 0, {true, false}},
        {"shm_barrier_until", 0, {false, true}},
        {"shm_barrier_until", 0, {true, true}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        run_step(&steps[i]);
}

/* ---- handles ---- */

static void start_alone(void)
{
    struct shm_start_request request = {
        .n_pes = 1, .kind = SHM_BOOTSTRAP_ALONE, .listen_fd = -1, .heap_bytes = 1 << 20};

    assert_int_equal(shm_start(&request), SHM_OK);
}

/* A handle of an instance that has ended means nothing to the next one. */
static void test_old_handles(void **state)
{
    uint64_t old;

    (void)state;
    start_alone();
    for (int i = 0; i < 3; i++) {
        struct shm_handle_table *teams = &shm_default()->teams->teams;
        struct shm_handled object;

        assert_int_equal(shm_handle_table_add(teams, &object), SHM_OK);
        old = object.handle;
        assert_ptr_equal(shm_handle_table_find(teams, old), &object);
        shm_handle_table_remove(teams, &object);
        assert_int_equal(shm_stop(0), SHM_OK);
        start_alone();
        teams = &shm_default()->teams->teams;
        assert_int_equal(shm_handle_table_add(teams, &object), SHM_OK);
        assert_int_equal(shm_handle_index(object.handle), shm_handle_index(old));
        assert_null(shm_handle_table_find(teams, old));
        shm_handle_table_remove(teams, &object);
    }
    assert_int_equal(shm_stop(0), SHM_OK);
    assert_int_equal(shm_stop(0), SHM_INNER_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_step_fails),
        cmocka_unit_test(test_old_handles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
