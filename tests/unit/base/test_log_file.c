/* SPDX-License-Identifier: BSD-3-Clause */
/* Log files in folders of their own, below the folder that is the argument. */
#include "base/log_file.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/log.h"
#include "base/log_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE "a line\n"
#define LINE_BYTES (sizeof LINE - 1)

static const char *root;
static char folder[400];

/* No wish for space: machines that test may have little. */
static const struct shm_log_limits plain = {.file_bytes = 1 << 20, .folder_files = 50};

/* ---- folders ---- */

static int make_folder(void **state)
{
    (void)state;
    umask(022);
    snprintf(folder, sizeof folder, "%s/log_file_XXXXXX", root);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static void remove_in(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;

    if (directory == NULL)
        return;
    while ((entry = readdir(directory)) != NULL) {
        char name[700];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (unlink(name) != 0) {
            remove_in(name);
            rmdir(name);
        }
    }
    closedir(directory);
}

static int remove_folder(void **state)
{
    (void)state;
    remove_in(folder);
    return rmdir(folder);
}

/* Counts log files; the last one seen is `path`. */
static int count_files(const char *in, char path[700])
{
    DIR *directory = opendir(in);
    const struct dirent *entry;
    int count = 0;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, "aclshmem_", 9) != 0)
            continue;
        count++;
        assert_in_range(snprintf(path, 700, "%s/%s", in, entry->d_name), 1, 699);
    }
    closedir(directory);
    return count;
}

static unsigned mode_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static long bytes_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return (long)status.st_size;
}

static void touch(const char *name)
{
    char path[700];
    int fd;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static bool is_there(const char *name)
{
    char path[700];
    struct stat status;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &status) == 0;
}

static enum shm_status write_line(struct shm_log_file *file)
{
    return shm_log_file_write(file, LINE, LINE_BYTES);
}

/* ---- one file ---- */

static void test_modes(void **state)
{
    char below[500];
    char path[700];
    char expected[64];
    struct shm_log_file file;
    int flags;

    (void)state;
    snprintf(below, sizeof below, "%s/some/where", folder);
    snprintf(expected, sizeof expected, "/aclshmem_%d_20", (int)getpid());
    shm_log_file_init(&file, below, &plain);
    assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(mode_of(below), 0750);
    assert_int_equal(count_files(below, path), 1);
    assert_non_null(strstr(path, expected));
    assert_int_equal(strlen(strrchr(path, '_')), strlen("_YYYYMMDDhhmmss.log"));
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(bytes_of(path), 2 * LINE_BYTES);
    flags = fcntl(file.fd, F_GETFL);
    assert_true((flags & O_APPEND) != 0);
    assert_int_equal(fcntl(file.fd, F_GETFD), FD_CLOEXEC);
    shm_log_file_fini(&file);
    assert_int_equal(mode_of(path), 0440);
    shm_log_file_fini(&file); /* nothing more to do */
    /* the next one, in the same second, gets a name of its own */
    shm_log_file_init(&file, below, &plain);
    assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(count_files(below, path), 2);
    shm_log_file_fini(&file);
}

static void test_full_file(void **state)
{
    struct shm_log_limits limits = plain;
    struct shm_log_file file;
    char path[700];

    (void)state;
    limits.file_bytes = 2 * LINE_BYTES;
    shm_log_file_init(&file, folder, &limits);
    for (int i = 0; i < 4; i++)
        assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(count_files(folder, path), 2);
    assert_int_equal(bytes_of(path), 2 * LINE_BYTES);
    assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(count_files(folder, path), 3);
    shm_log_file_fini(&file);
}

/* ---- what is refused ---- */

static void check_refused(const char *name, const char *reason)
{
    struct shm_log_file file;

    shm_log_file_init(&file, name, &plain);
    assert_int_equal(write_line(&file), SHM_REFUSED);
    if (strstr(shm_error_detail(), reason) == NULL)
        fail_msg("%s", shm_error_detail());
    assert_int_equal(file.fd, -1);
    shm_log_file_fini(&file);
}

