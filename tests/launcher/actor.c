/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A PE that does what its arguments say, one after the other, speaking to the launcher as the
 * library would. "2:exit=3" is for PE 2 only, "!2:sleep" for all others.
 */
#include "base/launch.h"
#include "base/socket.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECORDS_MAX 64
#define RECORD_STRIDE 256
#define RECORD_OFFSET 4096

struct actor {
    int pe;
    int launcher_fd;
    struct shm_activity records[RECORDS_MAX];
    int n_records;
    int records_fd;
};

static void die(const char *what)
{
    fprintf(stderr, "actor: %s\n", what);
    _exit(77);
}

static int number_of(const char *name)
{
    const char *text = getenv(name);

    return text == NULL ? -1 : atoi(text);
}

static void send_message(const struct actor *actor, const struct shm_launch_message *message,
                         size_t bytes, int fd)
{
    if (shm_socket_send_descriptor(actor->launcher_fd, message, bytes, fd) != SHM_OK)
        die("sending a message");
}

static void send_kind(const struct actor *actor, enum shm_launch_message_kind kind, int status)
{
    const struct shm_launch_message message = {.kind = kind, .status = status};

    send_message(actor, &message, sizeof message, -1);
}

/* `value` says what is sent along: "" = nothing, or else a file, by which no end can be noticed. */
static void begin_init(const struct actor *actor, const char *value)
{
    const struct shm_launch_message message = {.kind = SHM_LAUNCH_INITIALISING};
    int fd = strcmp(value, "file") == 0 ? memfd_create("no pipe", MFD_CLOEXEC) : -1;

    send_message(actor, &message, sizeof message, fd);
    if (fd >= 0)
        close(fd);
}

static enum shm_activity_state state_named(const char *name)
{
    if (strcmp(name, "running") == 0)
        return SHM_ACTIVITY_RUNNING;
    if (strcmp(name, "waiting") == 0)
        return SHM_ACTIVITY_WAITING;
    if (strcmp(name, "finalizing") != 0)
        die(name);
    return SHM_ACTIVITY_FINALIZING;
}

/* record=PE/STATE/OPERATION/SEQUENCE/PEER */
static void add_record(struct actor *actor, const char *value)
{
    struct shm_activity *record = &actor->records[actor->n_records++];
    int pe, peer;
    char state[16];
    unsigned long long sequence;
    char operation[64];

    if (sscanf(value, "%d/%15[^/]/%63[^/]/%llu/%d", &pe, state, operation, &sequence, &peer) != 5)
        die("record");
    record->pe = pe;
    record->pid = 1;
    record->state = (uint32_t)state_named(state);
    record->sequence = sequence;
    record->peer = peer;
    record->since_ns = 1;
    memcpy(record->operation, operation, sizeof record->operation); /* may be unterminated */
}

/* Sends the records; `value` says what is wrong with them, "" = nothing. */
static void share_records(struct actor *actor, const char *value)
{
    int fd = memfd_create("records", MFD_CLOEXEC);
    struct shm_launch_message message = {.kind = SHM_LAUNCH_RECORDS,
                                         .record_offset = RECORD_OFFSET,
                                         .record_stride = RECORD_STRIDE,
                                         .record_count = (uint32_t)actor->n_records};

    for (int i = 0; i < actor->n_records; i++)
        if (pwrite(fd, &actor->records[i], sizeof actor->records[i],
                   RECORD_OFFSET + i * RECORD_STRIDE) < 0)
            die("pwrite");
    if (strcmp(value, "count") == 0)
        message.record_count = 1000000;
    if (strcmp(value, "none") == 0)
        message.record_count = 0;
    if (strcmp(value, "offset") == 0)
        message.record_offset = UINT64_MAX - 64;
    if (strcmp(value, "stride") == 0)
        message.record_stride = UINT64_MAX / 2 + 1;
    if (strcmp(value, "overlap") == 0)
        message.record_stride = 8;
    if (strcmp(value, "short") == 0 && ftruncate(fd, RECORD_OFFSET + 10) != 0)
        die("ftruncate");
    if (strcmp(value, "pipe") == 0)
        fd = 1;
    send_message(actor, &message, sizeof message, fd);
    actor->records_fd = fd;
}

static void shrink_records(const struct actor *actor)
{
    if (ftruncate(actor->records_fd, 0) != 0)
        die("ftruncate");
}

static void print_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;

    while ((entry = readdir(folder)) != NULL) {
        int fd = atoi(entry->d_name);

        if (entry->d_name[0] == '.' || fd == dirfd(folder))
            continue;
        printf("fd %s\n", fd == number_of(SHM_LAUNCH_FD) ? "launcher"
                          : getenv(SHM_LAUNCH_STORE_FD) && fd == number_of(SHM_LAUNCH_STORE_FD)
                              ? "store"
                          : fd == number_of(SHM_LAUNCH_BOARD_FD) ? "board"
                                                                 : entry->d_name);
    }
    closedir(folder);
}

static void print_processors(void)
{
    cpu_set_t set;

    sched_getaffinity(0, sizeof set, &set);
    printf("processors %d first", CPU_COUNT(&set));
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set)) {
            printf(" %d\n", i);
            return;
        }
}

static void write_bulk(size_t bytes)
{
    static const char line[] =
        "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrs\n";

    for (size_t written = 0; written < bytes; written += sizeof line - 1)
        fputs(line, stdout);
}

static void write_letters(size_t bytes)
{
    while (bytes-- > 0)
        putchar('x');
}

