/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies by the kernel to and from a child, which maps the shared pages at another address. */
#include "transport/transport.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul
#define BYTES (256 * PAGE)

/* A child and the pages that it shares with this process; behind them is nothing. */
struct family {
    unsigned char *pages;
    struct shm_kernel_peer peer;
};

static void *map_pages(int fd)
{
    char *all = mmap(NULL, BYTES + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (all == MAP_FAILED ||
        mmap(all, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
        abort();
    return all;
}

static void start(struct family *family)
{
    int fd = memfd_create("pages", MFD_CLOEXEC);
    int place[2];
    void *there = NULL;
    pid_t pid;

    assert_int_equal(ftruncate(fd, BYTES), 0);
    assert_int_equal(pipe(place), 0);
    family->pages = map_pages(fd);
    pid = fork();
    if (pid == 0) {
        void *mine = map_pages(fd);

        alarm(50);
        shm_kernel_copy_permit();
        if (write(place[1], &mine, sizeof mine) != (ssize_t)sizeof mine)
            _exit(1);
        for (;;)
            pause();
    }
    assert_true(pid > 0);
    assert_int_equal(read(place[0], &there, sizeof there), sizeof there);
    family->peer = (struct shm_kernel_peer){
        .pe = 5, .pid = pid, .shift = (char *)there - (char *)family->pages};
    assert_true(family->peer.shift != 0);
    close(place[0]);
    close(place[1]);
    close(fd);
}

static void end_child(struct family *family)
{
    assert_int_equal(kill(family->peer.pid, SIGKILL), 0);
    assert_int_equal(waitpid(family->peer.pid, NULL, 0), family->peer.pid);
}

static void end(struct family *family)
{
    end_child(family);
    munmap(family->pages, BYTES + PAGE);
}

static struct shm_strided of_bytes(void *to, const void *from, size_t bytes)
{
    return (struct shm_strided){to, from, 1, 1, 1, 1, bytes};
}

static void fill(unsigned char *bytes, size_t count, int seed)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256 + (size_t)seed);
}

static unsigned char local[BYTES];

static void test_bytes(void **state)
{
    static const size_t sizes[] = {1, 7, 64, PAGE, PAGE + 1, 65536, BYTES - 3};
    struct family family;

    (void)state;
    start(&family);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct shm_strided put = of_bytes(family.pages + 3, local, sizes[i]);
        struct shm_strided get = of_bytes(local, family.pages + 3, sizes[i]);

        memset(family.pages, 0, BYTES);
        fill(local, sizes[i], (int)i);
        assert_int_equal(shm_kernel_copy(&family.peer, &put, false), SHM_OK);
        assert_memory_equal(family.pages + 3, local, sizes[i]);
        assert_int_equal(family.pages[2], 0);
        assert_true(3 + sizes[i] == BYTES || family.pages[3 + sizes[i]] == 0);
        fill(family.pages + 3, sizes[i], 100);
        assert_int_equal(shm_kernel_copy(&family.peer, &get, true), SHM_OK);
        assert_memory_equal(family.pages + 3, local, sizes[i]);
    }
    end(&family);
}

/* More blocks than one call of the kernel takes, in both directions, forwards and backwards. */
static void test_blocks(void **state)
{
    enum { BLOCKS = 1000 };
    struct family family;
    uint32_t *words;

    (void)state;
    start(&family);
    words = (uint32_t *)(void *)family.pages;
    memset(family.pages, 0, BYTES);
    for (uint32_t i = 0; i < 2 * BLOCKS; i++)
        ((uint32_t *)(void *)local)[i] = i + 1;
    assert_int_equal(shm_kernel_copy(&family.peer,
                                     &(struct shm_strided){words, local, 5, 2, 2, BLOCKS, 4},
                                     false),
                     SHM_OK);
    for (uint32_t i = 0; i < 5 * BLOCKS; i++)
        assert_int_equal(words[i], i % 5 < 2 ? i / 5 * 2 + i % 5 + 1 : 0);
    memset(local, 0, sizeof local);
    assert_int_equal(
        shm_kernel_copy(&family.peer,
                        &(struct shm_strided){local, words + 5 * (BLOCKS - 1), 1, -5, 1, BLOCKS, 4},
                        true),
        SHM_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        assert_int_equal(((uint32_t *)(void *)local)[i], (BLOCKS - 1 - i) * 2 + 1);
    end(&family);
}

/* The copy runs into the end of the memory of the other side, or of this one. */
static void test_faults(void **state)
{
    struct shm_strided copy;
    struct family family;

    (void)state;
    start(&family);
    copy = of_bytes(family.pages + BYTES - PAGE, local, 2 * PAGE);
    assert_int_equal(shm_kernel_copy(&family.peer, &copy, false), SHM_INVALID_VALUE);
    assert_non_null(strstr(shm_error_detail(), "the latter is of PE 5"));
    copy = of_bytes(local, family.pages + BYTES - 1, 2);
    assert_int_equal(shm_kernel_copy(&family.peer, &copy, true), SHM_INVALID_VALUE);
    assert_non_null(strstr(shm_error_detail(), "the former is of PE 5"));
    copy = of_bytes(family.pages, NULL, 64);
    assert_int_equal(shm_kernel_copy(&family.peer, &copy, false), SHM_INVALID_VALUE);
    end(&family);
}

static void test_death(void **state)
{
    struct shm_strided copy;
    struct family family;

    (void)state;
    start(&family);
    copy = of_bytes(family.pages, local, 64);
    end_child(&family);
    assert_int_equal(shm_kernel_copy(&family.peer, &copy, false), SHM_PEER_LOST);
    assert_string_equal(shm_error_detail(), "PE 5 failed: it ended without calling finalize");
    assert_int_equal(shm_kernel_copy_try(&family.peer, (void *)family.pages), ESRCH);
    munmap(family.pages, BYTES + PAGE);
}

static void test_trial(void **state)
{
    struct family family;
    _Atomic uint64_t *word;

    (void)state;
    start(&family);
    word = (_Atomic uint64_t *)(void *)family.pages;
    *word = 0x123456789abcdef0;
    assert_int_equal(shm_kernel_copy_try(&family.peer, word), 0);
    assert_int_equal(*word, 0x123456789abcdef0);
    family.peer.shift = 0; /* a process with the same number, but not that one: other memory */
    memset(local, 1, 8);
    assert_int_equal(shm_kernel_copy_try(&family.peer, (void *)local), ESRCH);
    end(&family);
}

/* A seccomp filter of a container may leave nothing to test. */
static bool is_permitted(void)
{
    _Atomic uint64_t word = 5;
    struct shm_kernel_peer self = {.pid = getpid()};

    return shm_kernel_copy_try(&self, &word) == 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_blocks), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_death), cmocka_unit_test(test_trial),
    };

    if (!is_permitted()) {
        puts("the kernel refuses process_vm_readv and process_vm_writev");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
