/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the log, what passes, and the program's function. Files are in test_log_file.c. */
#include "base/log_line.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- what a descriptor gets meanwhile ---- */

struct catcher {
    int fd, saved, ends[2];
};

static void catch_begin(struct catcher *catcher, int fd)
{
    catcher->fd = fd;
    catcher->saved = dup(fd);
    assert_int_equal(pipe2(catcher->ends, O_CLOEXEC | O_NONBLOCK), 0);
    dup2(catcher->ends[1], fd);
}

static void catch_end(struct catcher *catcher, char text[4096])
{
    ssize_t bytes = read(catcher->ends[0], text, 4095);

    text[bytes > 0 ? bytes : 0] = '\0';
    dup2(catcher->saved, catcher->fd);
    close(catcher->saved);
    close(catcher->ends[0]);
    close(catcher->ends[1]);
}

static bool matches(const char *text, const char *pattern)
{
    regex_t compiled;
    bool is_match;

    assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    is_match = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return is_match;
}

/* Back to how a process begins, but for the choice of the program. */
static int reset(void **state)
{
    (void)state;
    shm_log_set_function(NULL);
    shm_log_set_threshold(SHM_LOG_WARN);
    shm_log_set_pe(-1);
    return 0;
}

/* ---- lines ---- */

static void test_line(void **state)
{
    struct catcher catcher;
    char text[4096];

    (void)state;
    catch_begin(&catcher, STDERR_FILENO);
    shm_log(SHM_LOG_DEBUG, "test", "dropped %d", 1);
    shm_log_set_pe(3);
    shm_log_set_threshold(SHM_LOG_INFO);
    shm_log(SHM_LOG_INFO, "test", "value %d", 42);
    shm_log_set_pe(-1);
    shm_log_set_threshold(SHM_LOG_FATAL);
    shm_log_report(SHM_LOG_WARN, "far/away.c:7", "test", "must be said");
    catch_end(&catcher, text);
    assert_true(matches(text,
                        "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6} "
                        "INFO [0-9]+ pid\\[[0-9]+\\] \\[SHM_SHMEM test_log\\.c:[0-9]+\\] "
                        "PE 3 test: value 42\n"
                        "[^\n]* WARN [^\n]*\\[SHM_SHMEM away\\.c:7\\] test: must be said\n$"));
}

__attribute__((format(printf, 2, 3))) static void make_text(char text[SHM_LOG_TEXT_BYTES],
                                                            const char *format, ...)
{
    struct shm_log_origin origin = {"a.c:1", "test", -1};
    va_list arguments;

    va_start(arguments, format);
    shm_log_make_text(text, &origin, format, arguments);
    va_end(arguments);
}

/* Peers' texts must not move the cursor or make lines of their own. */
static void test_control_characters(void **state)
{
    char text[SHM_LOG_TEXT_BYTES];

    (void)state;
    make_text(text, "%s",
              "a\nb\x1b[2J\x7f\tc\xc2\x9b"
              "d");
    assert_string_equal(text, "[SHM_SHMEM a.c:1] test: a\\x0ab\\x1b[2J\\x7f\\x09c\\xc2\\x9bd");
    make_text(text, "%s", "\xc3\xa9\xe2\x82\xac \xc2");
    assert_string_equal(text, "[SHM_SHMEM a.c:1] test: \xc3\xa9\xe2\x82\xac \xc2");
}