/* A child that stays; it does not keep the output open when it is a daemon. */
static void fork_sleeper(bool is_daemon)
{
    if (fork() != 0)
        return;
    if (is_daemon) {
        setsid();
        if (fork() != 0)
            _exit(0);
        close(0);
        close(1);
        close(2);
    }
    for (;;)
        pause();
}

static void copy_input(void)
{
    char data[4096];
    ssize_t bytes;

    while ((bytes = read(0, data, sizeof data)) > 0)
        fwrite(data, 1, (size_t)bytes, stdout);
    printf("<end of input>\n");
}

static void print_store(void)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    int listens = 0;
    socklen_t int_bytes = sizeof listens;

    if (getsockname(number_of(SHM_LAUNCH_STORE_FD), (struct sockaddr *)&address, &bytes) != 0)
        die("getsockname");
    getsockopt(number_of(SHM_LAUNCH_STORE_FD), SOL_SOCKET, SO_ACCEPTCONN, &listens, &int_bytes);
    printf("store %d listens %d\n", address.ss_family == AF_INET, listens);
}

static volatile sig_atomic_t has_caught;

static void on_signal(int number)
{
    static const char text[] = "caught\n";

    (void)number;
    has_caught = 1;
    if (write(1, text, sizeof text - 1) < 0)
        _exit(1);
}

static void catch_signal(int number)
{
    const struct sigaction action = {.sa_handler = on_signal};

    sigaction(number, &action, NULL);
}

/* By default action, whatever a sanitizer may have installed. */
static void kill_myself(int number)
{
    signal(number, SIG_DFL);
    kill(getpid(), number);
}

static void await_signal(void)
{
    while (!has_caught)
        usleep(5000);
}

/* ---- dispatch ---- */

static void stay(struct actor *actor, const char *value)
{
    (void)actor;
    (void)value;
    for (;;)
        pause();
}

static void act_plain(struct actor *actor, const char *value, const char *verb)
{
    if (strcmp(verb, "exit") == 0) {
        fflush(stdout);
        _exit(atoi(value));
    }
    if (strcmp(verb, "kill") == 0)
        kill_myself(atoi(value));
    else if (strcmp(verb, "stay") == 0)
        stay(actor, value);
    else if (strcmp(verb, "sleep") == 0)
        usleep((useconds_t)atoi(value) * 1000);
    else if (strcmp(verb, "print") == 0)
        printf("%s\n", value);
    else if (strcmp(verb, "raw") == 0)
        printf("%s", value);
    else if (strcmp(verb, "err") == 0)
        fprintf(stderr, "%s\n", value);
    else if (strcmp(verb, "bulk") == 0)
        write_bulk((size_t)atol(value));
    else if (strcmp(verb, "letters") == 0)
        write_letters((size_t)atol(value));
    else if (strcmp(verb, "cat") == 0)
        copy_input();
    else if (strcmp(verb, "fds") == 0)
        print_descriptors();
    else if (strcmp(verb, "processors") == 0)
        print_processors();
    else if (strcmp(verb, "store") == 0)
        print_store();
    else if (strcmp(verb, "env") == 0)
        printf("%s=%s\n", value, getenv(value) == NULL ? "(unset)" : getenv(value));
    else if (strcmp(verb, "ignore") == 0)
        signal(atoi(value), SIG_IGN);
    else if (strcmp(verb, "catch") == 0)
        catch_signal(atoi(value));
    else if (strcmp(verb, "await") == 0)
        await_signal();
    else if (strcmp(verb, "child") == 0)
        fork_sleeper(false);
    else if (strcmp(verb, "daemon") == 0)
        fork_sleeper(true);
    else
        die(verb);
    fflush(stdout);
}

static void act(struct actor *actor, const char *verb, const char *value)
{
    if (strcmp(verb, "init") == 0)
        begin_init(actor, value);
    else if (strcmp(verb, "joined") == 0)
        send_kind(actor, SHM_LAUNCH_RECORDS, 0);
    else if (strcmp(verb, "final") == 0)
        send_kind(actor, SHM_LAUNCH_FINALIZED, 0);
    else if (strcmp(verb, "global") == 0)
        send_kind(actor, SHM_LAUNCH_EXIT, atoi(value));
    else if (strcmp(verb, "unknown") == 0)
        send_kind(actor, (enum shm_launch_message_kind)77, 0);
    else if (strcmp(verb, "stub") == 0)
        send_message(actor, &(struct shm_launch_message){.kind = 1}, 5, -1);
    else if (strcmp(verb, "record") == 0)
        add_record(actor, value);
    else if (strcmp(verb, "share") == 0)
        share_records(actor, value);
    else if (strcmp(verb, "shrink") == 0)
        shrink_records(actor);
    else
        act_plain(actor, value, verb);
}

/* Strips "2:" or "!2:"; NULL when the step is not for this PE. */
static char *step_for(char *step, int pe)
{
    bool is_not = step[0] == '!';
    size_t digits = strspn(step + is_not, "0123456789");

    if (digits == 0 || step[is_not + digits] != ':')
        return step;
    if ((atoi(step + is_not) == pe) == is_not)
        return NULL;
    return step + is_not + digits + 1;
}

int main(int argc, char **argv)
{
    static struct actor actor;

    actor.pe = number_of(SHM_LAUNCH_PE);
    actor.launcher_fd = number_of(SHM_LAUNCH_FD);
    for (int i = 1; i < argc; i++) {
        char *step = step_for(argv[i], actor.pe);
        char *value = step == NULL ? NULL : strchr(step, '=');

        if (step == NULL)
            continue;
        if (value != NULL)
            *value++ = '\0';
        act(&actor, step, value == NULL ? "" : value);
    }
    return 0;
}
