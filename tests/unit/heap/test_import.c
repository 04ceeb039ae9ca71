/* SPDX-License-Identifier: BSD-3-Clause */
/* Doors, and fetching memory from leaders that are none. */
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

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB 0x0123456789abcdefull
#define HEAP_BYTES (3u << 20)
#define PATIENCE_MS 20000u

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

static int exit_status(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static enum shm_status import_from(const char *door_name, uint64_t limit_ms)
{
    struct shm_heap heap;
    enum shm_status status;

    assert_int_equal(reserve(&heap, HEAP_BYTES, 1, 2), SHM_OK);
    status = shm_heap_import(&heap, door_name, JOB, shm_deadline_after_ms(limit_ms));
    if (status != SHM_OK)
        assert_int_equal(heap.memory_fd, -1);
    shm_heap_destroy(&heap);
    return status;
}

static void test_no_such_door(void **state)
{
    struct shm_heap_door door;
    char name[SHM_HEAP_DOOR_NAME_BYTES];

    (void)state;
    assert_int_equal(shm_heap_door_open(&door), SHM_OK);
    memcpy(name, door.name, sizeof name);
    shm_heap_door_close(&door);
    assert_int_equal(import_from(name, PATIENCE_MS), SHM_NOT_FOUND);
    assert_detail(name);
    shm_heap_door_close(&door); /* twice is harmless */
}

static void test_doors_have_different_names(void **state)
{
    struct shm_heap_door doors[2];

    (void)state;
    assert_int_equal(shm_heap_door_open(&doors[0]), SHM_OK);
    assert_int_equal(shm_heap_door_open(&doors[1]), SHM_OK);
    assert_string_not_equal(doors[0].name, doors[1].name);
    assert_int_equal(fcntl(doors[0].listen_fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    shm_heap_door_close(&doors[0]);
    shm_heap_door_close(&doors[1]);
}

static void test_import_needs_addresses(void **state)
{
    struct shm_heap heap;

    (void)state;
    shm_heap_init(&heap);
    assert_int_equal(shm_heap_import(&heap, "shmem-heap-none", JOB, 0), SHM_INVALID_PARAM);
}

static int make_file(off_t bytes, int seals)
{
    int fd = memfd_create("shmem test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, bytes), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

/* A child plays a leader that sends this message and descriptor, then waits for the end. */
static enum shm_status import_from_false_leader(const void *message, size_t bytes, int descriptor)
{
    struct shm_heap_door door;
    enum shm_status status;
    pid_t child;

    assert_int_equal(shm_heap_door_open(&door), SHM_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char rest;
        int fd;

        fcntl(door.listen_fd, F_SETFL, 0);
        fd = accept(door.listen_fd, NULL, NULL);
        if (bytes > 0 && shm_socket_send_descriptor(fd, message, bytes, descriptor) != SHM_OK)
            _exit(1);
        while (recv(fd, &rest, 1, 0) > 0)
            ;
        _exit(0);
    }
    status = import_from(door.name, bytes > 0 ? PATIENCE_MS : 50);
    assert_int_equal(exit_status(child), 0);
    shm_heap_door_close(&door);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

static void test_false_leaders(void **state)
{
    struct shm_door_offer offer = {SHM_DOOR_OFFER_MAGIC, SHM_OK, 2, 0, {1, 2, 3}};
    struct shm_heap_layout layout;
    char large[4096] = {0};
    off_t bytes;

    (void)state;
    assert_int_equal(shm_heap_layout_make(100, 4096, HEAP_BYTES, 2, &layout), SHM_OK);
    bytes = (off_t)(2 * layout.stride);
    assert_int_equal(import_from_false_leader(NULL, 0, -1), SHM_TIMEOUT_ERROR);
    assert_int_equal(import_from_false_leader(large, sizeof large, -1), SHM_PROTOCOL);
    assert_int_equal(import_from_false_leader(large, sizeof offer, -1), SHM_PROTOCOL);
    assert_detail("expected an offer");
    assert_int_equal(import_from_false_leader(&offer, sizeof offer - 1, -1), SHM_PROTOCOL);
    assert_int_equal(import_from_false_leader(&offer, sizeof offer, -1), SHM_PROTOCOL);
    assert_detail("sent no memory");
    assert_int_equal(import_from_false_leader(&offer, sizeof offer, make_file(bytes, 0)),
                     SHM_PROTOCOL);
    assert_detail("not sealed");
    assert_int_equal(import_from_false_leader(&offer, sizeof offer, open("/dev/zero", O_RDWR)),
                     SHM_PROTOCOL);
    assert_int_equal(
        import_from_false_leader(&offer, sizeof offer, make_file(bytes - 1, F_SEAL_SHRINK)),
        SHM_MISMATCH);
    assert_int_equal(
        import_from_false_leader(&offer, sizeof offer, make_file(bytes, F_SEAL_SHRINK)),
        SHM_NOT_FOUND);
    assert_detail("does not show the leader's token");
    offer.slices = UINT32_MAX;
    assert_int_equal(
        import_from_false_leader(&offer, sizeof offer, make_file(bytes, F_SEAL_SHRINK)),
        SHM_MISMATCH);
    offer.status = SHM_REFUSED;
    assert_int_equal(import_from_false_leader(&offer, sizeof offer, -1), SHM_REFUSED);
}

static void test_leader_gives_up(void **state)
{
    struct shm_heap_door door;
    pid_t child;

    (void)state;
    assert_int_equal(shm_heap_door_open(&door), SHM_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(import_from(door.name, PATIENCE_MS) == SHM_CLOSED ? 0 : 1);
    fcntl(door.listen_fd, F_SETFL, 0);
    close(accept(door.listen_fd, NULL, NULL));
    assert_int_equal(exit_status(child), 0);
    shm_heap_door_close(&door);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_such_door),
        cmocka_unit_test(test_doors_have_different_names),
        cmocka_unit_test(test_import_needs_addresses),
        cmocka_unit_test(test_false_leaders),
        cmocka_unit_test(test_leader_gives_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
