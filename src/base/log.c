/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"

#include "base/log_file.h"
#include "base/log_line.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum destination { TO_STDERR, TO_STDOUT, TO_FILE };

struct shm_log_sink shm_log_sink = {.gate = SHM_LOG_WARN, .pe = -1};

static struct {
    pthread_mutex_t lock;    /* of the file, and of changes of the rest */
    _Atomic int threshold;   /* enum shm_log_level */
    _Atomic int destination; /* enum destination */
    _Atomic shm_log_function function;
    struct shm_log_file file;
    int users;       /* shm_log_attach() without shm_log_detach() */
    bool has_choice; /* the program chose the threshold */
    bool has_told;   /* that lines do not go to the file */
} sink = {.lock = PTHREAD_MUTEX_INITIALIZER, .threshold = SHM_LOG_WARN};

/* This thread is in the program's function: what it logs there must not call it again. */
static _Thread_local bool is_calling;

/* ---- what passes ---- */

/* With a function of the program, everything. */
static void set_gate_locked(void)
{
    int gate = atomic_load(&sink.function) != NULL ? SHM_LOG_DEBUG : atomic_load(&sink.threshold);

    atomic_store_explicit(&shm_log_sink.gate, gate, memory_order_relaxed);
}

static void set_threshold_locked(enum shm_log_level level)
{
    atomic_store(&sink.threshold, (int)level);
    set_gate_locked();
}

void shm_log_set_threshold(enum shm_log_level level)
{
    pthread_mutex_lock(&sink.lock);
    set_threshold_locked(level);
    pthread_mutex_unlock(&sink.lock);
}

void shm_log_choose_threshold(enum shm_log_level level)
{
    pthread_mutex_lock(&sink.lock);
    sink.has_choice = true;
    set_threshold_locked(level);
    pthread_mutex_unlock(&sink.lock);
}

void shm_log_set_function(shm_log_function function)
{
    pthread_mutex_lock(&sink.lock);
    atomic_store(&sink.function, function);
    set_gate_locked();
    pthread_mutex_unlock(&sink.lock);
}

void shm_log_set_pe(int pe)
{
    atomic_store_explicit(&shm_log_sink.pe, pe, memory_order_relaxed);
}

/* ---- where lines go ---- */

static enum destination destination_of(const struct shm_log_settings *settings)
{
    if (settings->is_stdout)
        return TO_STDOUT;
    return settings->folder != NULL && settings->folder[0] != '\0' ? TO_FILE : TO_STDERR;
}

void shm_log_attach(const struct shm_log_settings *settings)
{
    pthread_mutex_lock(&sink.lock);
    if (settings->is_threshold_set || !sink.has_choice)
        set_threshold_locked(settings->threshold);
    if (sink.users++ == 0) {
        enum destination destination = destination_of(settings);

        sink.has_told = false;
        if (destination == TO_FILE)
            shm_log_file_init(&sink.file, settings->folder, &shm_log_limits);
        atomic_store(&sink.destination, destination);
    }
    pthread_mutex_unlock(&sink.lock);
    shm_log_set_pe(settings->pe);
}

static void leave_file_locked(void)
{
    if (atomic_load(&sink.destination) == TO_FILE)
        atomic_store(&sink.destination, TO_STDERR);
}

void shm_log_detach(void)
{
    pthread_mutex_lock(&sink.lock);
    if (sink.users > 0 && --sink.users == 0) {
        if (atomic_load(&sink.destination) == TO_FILE)
            shm_log_file_fini(&sink.file);
        leave_file_locked();
    }
    pthread_mutex_unlock(&sink.lock);
}

void shm_log_before_fork(void)
{
    pthread_mutex_lock(&sink.lock);
}

void shm_log_after_fork_in_parent(void)
{
    pthread_mutex_unlock(&sink.lock);
}

void shm_log_after_fork_in_child(void)
{
    if (atomic_load(&sink.destination) == TO_FILE)
        shm_log_file_forget(&sink.file);
    leave_file_locked();
    sink.users = 0;
    shm_log_set_pe(-1);
    pthread_mutex_unlock(&sink.lock);
}

static void write_whole(int fd, const char *line, size_t bytes)
{
    if (write(fd, line, bytes) < 0)
        return; /* nowhere left to say so */
}

__attribute__((format(printf, 1, 2))) static void write_note(const char *format, ...)
{
    struct shm_log_origin origin = {SHM_LOG_PLACE, "log",
                                    atomic_load_explicit(&shm_log_sink.pe, memory_order_relaxed)};
    char text[SHM_LOG_TEXT_BYTES];
    char line[SHM_LOG_LINE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    shm_log_make_text(text, &origin, format, arguments);
    va_end(arguments);
    write_whole(STDERR_FILENO, line, shm_log_make_line(line, SHM_LOG_WARN, text));
}

/* Once for a job, whatever the threshold: who looks into the files should know that they lack. */
static void tell_trouble_locked(void)
{
    if (!sink.has_told)
        write_note("lines go to standard error: %s", shm_error_detail());
    sink.has_told = true;
}

/* false when the line must go elsewhere. The detail of the caller's error survives. */
static bool write_to_file(const char *line, size_t bytes)
{
    char detail[SHM_DETAIL_BYTES];
    enum shm_status status = SHM_NOT_FOUND;

    snprintf(detail, sizeof detail, "%s", shm_error_detail());
    pthread_mutex_lock(&sink.lock);
    if (atomic_load(&sink.destination) == TO_FILE) {
        status = shm_log_file_write(&sink.file, line, bytes);
        if (status != SHM_OK)
            tell_trouble_locked();
    }
    pthread_mutex_unlock(&sink.lock);
    shm_error_restore(detail);
    return status == SHM_OK;
}

static void deliver(enum shm_log_level level, const char *text)
{
    char line[SHM_LOG_LINE_BYTES];
    size_t bytes = shm_log_make_line(line, level, text);
    int destination = atomic_load(&sink.destination);

    if (destination == TO_FILE && write_to_file(line, bytes))
        return;
    write_whole(destination == TO_STDOUT ? STDOUT_FILENO : STDERR_FILENO, line, bytes);
}

__attribute__((format(printf, 5, 0))) static void pass_on(enum shm_log_level level, bool is_forced,
                                                          const char *place, const char *module,
                                                          const char *format, va_list arguments)
{
    struct shm_log_origin origin = {place, module,
                                    atomic_load_explicit(&shm_log_sink.pe, memory_order_relaxed)};
    shm_log_function function = is_calling ? NULL : atomic_load(&sink.function);
    char text[SHM_LOG_TEXT_BYTES];
    int error = errno;

    if (function == NULL && !is_forced && (int)level < atomic_load(&sink.threshold))
        return;
    shm_log_make_text(text, &origin, format, arguments);
    if (function != NULL) {
        is_calling = true;
        function((int)level, text);
        is_calling = false;
    } else {
        deliver(level, text);
    }
    errno = error;
}

void shm_log_write(enum shm_log_level level, const char *place, const char *module,
                   const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    pass_on(level, false, place, module, format, arguments);
    va_end(arguments);
}

void shm_log_report(enum shm_log_level level, const char *place, const char *module,
                    const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    pass_on(level, true, place, module, format, arguments);
    va_end(arguments);
}
