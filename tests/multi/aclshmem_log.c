/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs and their users say about the log. Each case is a job of its own, since a choice
 * stays for the process. The argument is a folder for log files. */
#include "own_pes.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

static const char *root;

/* ---- what a descriptor gets meanwhile ---- */

struct catcher {
    int fd, saved, ends[2];
};

static void catch_begin(struct catcher *catcher, int fd)
{
    catcher->fd = fd;
    catcher->saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    EXPECT(pipe2(catcher->ends, O_CLOEXEC | O_NONBLOCK) == 0);
    EXPECT(dup2(catcher->ends[1], fd) == fd);
}

static void catch_end(struct catcher *catcher, char text[8192])
{
    ssize_t bytes = read(catcher->ends[0], text, 8191);

    text[bytes > 0 ? bytes : 0] = '\0';
    EXPECT(dup2(catcher->saved, catcher->fd) == catcher->fd);
    close(catcher->saved);
    close(catcher->ends[0]);
    close(catcher->ends[1]);
}

/* Something that is logged as an error; no other PE has a part in it, so any thread may do it. */
static void make_error(void)
{
    EXPECT(aclshmemx_instance_ctx_set(12345) != 0);
}

/* True when an error is written. */
static bool writes_errors(void)
{
    struct catcher err;
    char text[8192];

    catch_begin(&err, STDERR_FILENO);
    make_error();
    catch_end(&err, text);
    return strstr(text, " ERROR ") != NULL && strstr(text, "[SHM_SHMEM ") != NULL;
}

/* ---- levels ---- */

static void use_levels(int pe, int n_pes, const void *address)
{
    unsetenv("SHMEM_LOG_LEVEL");
    for (int level = 0; level <= 4; level++)
        EXPECT(aclshmemx_set_log_level(level) == 0);
    EXPECT(aclshmemx_set_log_level(-1) == ACLSHMEM_INVALID_VALUE);
    EXPECT(aclshmemx_set_log_level(5) == ACLSHMEM_INVALID_VALUE);
    join(pe, n_pes, address);
    EXPECT(!writes_errors()); /* 4 was kept, through wrong ones and init */
    EXPECT(aclshmemx_set_log_level(3) == 0);
    EXPECT(writes_errors());
    EXPECT(aclshmem_finalize() == 0);
}

static void test_levels(void **state)
{
    (void)state;
    run_job(2, use_levels);
}

static void use_environment(int pe, int n_pes, const void *address)
{
    static const char *const levels[] = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

    for (size_t i = 0; i < 5; i++) {
        setenv("SHMEM_LOG_LEVEL", levels[i], 1);
        EXPECT(aclshmemx_set_log_level(-1) == 0);
        EXPECT(aclshmemx_set_log_level(0) == 0);
    }
    join(pe, n_pes, address);
    EXPECT(aclshmemx_set_log_level(0) == 0);
    EXPECT(!writes_errors()); /* still FATAL */
    EXPECT(aclshmem_finalize() == 0);
}

static void test_environment_wins(void **state)
{
    (void)state;
    run_job(2, use_environment);
}

/* ---- the program's function ---- */

static _Atomic int calls[5];

static void count(int level, const char *msg)
{
    if (level < 0 || level > 4 || msg == NULL || strstr(msg, "[SHM_SHMEM ") != msg)
        _exit(9);
    calls[level]++;
}

/* Calls back into the library, which logs in turn. */
static void call_back(int level, const char *msg)
{
    calls[level] += msg != NULL;
    EXPECT(aclshmem_my_pe() >= 0);
    EXPECT(aclshmemx_set_log_level(4) == 0);
    EXPECT(aclshmemx_set_extern_logger(call_back) == 0);
    make_error();
}

static void *make_errors(void *unused)
{
    for (int i = 0; i < 100; i++)
        make_error();
    return unused;
}

