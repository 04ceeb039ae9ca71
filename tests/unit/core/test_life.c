/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Init that fails: each step of it fails once, on one PE or on both, by a function in its place
 * that the linker puts there (--wrap). Afterwards nothing is left, and the next init works. And
 * what concerns the whole process: the generation of handles, what the launcher hears, exit.
 */
#include "base/launch.h"
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
#include <pthread.h>
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

/* What happens, once, before a function fails, or before the launcher is told of the end. */
static void (*meanwhile)(void);

static bool fails(const char *name)
{
    return strcmp(name, failing) == 0 && calls_before-- == 0;
}

static void run_meanwhile(void)
{
    void (*run)(void) = meanwhile;

    meanwhile = NULL;
    if (run != NULL)
        run();
}

#define WRAP(name, parameters, arguments)                                                          \
    enum shm_status __real_##name parameters;                                                      \
    enum shm_status __wrap_##name parameters;                                                      \
    enum shm_status __wrap_##name parameters                                                       \
    {                                                                                              \
        check_life(#name);                                                                         \
        if (fails(#name)) {                                                                        \
            run_meanwhile();                                                                       \
            return shm_fail(SHM_INNER_ERROR, "%s was made to fail", #name);                        \
        }                                                                                          \
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

enum shm_status __real_shm_socket_send_descriptor(int fd, const void *message, size_t bytes,
                                                  int descriptor);
enum shm_status __wrap_shm_socket_send_descriptor(int fd, const void *message, size_t bytes,
                                                  int descriptor);

enum shm_status __wrap_shm_socket_send_descriptor(int fd, const void *message, size_t bytes,
                                                  int descriptor)
{
    if (((const struct shm_launch_message *)message)->kind == SHM_LAUNCH_FINALIZED)
        run_meanwhile();
    return __real_shm_socket_send_descriptor(fd, message, bytes, descriptor);
}

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

/* ---- what the launcher hears ---- */

static int launcher_fd; /* its end of the socket */

static enum shm_status start_launched(uint64_t id)
{
    struct shm_start_request request = {.instance_id = id,
                                        .n_pes = 1,
                                        .kind = SHM_BOOTSTRAP_ALONE,
                                        .listen_fd = -1,
                                        .heap_bytes = 1 << 20,
                                        .is_launched = true};

    return shm_start(&request);
}

static void *start_second(void *argument)
{
    EXPECT(start_launched(2) == SHM_OK);
    return argument;
}

static pthread_t second;

static void begin_second(void)
{
    EXPECT(pthread_create(&second, NULL, start_second, NULL) == 0);
}

static void complete_second(void)
{
    begin_second();
    pthread_join(second, NULL);
}

/* Gives the other thread time to overtake, which it must not. */
static void tempt_second(void)
{
    begin_second();
    usleep(200000);
}

/* Of the kinds that begin and end a membership, as digits. */
static void read_told(char told[16])
{
    struct shm_launch_message message;
    size_t count = 0;

    while (recv(launcher_fd, &message, sizeof message, MSG_DONTWAIT) > 0)
        if (message.kind != SHM_LAUNCH_RECORDS && count < 15)
            told[count++] = (char)('0' + message.kind);
    told[count] = '\0';
}

static void set_up_launcher(void)
{
    char number[16];
    int ends[2];

    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    launcher_fd = ends[0];
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv(SHM_LAUNCH_PE, "0", 1);
    setenv(SHM_LAUNCH_N_PES, "1", 1);
    setenv(SHM_LAUNCH_FD, number, 1);
}

/* The first init fails when another thread's instance is ready: the process is a member then. */
static void fail_beside_another(void)
{
    char told[16];

    set_up_launcher();
    failing = "shm_heap_reserve";
    meanwhile = complete_second;
    EXPECT(start_launched(1) != SHM_OK);
    read_told(told);
    EXPECT(strcmp(told, "1") == 0);
    EXPECT(shm_stop(2) == SHM_OK);
    read_told(told);
    EXPECT(strcmp(told, "3") == 0);
}

/* The last init to fail is the end, though it was not the first. */
static void fail_both(void)
{
    char told[16];

    set_up_launcher();
    failing = "shm_heap_reserve";
    EXPECT(start_launched(1) != SHM_OK);
    read_told(told);
    EXPECT(strcmp(told, "13") == 0);
    failing = "shm_instance_create";
    calls_before = 0;
    EXPECT(start_launched(1) != SHM_OK);
    read_told(told);
    EXPECT(strcmp(told, "13") == 0);
}

/* One thread ends the last instance while another starts one. */
static void end_beside_another(void)
{
    char told[16];

    set_up_launcher();
    EXPECT(start_launched(1) == SHM_OK);
    meanwhile = tempt_second;
    EXPECT(shm_stop(1) == SHM_OK);
    pthread_join(second, NULL);
    read_told(told);
    EXPECT(strcmp(told, "131") == 0);
    EXPECT(shm_stop(2) == SHM_OK);
    read_told(told);
    EXPECT(strcmp(told, "3") == 0);
}

static int status_of_child(void (*run)(void))
{
    pid_t pid = fork();
    int status = -1;

    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(60);
        run();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void test_the_launcher_hears_in_order(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(fail_beside_another), 0);
    assert_int_equal(status_of_child(fail_both), 0);
    assert_int_equal(status_of_child(end_beside_another), 0);
}

/* ---- exit of several threads ---- */

static int handled[2]; /* a pipe */

/* Time for a second thread to cut this short. */
static void handle_exit(void)
{
    usleep(200000);
    if (write(handled[1], "", 1) != 1)
        abort();
}

static void *exit_all(void *argument)
{
    shm_global_exit(shm_current(), 7);
    return argument;
}

static void exit_twice(void)
{
    pthread_t thread;

    start_alone();
    EXPECT(atexit(handle_exit) == 0);
    EXPECT(pthread_create(&thread, NULL, exit_all, NULL) == 0);
    exit_all(NULL);
}

static void test_two_threads_exit(void **state)
{
    char byte;
    int status;

    (void)state;
    assert_int_equal(pipe(handled), 0);
    status = status_of_child(exit_twice);
    close(handled[1]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert_int_equal(read(handled[0], &byte, 1), 1);
    assert_int_equal(read(handled[0], &byte, 1), 0);
    close(handled[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_step_fails),
        cmocka_unit_test(test_old_handles),
        cmocka_unit_test(test_the_launcher_hears_in_order),
        cmocka_unit_test(test_two_threads_exit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
