/* SPDX-License-Identifier: BSD-3-Clause */
/* Handing memory out; members are processes. */
#include "heap/door_internal.h"

#include "base/clock.h"
#include "base/socket.h"

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
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB 0x0123456789abcdefull
#define HEAP_BYTES (3u << 20)
#define PATIENCE_MS 20000u

/* Exit status of a child that could not do what its test is about. */
#define NOT_PERMITTED 77

static void assert_detail(const char *part)
{
    if (strstr(shm_error_detail(), part) == NULL)
        fail_msg("the detail \"%s\" does not say \"%s\"", shm_error_detail(), part);
}

static enum shm_status reserve(struct shm_heap *heap, uint64_t heap_bytes, int my_pe, int n_pes)
{
    struct shm_heap_layout layout;
    enum shm_status status = shm_heap_layout_make(100, 4096, heap_bytes, n_pes, &layout);

    shm_heap_init(heap);
    return status == SHM_OK ? shm_heap_reserve(heap, &layout, my_pe, n_pes, 0) : status;
}

static void make_leader(struct shm_heap *heap, struct shm_heap_door *door, int n_pes)
{
    assert_int_equal(reserve(heap, HEAP_BYTES, 0, n_pes), SHM_OK);
    assert_int_equal(shm_heap_create(heap, (uint32_t)n_pes, SHM_HUGE_PAGES_AUTO), SHM_OK);
    assert_int_equal(shm_heap_map(heap, 0, 0, (uint32_t)n_pes), SHM_OK);
    assert_int_equal(shm_heap_door_open(door), SHM_OK);
}

static void clear_leader(struct shm_heap *heap, struct shm_heap_door *door)
{
    shm_heap_door_close(door);
    shm_heap_destroy(heap);
}

static enum shm_status export_to(struct shm_heap *heap, struct shm_heap_door *door,
                                 const int *members, int count, uint64_t limit_ms)
{
    return shm_heap_export(heap, door, JOB, members, count, shm_deadline_after_ms(limit_ms), NULL,
                           NULL);
}

static char *marker(const struct shm_heap *heap, int pe)
{
    return shm_heap_slice(heap, pe) + heap->layout.heap_offset;
}

/* ---- members ---- */

struct member {
    const char *door_name;
    uint64_t job_id;
    uint64_t heap_bytes;
    int pe;
    int n_pes;
};

/* Fetches the memory, reads the leader's marker and leaves its own. Returns an exit status. */
static int be_member(const struct member *member, enum shm_status expected)
{
    struct shm_heap heap;
    enum shm_status status = reserve(&heap, member->heap_bytes, member->pe, member->n_pes);

    if (status != SHM_OK)
        return 1;
    status = shm_heap_import(&heap, member->door_name, member->job_id,
                             shm_deadline_after_ms(PATIENCE_MS));
    if (status != expected) {
        fprintf(stderr, "PE %d: %s\n", member->pe, shm_error_detail());
        return 2;
    }
    if (status == SHM_OK) {
        if (shm_heap_map(&heap, 0, 0, (uint32_t)member->n_pes) != SHM_OK)
            return 3;
        if (*marker(&heap, 0) != 100)
            return 4;
        *marker(&heap, member->pe) = (char)(100 + member->pe);
    } else if (heap.memory_fd >= 0) {
        return 5;
    }
    shm_heap_destroy(&heap);
    return 0;
}

static pid_t start_member(const struct member *member, enum shm_status expected)
{
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(be_member(member, expected));
    return child;
}