static void check_cut(char filler)
{
    char text[SHM_LOG_TEXT_BYTES];
    char line[SHM_LOG_LINE_BYTES];
    char long_text[3 * SHM_LOG_TEXT_BYTES];
    size_t bytes;

    memset(long_text, filler, sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    make_text(text, "%s", long_text);
    assert_true(strlen(text) > SHM_LOG_TEXT_BYTES - 16);
    assert_string_equal(text + strlen(text) - strlen(SHM_LOG_CUT), SHM_LOG_CUT);
    bytes = shm_log_make_line(line, SHM_LOG_ERROR, text);
    assert_true(bytes < sizeof line);
    assert_string_equal(line + bytes - strlen(SHM_LOG_CUT) - 1, SHM_LOG_CUT "\n");
}

static void test_long_text(void **state)
{
    char text[SHM_LOG_TEXT_BYTES];

    (void)state;
    check_cut('x');
    check_cut('\n'); /* four bytes each */
    make_text(text, "%0*d", 900, 1);
    assert_null(strstr(text, SHM_LOG_CUT));
    assert_int_equal(strlen(text), strlen("[SHM_SHMEM a.c:1] test: ") + 900);
}

/* Plug-ins pass on what they like. */
static void test_foreign_level(void **state)
{
    char line[SHM_LOG_LINE_BYTES];

    (void)state;
    shm_log_make_line(line, (enum shm_log_level)77, "text");
    assert_non_null(strstr(line, " ? "));
    shm_log_make_line(line, (enum shm_log_level) - 1, "text");
    assert_non_null(strstr(line, " ? "));
}

/* ---- where lines go, and which ---- */

static void test_stdout(void **state)
{
    struct shm_log_settings settings = {
        .threshold = SHM_LOG_INFO, .is_stdout = true, .folder = "/nowhere", .pe = 2};
    struct catcher out;
    struct catcher err;
    char text[4096];
    char other[4096];

    (void)state;
    catch_begin(&out, STDOUT_FILENO);
    catch_begin(&err, STDERR_FILENO);
    shm_log_attach(&settings);
    shm_log(SHM_LOG_INFO, "test", "first");
    shm_log_detach();
    shm_log_detach(); /* one too many does no harm */
    shm_log(SHM_LOG_INFO, "test", "second");
    settings.is_stdout = false;
    settings.folder = "";
    shm_log_attach(&settings);
    shm_log(SHM_LOG_INFO, "test", "third");
    shm_log_detach();
    catch_end(&err, other);
    catch_end(&out, text);
    assert_true(matches(text, "^[^\n]* PE 2 test: first\n[^\n]* PE 2 test: second\n$"));
    assert_true(matches(other, "^[^\n]* PE 2 test: third\n$"));
}

static int gate(void)
{
    return atomic_load(&shm_log_sink.gate);
}

/* The user's word, then the program's, then the default. Last of all: a choice stays. */
static void test_choice(void **state)
{
    struct shm_log_settings settings = {.threshold = SHM_LOG_ERROR, .pe = 0};

    (void)state;
    shm_log_attach(&settings);
    assert_int_equal(gate(), SHM_LOG_ERROR);
    shm_log_detach();
    shm_log_choose_threshold(SHM_LOG_DEBUG);
    shm_log_attach(&settings);
    assert_int_equal(gate(), SHM_LOG_DEBUG);
    shm_log_detach();
    settings.is_threshold_set = true;
    shm_log_attach(&settings);
    assert_int_equal(gate(), SHM_LOG_ERROR);
    shm_log_detach();
}

/* ---- the program's function ---- */

static char last_text[SHM_LOG_TEXT_BYTES];
static int last_level;
static _Atomic int call_count;

static void count_message(int level, const char *text)
{
    last_level = level;
    snprintf(last_text, sizeof last_text, "%s", text);
    atomic_fetch_add(&call_count, 1);
}

static void count_apart(int level, const char *text)
{
    (void)level;
    (void)text;
    atomic_fetch_add(&call_count, 100);
}

static void test_function(void **state)
{
    struct catcher err;
    char text[4096];

    (void)state;
    atomic_store(&call_count, 0);
    catch_begin(&err, STDERR_FILENO);
    shm_log_set_threshold(SHM_LOG_FATAL);
    shm_log_set_function(count_message);
    for (int level = SHM_LOG_DEBUG; level <= SHM_LOG_FATAL; level++) {
        shm_log((enum shm_log_level)level, "test", "message %d", level);
        assert_int_equal(last_level, level);
        assert_int_equal(atomic_load(&call_count), level + 1);
    }
    assert_true(matches(last_text, "^\\[SHM_SHMEM test_log\\.c:[0-9]+\\] test: message 4$"));
    shm_log_set_function(count_apart); /* replaces the first */
    shm_log_set_threshold(SHM_LOG_FATAL);
    shm_log(SHM_LOG_DEBUG, "test", "one more");
    assert_int_equal(atomic_load(&call_count), 105);
    shm_log_set_function(NULL);
    shm_log(SHM_LOG_ERROR, "test", "below the threshold");
    shm_log(SHM_LOG_FATAL, "test", "written again");
    assert_int_equal(atomic_load(&call_count), 105);
    catch_end(&err, text);
    assert_true(matches(text, "^[^\n]* test: written again\n$"));
}

/* Logs, and changes what is logged. */
static void log_again(int level, const char *text)
{
    (void)text;
    atomic_fetch_add(&call_count, 1);
    shm_log(SHM_LOG_INFO, "inner", "below the threshold");
    shm_log(SHM_LOG_ERROR, "inner", "from level %d", level);
    shm_log_choose_threshold(SHM_LOG_ERROR);
    shm_log_set_function(log_again);
}

static void test_function_that_logs(void **state)
{
    struct catcher err;
    char text[4096];

    (void)state;
    atomic_store(&call_count, 0);
    catch_begin(&err, STDERR_FILENO);
    shm_log_set_function(log_again);
    shm_log(SHM_LOG_DEBUG, "test", "first");
    shm_log(SHM_LOG_INFO, "test", "second");
    catch_end(&err, text);
    assert_int_equal(atomic_load(&call_count), 2);
    assert_true(matches(text, "^[^\n]* inner: from level 0\n[^\n]* inner: from level 1\n$"));
}

#define THREADS 4
#define ROUNDS 500

static void *log_much(void *argument)
{
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        shm_log(SHM_LOG_DEBUG, "test", "round %d", i);
        shm_log_set_threshold(i % 2 == 0 ? SHM_LOG_ERROR : SHM_LOG_FATAL);
    }
    return NULL;
}