static void test_refused_folders(void **state)
{
    char long_name[SHM_LOG_FOLDER_BYTES + 2];
    char path[700];

    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    check_refused(long_name, "expected at most 12800");
    long_name[sizeof long_name - 2] = '\0'; /* now it is the system that refuses */
    check_refused(long_name, "File name too long");
    snprintf(path, sizeof path, "%s/../%s", folder, strrchr(folder, '/') + 1);
    check_refused(path, "without \"..\"");
    chmod(folder, 0770);
    check_refused(folder, "has mode 0770");
    chmod(folder, 0707);
    check_refused(folder, "has mode 0707");
    chmod(folder, 0700);
    touch("file");
    snprintf(path, sizeof path, "%s/file", folder);
    check_refused(path, "Not a directory");
    assert_int_equal(count_files(folder, path), 0);
}

static void test_folder_of_others(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip(); /* only root gives folders away */
    assert_int_equal(chown(folder, 12345, (gid_t)-1), 0);
    check_refused(folder, "belongs to user 12345, expected 0");
}

/* Root may write everywhere, so it becomes somebody else for this. */
static void write_without_rights(void)
{
    struct shm_log_file file;

    if (geteuid() == 0 && (chown(folder, 65534, (gid_t)-1) != 0 || setuid(65534) != 0))
        _exit(1);
    shm_log_file_init(&file, folder, &plain);
    if (chmod(folder, 0500) != 0 || write_line(&file) != SHM_REFUSED)
        _exit(2);
    if (strstr(shm_error_detail(), "Permission denied") == NULL)
        _exit(3);
    shm_log_file_fini(&file);
    chmod(folder, 0700);
    _exit(0);
}