static int exit_status(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
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

static void test_members_share_the_leaders_memory(void **state)
{
    static const int members[] = {1, 2, 3};
    int before = count_descriptors();
    struct shm_heap_door door;
    struct shm_heap heap;
    pid_t children[3];

    (void)state;
    make_leader(&heap, &door, 4);
    *marker(&heap, 0) = 100;
    for (int i = 0; i < 3; i++) {
        struct member member = {door.name, JOB, HEAP_BYTES, i + 1, 4};

        children[i] = start_member(&member, SHM_OK);
    }
    assert_int_equal(export_to(&heap, &door, members, 3, PATIENCE_MS), SHM_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(exit_status(children[i]), 0);
        assert_int_equal(*marker(&heap, i + 1), 101 + i);
    }
    clear_leader(&heap, &door);
    assert_int_equal(count_descriptors(), before);
}

static void test_nobody_to_serve(void **state)
{
    struct shm_heap_door door;
    struct shm_heap heap;

    (void)state;
    make_leader(&heap, &door, 1);
    assert_int_equal(export_to(&heap, &door, NULL, 0, PATIENCE_MS), SHM_OK);
    clear_leader(&heap, &door);
    assert_int_equal(export_to(&heap, &door, NULL, 0, PATIENCE_MS), SHM_INVALID_PARAM);
}

/* A member inside namespaces of its own, as containers have them: no common pids, users, IPC or
 * file systems. */
static int be_contained_member(const struct member *member)
{
    pid_t child;
    int status = 0;

    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS) != 0)
        return NOT_PERMITTED;
    child = fork(); /* only children are in the new pid namespace */
    if (child == 0)
        _exit(getpid() == 1 ? be_member(member, SHM_OK) : 6);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 7;
    return WEXITSTATUS(status);
}

static bool can_unshare(void)
{
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS) == 0
                  ? 0
                  : NOT_PERMITTED);
    return exit_status(child) == 0;
}

static void test_members_in_other_namespaces(void **state)
{
    static const int members[] = {1, 2};
    struct shm_heap_door door;
    struct shm_heap heap;
    pid_t children[2];

    (void)state;
    if (!can_unshare()) {
        print_message("unshare() of namespaces is not permitted here\n");
        skip();
    }
    make_leader(&heap, &door, 3);
    *marker(&heap, 0) = 100;
    for (int i = 0; i < 2; i++) {
        struct member member = {door.name, JOB, HEAP_BYTES, i + 1, 3};

        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(be_contained_member(&member));
    }
    assert_int_equal(export_to(&heap, &door, members, 2, PATIENCE_MS), SHM_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(exit_status(children[i]), 0);
        assert_int_equal(*marker(&heap, i + 1), 101 + i);
    }
    clear_leader(&heap, &door);
}

/* ---- strangers ---- */

static int knock(const struct shm_heap_door *door)
{
    int fd = -1;

    assert_int_equal(shm_abstract_connect(door->name, &fd), SHM_OK);
    return fd;
}

static void say(int fd, const void *message, size_t bytes, int descriptor)
{
    assert_int_equal(shm_socket_send_descriptor(fd, message, bytes, descriptor), SHM_OK);
}

/* The leader's answer to a stranger: a refusal, or nothing but the end. */
static enum shm_status answer(int fd)
{
    struct shm_door_offer offer;
    size_t bytes = 0;
    int descriptor = -1;
    enum shm_status status = shm_socket_receive_descriptor(
        fd, &offer, sizeof offer, shm_deadline_after_ms(PATIENCE_MS), &bytes, &descriptor);

    close(fd);
    assert_int_equal(descriptor, -1);
    if (status == SHM_OK) {
        assert_int_equal(bytes, sizeof offer);
        status = (enum shm_status)offer.status;
    }
    return status;
}

static void test_wrong_job_is_refused(void **state)
{
    static const int members[] = {1};
    struct shm_heap_door door;
    struct shm_heap heap;
    struct member stranger = {NULL, JOB + 1, HEAP_BYTES, 1, 2};
    struct member member = {NULL, JOB, HEAP_BYTES, 1, 2};
    pid_t children[2];
    int status = 0;

    (void)state;
    make_leader(&heap, &door, 2);
    *marker(&heap, 0) = 100;
    stranger.door_name = member.door_name = door.name;
    children[0] = start_member(&stranger, SHM_REFUSED);
    do { /* until the stranger had its answer */
        assert_int_equal(export_to(&heap, &door, members, 1, 100), SHM_TIMEOUT_ERROR);
        assert_detail("1 of 1 PEs of the node did not fetch its memory: PE 1");
    } while (waitpid(children[0], &status, WNOHANG) == 0);
    assert_int_equal(status, 0);
    children[1] = start_member(&member, SHM_OK);
    assert_int_equal(export_to(&heap, &door, members, 1, PATIENCE_MS), SHM_OK);
    assert_int_equal(exit_status(children[1]), 0);
    clear_leader(&heap, &door);
}