static void use_function(int pe, int n_pes, const void *address)
{
    pthread_t thread;

    unsetenv("SHMEM_LOG_LEVEL");
    EXPECT(aclshmemx_set_extern_logger(count) == 0);
    EXPECT(aclshmemx_set_log_level(4) == 0);
    join(pe, n_pes, address);
    EXPECT(calls[1] > 0); /* init has something to say, far below the threshold */
    EXPECT(!writes_errors());
    EXPECT(calls[3] == 1);
    EXPECT(pthread_create(&thread, NULL, make_errors, NULL) == 0);
    make_errors(NULL);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(calls[3] == 201);
    EXPECT(aclshmemx_set_extern_logger(call_back) == 0);
    EXPECT(!writes_errors());
    EXPECT(calls[3] == 202);
    EXPECT(aclshmemx_set_extern_logger(NULL) == 0);
    EXPECT(aclshmemx_set_log_level(3) == 0);
    EXPECT(writes_errors());
    EXPECT(calls[3] == 202);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_function(void **state)
{
    (void)state;
    run_job(2, use_function);
}

/* ---- files and standard output ---- */

static int count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;

    EXPECT(directory != NULL);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* Reads the one file of this process; its mode. */
static unsigned read_own_file(const char *folder, char text[8192])
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    char prefix[40];
    char path[700] = "";
    struct stat status;
    FILE *file;
    size_t bytes;

    EXPECT(directory != NULL);
    snprintf(prefix, sizeof prefix, "aclshmem_%d_", (int)getpid());
    while ((entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        EXPECT(path[0] == '\0');
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    }
    closedir(directory);
    EXPECT(stat(path, &status) == 0);
    file = fopen(path, "re");
    EXPECT(file != NULL);
    bytes = fread(text, 1, 8191, file);
    text[bytes] = '\0';
    fclose(file);
    return status.st_mode & 07777;
}

struct place {
    char address[64];
    const char *folder;
};

static void use_files(int pe, int n_pes, const void *argument)
{
    const struct place *place = argument;
    int before = count_descriptors();
    struct catcher err;
    char told[8192];
    char text[8192];
    char name[24];

    setenv("SHMEM_LOG_PATH", place->folder, 1);
    setenv("SHMEM_LOG_LEVEL", "INFO", 1);
    catch_begin(&err, STDERR_FILENO);
    join(pe, n_pes, place->address);
    make_error();
    EXPECT(read_own_file(place->folder, text) == 0640);
    EXPECT(aclshmem_finalize() == 0);
    catch_end(&err, told);
    EXPECT(told[0] == '\0');
    EXPECT(read_own_file(place->folder, text) == 0440);
    snprintf(name, sizeof name, "] PE %d ", pe);
    EXPECT(strstr(text, name) != NULL);
    EXPECT(strstr(text, "aclshmemx_instance_ctx_set") != NULL);
    EXPECT(strstr(text, "left the job: success") != NULL);
    EXPECT(count_descriptors() == before);
    /* what comes later has no file any more */
    catch_begin(&err, STDERR_FILENO);
    aclshmem_barrier_all();
    catch_end(&err, told);
    EXPECT(strstr(told, "aclshmem_barrier_all: called before init or after finalize") != NULL);
    EXPECT(read_own_file(place->folder, told) == 0440);
    EXPECT(strcmp(told, text) == 0);
}

static void remove_files(const char *folder)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    assert_int_equal(rmdir(folder), 0);
}

static bool has_space(void)
{
    struct statvfs disk;

    return statvfs(root, &disk) == 0 &&
           (uint64_t)disk.f_bavail * disk.f_frsize >= 10ull * 1024 * MIB;
}

static void test_files(void **state)
{
    struct place place;
    char folder[400];
    struct stat status;

    (void)state;
    if (!has_space())
        skip(); /* nothing is written to a disk that is nearly full */
    snprintf(folder, sizeof folder, "%s/aclshmem_log_%d", root, (int)getpid());
    place.folder = folder;
    find_address(place.address);
    umask(022);
    run_pes(3, use_files, &place);
    assert_int_equal(stat(folder, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0750);
    remove_files(folder);
}

/* A folder that is no use: all lines go to standard error, after one warning. */
static void use_bad_folder(int pe, int n_pes, const void *address)
{
    struct catcher err;
    char told[8192];
    const char *warning;

    setenv("SHMEM_LOG_PATH", "/dev/null/folder", 1);
    setenv("SHMEM_LOG_LEVEL", "ERROR", 1);
    catch_begin(&err, STDERR_FILENO);
    join(pe, n_pes, address);
    make_error();
    make_error();
    EXPECT(aclshmem_finalize() == 0);
    catch_end(&err, told);
    warning = strstr(told, "lines go to standard error: making the folder /dev/null/folder");
    EXPECT(warning != NULL);
    EXPECT(strstr(warning + 1, "lines go to standard error") == NULL);
    EXPECT(strstr(warning, "aclshmemx_instance_ctx_set") != NULL);
}

static void test_bad_folder(void **state)
{
    (void)state;
    run_job(2, use_bad_folder);
}

static void use_stdout(int pe, int n_pes, const void *address)
{
    struct catcher out;
    char text[8192];

    setenv("SHMEM_LOG_PATH", "/dev/null/folder", 1); /* counts for nothing */
    setenv("SHMEM_LOG_TO_STDOUT", "1", 1);
    setenv("SHMEM_LOG_LEVEL", "ERROR", 1);
    catch_begin(&out, STDOUT_FILENO);
    join(pe, n_pes, address);
    EXPECT(!writes_errors());
    EXPECT(aclshmem_finalize() == 0);
    catch_end(&out, text);
    EXPECT(strstr(text, "aclshmemx_instance_ctx_set") != NULL);
    EXPECT(strchr(text, '\n') == text + strlen(text) - 1);
}

static void test_stdout(void **state)
{
    (void)state;
    run_job(2, use_stdout);
}

/* PE 0 says it for all. */
static void use_wrong_name(int pe, int n_pes, const void *address)
{
    struct catcher err;
    char told[8192];

    setenv("SHMEM_LOG_LEVEL", "WARN", 1);
    setenv("SHMEM_SYMETRIC_SIZE", "1G", 1);
    catch_begin(&err, STDERR_FILENO);
    join(pe, n_pes, address);
    EXPECT(aclshmem_finalize() == 0);
    catch_end(&err, told);
    EXPECT((strstr(told, "SHMEM_SYMETRIC_SIZE is not a setting; did you mean "
                         "SHMEM_SYMMETRIC_SIZE?") != NULL) == (pe == 0));
}

static void test_wrong_name(void **state)
{
    (void)state;
    run_job(3, use_wrong_name);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),     cmocka_unit_test(test_environment_wins),
        cmocka_unit_test(test_function),   cmocka_unit_test(test_files),
        cmocka_unit_test(test_bad_folder), cmocka_unit_test(test_stdout),
        cmocka_unit_test(test_wrong_name),
    };

    assert_int_equal(argc, 2);
    root = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