static void run_in_child(void (*function)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        function();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_folder_without_rights(void **state)
{
    (void)state;
    run_in_child(write_without_rights);
}

/* ---- what happens meanwhile ---- */

static void test_little_space(void **state)
{
    struct shm_log_limits limits = plain;
    struct shm_log_file file;
    char path[700];

    (void)state;
    limits.free_bytes = 1ull << 62;
    shm_log_file_init(&file, folder, &limits);
    assert_int_equal(write_line(&file), SHM_REFUSED);
    assert_non_null(strstr(shm_error_detail(), "expected at least 4398046511104 MiB"));
    assert_int_equal(count_files(folder, path), 0);
    file.limits.free_bytes = 0;
    assert_int_equal(write_line(&file), SHM_OK);
    file.limits.free_bytes = 1ull << 62;
    assert_int_equal(write_line(&file), SHM_REFUSED);
    file.limits.free_bytes = 0;
    assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(count_files(folder, path), 1);
    assert_int_equal(bytes_of(path), 2 * LINE_BYTES);
    shm_log_file_fini(&file);
}

/* Neither the disk nor what failed is looked at for every line. */
static void test_interval(void **state)
{
    struct shm_log_limits limits = plain;
    struct shm_log_file file;

    (void)state;
    limits.interval_ns = UINT64_MAX;
    shm_log_file_init(&file, folder, &limits);
    assert_int_equal(write_line(&file), SHM_OK);
    file.limits.free_bytes = 1ull << 62;
    assert_int_equal(write_line(&file), SHM_OK);
    shm_log_file_fini(&file);

    shm_log_file_init(&file, folder, &limits);
    file.limits.free_bytes = 1ull << 62;
    assert_int_equal(write_line(&file), SHM_REFUSED);
    file.limits.free_bytes = 0;
    assert_int_equal(write_line(&file), SHM_AGAIN);
    file.limits.interval_ns = 0;
    assert_int_equal(write_line(&file), SHM_OK);
    shm_log_file_fini(&file);
}

static void test_folder_removed(void **state)
{
    struct shm_log_file file;
    char path[700];

    (void)state;
    shm_log_file_init(&file, folder, &plain);
    assert_int_equal(write_line(&file), SHM_OK);
    remove_in(folder);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(count_files(folder, path), 1);
    assert_int_equal(bytes_of(path), LINE_BYTES);
    shm_log_file_fini(&file);
}

/* A limit for files stands for a disk that is full: half a line fits. */
static void fill_disk(void)
{
    struct rlimit limit = {LINE_BYTES + 3, LINE_BYTES + 3};
    struct shm_log_file file;
    char path[700];

    signal(SIGXFSZ, SIG_IGN);
    shm_log_file_init(&file, folder, &plain);
    if (write_line(&file) != SHM_OK || setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(1);
    for (int i = 0; i < 3; i++)
        if (write_line(&file) == SHM_OK)
            _exit(2);
    if (count_files(folder, path) != 1 || bytes_of(path) != LINE_BYTES)
        _exit(3);
    shm_log_file_fini(&file);
    _exit(0);
}

static void test_full_disk(void **state)
{
    (void)state;
    run_in_child(fill_disk);
}

/* ---- old files ---- */

static void test_oldest_removed(void **state)
{
    struct shm_log_limits limits = plain;
    struct shm_log_file file;

    (void)state;
    limits.folder_files = 3;
    touch("aclshmem_9_20200101000000.log");
    touch("aclshmem_1_20210101000000.log");
    touch("aclshmem_5_20220101000000.log");
    touch("aclshmem_3_20230101000000.log");
    shm_log_file_init(&file, folder, &limits);
    assert_int_equal(write_line(&file), SHM_OK);
    shm_log_file_fini(&file);
    assert_false(is_there("aclshmem_9_20200101000000.log"));
    assert_false(is_there("aclshmem_1_20210101000000.log"));
    assert_true(is_there("aclshmem_5_20220101000000.log"));
    assert_true(is_there("aclshmem_3_20230101000000.log"));
}

/* Other names, and what is no file, neither count nor go. */
static void test_others_stay(void **state)
{
    static const char *const names[] = {
        "aclshmem_9_20200101000000.log~",
        "aclshmem_9_2020010100000.log",
        "aclshmem_9_202001010000000.log",
        "aclshmem_x_20200101000000.log",
        "aclshmem__20200101000000.log",
        "xaclshmem_9_20200101000000.log",
        "aclshmem_12345678901_20200101000000.log",
        "aclshmem_9-20200101000000.log",
    };
    struct shm_log_limits limits = plain;
    struct shm_log_file file;
    char target[700];
    char path[700];

    (void)state;
    limits.folder_files = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        touch(names[i]);
    touch("precious");
    snprintf(target, sizeof target, "%s/precious", folder);
    snprintf(path, sizeof path, "%s/aclshmem_7_20200101000000.log", folder);
    assert_int_equal(symlink(target, path), 0);
    snprintf(path, sizeof path, "%s/aclshmem_8_20200101000000.log", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    touch("aclshmem_6_20200101000000.log");
    shm_log_file_init(&file, folder, &limits);
    assert_int_equal(write_line(&file), SHM_OK);
    shm_log_file_fini(&file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(is_there(names[i]));
    assert_true(is_there("precious"));
    assert_true(is_there("aclshmem_7_20200101000000.log"));
    assert_true(is_there("aclshmem_8_20200101000000.log"));
    assert_false(is_there("aclshmem_6_20200101000000.log"));
}

/* Other PEs must not lose theirs. */
static void test_files_in_use_stay(void **state)
{
    struct shm_log_limits limits = plain;
    struct shm_log_file others[4];
    char path[700];

    (void)state;
    limits.folder_files = 2;
    for (int i = 0; i < 4; i++) {
        shm_log_file_init(&others[i], folder, &limits);
        assert_int_equal(write_line(&others[i]), SHM_OK);
    }
    assert_int_equal(count_files(folder, path), 4);
    for (int i = 0; i < 4; i++)
        shm_log_file_fini(&others[i]);
    shm_log_file_init(&others[0], folder, &limits);
    assert_int_equal(write_line(&others[0]), SHM_OK);
    assert_int_equal(count_files(folder, path), 2);
    shm_log_file_fini(&others[0]);
}

/* Removes what it may as often as it can, as many PEs would that begin at once. */
static void keep_removing(int in)
{
    alarm(60);
    for (;;)
        shm_log_folder_prune(in, 0);
}

/* A file of which the maker knows is one that stays, although it has a lock only a moment later
 * than a name. */
static void test_new_files_stay(void **state)
{
    int in = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pid_t remover = fork();
    int made = 0;
    int removed = 0;

    (void)state;
    if (remover == 0)
        keep_removing(in);
    while (made < 8000 && removed == 0) {
        struct stat status = {0};
        int fd = -1;

        if (shm_log_folder_create(in, folder, &fd) != SHM_OK)
            continue; /* all names of the next seconds are taken */
        usleep(50);
        made++;
        removed += fstat(fd, &status) != 0 || status.st_nlink == 0;
        close(fd);
    }
    kill(remover, SIGKILL);
    assert_int_equal(waitpid(remover, NULL, 0), remover);
    close(in);
    assert_int_equal(removed, 0);
}

static void test_many_files(void **state)
{
    struct shm_log_limits limits = plain;
    struct shm_log_file file;
    char path[700];

    (void)state;
    limits.file_bytes = 1;
    limits.folder_files = 10;
    shm_log_file_init(&file, folder, &limits);
    for (int i = 0; i < 150; i++)
        assert_int_equal(write_line(&file), SHM_OK);
    assert_int_equal(count_files(folder, path), 10);
    shm_log_file_fini(&file);
}

/* ---- the log of the process ---- */

static bool has_space(void)
{
    struct shm_log_file file;
    bool has;

    shm_log_file_init(&file, folder, &shm_log_limits);
    has = write_line(&file) == SHM_OK;
    shm_log_file_fini(&file);
    remove_in(folder);
    return has;
}

static int open_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* The child has no part in the parent's file, which stays open for the parent. */
static void log_in_child(void)
{
    char path[700];
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int before = open_descriptors();

    shm_log_after_fork_in_child();
    if (open_descriptors() != before - 1)
        _exit(1);
    dup2(null, STDERR_FILENO);
    shm_log(SHM_LOG_ERROR, "test", "child");
    shm_log_detach();
    if (count_files(folder, path) != 1 || mode_of(path) != 0640)
        _exit(2);
    _exit(0);
}

static void test_fork(void **state)
{
    struct shm_log_settings settings = {.threshold = SHM_LOG_INFO, .folder = folder, .pe = 1};
    int before = open_descriptors();
    int status = 0;
    char path[700];
    long bytes;
    pid_t child;

    (void)state;
    if (!has_space())
        skip();
    shm_log_attach(&settings);
    shm_log_attach(&settings);
    shm_log(SHM_LOG_INFO, "test", "parent");
    assert_int_equal(count_files(folder, path), 1);
    bytes = bytes_of(path);
    shm_log_before_fork();
    child = fork();
    if (child == 0)
        log_in_child();
    shm_log_after_fork_in_parent();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(bytes_of(path), bytes);
    shm_log_detach();
    shm_log(SHM_LOG_INFO, "test", "parent");
    assert_int_equal(bytes_of(path), 2 * bytes);
    shm_log_detach();
    assert_int_equal(mode_of(path), 0440);
    assert_int_equal(open_descriptors(), before);
}

int main(int argc, char **argv)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_modes),
        IN_FOLDER(test_full_file),
        IN_FOLDER(test_refused_folders),
        IN_FOLDER(test_folder_of_others),
        IN_FOLDER(test_folder_without_rights),
        IN_FOLDER(test_little_space),
        IN_FOLDER(test_interval),
        IN_FOLDER(test_folder_removed),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_oldest_removed),
        IN_FOLDER(test_others_stay),
        IN_FOLDER(test_files_in_use_stay),
        IN_FOLDER(test_new_files_stay),
        IN_FOLDER(test_many_files),
        IN_FOLDER(test_fork),
    };

    assert_int_equal(argc, 2);
    root = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