static void test_strangers_do_not_disturb(void **state)
{
    enum { SILENT = 200 };

    static const int members[] = {1};
    struct shm_heap_door door;
    struct shm_heap heap;
    struct shm_door_hello hello = {SHM_DOOR_HELLO_MAGIC, 1, JOB + 1};
    struct member member = {NULL, JOB, HEAP_BYTES, 1, 2};
    char garbage[5000];
    int silent[SILENT];
    int loud[6];
    pid_t child;

    (void)state;
    make_leader(&heap, &door, 2);
    *marker(&heap, 0) = 100;
    member.door_name = door.name;
    for (int i = 0; i < 6; i++)
        loud[i] = knock(&door);
    memset(garbage, 0xff, sizeof garbage);
    say(loud[0], garbage, sizeof garbage, -1);
    say(loud[1], garbage, sizeof hello, STDIN_FILENO); /* a descriptor that nobody wants */
    say(loud[2], &hello, sizeof hello - 1, -1);
    say(loud[3], &hello, sizeof hello, -1);
    hello.job_id = JOB;
    hello.pe = 7; /* knows the job, but is not expected */
    say(loud[4], &hello, sizeof hello, -1);
    hello.pe = 1;
    hello.magic++;
    say(loud[5], &hello, sizeof hello, -1);
    for (int i = 0; i < SILENT; i++)
        silent[i] = knock(&door);
    child = start_member(&member, SHM_OK);
    assert_int_equal(export_to(&heap, &door, members, 1, PATIENCE_MS), SHM_OK);
    assert_int_equal(exit_status(child), 0);
    assert_int_equal(answer(loud[0]), SHM_CLOSED);
    assert_int_equal(answer(loud[1]), SHM_REFUSED);
    assert_int_equal(answer(loud[2]), SHM_CLOSED);
    assert_int_equal(answer(loud[3]), SHM_REFUSED);
    assert_int_equal(answer(loud[4]), SHM_REFUSED);
    assert_int_equal(answer(loud[5]), SHM_REFUSED);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    clear_leader(&heap, &door);
}

/* ---- members that fail ---- */

static void test_missing_members_are_named(void **state)
{
    static const int members[] = {1, 2, 5};
    struct member member = {NULL, JOB, HEAP_BYTES, 2, 6};
    struct shm_heap_door door;
    struct shm_heap heap;
    pid_t child;

    (void)state;
    make_leader(&heap, &door, 6);
    *marker(&heap, 0) = 100;
    member.door_name = door.name;
    child = start_member(&member, SHM_OK);
    /* the member's turn may take long on a busy machine, the others never come */
    for (int i = 0; i < 100; i++) {
        assert_int_equal(export_to(&heap, &door, members, 3, 1500), SHM_TIMEOUT_ERROR);
        if (strstr(shm_error_detail(), "2 of 3") != NULL)
            break;
    }
    assert_detail("2 of 3 PEs of the node did not fetch its memory: PE 1 5");
    assert_int_equal(exit_status(child), 0);
    clear_leader(&heap, &door);
}

static enum shm_status fail_third_time(void *argument)
{
    int *calls = argument;

    return ++*calls < 3 ? SHM_OK : shm_fail(SHM_PEER_LOST, "PE 1 broke off");
}

static void test_check_ends_the_wait(void **state)
{
    static const int members[] = {1};
    struct shm_heap_door door;
    struct shm_heap heap;
    int calls = 0;

    (void)state;
    make_leader(&heap, &door, 2);
    assert_int_equal(shm_heap_export(&heap, &door, JOB, members, 1, 0, fail_third_time, &calls),
                     SHM_PEER_LOST);
    assert_detail("PE 1 broke off");
    assert_int_equal(calls, 3);
    clear_leader(&heap, &door);
}