static void count_only(int level, const char *text)
{
    (void)level;
    (void)text;
    atomic_fetch_add(&call_count, 1);
}

static void test_threads(void **state)
{
    pthread_t threads[THREADS];

    (void)state;
    atomic_store(&call_count, 0);
    shm_log_set_function(count_only);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, log_much, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&call_count), THREADS * ROUNDS);
}

/* The detail of an error and errno are the caller's, and often what is being logged. */
static void test_detail_survives(void **state)
{
    struct shm_log_settings settings = {
        .threshold = SHM_LOG_INFO, .folder = "/dev/null/folder", .pe = 5};
    struct catcher err;
    char text[4096];

    (void)state;
    catch_begin(&err, STDERR_FILENO);
    shm_log_attach(&settings);
    assert_int_equal(shm_fail(SHM_INVALID_VALUE, "mine"), SHM_INVALID_VALUE);
    errno = ENOENT;
    shm_log(SHM_LOG_ERROR, "test", "%s", shm_error_detail());
    assert_int_equal(errno, ENOENT);
    shm_log(SHM_LOG_ERROR, "test", "again");
    shm_log_detach();
    catch_end(&err, text);
    assert_string_equal(shm_error_detail(), "mine");
    /* one warning, and all lines */
    assert_true(matches(text, "^[^\n]* PE 5 log: lines go to standard error: making the folder "
                              "/dev/null/folder: Not a directory\n"
                              "[^\n]* PE 5 test: mine\n[^\n]* PE 5 test: again\n$"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_line, reset),
        cmocka_unit_test_setup(test_control_characters, reset),
        cmocka_unit_test_setup(test_long_text, reset),
        cmocka_unit_test_setup(test_foreign_level, reset),
        cmocka_unit_test_setup(test_stdout, reset),
        cmocka_unit_test_setup(test_detail_survives, reset),
        cmocka_unit_test_setup_teardown(test_function, reset, reset),
        cmocka_unit_test_setup_teardown(test_threads, reset, reset),
        cmocka_unit_test_setup_teardown(test_choice, reset, reset),
        cmocka_unit_test_setup_teardown(test_function_that_logs, reset, reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