static void test_other_layout_is_a_mismatch(void **state)
{
    static const int members[] = {1};
    struct member member = {NULL, JOB, HEAP_BYTES + SHM_HEAP_ALIGNMENT, 1, 2};
    struct shm_heap_door door;
    struct shm_heap heap;
    pid_t child;

    (void)state;
    make_leader(&heap, &door, 2);
    member.door_name = door.name;
    child = start_member(&member, SHM_MISMATCH);
    assert_int_equal(export_to(&heap, &door, members, 1, PATIENCE_MS), SHM_SMEM_ERROR);
    assert_detail("PE 1 cannot map the memory of its node: the node's memory has 268435456 bytes, "
                  "this PE expects 402653184");
    assert_int_equal(exit_status(child), 0);
    clear_leader(&heap, &door);
}

/* Says hello as PE 1 and takes the offer. */
static int take_offer(const struct shm_heap_door *door, struct shm_door_offer *out_offer,
                      int *out_memory)
{
    struct shm_door_hello hello = {SHM_DOOR_HELLO_MAGIC, 1, JOB};
    int fd = -1;
    size_t bytes = 0;

    if (shm_abstract_connect(door->name, &fd) != SHM_OK ||
        shm_socket_send_descriptor(fd, &hello, sizeof hello, -1) != SHM_OK ||
        shm_socket_receive_descriptor(fd, out_offer, sizeof *out_offer,
                                      shm_deadline_after_ms(PATIENCE_MS), &bytes,
                                      out_memory) != SHM_OK ||
        bytes != sizeof *out_offer || out_offer->status != SHM_OK)
        _exit(1);
    return fd;
}

static void test_wrong_token_is_reported(void **state)
{
    static const int members[] = {1};
    struct shm_heap_door door;
    struct shm_heap heap;
    pid_t child;

    (void)state;
    make_leader(&heap, &door, 2);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct shm_door_verdict verdict = {.magic = SHM_DOOR_VERDICT_MAGIC, .status = SHM_OK};
        struct shm_door_offer offer;
        int memory;
        int fd = take_offer(&door, &offer, &memory);

        memcpy(verdict.half, offer.half, sizeof verdict.half); /* never looked at the memory */
        _exit(shm_socket_send_descriptor(fd, &verdict, sizeof verdict, -1) == SHM_OK ? 0 : 2);
    }
    assert_int_equal(export_to(&heap, &door, members, 1, PATIENCE_MS), SHM_SMEM_ERROR);
    assert_detail("PE 1 read a wrong token");
    assert_int_equal(exit_status(child), 0);
    clear_leader(&heap, &door);
}

/* A member that breaks off may come again; while one is being served a second one is refused. */
static void test_member_comes_again(void **state)
{
    static const int members[] = {1};
    struct shm_heap_door door;
    struct shm_heap heap;
    pid_t child;

    (void)state;
    make_leader(&heap, &door, 2);
    *marker(&heap, 0) = 100;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct member member = {door.name, JOB, HEAP_BYTES, 1, 2};
        struct shm_door_offer offer;
        int memory;
        int fd = take_offer(&door, &offer, &memory);

        if (be_member(&member, SHM_REFUSED) != 0)
            _exit(8);
        close(fd);
        /* the leader may hear of the end a little later than of the next hello */
        for (int i = 0; i < 1000; i++) {
            struct shm_heap again;

            if (reserve(&again, HEAP_BYTES, 1, 2) == SHM_OK &&
                shm_heap_import(&again, door.name, JOB, shm_deadline_after_ms(PATIENCE_MS)) ==
                    SHM_OK)
                _exit(0);
            shm_heap_destroy(&again);
        }
        _exit(9);
    }
    assert_int_equal(export_to(&heap, &door, members, 1, PATIENCE_MS), SHM_OK);
    assert_int_equal(exit_status(child), 0);
    clear_leader(&heap, &door);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_share_the_leaders_memory),
        cmocka_unit_test(test_nobody_to_serve),
        cmocka_unit_test(test_members_in_other_namespaces),
        cmocka_unit_test(test_wrong_job_is_refused),
        cmocka_unit_test(test_strangers_do_not_disturb),
        cmocka_unit_test(test_missing_members_are_named),
        cmocka_unit_test(test_check_ends_the_wait),
        cmocka_unit_test(test_other_layout_is_a_mismatch),
        cmocka_unit_test(test_wrong_token_is_reported),
        cmocka_unit_test(test_member_comes_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
